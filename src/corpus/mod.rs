//! Many inputs: which files of a folder are inputs, which are the same bytes, and which fail the
//! same way.
//!
//! Nothing here runs a target or writes a file; originals are only read, one at a time, so memory
//! stays flat however many there are.

mod by_content;
mod dictionary;
pub(crate) mod findings;
mod group;
mod held;
mod input;
mod input_set;
mod names;
mod originals;
mod read;
mod shard;
mod threads;
mod walk;

pub(crate) use by_content::{ByContent, Content, ahead};
pub(crate) use dictionary::dictionary;
pub(crate) use group::{Group, Grouping};
pub(crate) use held::HeldBytes;
pub(crate) use input::{Inputs, Listed, Sha1, content_name, list, sha1_of};
pub(crate) use input_set::{InputSet, sha1_in_name};
#[cfg(test)]
pub(crate) use names::STATE_FOLDER;
pub(crate) use names::{
    distinct_result_name, earlier_of, features_of, input_of, is_ours, journal_of, observations_of,
    other_failures_of, result_name,
};
pub(crate) use originals::Originals;
pub(crate) use read::{MAX_INPUT_BYTES, ReadError, read_input, read_standard_input};
pub(crate) use shard::Shard;
pub(crate) use threads::{in_parts, in_weighed_parts, processors};
pub(crate) use walk::{PassedOver, walk};
