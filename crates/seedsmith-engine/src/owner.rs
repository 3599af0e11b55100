//! The process that a file or folder on disk belongs to, as its name says it.
//!
//! Process ids are used again, so a name has the start time too. In another container or on another
//! machine the same id is another process or none: files that must not be removed while they are in
//! use there are locked as well, and [`is_locked`] checks that.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its id.
    pub process: u32,
    /// When it started, in the kernel's clock ticks since it was booted.
    pub start_time: u64,
}

impl Owner {
    /// This process.
    pub fn this_process() -> Self {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // Without /proc nothing is ever removed, so the number doesn't matter.
        let start_time = state_and_start_time(&stat).map_or(0, |(_, start_time)| start_time);
        Owner { process: std::process::id(), start_time }
    }

    /// The owner in a name: id and start time as [`Display`](fmt::Display) writes them.
    pub fn of(process: &str, start_time: &str) -> Option<Self> {
        Some(Owner { process: process.parse().ok()?, start_time: start_time.parse().ok()? })
    }

    /// Whether the process runs no more. A zombie runs no more: in a container there may be no one
    /// who reaps it.
    pub fn has_ended(self) -> bool {
        match fs::read_to_string(format!("/proc/{}/stat", self.process)) {
            Ok(stat) => state_and_start_time(&stat).is_some_and(|(state, start_time)| {
                matches!(state, "Z" | "X") || start_time != self.start_time
            }),
            Err(error) => {
                error.kind() == io::ErrorKind::NotFound && Path::new("/proc/self/stat").exists()
            }
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.process, self.start_time)
    }
}

/// Fields 3 and 22 of `/proc/PID/stat` (proc(5)).
fn state_and_start_time(stat: &str) -> Option<(&str, u64)> {
    // The program's name, in brackets, may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

/// Opens the file at `path` for reading and writing, makes it if it is not there, and takes its lock, which is held
/// until the result is dropped. Its contents stay.
///
/// # Errors
///
/// [`io::ErrorKind::WouldBlock`] if another process holds the lock; anything else is the system's error. A symbolic
/// link in the place of the file is one (`ELOOP`): its target may be another's.
pub fn open_locked(path: &Path) -> io::Result<Flock<File>> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(path)?;
    Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| error.into())
}

/// Whether a process holds the lock of a file or folder. If it can't be opened, it counts as locked.
pub fn is_locked(path: &Path) -> bool {
    // Should something else be there by now: neither follow it nor wait for it.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let Ok(file) = File::options().read(true).custom_flags(flags.bits()).open(path) else {
        return true;
    };
    let locked = Flock::lock(file, FlockArg::LockExclusiveNonblock);
    matches!(locked, Err((_, Errno::EWOULDBLOCK)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_found_again_by_its_name_and_has_ended_only_if_it_is_gone() {
        let this = Owner::this_process();
        assert!(this.start_time > 0 && !this.has_ended());
        let name = this.to_string();
        let (process, start_time) = name.split_once('.').unwrap();
        assert_eq!(Owner::of(process, start_time), Some(this));
        assert_eq!(Owner::of("-1", "2"), None);
        // An id that was used again: the process with that id started at another time.
        assert!(Owner { start_time: this.start_time - 1, ..this }.has_ended());
        // Larger than any process id of Linux.
        assert!(Owner { process: u32::MAX - 1, start_time: 7 }.has_ended());
    }

    #[test]
    fn a_file_is_locked_for_one_at_a_time_and_a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"kept").unwrap();
        let lock = open_locked(&path).unwrap();
        assert!(is_locked(&path));
        assert_eq!(open_locked(&path).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(lock);
        assert!(open_locked(&path).is_ok() && !is_locked(&path));
        assert_eq!(fs::read(&path).unwrap(), b"kept");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let error = open_locked(&link).unwrap_err();
        assert_ne!(error.kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn the_start_time_is_read_whatever_the_program_is_called() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 12345 9 9";
        assert_eq!(state_and_start_time(stat), Some(("S", 12345)));
    }
}
