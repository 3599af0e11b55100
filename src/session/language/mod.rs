//! Which language an input is in: a grammar that was named, a parser of tree-sitter's, or a guess.
//!
//! A choice is made before any file is read. Grammars and parsers are loaded when they are asked
//! for. Nothing here parses an input but to see which language a parser of tree-sitter's shows in it.

mod described;
mod error;
pub(crate) mod guess;
mod hints;

mod structure;
mod tree_sitter;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::builtin::RecognisedBy;

use crate::corpus::input_of;
use crate::reduce::Clues;
pub(crate) use described::{
    TreeNames, described_builtins, described_grammar, described_parse, described_parser, literals,
};
pub(crate) use error::LanguageError;
pub(crate) use structure::StructureChoice;
pub(crate) use tree_sitter::Named;

/// The name that chooses no grammar: inputs are plain bytes, and nothing is guessed.
pub(crate) const BYTES: &str = "bytes";

/// The beginning of a grammar's name that names a parser of tree-sitter's.
pub(crate) const TREE_SITTER: &str = "tree-sitter:";

/// The default time limit of a parse. Usual inputs take milliseconds. A guess for inputs of
/// megabytes; not measured.
pub(crate) const DEFAULT_MAX_PARSE_TIME: Duration = Duration::from_secs(5);

/// The options about the language, before any file is read.
#[derive(Clone, Debug)]
pub struct LanguageChoice {
    /// A built-in grammar, files, or a parser of tree-sitter's ([`TREE_SITTER`]); [`BYTES`] is none.
    pub grammar: Option<String>,
    /// The rule that a whole input is.
    pub start: Option<String>,
    /// The time limit of a parse.
    pub max_parse_time: Duration,
}

impl Default for LanguageChoice {
    fn default() -> Self {
        LanguageChoice { grammar: None, start: None, max_parse_time: DEFAULT_MAX_PARSE_TIME }
    }
}

impl LanguageChoice {
    /// The same for a grammar that was written down, unless this choice names one.
    /// Called with the main grammar of an islands file. A grammar and a start rule of this choice are kept,
    /// each for itself.
    pub fn or(&self, grammar: String, start: Option<&str>) -> Self {
        let mut plan = self.clone();
        plan.grammar.get_or_insert(grammar);
        plan.start = plan.start.or_else(|| start.map(str::to_owned));
        plan
    }

    /// The grammar as it was named.
    pub fn said(&self) -> Option<&str> {
        self.grammar.as_deref()
    }

    /// The language that the user chose; `None` if none was chosen, or `bytes`.
    pub fn language(&self) -> Result<Option<Substitutes>, LanguageError> {
        let Some(grammar) = self.said().filter(|said| *said != BYTES) else { return Ok(None) };
        if grammar.starts_with(TREE_SITTER) {
            return Err(LanguageError::ShownByInputs { grammar: grammar.to_owned() });
        }
        let language = Language::open(grammar, self.start.as_deref())
            .map_err(|source| LanguageError::Load { grammar: grammar.to_owned(), source })?;
        Ok(Some(self.within_time(language)))
    }

    /// The clues for guessing the language of an input, unless a grammar was named.
    pub fn clues(&self, input: &Path, target: &str) -> Option<Clues> {
        if self.grammar.is_some() {
            return None;
        }
        let input = input_of(input);
        let file_name = input.file_name().map(|name| name.to_string_lossy().into_owned());
        let max_parse_time = self.max_parse_time;
        Some(Clues { file_name, target: Some(target.to_owned()), max_parse_time })
    }

    /// The built-in language that an input seems to be in, with its name and the clue, unless a
    /// grammar was named.
    pub fn guess(
        &self,
        (path, bytes): (&Path, &[u8]),
        target: &str,
    ) -> Option<(&'static str, RecognisedBy, Arc<Substitutes>)> {
        self.clues(path, target)?.language(bytes)
    }

    /// The parser of tree-sitter's that was asked for.
    pub fn tree_sitter(&self) -> Result<Option<Named<'_>>, LanguageError> {
        let Some(said) = self.said().and_then(|said| said.strip_prefix(TREE_SITTER)) else {
            return Ok(None);
        };
        if self.start.is_some() {
            return Err(LanguageError::NoStartRules);
        }
        Ok(Some(Named(said)))
    }

    /// The input's language as far as the chosen tree-sitter parser shows it.
    pub fn seen(&self, input: &[u8]) -> Result<Option<Substitutes>, LanguageError> {
        let Some(said) = self.tree_sitter()? else { return Ok(None) };
        let language = said.language(input, self.max_parse_time)?;
        Ok(language.map(|language| self.within_time(language)))
    }

    fn within_time(&self, language: Language) -> Substitutes {
        Substitutes::new(language).with_max_parse_time(self.max_parse_time)
    }
}
