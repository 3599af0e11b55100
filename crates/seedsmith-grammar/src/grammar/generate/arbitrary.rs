//! A fuzzer's bytes as dice: a grammar becomes a structure-aware fuzz target.
//!
//! ```
//! use arbitrary::{Arbitrary, Result, Unstructured};
//! use seedsmith_grammar::Texts;
//! use std::sync::{LazyLock, Mutex};
//!
//! /// What `fuzz_target!(|document: Document| …)` is given.
//! struct Document(Vec<u8>);
//!
//! static TEXTS: LazyLock<Mutex<Texts>> =
//!     LazyLock::new(|| Mutex::new(Texts::open("json", None).expect("it is built in")));
//!
//! impl<'a> Arbitrary<'a> for Document {
//!     fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
//!         Ok(Document(TEXTS.lock().expect("nothing panics in it").arbitrary(bytes)?))
//!     }
//! }
//!
//! let Document(text) = Document::arbitrary(&mut Unstructured::new(b"from the fuzzer"))?;
//! assert!(!text.is_empty());
//! # Ok::<(), arbitrary::Error>(())
//! ```
//!
//! Whatever draws from a grammar by [`Dice`], such as seedsmith's patterns, takes [`Bytes`] too.

use super::dice::Dice;
use super::generator::Generator;
use super::join::Joiner;
use crate::grammar::error::GrammarError;
use crate::grammar::language::Language;
use crate::grammar::model::RuleId;
use ::arbitrary::{Error, Result, Unstructured};

/// Dice that read a fuzzer's bytes; when they are used up every choice is the first.
#[derive(Debug)]
pub(crate) struct Bytes<'u, 'b>(pub &'u mut Unstructured<'b>);

impl Dice for Bytes<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        // Of an empty input `Unstructured` gives the least number of the range.
        self.0.int_in_range(0..=bound - 1).unwrap_or(0)
    }
}

/// How many rules deeper than need be a text may go.
const MAX_DEPTH: usize = 8;

/// The texts of a language, as a fuzzer's bytes choose them.
#[derive(Clone, Debug)]
pub struct Texts {
    generator: Generator,
    joiner: Joiner,
    start: RuleId,
}

impl Texts {
    /// A generator of texts for a grammar that is named as for `--grammar`: a built-in grammar,
    /// `.g4` files with commas between them, or a `.json` file. Costs some milliseconds, so it is
    /// made once.
    pub fn open(said: &str, start: Option<&str>) -> std::result::Result<Self, GrammarError> {
        let language = Language::open(said, start)?;
        let grammar = language.grammar().clone();
        Ok(Texts {
            joiner: Joiner::new(&grammar),
            generator: Generator::new(grammar),
            start: language.start(),
        })
    }

    /// A text that is in the language: the same for the same bytes, and short ones for few bytes.
    pub fn arbitrary(&mut self, bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let text = self.generator.text(&mut Bytes(bytes), self.start, MAX_DEPTH, &mut self.joiner);
        text.ok_or(Error::IncorrectFormat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_texts_of_a_fuzzers_bytes_are_in_the_language() {
        let mut texts = Texts::open("json", None).unwrap();
        let mut json = Language::open("json", None).unwrap();
        let mut longest = 0;
        for seed in 0..200_u32 {
            let bytes: Vec<u8> = (0..seed)
                .map(|at| (seed.wrapping_mul(2_654_435_761) >> (at % 24)) as u8 ^ at as u8)
                .collect();
            let text = texts.arbitrary(&mut Unstructured::new(&bytes)).unwrap();
            longest = longest.max(text.len());
            assert!(json.parse_while(&text, &|| true).unwrap().is_valid(), "{text:?}");
            assert_eq!(texts.arbitrary(&mut Unstructured::new(&bytes)).unwrap(), text);
        }
        assert!(longest > 30, "{longest}");
        assert!(texts.arbitrary(&mut Unstructured::new(b"")).unwrap().len() < 8);
    }
}
