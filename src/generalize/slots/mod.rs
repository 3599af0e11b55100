//! Which nodes of the input's tree can be replaced: they become the slots of the pattern.
//!
//! - `abstraction` is the published algorithm, node by node;
//! - `joint` finds the same with draws that replace all nodes at once;
//! - `rejected` chooses the slots that the target rejects draws for;
//! - `smallest_set` reduces the replaced slots of one draw to those that change its outcome.

pub(crate) mod abstraction;
pub(crate) mod joint;
pub(crate) mod rejected;
mod smallest_set;
