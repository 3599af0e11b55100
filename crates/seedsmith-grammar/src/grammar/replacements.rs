//! Texts that a user wants in place of minimal strings, as Picireny reads them: a JSON object
//! from the name of a rule or token to a string.

use super::error::{GrammarError, SourceLine};
use super::fuzzingbook::read_texts;
use super::model::Grammar;

/// Names of rules and tokens with the texts to put in their place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacements {
    texts: Vec<(String, String)>,
}

impl Replacements {
    /// Reads the JSON text; `file` is its name in messages. Names that `grammar` doesn't have
    /// are refused.
    pub fn read(file: &str, text: &str, grammar: &Grammar) -> Result<Self, GrammarError> {
        Replacements::of(file, &read_texts(file, text)?, grammar)
    }

    /// The same from names with their texts and the lines where they are written.
    pub(super) fn of(
        file: &str,
        entries: &[(String, String, u32)],
        grammar: &Grammar,
    ) -> Result<Self, GrammarError> {
        let mut texts = Vec::new();
        for (name, text, line) in entries {
            if grammar.rule_named(name).is_none() && grammar.token_named(name).is_none() {
                let place = SourceLine { file: file.into(), line: *line };
                let message = format!("{} has neither rule nor token {name}", grammar.name);
                return Err(GrammarError::Syntax { place, rule: None, message });
            }
            texts.push((name.clone(), text.clone()));
        }
        Ok(Replacements { texts })
    }

    /// Names with their texts, in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}
