//! The files that a run reads and must never replace, by whatever name they are called.
//!
//! A path, a link, a hard link, and a name in other letters on a file system without case can all
//! lead to one file, so files are identified by their device and inode numbers, and not by the text
//! of a path.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files that must not be replaced.
#[derive(Clone, Debug, Default)]
pub struct Originals {
    /// The path of each as it was named, by the numbers of its device and of the file.
    paths: HashMap<(u64, u64), PathBuf>,
}

impl Originals {
    /// These files. A file that does not exist can't be replaced.
    ///
    /// Costs two looks at each file.
    pub fn of(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut originals = Originals::default();
        for path in files {
            // A link, which a rename replaces itself, and the file that it leads to.
            for found in [fs::symlink_metadata(&path), fs::metadata(&path)].into_iter().flatten() {
                originals.paths.entry((found.dev(), found.ino())).or_insert_with(|| path.clone());
            }
        }
        originals
    }

    /// These and more.
    pub fn and(&self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut originals = Originals::of(files);
        originals.paths.extend(self.paths.iter().map(|(file, path)| (*file, path.clone())));
        originals
    }

    /// The original that a write to `path` would replace, or that a link there leads to.
    ///
    /// Costs two looks at the path; nothing is opened.
    pub fn at(&self, path: &Path) -> Option<&Path> {
        let found = [fs::symlink_metadata(path), fs::metadata(path)].into_iter().flatten();
        let mut known = found.filter_map(|found| self.paths.get(&(found.dev(), found.ino())));
        known.next().map(PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn an_original_is_known_by_every_name_that_leads_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).unwrap();
        fs::write(at("crash"), "x").unwrap();
        fs::write(at("other"), "x").unwrap();
        symlink("crash", at("link")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        fs::hard_link(at("crash"), at("hard")).unwrap();
        let originals = Originals::of([at("crash"), at("missing")]);
        for name in ["crash", "link", "hard", "below/../crash", "./crash"] {
            assert_eq!(originals.at(&at(name)), Some(at("crash").as_path()), "{name}");
        }
        for name in ["other", "missing", "dangling", "below", "crash2"] {
            assert_eq!(originals.at(&at(name)), None, "{name}");
        }
        // An input that was named by a link: neither the link nor its file is replaced.
        let originals = Originals::of([at("link")]);
        assert!(originals.at(&at("link")).is_some() && originals.at(&at("crash")).is_some());
    }
}
