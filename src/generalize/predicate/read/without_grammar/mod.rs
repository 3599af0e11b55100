//! What is read of an input of which there is no grammar: fields of lines, sections of lines, marks that are one
//! together, and the numbers and records of binary inputs. Their names are added to those of the tokens, and the features of names are read elsewhere.
//!
//! What groups lines or opens and closes something becomes a rule, as a grammar has them (`sections`, `inner`, `bodies`); all else are names of parts.

pub(in crate::generalize::predicate) mod binary;
pub(in crate::generalize::predicate) mod bodies;
mod fields;
pub(super) mod heads;
mod inner;
mod items_in_lines;
pub(super) mod lines;
pub(super) mod lists;
mod marks;
pub(in crate::generalize::predicate) mod records;
pub(super) mod remarks;
pub(super) mod sections;
mod tags;
pub(super) mod types;
mod within_lines;

pub(super) use fields::{AFTER_EMPTY_LINE, is_field, is_numbered_field};
pub(super) use marks::{
    BESIDE_ARROW, BESIDE_COMMA, DECIMAL, NAME_BEFORE, NAME_BESIDE_COMMA, NUMBER_BESIDE_COMMA,
};
pub(super) use within_lines::QUOTED;
