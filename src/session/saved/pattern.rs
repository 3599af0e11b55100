//! The files of a pattern: the pattern itself, a dictionary, a regression test, and inputs that are
//! made of it, now or from a file that an earlier run wrote.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedsmith_grammar::internal::GrammarError;

use super::output::{OutputError, check_place, write_whole};
use super::rescue::rescue_folder;
use super::test::{check_test, write_test};
use crate::aside::{self, Aside};
use crate::corpus::{Originals, content_name};
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::export::{cases, dictionary};
use crate::generalize::file::{FileError, PatternFile};
use crate::generalize::pattern::Pattern;
use crate::generalize::produce::produce;
use crate::regression::Reach;
use crate::session::generalize::Made;
use crate::session::kit::read::beside;
use crate::session::language::{LanguageChoice, LanguageError};

/// Files that a pattern is written to.
///
/// Each is written only if a place is given for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternOutputs {
    /// How many inputs, and the folder for them.
    pub produced: Option<(usize, PathBuf)>,
    /// The pattern as JSON.
    pub pattern: Option<PathBuf>,
    /// The dictionary.
    pub dict: Option<PathBuf>,
    /// The regression test.
    pub test: Option<PathBuf>,
}

/// The files that were written.
#[derive(Debug, Default)]
pub struct Written {
    /// The files and folders, in order.
    pub paths: Vec<PathBuf>,
    /// Remarks about the produced inputs.
    pub remarks: Vec<String>,
    /// Files that could not be written to their places. The error names the other place if a file
    /// was kept there.
    pub troubles: Vec<OutputError>,
}

impl Written {
    /// Takes note of an attempt to write to `path`.
    ///
    /// One failure does not keep the other files from being written: the caller reports all of them
    /// at the end.
    pub fn note(&mut self, path: &Path, attempt: Result<(), OutputError>) {
        match attempt {
            Ok(()) => self.paths.push(path.to_owned()),
            Err(trouble) => self.troubles.push(trouble),
        }
    }
}

impl PatternOutputs {
    /// Makes sure that each file can be written and that none of `originals` is replaced.
    ///
    /// It is called before the first test, because a run whose result cannot be written is lost.
    pub(crate) fn check(&self, originals: &Originals) -> Result<(), OutputError> {
        for path in [&self.pattern, &self.dict].into_iter().flatten() {
            check_place(path, originals)?;
        }
        if let Some(path) = &self.test {
            check_test(path, originals)?;
        }
        match &self.produced {
            Some((_, folder)) => check_folder(folder),
            None => Ok(()),
        }
    }

    /// Writes the requested files: the pattern, its `file`, and the inputs that were made from it.
    /// `reach` says how the regression test reaches the code under test.
    ///
    /// The returned [`Written`] has examples of inputs and the files that could not be written.
    pub(crate) fn write(
        &self,
        pattern: &Pattern,
        file: &PatternFile,
        made: &Made,
        reach: Option<&Reach>,
    ) -> Written {
        let mut written = Written::default();
        if let Some(path) = &self.pattern {
            let text = serde_json::to_string_pretty(file);
            let text = text.expect("the shapes hold nothing that JSON can't");
            written.note(path, write_whole(path, format!("{text}\n").as_bytes()));
        }
        if let Some(path) = &self.dict {
            written.note(path, write_whole(path, dictionary(pattern).as_bytes()));
        }
        if let Some((path, reach)) = self.test.as_ref().zip(reach) {
            let cases = cases(pattern, &made.examples);
            written.note(path, write_test(path, reach, &about(pattern), &cases));
        }
        if let Some((count, folder)) = &self.produced {
            let inputs = &made.tested.inputs[..made.tested.inputs.len().min(*count)];
            written.remarks = remarks(made, inputs.len(), *count);
            written.note(folder, write_inputs(inputs, folder));
        }
        written
    }
}

