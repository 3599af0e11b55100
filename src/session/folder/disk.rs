//! Folders on disk: reading one as an input, and leaving a result that is whole at any moment.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
use seedsmith_engine::internal::{Content, Files, FolderFile};

use crate::corpus::{MAX_INPUT_BYTES, ReadError, read_input};

/// Files that a folder may have. Each test writes all of them, which takes seconds for this number.
/// A guess; not measured.
const MAX_FOLDER_FILES: usize = 100_000;

/// Why a folder is no input.
///
/// A folder is read whole before anything is run, so that later changes to it have no effect.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// There are no files in it.
    #[error("{} has no files", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
    /// It has too many files, or too many bytes.
    #[error("{} has more than {MAX_FOLDER_FILES} files or {} MB", path.display(), MAX_INPUT_BYTES >> 20)]
    TooLarge {
        /// The folder.
        path: PathBuf,
    },
    /// Something in it cannot be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: ReadError,
    },
}

/// Reads a folder and everything below it, hidden files too, by name. Links are kept as links.
///
/// The order is the same on each file system. Modes of files are kept; owners and times are not.
pub fn read(root: &Path, interrupt: &AtomicBool) -> Result<Files, FolderError> {
    let mut found = Files::default();
    let mut bytes = 0;
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        let path = root.join(&folder);
        let failed =
            |source: io::Error| FolderError::Read { path: path.clone(), source: source.into() };
        let entries = fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = entries.map_err(failed)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        if entries.is_empty() && !folder.as_os_str().is_empty() {
            found.empty_folders.push(folder.clone());
        }
        for entry in entries {
            let (path, name) = (entry.path(), folder.join(entry.file_name()));
            let failed = |source| FolderError::Read { path: path.clone(), source };
            let metadata = entry.metadata().map_err(|error| failed(error.into()))?;
            if metadata.is_dir() {
                waiting.push(name);
                continue;
            }
            let content = if metadata.is_symlink() {
                Content::Link(fs::read_link(&path).map_err(|error| failed(error.into()))?.into())
            } else {
                let read = read_input(&path, interrupt).map_err(failed)?;
                bytes += read.len() as u64;
                Content::Bytes(Arc::from(read), metadata.permissions().mode() & 0o7777)
            };
            found.files.push(FolderFile { path: name, content });
            if found.files.len() > MAX_FOLDER_FILES || bytes > MAX_INPUT_BYTES {
                return Err(FolderError::TooLarge { path: root.to_owned() });
            }
            if interrupt.load(Ordering::Relaxed) {
                let path = root.to_owned();
                return Err(FolderError::Read { path, source: ReadError::Interrupted });
            }
        }
    }
    found.files.sort_by(|left, right| left.path.cmp(&right.path));
    found.empty_folders.sort();
    match found.files.is_empty() {
        true => Err(FolderError::NoFiles { path: root.to_owned() }),
        false => Ok(found),
    }
}

/// Leaves `files` as the folder `path`, in place of a folder that is there: the new one is written
/// beside it and takes its place in one step, where the file system can exchange two names.
///
/// # Errors
///
/// The new folder cannot be written or renamed. The folder that is there stays as long as the new
/// one is not whole.
pub fn leave(files: &Files, path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let aside = tempfile::Builder::new().prefix(".seedsmith-").tempdir_in(parent)?;
    let new = aside.path().join("new");
    files.write(&new)?;
    if fs::symlink_metadata(path).is_err() {
        return fs::rename(&new, path);
    }
    if renameat2(AT_FDCWD, &new, AT_FDCWD, path, RenameFlags::RENAME_EXCHANGE).is_ok() {
        return Ok(());
    }
    fs::rename(path, aside.path().join("old"))?;
    fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_read_and_left_is_the_same() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        fs::create_dir_all(at("in/sub/empty")).unwrap();
        fs::write(at("in/b"), "1").unwrap();
        fs::write(at("in/.hidden"), "").unwrap();
        fs::write(at("in/sub/a"), "22").unwrap();
        fs::set_permissions(at("in/b"), fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink("nowhere", at("in/link")).unwrap();
        let never = AtomicBool::new(false);
        let files = read(&at("in"), &never).unwrap();
        let paths: Vec<_> = files.files.iter().map(|file| file.path.to_str().unwrap()).collect();
        assert_eq!(paths, [".hidden", "b", "link", "sub/a"]);
        leave(&files, &at("out")).unwrap();
        assert_eq!(read(&at("out"), &never).unwrap(), files);
        // A second one takes the first one's place, and nothing else is left.
        let fewer = files.chosen(b"0000001\n");
        leave(&fewer, &at("out")).unwrap();
        assert_eq!(read(&at("out"), &never).unwrap(), fewer);
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_without_files_is_no_input() {
        let scratch = tempfile::tempdir().unwrap();
        let error = read(scratch.path(), &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(error, FolderError::NoFiles { .. }), "{error}");
        let stopped = read(Path::new("src"), &AtomicBool::new(true)).unwrap_err();
        assert!(matches!(stopped, FolderError::Read { source: ReadError::Interrupted, .. }));
    }
}
