//! A file that grows and is written through memory, so that keeping a record costs no system call
//! and a killed process loses none.
//!
//! One of the two files outside of `target` that have `unsafe`. Blocks are given to the file before they are mapped: a
//! full disk is an error here and not a bus error later.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

use memmap2::MmapMut;
use nix::fcntl::posix_fallocate;

/// The file grows by that much at a time.
const STEP: usize = 1 << 20;

/// A file and its bytes.
#[derive(Debug)]
pub(super) struct Mapped {
    file: File,
    map: MmapMut,
}

impl Mapped {
    /// Maps all of `file`, which is given at least one step of blocks. The file has to be locked
    /// by this process: nobody else may cut it while it is mapped.
    pub fn new(file: File) -> io::Result<Self> {
        let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let map = map(&file, size.max(STEP))?;
        Ok(Mapped { file, map })
    }

    /// All bytes; what was never written is 0.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Writes at `offset`; the file grows where it has to, up to `limit` bytes.
    ///
    /// Returns whether there was room below the limit.
    pub fn write(&mut self, offset: usize, bytes: &[u8], limit: usize) -> io::Result<bool> {
        let end = offset + bytes.len();
        if end > limit {
            return Ok(false);
        }
        if end > self.map.len() {
            self.map = map(&self.file, end.next_multiple_of(STEP))?;
        }
        self.map[offset..end].copy_from_slice(bytes);
        Ok(true)
    }

    /// Zeroes everything from `offset` on.
    pub fn clear_from(&mut self, offset: usize) {
        self.map[offset..].fill(0);
    }
}

fn map(file: &File, size: usize) -> io::Result<MmapMut> {
    let length = i64::try_from(size).map_err(io::Error::other)?;
    posix_fallocate(file.as_fd(), 0, length)?;
    // SAFETY: the mapping is as long as the file, whose blocks are there, and the file is locked
    // against other processes of ours. Assumed: nobody else cuts a hidden file of ours meanwhile.
    unsafe { MmapMut::map_mut(file) }
}