/// Where the inputs of a pattern's regression test come from.
pub(crate) fn about(pattern: &Pattern) -> String {
    format!("inputs of the pattern `{}`, which all failed alike", pattern.compact())
}

/// Remarks about the `written` inputs of the `count` that were requested.
fn remarks(made: &Made, written: usize, count: usize) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(match (made.is_tested, made.tested.left_out) {
        (false, _) => Some("the produced inputs were not tested".to_owned()),
        (true, 0) => None,
        (true, 1) => Some("1 produced input that doesn't fail was left out".to_owned()),
        (true, some) => Some(format!("{some} produced inputs that don't fail were left out")),
    });
    if let Some(unmet) = made.tested.unmet {
        // The first input is the minimized one, which was not drawn.
        let fail = made.tested.inputs.len().saturating_sub(1);
        remarks.push(format!(
            "{fail} of {} drawn inputs that meet the condition fail; {unmet} that do not meet it were \
             not tested",
            fail + made.tested.left_out
        ));
    }
    if written < count && made.tested.stopped.is_none() {
        let noun = if written == 1 { "input" } else { "inputs" };
        remarks.push(format!("the pattern has no more than {written} {noun}"));
    }
    remarks
}

/// Makes a folder for inputs, and sure that files can be written into it.
fn check_folder(folder: &Path) -> Result<(), OutputError> {
    let made = fs::create_dir_all(folder);
    let checked = made.and_then(|()| Aside::beside(&folder.join(content_name(b""))).map(drop));
    checked.map_err(OutputError::writing(folder))
}

/// Writes inputs into a folder, named by their content. An existing file of such a name is kept: it
/// has the same content or is not ours. If the folder cannot be written, all inputs go to a
/// temporary one.
fn write_inputs(inputs: &[Vec<u8>], folder: &Path) -> Result<(), OutputError> {
    let write_into = |folder: &Path| -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for input in inputs {
            let path = folder.join(content_name(input));
            if fs::symlink_metadata(&path).is_err() {
                aside::write(&path, input)?;
            }
        }
        Ok(())
    };
    write_into(folder).map_err(|source| {
        let path = folder.to_owned();
        match rescue_folder(folder, &write_into) {
            Some(rescued) => OutputError::Rescued { path, reason: source, rescued },
            None => OutputError::Write { path, source },
        }
    })
}

