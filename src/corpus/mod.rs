//! Many inputs: which files of a folder are inputs, which are the same bytes, and which fail the
//! same way.
//!
//! Nothing here runs a target or writes a file; originals are only read, one at a time, so memory
//! stays flat however many there are.

mod by_content;
pub mod findings;
mod group;
mod input;
mod names;
mod originals;
mod read;
mod shard;
mod walk;

pub use by_content::{ByContent, Content, ahead};
pub use group::{Group, Grouping};
pub use input::{Inputs, Listed, content_name, list};
#[cfg(test)]
pub use names::STATE_FOLDER;
pub use names::{
    distinct_result_name, earlier_of, features_of, input_of, is_ours, journal_of,
    observations_of, other_failures_of, result_name,
};
pub use originals::Originals;
pub use read::{MAX_INPUT_BYTES, ReadError, read_input, read_standard_input};
pub use shard::Shard;
pub use walk::{PassedOver, walk};
