//! Temporary folders: other users may not look inside, and all are removed in the end.
//!
//! A folder is removed when it is dropped. If a process is killed, its folder remains; the next
//! process that makes a temporary folder removes it. The folder's name has its owner, which also
//! locks it, since a folder for temporary files may be shared by containers.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Once;

use nix::fcntl::{Flock, FlockArg};
use tempfile::TempDir;

use crate::owner::{Owner, is_locked};

const PREFIX: &str = "seedsmith-";
/// Folders for temporary files that a system has, whatever `TMPDIR` says.
const OTHER_PLACES: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// Guards [`remove_leftovers`]: reading a large folder once a process is enough.
static SWEEP: Once = Once::new();

/// A temporary folder that only its user may enter.
#[derive(Debug)]
pub struct ScratchFolder {
    folder: TempDir,
    /// `None` if the file system has no locks.
    _lock: Option<Flock<File>>,
}

impl ScratchFolder {
    /// Makes a folder where temporary files belong, or where the system keeps such files if that
    /// place does not take one.
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        SWEEP.call_once(|| remove_leftovers(&parent));
        let made = ScratchFolder::inside(&parent, Owner::this_process());
        made.or_else(|error| {
            let others = OTHER_PLACES.iter().map(Path::new);
            others
                .filter_map(|parent| ScratchFolder::inside(parent, Owner::this_process()).ok())
                .next()
                .ok_or(error)
        })
    }

    fn inside(parent: &Path, owner: Owner) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{owner}."))
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(parent)?;
        let lock = File::open(folder.path()).ok();
        let lock = lock.and_then(|file| Flock::lock(file, FlockArg::LockExclusiveNonblock).ok());
        Ok(ScratchFolder { folder, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The owner in a folder's name; `None` if the folder is none of ours.
fn owner_of(name: &OsStr) -> Option<Owner> {
    let mut parts = name.to_str()?.strip_prefix(PREFIX)?.split('.');
    let (process, start_time, random) = (parts.next()?, parts.next()?, parts.next()?);
    let is_whole = !random.is_empty() && parts.next().is_none();
    Owner::of(process, start_time).filter(|_| is_whole)
}

/// Removes the folders of this user's processes that have ended. Errors are not reported: the
/// folders do no harm.
fn remove_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let user = nix::unistd::geteuid().as_raw();
    for entry in entries.flatten() {
        let Some(owner) = owner_of(&entry.file_name()) else { continue };
        // Of the entry itself: a link is not followed.
        let is_ours =
            entry.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user);
        if is_ours && owner.has_ended() && !is_locked(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dead() -> Owner {
        Owner { process: u32::MAX - 1, start_time: 7 }
    }

    #[test]
    fn a_temporary_folder_is_for_its_user_alone_and_goes_when_it_is_dropped() {
        let folder = ScratchFolder::new().unwrap();
        let path = folder.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o700);
        assert_eq!(owner_of(path.file_name().unwrap()), Some(Owner::this_process()));
        fs::write(path.join("candidate"), "x").unwrap();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn the_folder_of_a_dead_process_is_removed_and_those_of_others_are_not() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: String| {
            let path = parent.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("candidate"), "x").unwrap();
            path
        };
        let left = make(format!("{PREFIX}{}.abc", dead()));
        let kept = [
            make(format!("{PREFIX}{}.abc", Owner::this_process())),
            make(format!("{PREFIX}abcdef")),
            make(format!("{PREFIX}{}.abc.d", dead())),
            make(format!("{PREFIX}{}.", dead())),
            make("other".to_owned()),
        ];
        // As a process of another container holds it.
        let held = ScratchFolder::inside(parent.path(), dead()).unwrap();
        let link = parent.path().join(format!("{PREFIX}{}.link", dead()));
        std::os::unix::fs::symlink(&kept[4], &link).unwrap();
        remove_leftovers(parent.path());
        assert!(!left.exists());
        assert!(kept.iter().all(|path| path.join("candidate").exists()), "{kept:?}");
        assert!(held.path().exists() && link.is_symlink());
    }
}
