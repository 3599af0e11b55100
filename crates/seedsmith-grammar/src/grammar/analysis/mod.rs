//! What can be told of a grammar without any input.

pub(crate) mod heights;
pub(crate) mod minimal;
pub(crate) mod nullable;
pub(crate) mod reach;
pub(crate) mod tokens;
pub(crate) mod units;
