//! A fuzzer's bytes as dice: a grammar becomes a structure-aware fuzz target.
//!
//! ```
//! use seedsmith::arbitrary::Unstructured;
//! use seedsmith::grammar::{g4, generate::{Generator, arbitrary::Bytes, join::Joiner}};
//! use std::sync::Arc;
//!
//! let text = "grammar List; list: '[' (N (',' N)*)? ']' EOF; N: [0-9]+;";
//! let grammar = Arc::new(g4::load_texts(&[("List.g4", text)])?);
//! let start = grammar.rule_named("list").expect("it is there");
//! let (generator, mut joiner) = (Generator::new(grammar.clone()), Joiner::new(&grammar));
//! let mut bytes = Unstructured::new(b"from the fuzzer");
//! let input = generator.text(&mut Bytes(&mut bytes), start, 4, &mut joiner).expect("finite");
//! assert!(input.starts_with(b"["));
//! # Ok::<(), seedsmith::grammar::error::GrammarError>(())
//! ```

use super::Dice;
use ::arbitrary::Unstructured;

/// Dice that read a fuzzer's bytes; when they are used up every choice is the first.
#[derive(Debug)]
pub struct Bytes<'u, 'b>(pub &'u mut Unstructured<'b>);

impl Dice for Bytes<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        if bound < 2 {
            return 0;
        }
        // Of an empty input `Unstructured` gives the least number of the range.
        self.0.int_in_range(0..=bound - 1).unwrap_or(0)
    }
}
