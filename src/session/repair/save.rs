//! What a run of repairs leaves on disk: valid texts, each once, and inputs that made the validator
//! fail.
//!
//! Files are written aside and renamed when they are whole. It is separate from the run because a
//! caller may have other uses for the results.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::result::RepairResult;
use crate::aside::{self, Aside};
use crate::corpus::{Listed, Originals, content_name};
use crate::event::RepairStatus;
use crate::session::saved::other_failures::OtherFailuresFolder;
use crate::session::saved::output::{OutputError, refuse_originals};
use seedsmith_engine::Signature;

/// Where valid texts are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RepairPlace {
    /// Nowhere: the caller has another use for them, or none.
    Nowhere,
    /// Into this file, which is replaced.
    File(PathBuf),
    /// Into this folder, named by their content.
    Folder(PathBuf),
    /// Over the input itself, of which a copy is kept beside it; see [`backup_of`].
    InPlace,
}

/// Writes the results of a run.
pub(crate) struct RepairSaver {
    place: RepairPlace,
    /// The path beside which other failures are written; if there is none, they are only counted: nothing is written
    /// beside an original.
    beside: Option<PathBuf>,
    names: HashSet<String>,
    other_failures: Option<OtherFailuresFolder>,
    /// Files that are never replaced.
    originals: Arc<Originals>,
    /// Files with the bytes of an input, which are repaired in place with it.
    copies: HashMap<PathBuf, Vec<PathBuf>>,
    /// The file of each failure; a failure of many inputs is kept once.
    caught: HashMap<Arc<Signature>, PathBuf>,
}

impl RepairSaver {
    /// Makes sure that `place` can be written, and makes the folder if it is one. Other failures go to a
    /// folder beside `beside`; without one it is counted and not written.
    pub(crate) fn new(place: RepairPlace, beside: Option<PathBuf>) -> Result<Self, OutputError> {
        match &place {
            RepairPlace::Nowhere | RepairPlace::InPlace => {}
            RepairPlace::File(path) => {
                Aside::beside(path).map_err(OutputError::writing(path)).map(drop)?;
            }
            RepairPlace::Folder(path) => fs::create_dir_all(path)
                .and_then(|()| Aside::beside(&path.join("trial")).map(drop))
                .map_err(OutputError::writing(path))?,
        }
        Ok(RepairSaver {
            place,
            beside,
            names: HashSet::new(),
            other_failures: None,
            originals: Arc::default(),
            copies: HashMap::new(),
            caught: HashMap::new(),
        })
    }

    /// Refuses to write where one of `originals` is, and spares them from here on.
    pub(crate) fn spare(&mut self, originals: Arc<Originals>) -> Result<(), OutputError> {
        if let RepairPlace::File(path) = &self.place {
            refuse_originals(path, &originals)?;
        }
        self.originals = originals;
        Ok(())
    }

    /// Repairs the copies of `inputs` with them, where results are written in place.
    pub(crate) fn write_copies<'l>(&mut self, inputs: impl Iterator<Item = &'l Listed>) {
        let with_copies = inputs.filter(|one| !one.copies.is_empty());
        self.copies = with_copies.map(|one| (one.path.clone(), one.copies.clone())).collect();
    }

    /// Writes the valid text and the other failures of `result`, if there are any, and puts their paths
    /// into its row.
    pub(crate) fn save(&mut self, result: &mut RepairResult) -> Result<(), OutputError> {
        let RepairResult { row, text, other_failures, .. } = result;
        row.failures = other_failures.len();
        if let Some(beside) = self.beside.as_deref().filter(|_| !other_failures.is_empty()) {
            let folder = self.other_failures.get_or_insert_with(|| {
                OtherFailuresFolder::beside(beside).sparing(self.originals.clone())
            });
            for caught in other_failures {
                let path = self.caught.entry(caught.signature.clone());
                let path = path.or_insert_with(|| folder.add(&caught.signature, &caught.input));
                row.other_failures.push(path.clone());
            }
        }
        if let Some(text) = text {
            row.output = match self.place {
                RepairPlace::InPlace if row.status == RepairStatus::Repaired => {
                    for copy in self.copies.remove(&row.input).unwrap_or_default() {
                        self.write_in_place(&copy, text)?;
                    }
                    Some(self.write_in_place(&row.input, text)?)
                }
                _ => self.write(text)?,
            };
        }
        Ok(())
    }

    /// Puts `text` in place of a file, of which a copy is made first. A copy that is there already
    /// is of an earlier original, and stays.
    fn write_in_place(&mut self, path: &Path, text: &[u8]) -> Result<PathBuf, OutputError> {
        let backup = backup_of(path);
        if !backup.exists() {
            let original = fs::read(path).map_err(OutputError::writing(&backup))?;
            aside::write(&backup, &original).map_err(OutputError::writing(&backup))?;
        }
        aside::write(path, text).map_err(OutputError::writing(path))?;
        self.names.insert(path.display().to_string());
        Ok(path.to_owned())
    }

    fn write(&mut self, text: &[u8]) -> Result<Option<PathBuf>, OutputError> {
        let name = content_name(text);
        let path = match &self.place {
            RepairPlace::Nowhere | RepairPlace::InPlace => return Ok(None),
            RepairPlace::File(file) => file.clone(),
            RepairPlace::Folder(folder) => folder.join(&name),
        };
        // In a folder a name is that of the content, so an existing file is the same.
        let is_new = self.names.insert(name);
        if is_new && (matches!(self.place, RepairPlace::File(_)) || !path.exists()) {
            aside::write(&path, text).map_err(OutputError::keeping(&path, text))?;
        }
        Ok(Some(path))
    }

    /// The names of the texts that were written, or their paths if they are in place. Fails where other failures
    /// could not be written.
    pub(crate) fn finish(self) -> io::Result<HashSet<String>> {
        match self.other_failures.and_then(|folder| folder.finish(&[]).1) {
            Some(error) => Err(error),
            None => Ok(self.names),
        }
    }
}

