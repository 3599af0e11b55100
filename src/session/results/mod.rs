//! The results of tasks as the data of the events that report them.
//!
//! A session's result has all that a caller can work with, as a pattern with its tree. An event has texts and
//! figures. The conversions are here, because neither side needs the other.

mod generalized;
mod groups;
mod isolated;
mod minimized;
mod tree_rows;

pub(crate) use generalized::MAX_EXAMPLES;
pub(crate) use minimized::result_tree;
