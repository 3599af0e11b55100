//! Reducers that work along a tree: the hierarchical ones, each as its source describes it.
//!
//! ```text
//! bytes -> Reader -> Shape --edits--> candidate      hdd: levels, single nodes, recursion
//!                      ^                |            perses: largest first, compatible nodes
//!                      +---- accept ----+            picireny: what it prepares, then HDD*
//! ```
//!
//! A [`Shape`](shape::Shape) is the input and its tree; a candidate is that with some nodes
//! replaced, written by copying spans. All searching is done by
//! [`ddmin`](crate::reduce::algorithms::ddmin) and [`Search`](crate::search::Search), as
//! everywhere.

pub(crate) mod auto;
pub(crate) mod compatible;
pub(crate) mod gaps;
pub(crate) mod hidden;
pub(crate) mod joints;
mod level;
pub(crate) mod lists;
pub(crate) mod published;
pub(crate) mod shape;
pub(crate) mod state;
#[cfg(test)]
mod tests;
