//! What can be told of a grammar without any input.

pub mod heights;
pub mod minimal;
pub mod nullable;
pub mod reach;
pub mod tokens;
pub mod units;
