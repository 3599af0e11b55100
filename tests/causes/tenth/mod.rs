//! A tenth list of planted causes: 24 that were written before the learner was read again or changed. 15 of them were run
//! once as it was (docs/notes/2026-11-26-tenth-list-of-causes.md). Ten have no grammar, three are binary.
//!
//! They are causes of small programs that read settings, shapes, templates, logs, Markdown, tables and binary chunks.

mod binary;
mod json;
mod lines;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn tenth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, own::OWN, plain::PLAIN, lines::LINES, binary::BINARY].into_iter().flatten()
}
