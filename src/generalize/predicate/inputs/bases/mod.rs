//! Tested inputs that others are made of: what a search knows besides the failing input before it has a condition.

pub(in crate::generalize::predicate) mod absent;
pub(in crate::generalize::predicate) mod lengths;
pub(in crate::generalize::predicate) mod siblings;
pub(in crate::generalize::predicate) mod subsets;
mod usual_names;