/// Why no inputs can be made of a pattern's file.
///
/// The inputs are written one by one, so some may be there when writing fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ProduceError {
    /// The file cannot be read.
    #[error("failed to read pattern {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{} is not a pattern of seedsmith's", path.display())]
    NoPattern {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// The grammar cannot be loaded.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// No texts can be made of the grammar.
    #[error("failed to use pattern {}", path.display())]
    Grammar {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: GrammarError,
    },
    /// The pattern is damaged, or one of another version or grammar.
    #[error("failed to use pattern {}", path.display())]
    Pattern {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: FileError,
    },
    /// The inputs cannot be written.
    #[error(transparent)]
    Write(#[from] OutputError),
}

/// Makes up to `count` inputs of the pattern in the file `path`, none of them tested, and writes them
/// into `folder`; returns the pattern in its compact form and the number of inputs. The grammar is
/// the one that the file names, unless `language` names one.
pub(crate) fn produce_from(
    path: &Path,
    language: &LanguageChoice,
    seed: u64,
    (count, folder): (usize, &Path),
) -> Result<(String, usize), ProduceError> {
    let own = || path.to_owned();
    let text =
        fs::read_to_string(path).map_err(|source| ProduceError::Read { path: own(), source })?;
    let file: PatternFile = serde_json::from_str(&text)
        .map_err(|source| ProduceError::NoPattern { path: own(), source })?;
    let sampler = match &file.grammar {
        None => None,
        Some(name) => language
            .or(beside(&name.source, path.parent().unwrap_or(Path::new(""))), Some(&name.start))
            .language()?
            .map(|language| Sampler::new(Arc::new(language)))
            .transpose()
            .map_err(|source| ProduceError::Grammar { path: own(), source })?,
    };
    let mut pattern =
        file.load(sampler).map_err(|source| ProduceError::Pattern { path: own(), source })?;
    let condition =
        file.predicate().map_err(|source| ProduceError::Pattern { path: own(), source })?;
    let (inputs, _) = produce(&mut pattern, condition.as_ref(), count, seed);
    write_inputs(&inputs, folder)?;
    Ok((file.pattern, inputs.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::bytes::class::Class;
    use crate::generalize::domain::{Domain, Segment};
    use crate::generalize::pattern::Slot;
    use crate::generalize::produce::Tested;
    use crate::regression::{Fails, ShellReach, Word};
    use seedsmith_grammar::NodeId;

    /// The pattern of one to three digits, with the input `1`.
    fn digits() -> Pattern {
        let (subject, _) = crate::generalize::subject(b"1".to_vec(), None);
        let digits = Segment::Class { class: Class::Digit, least: 1, most: Some(3) };
        let slot = Slot::one(NodeId(1), Domain::Spelled(vec![digits]));
        Pattern { subject, slots: vec![slot], unknown: Vec::new() }
    }

    fn made(inputs: &[&str], left_out: usize) -> Made {
        let inputs = inputs.iter().map(|text| text.as_bytes().to_vec()).collect();
        let tested = Tested { inputs, left_out, ..Tested::default() };
        let examples = vec![Some(b"2".to_vec())];
        Made { tested, examples, is_tested: true, ..Made::default() }
    }

    fn command() -> Reach {
        Reach::Shell(ShellReach {
            words: vec![Word::Text("check".to_owned())],
            folder: None,
            input_name: "in".to_owned(),
            fails: Fails::Status(0),
        })
    }

    #[test]
    fn all_files_are_written_and_a_pattern_file_makes_inputs_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let outputs = PatternOutputs {
            produced: Some((5, at("made"))),
            pattern: Some(at("pattern.json")),
            dict: Some(at("dict")),
            test: Some(at("new/test.sh")),
        };
        let pattern = digits();
        let file = PatternFile::of(&pattern, "a claim".to_owned(), None, &[]);
        let written = outputs.write(&pattern, &file, &made(&["1", "22"], 2), Some(&command()));
        assert_eq!(written.paths, ["pattern.json", "dict", "new/test.sh", "made"].map(at));
        let remarks = [
            "2 produced inputs that don't fail were left out",
            "the pattern has no more than 2 inputs",
        ];
        assert_eq!(written.remarks, remarks);
        assert_eq!(fs::read(at("made").join(content_name(b"22"))).unwrap(), b"22");

        let choice = LanguageChoice::default();
        let (shown, count) =
            produce_from(&at("pattern.json"), &choice, 0, (7, &at("again"))).unwrap();
        assert_eq!((shown, count), (file.pattern, 7));
        assert_eq!(fs::read_dir(at("again")).unwrap().count(), 7);
    }

    #[test]
    fn what_is_not_asked_for_is_not_written() {
        let pattern = digits();
        let file = PatternFile::of(&pattern, String::new(), None, &[]);
        let nothing = PatternOutputs::default();
        let written = nothing.write(&pattern, &file, &made(&["1"], 1), Some(&command()));
        assert_eq!((written.paths.len(), written.remarks.len()), (0, 0));
    }

    #[test]
    fn a_missing_file_and_one_that_is_no_pattern_are_different_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pattern.json");
        let produce = || {
            let choice = LanguageChoice::default();
            produce_from(&path, &choice, 0, (1, folder.path())).unwrap_err()
        };
        assert!(matches!(produce(), ProduceError::Read { .. }));
        fs::write(&path, "{}").unwrap();
        assert!(matches!(produce(), ProduceError::NoPattern { .. }));
    }
}
