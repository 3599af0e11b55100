//! Nested parts of a text: pairs of brackets, words, quotation marks and tags.
//!
//! [`pairs`] and [`tags`] find openers with their closers, [`items`] the parts between separators,
//! [`find_chains`] the deepest nestings, which [`chain`] holds and rewrites with other levels.
//! [`open_brackets`] reads a text from the left and completes a prefix; [`layout`] guesses whether
//! brackets or lines give a text its structure.

pub(crate) mod chain;
pub(crate) mod find_chains;
pub(crate) mod items;
pub(crate) mod layout;
pub(crate) mod open_brackets;
pub mod pairs;
pub mod tags;
