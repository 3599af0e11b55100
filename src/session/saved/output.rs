//! Where a result is saved, and which file may be replaced there: only a result, or any file if the
//! user asked for that, but never an input.
//!
//! A place is checked before the first test: a run whose result cannot be written would be lost.
//! Whether a result that is there is one of the same task can be known only when the target is open
//! (see [`Record`](super::record::Record)).

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::rescue::rescue;
use crate::aside::{self, Aside};
use crate::corpus::{
    Originals, content_name, distinct_result_name, journal_of, read_input, result_name,
};

/// The place of one result.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The result's path. Whatever is there is replaced.
    pub path: PathBuf,
    /// The result of an earlier run that is there. A search of the same task starts from it if it
    /// still fails and is not larger than the input.
    pub existing: Option<Vec<u8>>,
    /// Whether a file may be replaced that is not known to be a result of the same task.
    pub may_replace: bool,
    /// Whether an earlier result is set aside, and the search starts from the input.
    pub starts_fresh: bool,
    /// Files that are never replaced, such as the inputs.
    pub originals: Arc<Originals>,
}

/// Where a result may go.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputChoice {
    /// A file, or a folder that exists; without one the result goes beside the input.
    pub path: Option<PathBuf>,
    /// Whether a file may be replaced that is not known to be a result of the same task.
    pub may_replace: bool,
    /// Whether an earlier result is set aside, and the search starts from the input.
    pub starts_fresh: bool,
    /// Whether an earlier run is continued, so that there has to be a journal of it.
    pub resumes: bool,
    /// Files that are never replaced besides the input itself.
    pub originals: Arc<Originals>,
    /// Names that several inputs of the run have: in one folder their results need other names.
    pub shared_names: Arc<HashSet<OsString>>,
}

