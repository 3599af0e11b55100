//! Binary formats: numbers that give lengths and offsets, records, and formats whose fields depend on each other.
//!
//! [`field`] reads and writes numbers in place; [`records`], [`offsets`] and [`line_offsets`] find
//! lengths and offsets in bytes of an unknown format. [`structured`] is for formats that are known:
//! [`formats`] has two.

pub(crate) mod field;
pub mod formats;
pub(crate) mod line_offsets;
pub(crate) mod offsets;
pub(crate) mod records;
pub(crate) mod structured;
