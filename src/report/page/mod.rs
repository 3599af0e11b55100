//! Pages for a browser: a pattern, a run of repairs, minimized inputs, groups of failures, and a corpus.
//!
//! `frame` is what every page has, with what makes text safe to show, `controls` searches rows, and `file` is where
//! a page is written. `parts` has what several pages show. `section` is one minimized input, `folder` one minimized
//! folder, and the other files are a page each.

mod controls;
mod corpus;
mod file;
mod folder;
mod frame;
mod groups;
mod minimized;
mod parts;
mod pattern;
mod repair;
mod section;

pub(crate) use corpus::CorpusPage;
pub(crate) use frame::Made;
pub(crate) use groups::GroupsPage;
pub(crate) use minimized::MinimizedPage;
pub(crate) use pattern::{PatternPage, pattern_text};
pub(crate) use repair::RepairPageFile;

#[cfg(test)]
mod tests;
