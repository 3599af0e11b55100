//! Reducers for failures that come from too much of something: deep nesting and long repetitions.
//!
//! They rewrite all levels or repetitions at once and bisect how many are needed, because to remove
//! thousands of them one after another would take as many accepted steps.

pub(crate) mod nesting;
#[cfg(test)]
mod planted;
pub(crate) mod repetitions;
pub(crate) mod smaller_levels;
