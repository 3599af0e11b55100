//! The bytes of an executable, read into memory.
//!
//! They are not mapped: a build or a target that truncates a file while it is mapped ends the run
//! by SIGBUS. Machine code and debug information are most of a file, and only stacks for people need
//! the latter: both are left out, and for stacks the file is copied to where no one else can reach
//! it.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use memmap2::MmapMut;
use nix::sys::memfd::{MFdFlags, memfd_create};

/// The most that is read. A browser with all its debug information is smaller.
const MAX_EXECUTABLE_BYTES: u64 = 8 << 30;

/// Bytes of the header of a 64-bit ELF file, and of an entry of its tables.
const HEADER_BYTES: usize = 64;
const PROGRAM_BYTES: usize = 56;
const SECTION_BYTES: usize = 64;
/// The type of a section with code or data, or with debug information.
const SHT_PROGBITS: u64 = 1;
/// The type of a section that takes no place in the file.
const SHT_NOBITS: u64 = 8;
/// Said of a section that is in memory when the program runs: no debug information is.
const SHF_ALLOC: u64 = 2;
/// Said of a section with machine code.
const SHF_EXECINSTR: u64 = 4;

/// An executable in memory, with zeroes in the place of machine code and debug information.
pub(in crate::exec) struct Image {
    /// Private memory, not the file: if there is no room for it, that is an error and no abort.
    bytes: MmapMut,
    length: usize,
}

impl Deref for Image {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Image {
    /// Reads a file. Of one that is no 64-bit ELF file of this machine's byte order only the
    /// beginning is read, which is enough to refuse it. If the file is changed meanwhile, the bytes
    /// are a mixture: parsing has to expect anything in any case.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > MAX_EXECUTABLE_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // Pages to which nothing is written take no memory.
        let length = length as usize;
        let mut image = Image { bytes: MmapMut::map_anon(length.max(1))?, length };
        image.fill(&file, Some(0..HEADER_BYTES))?;
        if !image.starts_with(b"\x7fELF\x02\x01") {
            return Ok(image);
        }
        let programs = image.table(32, 56, PROGRAM_BYTES);
        image.fill(&file, programs)?;
        let Some(sections) = image.table(40, 60, SECTION_BYTES) else { return Ok(image) };
        image.fill(&file, Some(sections.clone()))?;
        for at in sections.step_by(SECTION_BYTES) {
            let wanted = image.section(at);
            image.fill(&file, wanted)?;
        }
        Ok(image)
    }

    /// Where a table is, by the header's fields at `offset` and `count`; `None` if that is not
    /// within the file.
    fn table(&self, offset: usize, count: usize, entry_bytes: usize) -> Option<Range<usize>> {
        let start = usize::try_from(self.number(offset, 8)?).ok()?;
        let bytes = usize::try_from(self.number(count, 2)?).ok()? * entry_bytes;
        let end = start.checked_add(bytes)?;
        (start > 0 && bytes > 0 && end <= self.len()).then_some(start..end)
    }

    /// Where the content of the section is whose entry is at `at`, if it is wanted.
    fn section(&self, at: usize) -> Option<Range<usize>> {
        let (kind, flags) = (self.number(at + 4, 4)?, self.number(at + 8, 8)?);
        let is_data = flags & SHF_ALLOC != 0 && flags & SHF_EXECINSTR == 0;
        if kind == SHT_NOBITS || (kind == SHT_PROGBITS && !is_data) {
            return None;
        }
        let start = usize::try_from(self.number(at + 24, 8)?).ok()?;
        let bytes = usize::try_from(self.number(at + 32, 8)?).ok()?;
        Some(start..start.checked_add(bytes)?)
    }

    /// A number of the file with this number of bytes.
    fn number(&self, at: usize, bytes: usize) -> Option<u64> {
        let found = self.get(at..at + bytes)?;
        Some(found.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Reads the bytes of the file at `range`, as far as it has them.
    fn fill(&mut self, file: &File, range: Option<Range<usize>>) -> io::Result<()> {
        let Some(Range { start, end }) = range else { return Ok(()) };
        let end = end.min(self.len());
        let mut at = start.min(end);
        while at < end {
            match file.read_at(&mut self.bytes[at..end], at as u64) {
                Ok(0) => break,
                Ok(read) => at += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A copy of a whole file in memory, which has a path while it is open.
pub(in crate::exec) struct MemoryCopy {
    file: OwnedFd,
}

impl MemoryCopy {
    /// Copies a file.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut from = File::open(path)?;
        if from.metadata()?.len() > MAX_EXECUTABLE_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut copy = File::from(memfd_create(c"seedsmith-symbols", MFdFlags::MFD_CLOEXEC)?);
        io::copy(&mut from, &mut copy)?;
        Ok(MemoryCopy { file: copy.into() })
    }

    /// Where it can be opened by this process.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use object::{Object, ObjectSection, ObjectSymbol};

    use super::*;
    use crate::exec::executable::{Elf, inspect, mentions};

    #[test]
    fn an_image_has_the_symbols_and_the_data_of_the_file_and_no_debug_information() {
        let own = std::env::current_exe().unwrap();
        let (image, whole) = (Image::read(&own).unwrap(), fs::read(&own).unwrap());
        assert_eq!(image.len(), whole.len());
        let (ours, theirs) = (Elf::parse(&*image).unwrap(), Elf::parse(&*whole).unwrap());
        let symbols = |elf: &Elf<'_>| -> Vec<(Vec<u8>, u64)> {
            let symbols = elf.symbols().chain(elf.dynamic_symbols());
            symbols.map(|one| (one.name_bytes().unwrap().to_vec(), one.address())).collect()
        };
        assert!(symbols(&ours) == symbols(&theirs) && symbols(&ours).len() > 100);
        assert_eq!(ours.build_id().unwrap(), theirs.build_id().unwrap());
        let data = |elf: &Elf<'_>, name: &str| {
            elf.section_by_name(name).map(|section| section.data().unwrap().to_vec())
        };
        assert!(data(&ours, ".rodata").is_some());
        assert_eq!(data(&ours, ".rodata"), data(&theirs, ".rodata"));
        assert!(data(&ours, ".text").unwrap().iter().all(|byte| *byte == 0));
    }

    #[test]
    fn any_cut_and_any_damage_to_the_tables_of_a_file_is_read_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("executable");
        let whole = fs::read(std::env::current_exe().unwrap()).unwrap();
        for length in [0, 1, 63, 64, 65, 4096, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let _ = (inspect(&path), mentions(&path, &["libFuzzer"]));
        }
        // Each field of the header, and some of the sections' table, which is at the end.
        fs::write(&path, &whole).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        let of_sections = (whole.len() - 2048..whole.len()).step_by(4 * 37);
        for field in (16..HEADER_BYTES).step_by(4).chain(of_sections) {
            file.write_all_at(&[0xff; 4], field as u64).unwrap();
            let _ = inspect(&path);
            file.write_all_at(&whole[field..field + 4], field as u64).unwrap();
        }
        assert!(inspect(&path).is_ok());
    }

    #[test]
    fn a_file_that_is_truncated_after_it_was_read_ends_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("executable");
        fs::copy(std::env::current_exe().unwrap(), &path).unwrap();
        let (image, copy) = (Image::read(&path).unwrap(), MemoryCopy::of(&path).unwrap());
        let length = image.len() as u64;
        File::create(&path).unwrap();
        // Of a file that is mapped, each of these bytes would end the process.
        assert!(image.iter().filter(|byte| **byte != 0).count() > 1000);
        assert_eq!(fs::metadata(copy.path()).unwrap().len(), length);
    }
}
