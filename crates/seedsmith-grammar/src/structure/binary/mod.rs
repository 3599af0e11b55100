//! Binary formats: numbers that give lengths and offsets, records, and formats whose fields depend on each other.
//!
//! [`field`] reads and writes numbers in place; [`records`], [`offsets`] and [`line_offsets`] find
//! lengths and offsets in bytes of an unknown format. [`structured`] is for formats that are known:
//! [`formats`] has two.

pub mod field;
pub mod formats;
pub mod line_offsets;
pub mod offsets;
pub mod records;
pub mod structured;
