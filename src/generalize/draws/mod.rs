//! Draws: what can replace a part of the input, and what the target answers to the result.
//!
//! - [`sampler`]: a language to draw from: its parser and its generator;
//! - `gaps`: places of the tree where something may be inserted;
//! - [`pool`]: the texts of one symbol, the most different ones first;
//! - [`answer`]: what a number of draws said;
//! - [`prober`]: puts draws into the input and asks the oracle whether the results fail.
//!
//! The folder does not know how slots are found; `slots` and `bytes` do.

pub(crate) mod answer;
pub(crate) mod gaps;
pub(crate) mod pool;
pub(crate) mod prober;
pub(crate) mod sampler;
