//! Where a result is saved, and what may be replaced there: nothing that is not a result, unless
//! that was asked for.
//!
//! A place is checked before the first test: a run whose result cannot be written would be lost.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::aside::{self, Aside};
use crate::corpus::{JOURNAL, OBSERVATIONS, RESULT, content_name};

/// The place of one result.
#[derive(Clone, Debug)]
pub struct Output {
    /// The result's path. Whatever is there is replaced.
    pub path: PathBuf,
    /// What is there now. A search starts from it if it still fails and is not larger than the
    /// input.
    pub existing: Option<Vec<u8>>,
    /// Whether the name is made of the input's content, so that what is there is a result of the
    /// same input.
    pub is_own_name: bool,
}

/// Where a result may go.
#[derive(Clone, Debug, Default)]
pub struct OutputChoice {
    /// A file, or a folder that exists; without one the result goes beside the input.
    pub path: Option<PathBuf>,
    /// Whether a file may be replaced that is not known to be a result.
    pub may_replace: bool,
    /// Whether an earlier run is continued: a file with a journal beside it is its result.
    pub resumes: bool,
}

/// Why something cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// There is something else than a file, such as a device, which a rename would remove.
    #[error("{} is no file; name another place", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// A file is there that is not known to be a result.
    #[error("{} is there already", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// A file is there that is not a page of an earlier run.
    #[error("{} is there and no page of ours", path.display())]
    NoPage {
        /// The path.
        path: PathBuf,
    },
    /// Writing failed.
    #[error("failed to write {}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// Writing a page failed.
    #[error("failed to write {}", path.display())]
    WritePage {
        /// The path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
}

impl OutputError {
    /// The error for a failed attempt to write `path`, for `map_err`.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| OutputError::Write { path: path.to_owned(), source }
    }
}

impl Output {
    /// Where the journal of the run that makes the result is.
    pub fn journal_path(&self) -> PathBuf {
        beside(&self.path, JOURNAL)
    }

    /// Where the observations of that run are.
    pub fn observations_path(&self) -> PathBuf {
        beside(&self.path, OBSERVATIONS)
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

impl OutputChoice {
    /// Finds the place for the result of `bytes`, read from `input`, and makes sure that it can be
    /// written. Nothing is written yet.
    pub fn output(&self, input: &Path, bytes: &[u8]) -> Result<Output, OutputError> {
        let own_name = format!("{RESULT}{}", content_name(bytes));
        let path = match &self.path {
            None => input.with_file_name(&own_name),
            Some(path) if path.is_dir() => path.join(&own_name),
            Some(path) => path.clone(),
        };
        // Reading a device might never end.
        if !path.is_dir() {
            refuse_no_file(&path)?;
        }
        let existing = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(OutputError::writing(&path)(error)),
        };
        let is_own_name = path.file_name().is_some_and(|name| *name == *own_name);
        let is_resumed = self.resumes && beside(&path, JOURNAL).is_file();
        if existing.is_some() && !is_own_name && !is_resumed && !self.may_replace {
            return Err(OutputError::Exists { path });
        }
        Aside::beside(&path).map_err(OutputError::writing(&path))?;
        Ok(Output { path, existing, is_own_name })
    }
}

/// Refuses a place where something else than a file is: it would be lost when a file is renamed to
/// it.
pub fn refuse_no_file(path: &Path) -> Result<(), OutputError> {
    if path.exists() && !path.is_file() {
        return Err(OutputError::NoFile { path: path.to_owned() });
    }
    Ok(())
}

/// Writes a whole file. A device, such as `/dev/stdout`, is written to and not replaced.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let is_device = path.exists() && !path.is_file();
    let written = if is_device { fs::write(path, bytes) } else { aside::write(path, bytes) };
    written.map_err(OutputError::writing(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(path: Option<&Path>, may_replace: bool) -> OutputChoice {
        OutputChoice { path: path.map(Path::to_owned), may_replace, resumes: false }
    }

    #[test]
    fn the_result_is_named_after_the_input_and_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("crash");
        let output = choice(None, false).output(&input, b"abc").unwrap();
        let name = "minimized-from-a9993e364706816aba3e25717850c26c9cd0d89d";
        assert_eq!(output.path, folder.path().join(name));
        let output = choice(Some(folder.path()), false).output(Path::new("x"), b"abc").unwrap();
        assert_eq!(output.path, folder.path().join(name));
        assert!(output.is_own_name);
    }

    #[test]
    fn a_file_that_is_not_ours_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = folder.path().join("theirs");
        fs::write(&theirs, "x").unwrap();
        let refused = choice(Some(&theirs), false).output(Path::new("in"), b"abc").unwrap_err();
        assert!(matches!(refused, OutputError::Exists { .. }), "{refused}");
        let output = choice(Some(&theirs), true).output(Path::new("in"), b"abc").unwrap();
        assert_eq!(output.existing.as_deref(), Some(&b"x"[..]));
        assert!(!output.is_own_name);
    }

    #[test]
    fn a_device_is_refused_and_a_missing_folder_is_found_out_at_once() {
        let refused = choice(Some(Path::new("/dev/null")), true).output(Path::new("in"), b"abc");
        assert!(matches!(refused, Err(OutputError::NoFile { .. })));
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("missing/result");
        let refused = choice(Some(&nowhere), true).output(Path::new("in"), b"abc");
        assert!(matches!(refused, Err(OutputError::Write { .. })));
    }
}
