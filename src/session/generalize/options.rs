//! How a generalization goes: what the caller of a session asks for.

use crate::generalize;

/// How a generalization goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the pattern is found.
    pub pattern: generalize::Options,
    /// Whether the input is minimized first.
    pub reduces: bool,
    /// How many inputs are made of the pattern, at least.
    pub inputs: usize,
    /// Whether inputs are wanted even if there is no time to test them.
    pub wants_untested: bool,
    /// Whether for each slot an input is wanted in which only that is different.
    pub wants_examples: bool,
    /// Whether inputs for a kit are wanted.
    pub wants_kit: bool,
}
