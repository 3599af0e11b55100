//! A parser of tree-sitter's as it was named, and the language that an input shows.
//!
//! These parsers show their language in an input only, so unlike a grammar they are asked once an
//! input.

use std::time::Duration;

use seedsmith_grammar::Language;

use super::LanguageError;

/// A parser as it was named: by a name, or by a library and a function with a colon between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<'a>(pub &'a str);

impl Named<'_> {
    /// Whether there is such a parser; nothing is parsed.
    pub fn check(&self) -> Result<(), LanguageError> {
        self.open().map(drop)
    }

    /// The language as `input` shows it. Nothing if that takes too long.
    #[cfg(feature = "languages")]
    pub fn language(
        &self,
        input: &[u8],
        limit: Duration,
    ) -> Result<Option<Language>, LanguageError> {
        let started = std::time::Instant::now();
        Ok(Language::seen(&self.open()?, input, &|| started.elapsed() < limit).ok())
    }

    /// As with the feature, which is wanted.
    #[cfg(not(feature = "languages"))]
    pub fn language(
        &self,
        _input: &[u8],
        _limit: Duration,
    ) -> Result<Option<Language>, LanguageError> {
        match self.open()? {}
    }

    /// Loads the parser.
    #[cfg(feature = "languages")]
    pub fn open(&self) -> Result<seedsmith_grammar::TreeSitter, LanguageError> {
        use seedsmith_grammar::TreeSitter;
        use seedsmith_grammar::internal::languages;
        let parser = match (languages::named(self.0), self.0.rsplit_once(':')) {
            (Some(built_in), _) => TreeSitter::built_in(built_in),
            (None, Some((library, symbol))) => TreeSitter::load(library.as_ref(), symbol),
            (None, None) => {
                let names: Vec<&str> = languages::BUILT_IN.iter().map(|one| one.name).collect();
                let (name, known) = (self.0.to_owned(), names.join(", "));
                return Err(LanguageError::NoParser { name, known });
            }
        };
        parser.map_err(|error| LanguageError::LoadParser {
            name: self.0.to_owned(),
            source: error.into(),
        })
    }

    /// As with the feature, which is wanted.
    #[cfg(not(feature = "languages"))]
    pub fn open(&self) -> Result<std::convert::Infallible, LanguageError> {
        Err(LanguageError::NoTreeSitter { name: self.0.to_owned() })
    }
}
