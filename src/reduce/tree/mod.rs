//! Reducers that go along a tree: the hierarchical ones, each as its source says.
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

pub mod auto;
pub mod compatible;
pub mod gaps;
pub mod hidden;
pub mod joints;
mod level;
pub mod lists;
pub mod published;
pub mod shape;
pub mod state;
#[cfg(test)]
mod tests;
