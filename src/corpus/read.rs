//! Reads input files so that reading always ends: a regular file only, a bounded number of bytes,
//! and not a byte more once an end of the run was asked for.
//!
//! Below `/proc` and `/sys` are regular files of size 0 that give bytes without end or wait for
//! the next one; the size alone says nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat};
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::stat::{Mode, SFlag, fstatat};

/// Inputs larger than this are refused. No failure needs more, and a run keeps several copies.
/// A guess, not measured.
pub(crate) const MAX_INPUT_BYTES: u64 = 512 << 20;
/// Bytes that are read before the flag is looked at again.
/// A guess, not measured.
const PIECE_BYTES: usize = 64 << 10;
/// Milliseconds for which a stream is awaited before the flag is looked at again.
///
/// Short enough to seem immediate to a user who pressed Ctrl-C.
const STREAM_POLL_MS: u8 = 100;

/// Why an input is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is a pipe, a socket, a device or a folder. Inputs are read more than once.
    #[error("not a regular file; write its content into a file first")]
    NotAFile,
    /// It is larger than [`MAX_INPUT_BYTES`].
    #[error("larger than {} MB", MAX_INPUT_BYTES >> 20)]
    TooLarge,
    /// An end of the run was asked for.
    #[error("interrupted")]
    Interrupted,
    /// The system's error.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::System(error) => error,
            other => io::Error::other(other),
        }
    }
}

/// The bytes of a file. Fails when `interrupt` is set.
///
/// Fails as [`each_piece`] does. Memory: the file's size.
pub(crate) fn read_input(path: &Path, interrupt: &AtomicBool) -> Result<Vec<u8>, ReadError> {
    check(path)?;
    let (mut file, size) = open(path)?;
    read_rest(&mut file, size, interrupt)
}

/// As [`read_input`], for a path that was that of a regular file a moment ago: with one system call less.
pub(super) fn read_checked(
    path: &Path,
    folders: &mut LastFolder,
    interrupt: &AtomicBool,
) -> Result<Vec<u8>, ReadError> {
    let (mut file, size) = folders.open(path)?;
    read_rest(&mut file, size, interrupt)
}

/// The bytes of a file that was just opened and has this size.
fn read_rest(file: &mut File, size: u64, interrupt: &AtomicBool) -> Result<Vec<u8>, ReadError> {
    // With one byte more, the end is found without more memory.
    let mut bytes = Vec::with_capacity(size as usize + 1);
    // What a file gets while it is read is left out, so that no read is needed to see its end. A size of 0 says nothing.
    let mut left = if size == 0 { u64::MAX } else { size };
    loop {
        if interrupt.load(Ordering::Relaxed) {
            return Err(ReadError::Interrupted);
        }
        let piece = left.min(PIECE_BYTES as u64);
        let count = file.by_ref().take(piece).read_to_end(&mut bytes)? as u64;
        left -= count;
        if bytes.len() as u64 > MAX_INPUT_BYTES {
            return Err(ReadError::TooLarge);
        }
        if count < piece || left == 0 {
            return Ok(bytes);
        }
    }
}

/// The bytes of standard input, up to its end. Fails within a moment when `interrupt` is set, even if
/// nothing comes.
pub(crate) fn read_standard_input(interrupt: &AtomicBool) -> Result<Vec<u8>, ReadError> {
    read_stream(io::stdin().as_fd(), interrupt)
}

/// Waits by `poll` instead of a blocking read, which no flag could end.
fn read_stream(stream: BorrowedFd<'_>, interrupt: &AtomicBool) -> Result<Vec<u8>, ReadError> {
    let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
    loop {
        if interrupt.load(Ordering::Relaxed) {
            return Err(ReadError::Interrupted);
        }
        let waiting = poll(&mut [PollFd::new(stream, PollFlags::POLLIN)], STREAM_POLL_MS);
        match waiting {
            Ok(0) | Err(Errno::EINTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(io::Error::from(error).into()),
        }
        match nix::unistd::read(stream, &mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(error) => return Err(io::Error::from(error).into()),
        }
        if bytes.len() as u64 > MAX_INPUT_BYTES {
            return Err(ReadError::TooLarge);
        }
    }
}

/// Hands the bytes of a file over, one piece after the other, and returns how many there are.
///
/// Fails with [`ReadError::NotAFile`], [`ReadError::TooLarge`] (also for a file that grows while it
/// is read), [`ReadError::Interrupted`], and with the system's error. Memory: one piece of 64 KiB.
pub(super) fn each_piece(
    path: &Path,
    interrupt: &AtomicBool,
    receive: &mut dyn FnMut(&[u8]),
) -> Result<u64, ReadError> {
    check(path)?;
    let (mut file, _) = open(path)?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut bytes = 0;
    loop {
        if interrupt.load(Ordering::Relaxed) {
            return Err(ReadError::Interrupted);
        }
        let count = match file.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        bytes += count as u64;
        if count == 0 {
            return Ok(bytes);
        }
        if bytes > MAX_INPUT_BYTES {
            return Err(ReadError::TooLarge);
        }
        receive(&piece[..count]);
    }
}

/// Whether a path is that of a regular file. Asked before it is opened too: to open a device may already do something.
fn check(path: &Path) -> Result<(), ReadError> {
    match std::fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(ReadError::NotAFile),
    }
}

/// Opens a regular file that is not too large. Opening a pipe without a writer would wait for one,
/// and reading the kernel's log for its next line, hence without blocking. Also gives its size.
fn open(path: &Path) -> Result<(File, u64), ReadError> {
    let mut options = OpenOptions::new();
    opened(options.read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)?)
}

