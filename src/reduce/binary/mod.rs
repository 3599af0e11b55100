//! Reducers for binary inputs, where a cut makes lengths, counts, offsets or checksums elsewhere
//! wrong: each candidate corrects these too.

pub(crate) mod fillers;
pub mod known_formats;
pub(crate) mod offsets;
pub(crate) mod records;
