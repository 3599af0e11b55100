//! An eighth list of planted causes: 24 that were written, and run once, before the learner was looked at, and twelve
//! (`last.rs`) that were written after it was changed and run once at the end.
//!
//! They are causes of small programs that read settings, tables, records, scripts and binary chunks.

mod binary;
mod json;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn eighth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, own::OWN, plain::PLAIN, binary::BINARY].into_iter().flatten()
}
