//! Reducers that go along a tree: the hierarchical ones, each as its source says.
//!
//! ```text
//! bytes -> Reader -> Shape --edits--> candidate      hdd: levels, single nodes, recursion
//!                      ^                |            perses: largest first, compatible nodes
//!                      +---- accept ----+            picireny: what it prepares, then HDD*
//! ```
//!
//! A [`Shape`](shape::Shape) is the input and its tree; a candidate is that with some nodes
//! replaced, written by copying spans. All searching is done by [`ddmin`](super::ddmin) and
//! [`Search`](crate::search::Search), as everywhere.

pub mod along;
pub mod compatible;
pub mod descent;
pub mod exchange;
pub mod flatten;
pub mod gaps;
pub mod hdd;
pub mod hidden;
pub mod joints;
mod level;
pub mod lists;
pub mod perses;
pub mod picireny;
pub mod rewrite;
pub mod shape;
pub mod strategies;
#[cfg(test)]
mod tests;
pub mod tokens;
