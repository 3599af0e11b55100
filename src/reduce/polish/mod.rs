//! Reducers below 1-minimal, which take what the user gives for it: every shorter input, or changes of
//! the best that deletion alone does not find.

pub mod alphabet;
pub mod exhaust;
pub mod mutate;
pub mod polisher;
pub mod shorten;
