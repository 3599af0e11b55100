//! The structure of an input: its language, with islands of other grammars and given texts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedsmith_grammar::internal::Replacements;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::{Islands, IslandsFile};

use super::{LanguageChoice, LanguageError};
use crate::reduce::{Clues, Options, PicirenySteps};

/// The options about the structure of inputs, before any file is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructureChoice {
    /// The language of whole inputs.
    pub language: LanguageChoice,
    /// The file that says which tokens hold text in other grammars.
    pub islands: Option<PathBuf>,
    /// The file with texts in place of the shortest ones.
    pub replacements: Option<PathBuf>,
    /// Picireny's steps.
    pub picireny: PicirenySteps,
}

impl StructureChoice {
    /// The clues for guessing the language, unless a grammar was named.
    pub(crate) fn clues(&self, input: &Path, target: &str) -> Option<Clues> {
        self.language.clues(input, target).filter(|_| self.islands.is_none())
    }

    /// The language that the user chose; `None` if none was chosen, or if only an input shows it.
    pub(crate) fn language(&self) -> Result<Option<Arc<Substitutes>>, LanguageError> {
        let islands = self.islands.as_deref().map(IslandsFile::open).transpose();
        let islands = islands.map_err(|error| LanguageError::Islands(error.into()))?;
        if let Some(said) = self.language.tree_sitter()? {
            if islands.is_some() {
                return Err(LanguageError::NoIslands);
            }
            return said.check().map(|()| None);
        }
        let plan = match islands.as_ref().and_then(IslandsFile::main) {
            Some((said, start)) => self.language.or(said.to_owned(), start),
            None => self.language.clone(),
        };
        let Some(language) = plan.language()? else {
            return match &islands {
                None => Ok(None),
                Some(_) => Err(LanguageError::IslandsWithoutGrammar),
            };
        };
        let mut language = self.replaced(language)?;
        if let Some(format) = &islands {
            let islands = Islands::load(format, &language.parser());
            let replacements = format.replacements(language.grammar());
            let replacements =
                replacements.map_err(|error| LanguageError::Islands(error.into()))?;
            let islands = islands.map_err(|error| LanguageError::Islands(error.into()))?;
            language = language.with_replacements(&replacements).with_islands(islands);
        }
        Ok(Some(Arc::new(language)))
    }

    /// Completes the options for an input with the facts that show its language: the name of its
    /// file, the name of the target, and, for a parser of tree-sitter's, its bytes. Returns whether
    /// such a parser was chosen and took too long.
    pub(crate) fn complete(
        &self,
        options: &mut Options,
        (path, bytes): (&Path, &[u8]),
        target: &str,
    ) -> Result<bool, LanguageError> {
        options.clues = self.clues(path, target);
        if options.language.is_some() {
            return Ok(false);
        }
        options.language = self.seen(bytes)?;
        Ok(options.language.is_none() && self.is_shown_by_inputs())
    }

    /// Whether a parser of tree-sitter's was asked for.
    pub(crate) fn is_shown_by_inputs(&self) -> bool {
        matches!(self.language.tree_sitter(), Ok(Some(_)))
    }

    /// The language that a parser of tree-sitter's shows in this input, if one was asked for.
    pub(crate) fn seen(&self, input: &[u8]) -> Result<Option<Arc<Substitutes>>, LanguageError> {
        let seen = self.language.seen(input)?.filter(|_| self.islands.is_none());
        seen.map(|language| self.replaced(language).map(Arc::new)).transpose()
    }

    /// The language with the texts of the file `replacements`, which is read each time; unchanged without
    /// one. Fails if the file cannot be read, or names something that the grammar does not have.
    fn replaced(&self, language: Substitutes) -> Result<Substitutes, LanguageError> {
        let Some(path) = &self.replacements else { return Ok(language) };
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| LanguageError::Read { path: path.clone(), source })?;
        let replacements = Replacements::read(&name, &text, language.grammar())
            .map_err(|error| LanguageError::Replacements(error.into()))?;
        Ok(language.with_replacements(&replacements))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_get_the_names_that_tell_a_language_unless_one_was_chosen() {
        let mut choice = StructureChoice::default();
        let mut options = Options::default();
        let input = (Path::new("in/a.json"), &b"{}"[..]);
        assert!(!choice.complete(&mut options, input, "parse").unwrap());
        let clues = options.clues.take().unwrap();
        assert_eq!(clues.file_name.as_deref(), Some("a.json"));
        assert_eq!(clues.target.as_deref(), Some("parse"));
        choice.language.grammar = Some("json".to_owned());
        options.language = choice.language().unwrap();
        assert!(!choice.complete(&mut options, input, "parse").unwrap());
        assert!(options.clues.is_none() && options.language.is_some());
    }
}
