//! The folder in which a test runs: a new one for each test, always under the same path.
//!
//! The path stays, so that a program which was asked for its folder once, before it was forked, still
//! has it right. The folder at the path is replaced, so that nothing of an earlier test is in it.

pub(crate) mod input;

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::scratch::ScratchFolder;

/// A slot's folder for tests, and the candidate's file in it.
pub(super) struct TestFolder {
    scratch: ScratchFolder,
    work: PathBuf,
    file: PathBuf,
    /// Folders that could not be removed at once, so far.
    moved: u32,
}

impl TestFolder {
    /// Where candidates are called `file_name`. The folder itself is there after
    /// [`TestFolder::renew`].
    pub(super) fn new(file_name: &OsStr) -> io::Result<Self> {
        let scratch = ScratchFolder::new()?;
        // A program that asks where it is gets a path without links.
        let work = fs::canonicalize(scratch.path())?.join("test");
        Ok(TestFolder { file: work.join(file_name), work, scratch, moved: 0 })
    }

    /// The folder's path, which never changes.
    pub(super) fn path(&self) -> &Path {
        &self.work
    }

    /// The candidate's path, which never changes.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Replaces the old folder by a new one, whatever a program did to it, and puts the candidate
    /// into it; without one the folder is empty.
    pub(super) fn renew(&mut self, candidate: Option<&[u8]>) -> io::Result<()> {
        if self.make(candidate).is_ok() {
            return Ok(());
        }
        self.clear()?;
        self.make(candidate)
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        fs::read_dir(&self.work).is_ok_and(|mut entries| entries.next().is_none())
    }

    /// Works where the test before left nothing but its candidate, as nearly all do.
    fn make(&self, candidate: Option<&[u8]>) -> io::Result<()> {
        if_there(fs::remove_file(&self.file))?;
        // One that is as it was made is as good as a new one, and costs a third.
        if !self.is_as_made() {
            if_there(fs::remove_dir(&self.work))?;
            DirBuilder::new().mode(0o700).create(&self.work)?;
        }
        match candidate {
            Some(candidate) => File::create_new(&self.file)?.write_all(candidate),
            None => Ok(()),
        }
    }

    /// Whether the folder is there, empty, and closed to others.
    fn is_as_made(&self) -> bool {
        let is_usual =
            |known: fs::Metadata| known.is_dir() && known.permissions().mode() & 0o7777 == 0o700;
        fs::symlink_metadata(&self.work).is_ok_and(is_usual) && self.is_empty()
    }

    /// Removes the folder at its path, or moves it away if it cannot be removed.
    fn clear(&mut self) -> io::Result<()> {
        let usable = Permissions::from_mode(0o700);
        if fs::set_permissions(self.scratch.path(), usable.clone()).is_err() {
            fs::create_dir_all(self.scratch.path())?;
            fs::set_permissions(self.scratch.path(), usable)?;
        }
        let Ok(known) = fs::symlink_metadata(&self.work) else { return Ok(()) };
        if !known.is_dir() {
            return fs::remove_file(&self.work);
        }
        self.moved += 1;
        let aside = self.scratch.path().join(format!("left-{}", self.moved));
        fs::rename(&self.work, &aside)?;
        if fs::remove_dir_all(&aside).is_err() {
            open_folders(&aside);
            // Emptied as far as it goes; the rest is removed with the slot, or by the next program.
            fs::remove_dir_all(&aside).ok();
        }
        Ok(())
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        open_folders(self.scratch.path());
    }
}

/// A missing file counts as removed.
fn if_there(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Lets this user into the folders below `folder` again. No link is followed.
fn open_folders(folder: &Path) {
    fs::set_permissions(folder, Permissions::from_mode(0o700)).ok();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_folders(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_finds_nothing_but_its_candidate_whatever_the_one_before_did() {
        let mut folder = TestFolder::new("in.json".as_ref()).unwrap();
        let path = folder.path().to_owned();
        let spoil: [&dyn Fn(); 6] = [
            &|| {},
            &|| fs::write(path.join("a.out"), "x").unwrap(),
            &|| fs::create_dir_all(path.join("deep/er")).unwrap(),
            &|| fs::remove_dir_all(&path).unwrap(),
            &|| {
                fs::remove_dir_all(&path).unwrap();
                std::os::unix::fs::symlink("/", &path).unwrap();
            },
            &|| {
                fs::create_dir(path.join("locked")).unwrap();
                fs::write(path.join("locked/x"), "x").unwrap();
                fs::set_permissions(path.join("locked"), Permissions::from_mode(0o000)).unwrap();
                fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
            },
        ];
        for spoil in spoil {
            folder.renew(Some(b"candidate")).unwrap();
            spoil();
            folder.renew(Some(b"next")).unwrap();
            let names: Vec<_> =
                fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(names, ["in.json"]);
            assert_eq!(fs::read(folder.file()).unwrap(), b"next");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o700);
        }
        folder.renew(None).unwrap();
        assert!(folder.is_empty());
        let scratch = folder.scratch.path().to_owned();
        drop(folder);
        assert!(!scratch.exists());
    }
}
