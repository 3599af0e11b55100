//! A grammar of texts of which no grammar is known: lines of words, numbers, blanks and marks.
//!
//! Every text in UTF-8 is in its language, so that a condition can be looked for where there is
//! nothing else to read an input by.

pub(super) mod left_out;

use std::sync::Arc;

use seedsmith_grammar::Language;
use seedsmith_grammar::Parser;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::g4;

use crate::generalize::draws::sampler::Sampler;

/// Each mark is a separate token: a condition names it by its text.
const TEXT: &str = r#"grammar Text;
text: line (NEWLINE line)* EOF;
line: (WORD | NUMBER | BLANK | NON_ASCII | OTHER | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | '\'' | '`' | ',' | ';' | ':' | '.'
    | '=' | '+' | '-' | '*' | '/' | '\\' | '|' | '&' | '!' | '?' | '#' | '$' | '%' | '@' | '^'
    | '~')*;
WORD: [a-zA-Z_]+;
NUMBER: [0-9]+;
BLANK: [ \t]+;
NEWLINE: '\r'? '\n';
NON_ASCII: ~[\u0000-\u007F];
OTHER: .;
"#;

/// The language of all texts.
pub fn language() -> Option<Sampler> {
    let grammar = g4::load_texts(&[("text.g4", TEXT)]).ok()?;
    let language = Language::of(Parser::new(Arc::new(grammar)), None).ok()?;
    Sampler::new(Arc::new(Substitutes::new(language))).ok()
}

/// Whether it is the language of all texts, by its name.
pub(super) fn is_plain(language: &Sampler) -> bool {
    language.grammar().name == "Text"
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_text_is_read() {
        let mut language = super::language().unwrap();
        for text in ["", "a = 1;\n\n\tb[2]\r\n", "\u{e9}\0\r \u{1f600}<", "\\\"'`~^"] {
            assert!(language.accepts(text.as_bytes()), "{text:?}");
        }
    }
}
