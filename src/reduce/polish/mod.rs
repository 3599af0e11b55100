//! Reducers below 1-minimal, which take what the user gives for it: every shorter input, or changes of
//! the best that deletion alone does not find.

pub(crate) mod alphabet;
pub(crate) mod exhaust;
pub(crate) mod mutate;
pub(crate) mod polisher;
pub(crate) mod shorten;
