//! tree-sitter's parsers on the command line: what was said, and the language that an input shows.
//!
//! They show their language in an input only, so unlike a grammar they are asked once an input.

use std::time::Duration;

use super::exit::{Exit, Trouble};
use crate::report::GrammarShown;
use seedsmith_grammar::grammar::language::Language;

/// What `--grammar` begins with where it names a parser of tree-sitter's.
pub const PREFIX: &str = "tree-sitter:";

/// A parser as it was said: a name, or a library and a function with a colon between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<'a>(pub &'a str);

impl Said<'_> {
    /// Whether there is such a parser; nothing is parsed.
    pub fn check(&self) -> Result<(), Trouble> {
        self.open().map(drop)
    }

    /// The language as `input` shows it. Nothing if that takes too long.
    #[cfg(feature = "tree-sitter")]
    pub fn language(&self, input: &[u8], limit: Duration) -> Result<Option<Language>, Trouble> {
        let started = std::time::Instant::now();
        Ok(Language::seen(&self.open()?, input, &|| started.elapsed() < limit).ok())
    }

    /// As with the feature, which is wanted.
    #[cfg(not(feature = "tree-sitter"))]
    pub fn language(&self, _input: &[u8], _limit: Duration) -> Result<Option<Language>, Trouble> {
        match self.open()? {}
    }

    /// What is known of the language without an input.
    #[cfg(feature = "tree-sitter")]
    pub fn shown(&self) -> Result<GrammarShown, Trouble> {
        use super::exit::OrExit;
        use crate::report::{RuleShown, TokenShown};
        let parser = self.open()?;
        let known = parser.node_types().definitions();
        let (tokens, rules): (Vec<_>, Vec<_>) = known.partition(|(_, text)| text.is_empty());
        let rule = |(name, definition): (&str, String)| RuleShown {
            name: name.to_owned(),
            definition,
            minimal: None,
            is_reachable: true,
        };
        let named =
            tokens.into_iter().map(|(name, _)| TokenShown { name: name.to_owned(), minimal: None });
        let fixed = parser
            .literals()
            .into_iter()
            .map(|text| TokenShown { name: format!("'{text}'"), minimal: Some(text.to_owned()) });
        let start =
            parser.start().or_exit(Exit::OurBug, || "failed to parse nothing".to_owned())?;
        Ok(GrammarShown {
            name: parser.name().to_owned(),
            start: start.to_owned(),
            rules: rules.into_iter().map(rule).collect(),
            tokens: named.chain(fixed).collect(),
            unused_fragments: Vec::new(),
            notices: Vec::new(),
            is_complete: false,
        })
    }

    /// As with the feature, which is wanted.
    #[cfg(not(feature = "tree-sitter"))]
    pub fn shown(&self) -> Result<GrammarShown, Trouble> {
        match self.open()? {}
    }

    #[cfg(feature = "tree-sitter")]
    fn open(&self) -> Result<seedsmith_grammar::grammar::tree_sitter::TreeSitter, Trouble> {
        use super::exit::OrExit;
        use seedsmith_grammar::grammar::tree_sitter::{TreeSitter, languages};
        let parser = match (languages::named(self.0), self.0.rsplit_once(':')) {
            (Some(built_in), _) => TreeSitter::built_in(built_in),
            (None, Some((library, symbol))) => TreeSitter::load(library.as_ref(), symbol),
            (None, None) => {
                let names: Vec<&str> = languages::BUILT_IN.iter().map(|one| one.name).collect();
                let known = names.join(", ");
                let message = format!("no tree-sitter parser {}; there are {known}", self.0);
                return Err(Trouble::new(Exit::Usage, message));
            }
        };
        parser.or_exit(Exit::Usage, || format!("failed to load the grammar {PREFIX}{}", self.0))
    }

    #[cfg(not(feature = "tree-sitter"))]
    fn open(&self) -> Result<std::convert::Infallible, Trouble> {
        let message = format!("{PREFIX}{} needs a build with --features tree-sitter", self.0);
        Err(Trouble::new(Exit::Usage, message))
    }
}
