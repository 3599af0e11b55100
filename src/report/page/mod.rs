//! Pages for a browser: a pattern, and a run of repairs.
//!
//! `frame` is what every page has, with what makes text safe to show; `marked` shows an input with
//! its changes.

mod frame;
mod marked;
mod pattern;
mod repair;

pub(crate) use pattern::{PatternPage, pattern_text};
pub(crate) use repair::RepairPageFile;

#[cfg(test)]
mod tests;
