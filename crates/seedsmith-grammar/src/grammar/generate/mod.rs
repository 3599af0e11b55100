//! Random derivations from a grammar as data.
//!
//! A [`Generator`] draws words (tokens with a text) from a rule, a token or a repeated part. The
//! words depend on the [`Dice`] alone: a seeded stream gives the same words everywhere, and a
//! fuzzer's bytes (feature `arbitrary`) make the grammar a structure-aware target. Below a certain
//! depth only the lowest derivations are taken, so every draw ends. [`join`] checks that the words
//! are read back as the intended tokens: it runs the lexer over the whole text.

#[cfg(feature = "arbitrary")]
pub(crate) mod arbitrary;
mod dice;
mod drawn;
mod generator;
pub(crate) mod join;
pub(crate) mod spell;

pub use dice::{Dice, random_depth};
pub use drawn::{Drawn, Word};
pub use generator::{Generator, Symbol};
