//! Analyses of a grammar that need no input.

pub(crate) mod heights;
pub(crate) mod minimal;
pub(crate) mod nullable;
pub(crate) mod reach;
pub(crate) mod tokens;
pub(crate) mod units;
