//! Where a chosen corpus is written: into a new folder, or added to a corpus that exists.
//!
//! A new folder is filled aside and renamed when it is complete. For an existing corpus, the list of
//! the inputs to copy is on disk before the first one is copied, so that a run that continues after
//! a kill adds exactly these.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::part::Part;
use crate::aside;
use crate::corpus::{HeldBytes, Listed, content_name, features_of, in_parts};

/// A thread writes at least this number of files: a file takes some ten microseconds or more, as does starting the
/// thread. A guess, not measured.
const MIN_FILES_OF_A_THREAD: usize = 16;

/// Where chosen inputs go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CorpusPlace {
    /// Into a folder that does not exist or is empty.
    New(PathBuf),
    /// Into this corpus, whose inputs all stay.
    Into(PathBuf),
}

/// Why a corpus cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PlaceError {
    /// There is something in the folder.
    #[error("{} is not an empty folder", .0.display())]
    NotEmpty(PathBuf),
    /// There is no such corpus.
    #[error("{} is not a folder", .0.display())]
    NoFolder(PathBuf),
    /// An input has other bytes than those that ran.
    #[error("{} has changed since it was run", .0.display())]
    Changed(PathBuf),
    /// The system's error.
    #[error("failed to write {}", path.display())]
    Write {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// How many inputs of an ended run were still to be copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recovered(pub usize);

impl CorpusPlace {
    /// The folder with the result.
    pub(crate) fn path(&self) -> &Path {
        match self {
            CorpusPlace::New(path) | CorpusPlace::Into(path) => path,
        }
    }

    /// Fails if the folder cannot take the result.
    ///
    /// Nothing is written. The folder is looked at again when the result is written: it can have
    /// changed.
    pub(crate) fn check(&self) -> Result<(), PlaceError> {
        match self {
            CorpusPlace::New(path) => match fs::read_dir(path).map(Iterator::count) {
                Ok(0) => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                _ => Err(PlaceError::NotEmpty(path.clone())),
            },
            CorpusPlace::Into(path) if !path.is_dir() => Err(PlaceError::NoFolder(path.clone())),
            CorpusPlace::Into(_) => Ok(()),
        }
    }

    /// Where the features of the inputs are recorded until the result is written.
    pub(crate) fn records(&self) -> PathBuf {
        features_of(self.path())
    }

    /// Copies what an ended run had chosen for an existing corpus and not copied.
    ///
    /// To be called before a run chooses. Costs a look at the list, and a copy of each input that
    /// is missing. Fails if an input cannot be copied; the list then stays, so that the next run
    /// tries again.
    pub(crate) fn recover(&self, interrupt: &AtomicBool) -> Result<Recovered, PlaceError> {
        let CorpusPlace::Into(corpus) = self else { return Ok(Recovered(0)) };
        let list = self.list();
        let Ok(text) = fs::read_to_string(&list) else { return Ok(Recovered(0)) };
        let chosen: Vec<Listed> = serde_json::from_str::<Vec<(String, PathBuf)>>(&text)
            .unwrap_or_default()
            .into_iter()
            .map(|(sha1, path)| Listed { path, bytes: 0, sha1, copies: Vec::new() })
            .collect();
        let missing: Vec<Listed> =
            chosen.into_iter().filter(|one| !corpus.join(&one.sha1).exists()).collect();
        for input in &missing {
            match copy(input, corpus, &write_aside(interrupt, &HeldBytes::default())) {
                // The input is gone or another one: this run chooses again without it.
                Ok(()) | Err(PlaceError::Changed(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.forget(&list)?;
        Ok(Recovered(missing.len()))
    }

    /// Copies `chosen` to the place, each under its SHA-1, and checks that its bytes are still those that ran.
    ///
    /// Bytes that are `held` are not read again, and `jobs` files are written at once. For a new folder nothing is at
    /// the place until all inputs are; for an existing corpus each input appears whole. Fails with [`PlaceError::Changed`] if an input has other bytes than
    /// when it was run.
    pub(crate) fn write(
        &self,
        chosen: &[Listed],
        held: &HeldBytes,
        jobs: NonZero<usize>,
        interrupt: &AtomicBool,
    ) -> Result<(), PlaceError> {
        let copy_all = |folder: &Path, write: &Write<'_>| {
            let done = in_parts(jobs, chosen.len(), MIN_FILES_OF_A_THREAD, |part| {
                chosen[part].iter().try_for_each(|one| copy(one, folder, write))
            });
            done.into_iter().collect::<Result<(), PlaceError>>()
        };
        match self {
            CorpusPlace::New(path) => self.fill(path, &|staging| {
                // No one sees this folder before it is complete.
                let write = |place: &Path, bytes: &[u8]| fs::write(place, bytes);
                copy_all(staging, &Write { held, interrupt, write: &write, is_new: true })
            }),
            CorpusPlace::Into(path) => {
                let list = self.list();
                let trouble = |source| PlaceError::Write { path: path.clone(), source };
                let pairs: Vec<(&str, PathBuf)> = chosen
                    .iter()
                    .map(|one| {
                        let path = std::path::absolute(&one.path);
                        (one.sha1.as_str(), path.unwrap_or_else(|_| one.path.clone()))
                    })
                    .collect();
                if let Some(folder) = list.parent() {
                    fs::create_dir_all(folder).map_err(trouble)?;
                }
                let text = serde_json::to_vec(&pairs).map_err(|error| trouble(error.into()))?;
                aside::write(&list, &text).map_err(trouble)?;
                copy_all(path, &write_aside(interrupt, held))?;
                self.forget(&list)
            }
        }
    }

    /// Copies files to a new folder, each under the name that is given with it.
    ///
    /// Fails as [`CorpusPlace::write`] does.
    pub(crate) fn write_named(&self, files: &[(PathBuf, OsString)]) -> Result<(), PlaceError> {
        self.fill(self.path(), &|staging| {
            files.iter().try_for_each(|(from, name)| {
                let copied = fs::copy(from, staging.join(name));
                copied.map(drop).map_err(|source| PlaceError::Write { path: from.clone(), source })
            })
        })
    }

    /// Writes `texts` to a new folder, each under its SHA-1 and once, and the file of a shard's `part` with them.
    ///
    /// Fails as [`CorpusPlace::write`] does. Texts with the same bytes are written once.
    pub(crate) fn write_texts<'t>(
        &self,
        texts: impl Iterator<Item = &'t [u8]> + Clone,
        part: Option<&Part>,
    ) -> Result<(), PlaceError> {
        self.fill(self.path(), &|staging| {
            texts.clone().try_for_each(|text| {
                let place = staging.join(content_name(text));
                fs::write(&place, text).map_err(|source| PlaceError::Write { path: place, source })
            })?;
            let written = part.map_or(Ok(()), |part| part.write(staging));
            written.map_err(|source| PlaceError::Write { path: staging.to_owned(), source })
        })
    }

    /// Lets `fill` fill a folder that takes the name `path` when it is complete.
    ///
    /// If `fill` fails, its files are deleted.
    fn fill(
        &self,
        path: &Path,
        fill: &dyn Fn(&Path) -> Result<(), PlaceError>,
    ) -> Result<(), PlaceError> {
        let staging = self.records().with_extension("new");
        let trouble = |source| PlaceError::Write { path: path.to_owned(), source };
        // What a killed run had copied.
        if staging.exists() {
            fs::remove_dir_all(&staging).map_err(trouble)?;
        }
        fs::create_dir_all(&staging).map_err(trouble)?;
        let moved = fill(&staging).and_then(|()| fs::rename(&staging, path).map_err(trouble));
        if moved.is_err() {
            let _ = fs::remove_dir_all(&staging);
        }
        if let Some(folder) = staging.parent() {
            // Only an empty folder is removed.
            let _ = fs::remove_dir(folder);
        }
        moved
    }

    /// The list of inputs that are being copied into an existing corpus.
    fn list(&self) -> PathBuf {
        self.records().with_extension("chosen.json")
    }

    /// Deletes the list of what is copied, and our folder if nothing else is in it.
    fn forget(&self, list: &Path) -> Result<(), PlaceError> {
        let path = || self.path().to_owned();
        fs::remove_file(list).map_err(|source| PlaceError::Write { path: path(), source })?;
        if let Some(folder) = list.parent() {
            // Only an empty folder is removed.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// How inputs are copied into a folder.
struct Write<'w> {
    held: &'w HeldBytes,
    interrupt: &'w AtomicBool,
    write: &'w (dyn Fn(&Path, &[u8]) -> io::Result<()> + Sync),
    /// Whether the folder has nothing but these copies.
    is_new: bool,
}

/// Each file appears whole, in a folder that others may use.
fn write_aside<'w>(interrupt: &'w AtomicBool, held: &'w HeldBytes) -> Write<'w> {
    Write { held, interrupt, write: &aside::write, is_new: false }
}

/// Copies an input into `folder` under its SHA-1; an input that is there already stays.
///
/// The bytes that are written have this SHA-1.
fn copy(input: &Listed, folder: &Path, how: &Write<'_>) -> Result<(), PlaceError> {
    let place = folder.join(&input.sha1);
    if !how.is_new && place.exists() {
        return Ok(());
    }
    let bytes = how.held.read(input, how.interrupt);
    let bytes = bytes.ok_or_else(|| PlaceError::Changed(input.path.clone()))?;
    (how.write)(&place, &bytes).map_err(|source| PlaceError::Write { path: place, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(folder: &Path, texts: &[&str]) -> Vec<Listed> {
        let texts = texts.iter().map(|text| {
            let path = folder.join(format!("in-{text}"));
            fs::write(&path, text).unwrap();
            let sha1 = content_name(text.as_bytes());
            Listed { path, bytes: text.len() as u64, sha1, copies: Vec::new() }
        });
        texts.collect()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn write(place: &CorpusPlace, inputs: &[Listed]) -> Result<(), PlaceError> {
        place.write(inputs, &HeldBytes::default(), NonZero::<usize>::MIN, &GO_ON)
    }

    #[test]
    fn a_new_folder_is_there_when_it_is_complete_and_leaves_no_state() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path(), &["a", "b"]);
        let place = CorpusPlace::New(folder.path().join("out"));
        place.check().unwrap();
        // A killed run had copied something.
        let staging = place.records().with_extension("new");
        fs::create_dir_all(&staging).unwrap();
        fs::write(staging.join("left"), "x").unwrap();
        write(&place, &inputs).unwrap();
        let mut expected: Vec<String> = inputs.iter().map(|one| one.sha1.clone()).collect();
        expected.sort();
        assert_eq!(names(place.path()), expected);
        assert_eq!(names(folder.path()), ["in-a", "in-b", "out"]);
        assert!(matches!(place.check(), Err(PlaceError::NotEmpty(_))));
        fs::write(&inputs[0].path, "other").unwrap();
        let other = CorpusPlace::New(folder.path().join("out2"));
        assert!(matches!(write(&other, &inputs), Err(PlaceError::Changed(_))));
        assert!(!other.path().exists());
    }

    #[test]
    fn what_an_ended_run_had_chosen_for_a_corpus_is_copied_before_anything_else() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = inputs(folder.path(), &["a", "b", "c"]);
        let corpus = folder.path().join("corpus");
        fs::create_dir(&corpus).unwrap();
        let place = CorpusPlace::Into(corpus.clone());
        assert_eq!(place.recover(&GO_ON).unwrap(), Recovered(0));
        // The state of a run that was killed after it had copied the first input.
        let pairs: Vec<_> = inputs.iter().map(|one| (&one.sha1, &one.path)).collect();
        fs::create_dir_all(place.list().parent().unwrap()).unwrap();
        fs::write(place.list(), serde_json::to_vec(&pairs).unwrap()).unwrap();
        copy(&inputs[0], &corpus, &write_aside(&GO_ON, &HeldBytes::default())).unwrap();
        fs::remove_file(&inputs[2].path).unwrap();
        assert_eq!(place.recover(&GO_ON).unwrap(), Recovered(2));
        assert_eq!(names(&corpus).len(), 2);
        assert!(!place.list().exists());
        write(&place, &inputs[..2]).unwrap();
        assert_eq!(names(&corpus).len(), 2);
    }
}
