//! Options as typed, one file for each command and one for the groups that several commands have.
//!
//! These structs mirror the command line. Their help texts are what `--help` prints. [`plans`](super::plans)
//! turns them into what the rest of the program reads.

pub mod cargo;
pub mod duration;
pub mod exchange;
pub mod generalize;
pub mod grammar;
pub mod groups;
pub mod language;
pub mod repair;
pub mod structure;
pub mod tmin;
pub mod triage;
pub mod without_effect;
