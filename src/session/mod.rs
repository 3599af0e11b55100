//! One task on one target: the input is repeated, the failure is fixed as the baseline, a search
//! runs, and its result is confirmed and saved.

pub mod repair;
pub mod target;
