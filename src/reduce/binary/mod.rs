//! Reducers for binary inputs, where a cut makes lengths, counts, offsets or checksums elsewhere
//! wrong: each candidate corrects these too.

pub mod fillers;
pub mod known_formats;
pub mod offsets;
pub mod records;
