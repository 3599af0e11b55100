//! What is read of an input of which there is no grammar: fields of lines, sections of lines, and the numbers of binary
//! records. Their names are added to those of the tokens, and the features of names are read elsewhere.

pub(in crate::generalize::predicate) mod binary;
mod fields;
pub(super) mod sections;
