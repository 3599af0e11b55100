//! A seventh list of planted causes, written before the learner was looked at: thirteen to improve it with, and eight
//! (`kept.rs`) that were run once at the end.
//!
//! They are causes of small programs that read requests, settings, tables, expressions and binary records.

mod binary;
mod json;
mod kept;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn seventh() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, own::OWN, plain::PLAIN, binary::BINARY, kept::KEPT].into_iter().flatten()
}