/// Why something cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The input has no file, so there is no name for the result.
    #[error("a result of standard input has no name")]
    NoName,
    /// There is something else than a file, such as a device, which a rename would remove.
    #[error("{} is no file; name another place", path.display())]
    NoFile {
        /// The path.
        path: PathBuf,
    },
    /// An input is there.
    #[error(
        "{} is {}, which is never replaced; name another place", path.display(),
        if path == input { "an input".to_owned() } else { format!("the input {}", input.display()) }
    )]
    IsInput {
        /// The path.
        path: PathBuf,
        /// The input, as it was named.
        input: PathBuf,
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
    /// No earlier run can be continued.
    #[error("there is no earlier run to resume: {} does not exist", journal.display())]
    NothingToResume {
        /// Where its journal would be.
        journal: PathBuf,
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
    /// Writing failed, and the bytes are in another place now.
    #[error("failed to write {}: {reason}; it is in {} instead", path.display(), rescued.display())]
    Rescued {
        /// The path.
        path: PathBuf,
        /// The system's error; part of the message.
        reason: io::Error,
        /// The other place.
        rescued: PathBuf,
    },
    /// Writing failed, and no other place takes the bytes.
    #[error("failed to write {}: {reason}; {}", path.display(), last_resort(bytes))]
    Unwritten {
        /// The path.
        path: PathBuf,
        /// The system's error; part of the message.
        reason: io::Error,
        /// The bytes.
        bytes: Vec<u8>,
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
    pub(crate) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| OutputError::Write { path: path.to_owned(), source }
    }

    /// The error for a failed attempt to write `bytes` to `path`, which are kept in another place, if
    /// there is one that takes them.
    pub(crate) fn keeping(path: &Path, bytes: &[u8]) -> impl FnOnce(io::Error) -> Self {
        move |reason| match rescue(path, bytes) {
            Some(rescued) => OutputError::Rescued { path: path.to_owned(), reason, rescued },
            None => OutputError::Unwritten { path: path.to_owned(), reason, bytes: bytes.to_vec() },
        }
    }
}

/// Bytes that are shown in a message if no disk takes them: 131,072 digits can still be copied from
/// a log, and nearly every result is smaller. A guess; not measured.
const MAX_SHOWN_BYTES: usize = 64 << 10;

/// The bytes as text, so that a user can copy them from a terminal or a log.
fn last_resort(bytes: &[u8]) -> String {
    if bytes.len() > MAX_SHOWN_BYTES {
        return format!("no folder takes it: {} bytes are lost", bytes.len());
    }
    let digits = base16ct::lower::encode_string(bytes);
    format!("no folder takes it, so here it is in hexadecimal: {digits}")
}

impl OutputChoice {
    /// Finds the place for the result of `bytes`, read from `input`, and makes sure that it can be
    /// written. Nothing is written yet.
    pub(crate) fn output(&self, input: &Path, bytes: &[u8]) -> Result<Output, OutputError> {
        let path = self.path_for(input, bytes)?;
        let originals = match self.originals.at(input) {
            Some(_) => self.originals.clone(),
            None => Arc::new(self.originals.and([input.to_owned()])),
        };
        refuse_originals(&path, &originals)?;
        // Reading a device might never end.
        if !path.is_dir() {
            refuse_no_file(&path)?;
        }
        let journal = journal_of(&path);
        let is_ours = journal.is_file();
        let is_there = match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {
                let error = io::Error::from(io::ErrorKind::IsADirectory);
                return Err(OutputError::writing(&path)(error));
            }
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            // A name that is too long, for instance.
            Err(error) => return Err(OutputError::writing(&path)(error)),
        };
        if self.resumes && !is_ours {
            return Err(OutputError::NothingToResume { journal });
        }
        if is_there && !is_ours && !self.may_replace {
            return Err(OutputError::Exists { path });
        }
        let existing = match is_there && is_ours {
            true => read_input(&path, &AtomicBool::new(false)).map(Some),
            false => Ok(None),
        };
        let existing = existing.map_err(|error| OutputError::writing(&path)(error.into()))?;
        Aside::beside(&path).map_err(OutputError::writing(&path))?;
        Ok(Output {
            path,
            existing,
            may_replace: self.may_replace,
            starts_fresh: self.starts_fresh,
            originals,
        })
    }

    /// Whether an earlier run for the result of `bytes`, read from `input`, left a journal.
    pub(crate) fn can_resume(&self, input: &Path, bytes: &[u8]) -> bool {
        self.path_for(input, bytes).is_ok_and(|path| journal_of(&path).is_file())
    }

    /// The path of the result of `bytes`, read from `input`.
    fn path_for(&self, input: &Path, bytes: &[u8]) -> Result<PathBuf, OutputError> {
        let folder = match &self.path {
            Some(path) if !path.is_dir() => return Ok(path.clone()),
            folder => folder.as_deref(),
        };
        // Standard input.
        if input == Path::new("-") {
            return Err(OutputError::NoName);
        }
        let name = input.file_name().ok_or(OutputError::NoName)?;
        Ok(match folder {
            None => input.with_file_name(result_name(name)),
            Some(folder) if self.shared_names.contains(name) => {
                folder.join(distinct_result_name(name, &content_name(bytes)))
            }
            Some(folder) => folder.join(result_name(name)),
        })
    }
}

/// Refuses a place where something else than a file is: it would be lost when a file is renamed to
/// it.
pub(crate) fn refuse_no_file(path: &Path) -> Result<(), OutputError> {
    if path.exists() && !path.is_file() {
        return Err(OutputError::NoFile { path: path.to_owned() });
    }
    Ok(())
}

/// Refuses a place where an input is, under whatever name.
pub(crate) fn refuse_originals(path: &Path, originals: &Originals) -> Result<(), OutputError> {
    match originals.at(path) {
        Some(input) => Err(OutputError::IsInput { path: path.to_owned(), input: input.to_owned() }),
        None => Ok(()),
    }
}

/// Makes sure that a file can be written to `path` by [`write_whole`], and that no input is there.
pub(crate) fn check_place(path: &Path, originals: &Originals) -> Result<(), OutputError> {
    refuse_originals(path, originals)?;
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Ok(());
    }
    let checked = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Aside::beside(path).map(drop),
    };
    checked.map_err(OutputError::writing(path))
}

