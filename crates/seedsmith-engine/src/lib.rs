//! Runs a program on inputs, thousands of times a second, and reports what happened.
//!
//! - The words: an `observation` is what happened in one run; a `signature` identifies a
//!   failure; `sameness` decides when two failures are one, `across_builds` when they may be; an
//!   `outcome` is a judge's verdict on an observation; `counts` has the number of tests of a
//!   search, and why it ended.
//! - `exec`: ways to run a program on bytes. A function of this program, or an unmodified
//!   libFuzzer executable, runs in forked workers that survive crashes, hangs and memory blow-ups; any
//!   other program is a process for each test, started or forked. Everything that runs code under
//!   test is here, and nearly all of the workspace's `unsafe` code.
//! - `oracle`: tests candidates in order: the budget, the cache of observations (in memory and on
//!   disk), the judge, and the crew of workers that run ahead. The answers are the same for any
//!   number of workers.
//! - `scratch`: temporary folders; `owner`: whose a file or folder on disk is.
//!
//! This crate is the middle layer of [seedsmith](https://docs.rs/seedsmith), whose reducers propose
//! the candidates.

#![cfg_attr(all(not(test), feature = "mutator", feature = "self-fuzz"), warn(unreachable_pub))]
#![cfg_attr(
    not(all(feature = "mutator", feature = "self-fuzz")),
    allow(dead_code, unused_imports, reason = "a build with all features uses it")
)]

mod across_builds;
mod counts;
mod exec;
#[cfg(feature = "self-fuzz")]
#[doc(hidden)]
pub mod fuzzed;
mod observation;
mod oracle;
mod outcome;
mod owner;
mod sameness;
mod scratch;
mod signature;

pub use counts::{Counts, StopReason};
pub use exec::closure::ClosureTarget;
pub use exec::command::{CommandMode, CommandTarget, Workplace};

pub use exec::injected::InjectedTarget;
pub use exec::linked::{IntoVerdict, LinkedTarget, serve};
pub use exec::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};
pub use observation::{Observation, Verdict};
pub use oracle::Stopped;
pub use oracle::judge::{Judge, SameFailure, Validity};
pub use oracle::other_failures::OtherFailure;
pub use oracle::repeats::Repeat;
pub use outcome::Outcome;
pub use sameness::{Rule, Sameness};
pub use signature::{Fault, Frame, Kind, Message, Signature};

/// Items that the other crates of the workspace use. They are no part of the public interface and
/// may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::across_builds::may_be_same_failure;
    pub use crate::exec::command::folder::input::{
        Content, Files, FolderFile, FolderInput, Varies,
    };
    pub use crate::exec::command::{Condition, UNRESOLVED_STATUS, become_program, run_once};
    pub use crate::exec::counters::counters_of;
    pub use crate::exec::counters::feature_list::{BUCKETS, FeatureText, features};
    pub use crate::exec::counters::features::FeatureKind;
    #[cfg(all(feature = "mutator", any(fuzzing, test)))]
    pub use crate::exec::counters::hidden::link;
    #[cfg(feature = "mutator")]
    pub use crate::exec::counters::in_process::InProcessTarget;
    pub use crate::exec::counters::places::{counters_in, places_of};
    pub use crate::exec::decided::{DecidedBy, Undecided};
    pub use crate::exec::executable::ExecutableKind;
    pub use crate::exec::executable::symbolize::{Symbol, Symbolizer};
    pub use crate::exec::executable::{Executable, inspect, mentions};
    pub use crate::exec::injected::InjectedOptions;
    pub use crate::exec::linked;
    pub use crate::observation::Complaint;
    pub use crate::oracle::budget::Budget;
    pub use crate::oracle::cache::Cache;
    pub use crate::oracle::crew::Crew;
    pub use crate::oracle::judge::NoFailureYet;
    pub use crate::oracle::new_processes::observe_in_new_processes;
    pub use crate::oracle::repeats::Repeats;
    pub use crate::oracle::store::{Store, StoreError, signature_of, text_of};
    pub use crate::oracle::{Oracle, RUNS_IN_A_LIMIT};
    pub use crate::owner::{Owner, is_locked, open_locked};
    pub use crate::scratch::ScratchFolder;
}
