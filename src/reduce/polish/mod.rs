//! Reducers for steps below 1-minimal, within the user's budget for them: every shorter input, or
//! changes of the best that deletion alone does not find.

pub(crate) mod alphabet;
pub(crate) mod exhaust;
pub(crate) mod mutate;
pub(crate) mod polisher;
pub(crate) mod shorten;
