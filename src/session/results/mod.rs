//! What tasks found, as the events have it that report it.
//!
//! A session's own results hold what further work needs (a pattern with its tree, a target that is open).
//! Events hold texts and figures. The way from one to the other is here.

mod generalized;
mod groups;
mod isolated;
mod minimized;
mod tree_rows;

pub use generalized::MAX_EXAMPLES;
