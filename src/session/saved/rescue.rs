//! Saves a result that cannot be written to its place: in any folder that can be written.
//!
//! A disk may be full or a folder removed while a search runs for hours. Losing the result would be
//! worse than finding it in another place.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::aside::folder_of;

/// How the names of such files and folders begin.
const PREFIX: &str = "seedsmith-rescued-";
/// Bytes of the result's name that the other file's name has too. With the prefix and the digits
/// the name stays below the 255 bytes that file systems allow.
const MAX_KEPT_NAME_BYTES: usize = 100;

/// Writes `bytes`, which belong to `place`, into a new file that only its user may read; returns
/// its path, or `None` if no folder can be written.
pub(super) fn rescue(place: &Path, bytes: &[u8]) -> Option<PathBuf> {
    folders(place).iter().find_map(|folder| write_into(folder, place, bytes))
}

/// Folders in the order in which they are tried.
///
/// The temporary folder is first: it is writable nearly everywhere. The folder of `place` is last. It may be there
/// again by now, but it has failed once, and whatever took it away may do so again.
fn folders(place: &Path) -> Vec<PathBuf> {
    let usual = ["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
    let mut folders = vec![std::env::temp_dir()];
    folders.extend(usual);
    folders.extend(std::env::home_dir());
    folders.extend(std::env::current_dir().ok());
    let failed = std::path::absolute(folder_of(place)).ok();
    folders.sort_by_key(|folder| std::path::absolute(folder).ok() == failed);
    folders
}

/// Lets `write` write what belongs to `place` into a new folder that only its user may enter; returns its path, or
/// `None` if that failed in every place.
pub(super) fn rescue_folder(
    place: &Path,
    write: &dyn Fn(&Path) -> io::Result<()>,
) -> Option<PathBuf> {
    folders(place).iter().find_map(|parent| {
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(std::path::absolute(parent).ok()?)
            .ok()?;
        write(folder.path()).ok()?;
        Some(folder.keep())
    })
}

/// Writes `bytes` into a new file of `folder`, with the beginning of the name of `place`. The file
/// is synced, because the disk of the place has failed already.
fn write_into(folder: &Path, place: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let name = place.file_name().unwrap_or_default().as_bytes();
    let mut suffix = b"-".to_vec();
    suffix.extend(&name[name.len().saturating_sub(MAX_KEPT_NAME_BYTES)..]);
    let mut file = tempfile::Builder::new()
        .prefix(PREFIX)
        .suffix(OsStr::from_bytes(&suffix))
        .permissions(Permissions::from_mode(0o600))
        .tempfile_in(std::path::absolute(folder).ok()?)
        .ok()?;
    file.write_all(bytes).ok()?;
    file.as_file().sync_data().ok()?;
    // A file that could not be kept is deleted when it is dropped.
    file.keep().ok().map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_folder_that_failed_is_the_last_one() {
        let place = Path::new("/tmp/result");
        assert_eq!(folders(place).last().unwrap(), Path::new("/tmp"));
        assert_ne!(folders(Path::new("/nowhere/result")).last().unwrap(), Path::new("/tmp"));
    }

    #[test]
    fn a_folder_that_takes_the_bytes_has_them_and_one_that_does_not_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let place = Path::new("gone").join("x".repeat(255));
        assert_eq!(write_into(&folder.path().join("missing"), &place, b"abc"), None);
        let path = write_into(folder.path(), &place, b"abc").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("seedsmith-rescued-") && name.ends_with("xxx"), "{name}");
    }
}
