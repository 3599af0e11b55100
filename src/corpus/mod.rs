//! Many inputs: which files of a folder are inputs, which are the same bytes, and which fail the
//! same way.
//!
//! Nothing here runs a target or writes a file; originals are only read, one at a time, so memory
//! stays flat however many there are.

pub mod findings;
mod group;
mod input;
mod read;
mod walk;

pub use group::{Group, Grouping};
pub use input::{Inputs, Listed, content_name, list};
pub use read::{MAX_INPUT_BYTES, ReadError, read_input, read_standard_input};
pub use walk::{BYCATCH, JOURNAL, OBSERVATIONS, PassedOver, RESULT, Walk, is_ours, walk};
