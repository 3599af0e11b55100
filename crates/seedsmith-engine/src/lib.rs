//! Runs a program on inputs, thousands of times a second, and says what happened.
//!
//! - The words: an [`observation`] is what happened in one run; a [`signature`] identifies a
//!   failure; [`sameness`] says when two failures are one, [`across_builds`] when they may be; an
//!   [`outcome`] is what a judge makes of an observation; [`counts`] are how many tests a search took,
//!   and why it ended.
//! - [`exec`]: ways to run a program on bytes. A function of this program, or an unmodified
//!   libFuzzer executable, runs in forked workers that survive crashes, hangs and memory blow-ups; any
//!   other program is a process for each test, started or forked. Everything that runs code under
//!   test is here, and nearly all of the workspace's `unsafe` code.
//! - [`oracle`]: tests candidates in order: the budget, the cache of observations (in memory and on
//!   disk), the judge, and the crew of workers that run ahead. The answers are the same for any
//!   number of workers.
//! - [`scratch`]: temporary folders; [`owner`]: whose a file or folder on disk is.
//!
//! This crate is the middle layer of [seedsmith](https://docs.rs/seedsmith), whose reducers propose
//! the candidates.

pub mod across_builds;
pub mod counts;
pub mod exec;
#[cfg(feature = "self-fuzz")]
#[doc(hidden)]
pub mod fuzzed;
pub mod observation;
pub mod oracle;
pub mod outcome;
pub mod owner;
pub mod sameness;
pub mod scratch;
pub mod signature;
