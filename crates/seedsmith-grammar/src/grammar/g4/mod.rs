//! ANTLR v4's `.g4` notation, read at run time, unmodified.
//!
//! Combined and split grammars, imports, vocabularies, modes and commands, sets and properties,
//! left recursion. Constructs of a target language (actions, predicates, arguments, base classes)
//! are skipped and named in the grammar's notices. Terence Parr, "The Definitive ANTLR 4
//! Reference", chapter 15, describes the notation.

mod ast;
mod cursor;
mod escape;
mod left_recursion;
mod lower;
mod lower_lexer;
mod read;
mod read_alternatives;
mod sources;
mod vocabulary;

pub use read::{MAX_ALTERNATIVES, MAX_NAMES, MAX_NESTING};

use super::error::GrammarError;
use super::model::Grammar;
use sources::Sources;
#[cfg(feature = "self-fuzz")]
pub(crate) use sources::text_of;
use std::path::Path;

/// Loads a grammar from files: a combined one, a parser and its lexer in any order, or a parser
/// alone, whose lexer is then looked for beside it.
pub fn load<P: AsRef<Path>>(paths: &[P]) -> Result<Grammar, GrammarError> {
    let mut sources = Sources::default();
    for path in paths {
        sources.add_path(path.as_ref())?;
    }
    let (parser, lexer) = sources.halves()?;
    lower::lower(parser, lexer)
}

/// Loads a grammar from texts, each with a name for messages.
///
/// Nothing is read from files, so imports have to be among the texts.
pub fn load_texts(texts: &[(&str, &str)]) -> Result<Grammar, GrammarError> {
    let mut sources = Sources::default();
    for (name, text) in texts {
        sources.add_text(name, text)?;
    }
    let (parser, lexer) = sources.halves()?;
    lower::lower(parser, lexer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        load_texts(&[("t.g4", text)]).unwrap_err().to_string()
    }

    #[test]
    fn grammars_of_more_than_anybody_writes_are_refused_at_once() {
        let many = |count: usize, one: &dyn Fn(usize) -> String| {
            (0..count).map(one).collect::<Vec<_>>().concat()
        };
        let rules = many(MAX_NAMES + 1, &|at| format!("r{at}:;"));
        assert_eq!(
            refused(&format!("grammar T; {rules}")),
            "t.g4:1: more than 20000 rules (in rule r20000)"
        );
        let modes = many(1_001, &|at| format!("mode M{at};"));
        assert_eq!(refused(&format!("lexer grammar T; {modes}")), "t.g4:1: more than 1000 modes");
        let names = many(MAX_NAMES + 1, &|at| format!("T{at},"));
        let message = refused(&format!("grammar T; tokens {{ {names} }}"));
        assert_eq!(message, "t.g4:1: more than 20000 names");
        let bars = "|".repeat(MAX_ALTERNATIVES);
        let message = refused(&format!("grammar T; a: {bars};"));
        assert_eq!(message, "t.g4:1: more than 65534 alternatives (in rule a)");
        let sets = many(30_000, &|at| format!("|'\\u{{{:X}}}' 'x'", 0x1_0000 + 2 * at));
        let message = refused(&format!("lexer grammar T; A: 'a'{sets};"));
        assert!(message.contains("than can be told apart"), "{message}");
    }

    #[test]
    fn a_sign_is_no_part_of_an_escape() {
        assert_eq!(
            refused("grammar T; a: '\\u+041';"),
            "t.g4:1: +041 is not a code point (in rule a)"
        );
    }
}