/// An opened file and its size, if it is a regular file and not too large.
fn opened(file: File) -> Result<(File, u64), ReadError> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(ReadError::NotAFile);
    }
    if found.len() > MAX_INPUT_BYTES {
        return Err(ReadError::TooLarge);
    }
    Ok((file, found.len()))
}

/// The folder of the last file. To find a file there by its name takes the system half as long as by its whole path, and the files of
/// a corpus are in one folder, or in few.
#[derive(Debug, Default)]
pub(super) struct LastFolder(Option<(PathBuf, OwnedFd)>);

impl LastFolder {
    /// The folder of a path, and the name in it; for a path without a name, the path itself from where this process is.
    fn of<'p>(&mut self, path: &'p Path) -> io::Result<(BorrowedFd<'_>, &'p Path)> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let (Some(parent), Some(name)) = (parent, path.file_name()) else {
            return Ok((AT_FDCWD, path));
        };
        if self.0.as_ref().is_none_or(|(last, _)| last != parent) {
            let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
            self.0 = Some((parent.to_owned(), nix::fcntl::open(parent, flags, Mode::empty())?));
        }
        let (_, folder) = self.0.as_ref().expect("it was opened");
        Ok((folder.as_fd(), Path::new(name)))
    }

    /// The same as [`open`].
    fn open(&mut self, path: &Path) -> Result<(File, u64), ReadError> {
        let (folder, name) = self.of(path)?;
        let flags = OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        opened(openat(folder, name, flags, Mode::empty()).map_err(io::Error::from)?.into())
    }

    /// The size of a regular file.
    pub(super) fn size_of(&mut self, path: &Path) -> Result<u64, ReadError> {
        let (folder, name) = self.of(path)?;
        let found = fstatat(folder, name, AtFlags::empty()).map_err(io::Error::from)?;
        match SFlag::from_bits_truncate(found.st_mode) & SFlag::S_IFMT {
            SFlag::S_IFREG => Ok(found.st_size as u64),
            _ => Err(ReadError::NotAFile),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(path: &Path) -> String {
        read_input(path, &AtomicBool::new(false)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_regular_file_is_refused_without_a_byte_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [&pipe, &socket, folder.path(), Path::new("/dev/zero")] {
            assert_eq!(error(path), "not a regular file; write its content into a file first");
        }
    }

    #[test]
    fn a_file_of_the_last_folder_is_the_same_as_by_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let never = AtomicBool::new(false);
        let mut last = LastFolder::default();
        for (at, place) in ["a/x", "a/y", "b/x", "a/x", "b/c/x", "b/y"].iter().enumerate() {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "text".repeat(at)).unwrap();
            assert_eq!(last.size_of(&path).unwrap(), 4 * at as u64);
            assert_eq!(
                read_checked(&path, &mut last, &never).unwrap(),
                "text".repeat(at).as_bytes()
            );
        }
        let missing = last.size_of(&folder.path().join("b/z")).unwrap_err().to_string();
        assert_eq!(missing, std::fs::metadata("/missing").unwrap_err().to_string());
        assert!(matches!(last.size_of(folder.path()), Err(ReadError::NotAFile)));
        assert!(matches!(last.open(Path::new("/")), Err(ReadError::NotAFile)));
        assert!(last.size_of(Path::new("Cargo.toml")).unwrap() > 0);
        assert!(last.size_of(&folder.path().join("c/x")).is_err());
    }

    #[test]
    fn the_bound_holds_by_size_before_a_byte_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        // A hole: it takes no space.
        File::create(&path).unwrap().set_len(MAX_INPUT_BYTES + 1).unwrap();
        assert_eq!(error(&path), "larger than 512 MB");
    }

    #[test]
    fn the_bound_holds_while_reading_a_file_that_says_it_is_empty() {
        // A number for each page that this process may have: gigabytes, in a file of size 0.
        let path = Path::new("/proc/self/pagemap");
        assert_eq!(std::fs::metadata(path).unwrap().len(), 0);
        let read = each_piece(path, &AtomicBool::new(false), &mut |_| {});
        assert!(matches!(read, Err(ReadError::TooLarge)));
    }

    #[test]
    fn a_stream_is_read_to_its_end_and_an_interrupt_ends_the_wait_for_more() {
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, b"some").unwrap();
        let interrupt = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let reading = scope.spawn(|| read_stream(reader.as_fd(), &interrupt));
            interrupt.store(true, Ordering::Relaxed);
            assert!(matches!(reading.join().unwrap(), Err(ReadError::Interrupted)));
        });
        interrupt.store(false, Ordering::Relaxed);
        let (reader, mut writer) = io::pipe().unwrap();
        io::Write::write_all(&mut writer, b"all of it").unwrap();
        drop(writer);
        assert_eq!(read_stream(reader.as_fd(), &interrupt).unwrap(), b"all of it");
    }

    #[test]
    fn an_end_that_was_asked_for_ends_the_reading() {
        let interrupt = AtomicBool::new(false);
        let mut pieces = 0;
        let ended = each_piece(Path::new("/proc/self/pagemap"), &interrupt, &mut |_| {
            pieces += 1;
            interrupt.store(pieces == 3, Ordering::Relaxed);
        });
        assert!(matches!(ended, Err(ReadError::Interrupted)));
        assert_eq!(pieces, 3);
    }
}
