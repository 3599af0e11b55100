//! A folder as one input: a command is given the folder, and a candidate decides its contents.
//!
//! A candidate is bytes like any other. Either it lists which of the files are there, or it is the
//! content of one file while the others stay as they are.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The content of a file of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A regular file's bytes and its permissions.
    Bytes(Arc<[u8]>, u32),
    /// A symbolic link, which stays as it is.
    Link(OsString),
}

/// A file of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderFile {
    /// Its path within the folder.
    pub path: PathBuf,
    /// Its contents.
    pub content: Content,
}

/// The files of a folder, and folders in it that have no file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The files, in an order that stays.
    pub files: Vec<FolderFile>,
    /// Paths of empty folders within the folder.
    pub empty_folders: Vec<PathBuf>,
}

/// The meaning of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varies {
    /// A list of files, made by [`Files::list`]; those that it does not name are deleted.
    Chosen,
    /// The content of the file with this index.
    Content(usize),
}

/// How a folder follows from a candidate.
#[derive(Clone, Debug)]
pub struct FolderInput {
    /// The folder as it is.
    pub files: Files,
    /// The part that changes.
    pub varies: Varies,
}

/// Digits of an index in a list: one length for all, so that a part of an index is none. Seven are
/// enough for ten million files.
const INDEX_DIGITS: usize = 7;

impl Files {
    /// All files as a list, a line for each.
    pub fn list(&self) -> Vec<u8> {
        (0..self.files.len())
            .flat_map(|index| format!("{index:0INDEX_DIGITS$}\n").into_bytes())
            .collect()
    }

    /// The folder with those files that `list` names. Any other line names no file.
    ///
    /// A name that comes twice counts once.
    pub fn chosen(&self, list: &[u8]) -> Files {
        let named: BTreeSet<usize> = list
            .split(|byte| *byte == b'\n')
            .filter(|line| line.len() == INDEX_DIGITS && line.iter().all(u8::is_ascii_digit))
            .filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok())
            .collect();
        let files = named.iter().filter_map(|index| self.files.get(*index)).cloned().collect();
        Files { files, empty_folders: self.empty_folders.clone() }
    }

    /// The folder with `bytes` as the content of the file `index`.
    ///
    /// Nothing changes where the index is none, or where the entry is no regular file.
    pub fn with_content(&self, index: usize, bytes: &[u8]) -> Files {
        let mut files = self.clone();
        if let Some(FolderFile { content: Content::Bytes(content, _), .. }) =
            files.files.get_mut(index)
        {
            *content = bytes.into();
        }
        files
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(FolderFile::len).sum()
    }

    /// Writes the folder as `at`, which is not there yet.
    ///
    /// Modes of files are kept. Fails where the system refuses a file.
    pub fn write(&self, at: &Path) -> io::Result<()> {
        fs::create_dir(at)?;
        for folder in &self.empty_folders {
            fs::create_dir_all(at.join(folder))?;
        }
        for file in &self.files {
            let path = at.join(&file.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            match &file.content {
                Content::Bytes(bytes, mode) => {
                    fs::write(&path, bytes)?;
                    fs::set_permissions(&path, Permissions::from_mode(*mode))?;
                }
                Content::Link(to) => std::os::unix::fs::symlink(to, &path)?,
            }
        }
        Ok(())
    }
}

impl FolderFile {
    /// Its size in bytes; 0 for a link.
    pub fn len(&self) -> u64 {
        match &self.content {
            Content::Bytes(bytes, _) => bytes.len() as u64,
            Content::Link(_) => 0,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl FolderInput {
    /// Writes the folder that is made of `candidate` as `at`, in place of the one that is there.
    pub(crate) fn write(&self, at: &Path, candidate: &[u8]) -> io::Result<()> {
        make_writable(at);
        match fs::remove_dir_all(at) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => fs::remove_file(at)?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        match self.varies {
            Varies::Chosen => self.files.chosen(candidate).write(at),
            Varies::Content(index) => self.files.with_content(index, candidate).write(at),
        }
    }
}

/// Makes folders writable that a test has made read-only, so that they can be removed.
fn make_writable(folder: &Path) {
    let Ok(metadata) = fs::symlink_metadata(folder) else { return };
    if !metadata.is_dir() {
        return;
    }
    if metadata.permissions().mode() & 0o700 != 0o700 {
        fs::set_permissions(folder, Permissions::from_mode(0o700)).ok();
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    entries.flatten().for_each(|entry| make_writable(&entry.path()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> FolderFile {
        FolderFile { path: path.into(), content: Content::Bytes(text.as_bytes().into(), 0o755) }
    }

    fn files() -> Files {
        let link = FolderFile { path: "link".into(), content: Content::Link("a".into()) };
        Files {
            files: vec![file("a", "1"), file("sub/b", "22"), link],
            empty_folders: vec!["e".into()],
        }
    }

    #[test]
    fn a_list_names_files_and_a_part_of_a_line_names_none() {
        let files = files();
        assert_eq!(files.list(), b"0000000\n0000001\n0000002\n");
        assert_eq!(files.chosen(&files.list()), files);
        let names = |list: &[u8]| -> Vec<PathBuf> {
            files.chosen(list).files.into_iter().map(|file| file.path).collect()
        };
        assert_eq!(names(b"0000001\n"), [Path::new("sub/b")]);
        assert_eq!(names(b"0000001"), [Path::new("sub/b")]);
        assert_eq!(names(b"000001\n0000009\n\xff\n"), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn a_candidate_becomes_a_folder_whatever_was_there() {
        let scratch = tempfile::tempdir().unwrap();
        let at = scratch.path().join("input");
        let whole = FolderInput { files: files(), varies: Varies::Content(1) };
        whole.write(&at, b"new").unwrap();
        assert_eq!(fs::read(at.join("sub/b")).unwrap(), b"new");
        assert_eq!(fs::read_link(at.join("link")).unwrap(), Path::new("a"));
        assert!(at.join("e").is_dir());
        let mode = fs::metadata(at.join("a")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        // Files that a test leaves there are deleted.
        fs::write(at.join("sub/more"), "x").unwrap();
        fs::set_permissions(at.join("sub"), Permissions::from_mode(0o500)).unwrap();
        let chosen = FolderInput { files: files(), varies: Varies::Chosen };
        chosen.write(&at, b"0000000\n").unwrap();
        assert!(at.join("a").is_file() && !at.join("sub").exists());
        assert_eq!(files().bytes(), 3);
    }
}
