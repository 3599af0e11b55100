//! The language that a generalization reads its input by: chosen, guessed, or dropped because it does not fit.

use std::path::Path;
use std::sync::Arc;

use seedsmith_grammar::internal::GrammarError;
use seedsmith_grammar::internal::builtin::RecognisedBy;

use crate::event::{Event, NoteKind, Reporter};
use crate::generalize::draws::sampler::Sampler;
use crate::session::language::{LanguageChoice, LanguageError};

/// The language of an input.
pub struct Named {
    /// Its name, or the files of its grammar.
    pub source: Vec<String>,
    /// Reads and makes texts of it.
    pub sampler: Sampler,
    /// Whether it is the input's even if the input doesn't quite fit.
    pub is_sure: bool,
    /// Whether it was guessed.
    pub is_guessed: bool,
}

/// A trial parse with more bytes in a hundred in errors than these may be of another language. A
/// guess: a failing input may break its language in one place. Not measured.
const MAX_ERROR_PERCENT: u8 = 2;

/// Why the language of an input cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NamedError {
    /// It cannot be loaded.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// No texts can be made of its grammar.
    #[error("failed to use grammar {name}")]
    Unusable {
        /// The grammar's name, or its files.
        name: String,
        /// Why.
        #[source]
        source: GrammarError,
    },
}

impl Named {
    /// The language that was chosen, else the one that the input `bytes` in the file `path` seems to
    /// be in. `target` is the name of the target that the input fails on, which may also name the
    /// language.
    pub fn of(
        choice: &LanguageChoice,
        (path, bytes): (&Path, &[u8]),
        target: &str,
    ) -> Result<Option<Self>, NamedError> {
        let (name, is_sure, language) = match choice.language()? {
            Some(language) => (choice.said().unwrap_or_default(), true, Arc::new(language)),
            None => match choice.guess((path, bytes), target) {
                Some((name, clue, language)) => (
                    name,
                    !matches!(clue, RecognisedBy::Trial(amiss) if amiss > MAX_ERROR_PERCENT),
                    language,
                ),
                None => return Ok(None),
            },
        };
        let source = name.split(',').map(str::to_owned).collect();
        let sampler = Sampler::new(language)
            .map_err(|source| NamedError::Unusable { name: name.to_owned(), source })?;
        Ok(Some(Named { source, sampler, is_sure, is_guessed: choice.said().is_none() }))
    }
}

/// The grammar, unless it is of no use for these bytes; the reporter gets a note about the bytes
/// that aren't in its language.
pub(super) fn fitting(
    named: Option<Named>,
    bytes: &[u8],
    reporter: &mut dyn Reporter,
) -> (Vec<String>, Option<Sampler>) {
    let Some(Named { source, mut sampler, is_sure, is_guessed }) = named else {
        return (Vec::new(), None);
    };
    let (misfit, is_of_use) = match sampler.read(bytes) {
        Ok((_, None)) => return (source, Some(sampler)),
        Ok((_, Some(misfit))) => (misfit, is_sure && !is_guessed),
        Err(misfit) => (misfit, false),
    };
    if is_of_use {
        reporter.report(&Event::Note(
            NoteKind::Grammar,
            &format!("{misfit}: the rest is treated as bytes"),
        ));
        (source, Some(sampler))
    } else {
        reporter.report(&Event::Note(
            NoteKind::Grammar,
            &format!("{misfit}: bytes are put into classes instead"),
        ));
        (Vec::new(), None)
    }
}
