//! Options as meant: what each command does, in structs that do not know how it was typed.

pub mod generalize;
pub mod options;
pub mod repair;
pub mod tmin;
pub mod triage;
pub mod wish;
