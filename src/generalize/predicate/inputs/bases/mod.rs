//! Tested inputs that others are made of: what a search knows besides the failing input before it has a condition.
//!
//! [`subsets`] have some items of the given inputs, [`siblings`] another word of a kind, [`absent`] a name that was missing, [`counts`] another number
//! with as many items, and [`lengths`] the right length of a binary input. Each costs some tests. Whether they fail or pass, they come before the inputs that are drawn.

pub(in crate::generalize::predicate) mod absent;
pub(in crate::generalize::predicate) mod counts;
pub(in crate::generalize::predicate) mod lengths;
pub(in crate::generalize::predicate) mod siblings;
pub(in crate::generalize::predicate) mod subsets;
mod usual_names;
