//! Runs targets on inputs.

pub mod counts;
pub mod exec;
pub mod kinship;
pub mod observation;
pub mod oracle;
pub mod order;
pub mod outcome;
pub mod sameness;
pub mod signature;
