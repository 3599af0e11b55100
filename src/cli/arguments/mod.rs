//! Options as typed, one file for each command and one for the groups that several commands have.
//!
//! These structs mirror the command line. Their doc comments are the text of `--help`.
//! [`plans`](super::plans) turns them into the structs that the rest of the program reads.

pub(super) mod cargo;
pub(super) mod duration;
pub(super) mod exchange;
pub(super) mod generalize;
pub(super) mod grammar;
pub(super) mod groups;
pub(super) mod keep;
pub(super) mod language;
pub(super) mod repair;
pub(super) mod structure;
pub(super) mod tmin;
pub(super) mod triage;
pub(super) mod without_effect;