/// Writes a whole file. A device, such as `/dev/stdout`, is written to and not replaced. A file
/// that cannot be written is kept in another place.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let is_device = path.exists() && !path.is_file();
    let written = if is_device { fs::write(path, bytes) } else { aside::write(path, bytes) };
    written.map_err(OutputError::keeping(path, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::STATE_FOLDER;

    fn choice(path: Option<&Path>, may_replace: bool) -> OutputChoice {
        OutputChoice { path: path.map(Path::to_owned), may_replace, ..OutputChoice::default() }
    }

    #[test]
    fn the_result_is_named_after_the_input_and_is_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("crash");
        let output = choice(None, false).output(&input, b"abc").unwrap();
        assert_eq!(output.path, folder.path().join("crash.min"));
        let mut choice = choice(Some(folder.path()), false);
        let output = choice.output(Path::new("x/a"), b"abc").unwrap();
        assert_eq!(output.path, folder.path().join("a.min"));
        choice.shared_names = Arc::new(["a".into()].into());
        let output = choice.output(Path::new("x/a"), b"abc").unwrap();
        assert_eq!(output.path, folder.path().join("a-a9993e36.min"));
    }

    #[test]
    fn standard_input_has_a_result_only_in_a_file_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let dash = Path::new("-");
        for choice in [choice(None, false), choice(Some(folder.path()), true)] {
            assert!(matches!(choice.output(dash, b"abc"), Err(OutputError::NoName)));
        }
        let named = folder.path().join("small");
        assert_eq!(choice(Some(&named), false).output(dash, b"abc").unwrap().path, named);
    }

    #[test]
    fn a_file_that_is_not_ours_is_replaced_only_by_force_and_never_continued() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = folder.path().join("theirs");
        fs::write(&theirs, "x").unwrap();
        let refused = choice(Some(&theirs), false).output(Path::new("in"), b"abc").unwrap_err();
        assert!(matches!(refused, OutputError::Exists { .. }), "{refused}");
        let output = choice(Some(&theirs), true).output(Path::new("in"), b"abc").unwrap();
        assert_eq!(output.existing, None);
        fs::create_dir(folder.path().join(STATE_FOLDER)).unwrap();
        fs::write(journal_of(&theirs), "").unwrap();
        let output = choice(Some(&theirs), false).output(Path::new("in"), b"abc").unwrap();
        assert_eq!(output.existing.as_deref(), Some(&b"x"[..]));
    }

    #[test]
    fn a_device_is_refused_and_a_missing_folder_and_a_long_name_are_found_out_at_once() {
        let refused = choice(Some(Path::new("/dev/null")), true).output(Path::new("in"), b"abc");
        assert!(matches!(refused, Err(OutputError::NoFile { .. })));
        let folder = tempfile::tempdir().unwrap();
        for name in ["missing/result".to_owned(), "x".repeat(256), "x/".repeat(3000)] {
            let place = folder.path().join(name);
            let refused = choice(Some(&place), true).output(Path::new("in"), b"abc");
            assert!(matches!(refused, Err(OutputError::Write { .. })), "{refused:?}");
            assert!(matches!(
                check_place(&place, &Originals::default()),
                Err(OutputError::Write { .. })
            ));
        }
    }

    #[test]
    fn no_force_replaces_an_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("crash"), "abc").unwrap();
        fs::write(at("other"), "abc").unwrap();
        fs::hard_link(at("crash"), at("hard")).unwrap();
        let mut choice = choice(Some(&at("hard")), true);
        let refused = choice.output(&at("crash"), b"abc").unwrap_err().to_string();
        let (hard, crash) = (at("hard"), at("crash"));
        let why = "which is never replaced; name another place";
        assert_eq!(refused, format!("{} is the input {}, {why}", hard.display(), crash.display()));
        choice.path = Some(at("other"));
        assert!(choice.output(&at("crash"), b"abc").is_ok());
        choice.originals = Arc::new(Originals::of([at("other")]));
        let refused = choice.output(&at("crash"), b"abc").unwrap_err();
        assert!(matches!(refused, OutputError::IsInput { .. }));
    }

    #[test]
    fn what_no_folder_takes_is_shown_by_the_error_if_it_is_short() {
        let unwritten = |bytes: Vec<u8>| {
            let reason = io::Error::other("planted");
            OutputError::Unwritten { path: "a".into(), reason, bytes }.to_string()
        };
        let why = "failed to write a: planted; no folder takes it";
        let shown = format!("{why}, so here it is in hexadecimal: 00666fff");
        assert_eq!(unwritten(b"\x00fo\xff".to_vec()), shown);
        assert_eq!(unwritten(vec![0; 65_537]), format!("{why}: 65537 bytes are lost"));
    }

    #[test]
    fn what_cannot_be_written_is_in_another_place_that_the_error_names() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("missing/result");
        let Err(OutputError::Rescued { rescued, .. }) = write_whole(&place, b"abc") else {
            panic!("it was written or lost")
        };
        assert_eq!(fs::read(&rescued).unwrap(), b"abc");
        fs::remove_file(rescued).unwrap();
    }
}
