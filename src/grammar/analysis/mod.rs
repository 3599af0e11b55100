//! What can be told of a grammar without any input.

pub mod nullable;
