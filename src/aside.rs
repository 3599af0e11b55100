//! A file that is written beside its place and renamed to it once it is complete.
//!
//! A reader of the place finds the old bytes or the new ones, never a part of them. If a process is
//! killed, its unfinished file remains; the next process that writes into the folder removes it.
//! The file's name has the writer's process id and start time, since ids are used again. In another
//! container or on another machine the same id is another process or none, so a writer also locks
//! its file, and a locked one is never removed.
//!
//! The content of the file is not known here.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use nix::fcntl::{Flock, FlockArg, OFlag};
use seedsmith_engine::internal::{Owner, is_locked};

const PREFIX: &str = ".seedsmith.";
const SUFFIX: &str = ".part";

/// Names that are tried: one is taken only where two containers share a folder and a process id,
/// and a hundred of those are an error of another kind.
const MAX_NAMES_TRIED: u32 = 100;

/// The number of the next file of this process.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

/// Folders in which this process has removed the files of dead ones. Once is enough, and reading a
/// large folder for each file would cost more than writing the file.
static SWEPT_FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file beside the place that it will have; deleted when it is dropped before it has it.
///
/// Errors name no path: no user knows this file's name.
#[derive(Debug)]
pub(crate) struct Aside {
    file: File,
    /// Where the file is now.
    path: PathBuf,
    /// Where it belongs.
    place: PathBuf,
    is_in_place: bool,
    /// `None` if the file system has no locks.
    _lock: Option<Flock<File>>,
}

impl Aside {
    /// Creates an empty file beside `place`, with the permissions of any new file. It never opens
    /// a file or follows a link that is there already.
    pub(crate) fn beside(place: &Path) -> io::Result<Self> {
        let folder = folder_of(place);
        let is_first = {
            let mut swept = SWEPT_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
            swept.insert(folder.to_owned())
        };
        if is_first {
            remove_leftovers(folder);
        }
        let owner = Owner::this_process();
        let mut tried = 0;
        loop {
            let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
            tried += 1;
            match Aside::create(place, folder.join(file_name(owner, number))) {
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && tried < MAX_NAMES_TRIED => {}
                created => return created,
            }
        }
    }

    fn create(place: &Path, path: PathBuf) -> io::Result<Self> {
        let file = File::options()
            .write(true)
            .create_new(true)
            .custom_flags(OFlag::O_NOFOLLOW.bits())
            .open(&path)?;
        // The copy shares the lock, which ends with the process at the latest.
        let lock = file.try_clone().ok();
        let lock = lock.and_then(|copy| Flock::lock(copy, FlockArg::LockExclusiveNonblock).ok());
        Ok(Aside { file, path, place: place.to_owned(), is_in_place: false, _lock: lock })
    }

    /// Renames the complete file to its place. A file that is there is replaced; a link there is
    /// replaced too, and not followed.
    pub(crate) fn persist(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.is_in_place = true;
        Ok(())
    }

    /// The same, with the bytes and the name on the disk before it returns: a power cut loses
    /// neither.
    pub(crate) fn persist_synced(self) -> io::Result<()> {
        self.file.sync_data()?;
        let place = self.place.clone();
        self.persist()?;
        File::open(folder_of(&place))?.sync_all()
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.is_in_place {
            // Without success the next run removes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Aside {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a whole file: aside, then renamed to `place`.
pub(crate) fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Aside::beside(place)?;
    file.write_all(bytes)?;
    file.persist()
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The name of an unfinished file of `owner`.
fn file_name(owner: Owner, number: u64) -> String {
    format!("{PREFIX}{owner}.{number}{SUFFIX}")
}

/// The owner in a file's name; `None` if the file is none of ours.
fn owner_of(name: &OsStr) -> Option<Owner> {
    let mut numbers = name.to_str()?.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split('.');
    let (process, start_time, number) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let is_whole = number.parse::<u64>().is_ok() && numbers.next().is_none();
    Owner::of(process, start_time).filter(|_| is_whole)
}

/// Removes the unfinished files of processes that have ended. Errors are not reported: the files do
/// no harm.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(owner) = owner_of(&entry.file_name()) else { continue };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && owner.has_ended() && !is_locked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Larger than any process id of Linux.
    const NO_PROCESS: u32 = u32::MAX - 1;

    fn dead() -> Owner {
        Owner { process: NO_PROCESS, start_time: 7 }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_in_its_place_when_it_is_whole_and_nowhere_before() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("result");
        drop(Aside::beside(&place).unwrap());
        assert_eq!(names(folder.path()), [""; 0]);
        let mut file = Aside::beside(&place).unwrap();
        file.write_all(b"whole").unwrap();
        assert!(!place.exists());
        file.persist_synced().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(&place).unwrap()),
            (vec!["result".to_owned()], b"whole".to_vec())
        );
        write(&place, b"other").unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&place).unwrap()), (1, b"other".to_vec()));
    }

    #[test]
    fn an_error_names_no_file_that_no_user_knows() {
        let folder = tempfile::tempdir().unwrap();
        let error = Aside::beside(&folder.path().join("no/such")).unwrap_err();
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
    }

    #[test]
    fn the_longest_name_that_a_file_can_have_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("x".repeat(255));
        write(&place, b"x").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"x");
    }

    #[test]
    fn a_name_tells_its_writer_and_other_names_tell_none() {
        let owner = Owner::this_process();
        assert_eq!(owner_of(file_name(owner, 3).as_ref()), Some(owner));
        for name in [".seedsmith.part", ".seedsmith.1.2.part", ".seedsmith.1.2.3.4.part", "1.2.3"] {
            assert_eq!(owner_of(name.as_ref()), None, "{name}");
        }
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_live_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let this = Owner::this_process();
        // An id that was used again: the process with that id started at another time.
        let earlier = Owner { start_time: this.start_time - 1, ..this };
        for name in [file_name(dead(), 0), file_name(earlier, 0), file_name(this, u64::MAX)] {
            fs::write(folder.path().join(name), "part").unwrap();
        }
        fs::write(folder.path().join(".seedsmith.part"), "of something else").unwrap();
        write(&folder.path().join("result"), b"x").unwrap();
        let mut wanted =
            [".seedsmith.part".to_owned(), file_name(this, u64::MAX), "result".to_owned()];
        wanted.sort();
        assert_eq!(names(folder.path()), wanted);
    }

    #[test]
    fn a_file_whose_writer_is_unknown_here_stays_while_it_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file_name(dead(), 0));
        // As a process of another container does it.
        let held = Aside::create(&folder.path().join("result"), path.clone()).unwrap();
        remove_leftovers(folder.path());
        assert!(path.exists());
        fs::write(folder.path().join(file_name(dead(), 1)), "part").unwrap();
        remove_leftovers(folder.path());
        assert_eq!(names(folder.path()), [file_name(dead(), 0)]);
        drop(held);
    }

    #[test]
    fn no_link_is_followed_and_none_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let link = folder.path().join(file_name(dead(), 0));
        symlink(&victim, &link).unwrap();
        let dangling = folder.path().join(file_name(dead(), 1));
        symlink(folder.path().join("nothing"), &dangling).unwrap();
        for path in [&link, &dangling] {
            let error = Aside::create(&folder.path().join("result"), path.clone()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        }
        remove_leftovers(folder.path());
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert!(link.is_symlink() && dangling.is_symlink());
        assert!(!folder.path().join("nothing").exists());
        // A link in the file's place is replaced, and the file that it leads to is not changed.
        write(&link, b"new").unwrap();
        assert_eq!((fs::read(&victim).unwrap(), link.is_symlink()), (b"precious".to_vec(), false));
    }
}
