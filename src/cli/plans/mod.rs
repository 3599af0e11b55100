//! Resolved options: the task of each command, in structs that do not know how it was typed.

pub(super) mod generalize;
pub(super) mod options;
pub(super) mod repair;
pub(super) mod tmin;
pub(super) mod triage;
pub(super) mod wish;
