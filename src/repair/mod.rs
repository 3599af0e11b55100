//! Repair.
pub mod ddmax;
pub mod validate;