/// Where the copy of a file goes that is repaired in place: beside it, with `.orig` at its end.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".orig");
    PathBuf::from(name)
}

/// Whether both paths lead to one folder that exists.
pub(crate) fn is_same_folder(left: &Path, right: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok().filter(|path| path.is_dir());
    whole(left).is_some_and(|left| whole(right) == Some(left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::repair::{Predicate, RunOptions, repair_text};

    fn repaired(text: &[u8]) -> RepairResult {
        let validators =
            Predicate::new(|text: &[u8]| text.starts_with(b"[") && text.ends_with(b"]"));
        repair_text(&validators, text, &RunOptions::default()).unwrap()
    }

    #[test]
    fn a_folder_gets_each_text_once_by_the_name_of_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new");
        let mut saver = RepairSaver::new(RepairPlace::Folder(place.clone()), None).unwrap();
        for text in [&b"[1"[..], b"[1]", b"[2]"] {
            let mut result = repaired(text);
            saver.save(&mut result).unwrap();
            let written = fs::read(result.row.output.unwrap()).unwrap();
            assert_eq!(Some(written), result.text);
        }
        assert_eq!(saver.finish().unwrap().len(), 2);
        assert_eq!(fs::read_dir(&place).unwrap().count(), 2);
    }

    #[test]
    fn a_file_is_replaced_and_without_a_place_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        fs::write(&file, "before").unwrap();
        let mut saver = RepairSaver::new(RepairPlace::File(file.clone()), None).unwrap();
        saver.save(&mut repaired(b"[1]")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"[1]");
        let mut saver = RepairSaver::new(RepairPlace::Nowhere, None).unwrap();
        let mut result = repaired(b"[2]");
        saver.save(&mut result).unwrap();
        assert_eq!((result.row.output, saver.finish().unwrap().len()), (None, 0));
    }

    #[test]
    fn a_file_that_is_repaired_in_place_has_its_first_original_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("seed");
        let mut saver = RepairSaver::new(RepairPlace::InPlace, None).unwrap();
        for text in [&b"[1"[..], b"[2"] {
            fs::write(&file, text).unwrap();
            let mut result = repaired(text);
            result.row.input.clone_from(&file);
            saver.save(&mut result).unwrap();
            assert_eq!(Some(fs::read(&file).unwrap()), result.text);
            assert_eq!(result.row.output.as_deref(), Some(file.as_path()));
        }
        assert_eq!(fs::read(backup_of(&file)).unwrap(), b"[1");
        // A valid file stays as it is, without a copy.
        let valid = folder.path().join("valid");
        let mut result = repaired(b"[3]");
        result.row.input.clone_from(&valid);
        saver.save(&mut result).unwrap();
        assert_eq!((result.row.output, valid.exists()), (None, false));
    }

    #[test]
    fn a_place_that_cannot_be_written_is_found_out_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let below = RepairPlace::Folder(file.join("below"));
        assert!(matches!(RepairSaver::new(below, None), Err(OutputError::Write { .. })));
    }

    #[test]
    fn a_folder_is_the_same_by_another_name_and_a_missing_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_same_folder(folder.path(), &folder.path().join(".")));
        assert!(!is_same_folder(&folder.path().join("a"), &folder.path().join("a")));
    }
}
