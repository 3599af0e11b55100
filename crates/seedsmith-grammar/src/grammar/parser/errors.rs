//! The errors of a parse: the first ones, and how many more there are.

use super::SyntaxError;

/// Errors that are kept. An input of garbage has one for every few bytes, each with all tokens that would
/// have fitted.
pub const MAX_ERRORS: usize = 10_000;

/// Errors in the order in which they were met.
#[derive(Debug, Default)]
pub struct Errors {
    /// The first [`MAX_ERRORS`].
    pub first: Vec<SyntaxError>,
    /// How many came after them.
    pub more: usize,
}

impl Errors {
    /// Notes one.
    pub fn push(&mut self, error: SyntaxError) {
        if self.first.len() < MAX_ERRORS {
            self.first.push(error);
        } else {
            self.more += 1;
        }
    }
}
