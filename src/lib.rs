//! seedsmith shrinks crashing inputs, repairs invalid seeds and generalizes failures, for people
//! who fuzz with cargo-fuzz and libFuzzer. This page begins with the library's interface; after it comes the
//! tour of the code: how a candidate travels, the meaning of words, the layers and their limits,
//! and the invariants.
//!
//! # The library
//!
//! [`shrink()`] takes bytes and a closure:
//!
//! ```
//! let fails = |bytes: &[u8]| bytes.windows(2).any(|pair| pair == b"<<");
//! assert_eq!(seedsmith::shrink(b"select a << b;", fails)?, b"<<");
//! # Ok::<(), seedsmith::ShrinkError>(())
//! ```
//!
//! | for | use |
//! |---|---|
//! | bytes and a closure, with options | [`Shrink`] |
//! | a closure, a function of this program, a libFuzzer executable or a command | [`Target`] in a [`Session`], with [`MinimizeOptions`], [`RepairOptions`] or [`GeneralizeOptions`] |
//! | the events of a task | [`Reporter`], which receives [`Event`]s |
//! | a reducer of your own | [`Reducer`], which proposes candidates to a [`Search`] |
//! | mutants that are repaired inside libFuzzer | [`repairing_mutator!`](crate::repairing_mutator) |
//! | the command line in your fuzz package | [`cli`] |
//!
//! The folder `examples` has a program for each. The rest of this page is for people who work on seedsmith itself:
//! its files and words; names without a link are not public.
//!
//! # How a candidate travels
//!
//! ```text
//! bytes -> structure -> reducer --candidate--> search -> oracle: budget, cache, judge -> crew
//!                                                ^                                        |
//!                        best so far <- outcome -+         slot <- shared memory -> worker
//!                                                +-> event -> reporters
//! ```
//!
//! A *reducer* gives the *search* a stream of all candidates that it would try if nothing were
//! accepted. The *oracle* reads that stream ahead, answers known candidates from its cache, and
//! lets a *crew* of *slots* run the rest. A slot is a *zygote*, started by exec, that forks
//! *workers*; a worker runs candidate after candidate, written to it through shared memory, until
//! it dies. Reports are consumed in candidate order, so the number of slots changes speed and
//! nothing else.
//!
//! # Layers
//!
//! Imports point down only; `scripts/check-house` checks that in CI.
//!
//! - `crates/seedsmith-grammar` (1): how an input falls into parts: units, pairs, records, trees; and
//!   grammars as data, their front ends, lexers, parsers and generators. It starts no process
//! - `crates/seedsmith-engine` (2): the words (outcome, observation, signature, sameness, counts);
//!   `exec`, the ways to run a program on bytes; and `oracle`, which is judge, cache, budget, crew,
//!   and the store of observations on disk
//! - `event` (3): the events of a run and its result, as plain data; and `Reporter`, the one trait
//!   for all reports
//! - `aside.rs` (3): files that are written beside their place and renamed when they are whole
//! - `wishes.rs` (3): what a person asks of a search while it runs
//! - `search.rs` and `reduce` (4): the best so far, and the reducers that propose: each is a value in
//!   `reduce/registry.rs`, and `reduce/auto/schedule.rs` says which one the default strategy runs when
//! - `repair` (4): ddmax, repairs by small edits, and `repair/located`: repairs located by the
//!   validator's error messages
//! - `generalize` (4): from a failing input to the pattern that makes it fail, and to inputs on
//!   both sides of the boundary
//! - `regression` (4): tests in Rust or shell that check inputs without seedsmith
//! - `corpus` (4): many inputs: which files are inputs (of a fuzzer's folder: its findings), which
//!   are the same, which fail alike; the names of results, and which files are never replaced
//! - `coverage` (4): the features that inputs reach on an instrumented executable, in memory and on
//!   disk; the smallest set of inputs that reaches all of it; smaller inputs that reach the same;
//!   and the functions and lines that are reached

//! - `shrink.rs` (5): the smallest input for which a closure returns true; it needs no feature
//! - `journal` (5): a reporter that writes down the steps of a run while it runs
//! - `session` (6): a whole task on one target: repeat the input, fix the baseline, search, confirm,
//!   save, continue; a search that changes from one build to another (`session/two_builds.rs`); a
//!   folder as one input; where a chosen corpus goes (`session/corpora/place.rs`); `session/kit`:
//!   the files needed to judge a fix; and `session/results`: results as the data of events
//! - `library` (7): the [`Session`] and [`Target`] for other programs: options and results of the
//!   tasks of `session`, by methods
//! - `cargo_fuzz` (7): the user's fuzz package: find, list, build, open, reproduce; what cargo-fuzz
//!   built and whether it is fresh (`cargo_fuzz/existing_build.rs`); and harnesses of other fuzzers
//! - `report` (7): the reporters of the command line: console, view (feature `view`), JSON Lines and HTML pages; and
//!   files for other tools. It knows events, and neither reducers nor patterns
//! - `cli`, `mutator`, `shim.rs` and `bin` (8): arguments (libFuzzer's too), settings of a package,
//!   signals, exit codes, programs, and the inside of libFuzzer; `fuzzed.rs`: the functions that
//!   the project's own fuzz targets run
//!
//! These places may do what the others may not, and the same script holds that too:
//!
//! | what | where |
//! |---|---|
//! | `unsafe` | the engine's `exec`; the grammar crate's `grammar/tree_sitter/library.rs` loads a parser that the user names |
//! | fork | `exec/workers/child.rs` forks workers for their zygote, and children for workers; `exec/command/forked_program.rs` forks a command where it first looks at its input; `exec/command/spawn.rs` starts, without a copy of this process, the supervisor; `exec/command/supervisor.rs` starts commands and ends what they leave |
//! | start a program | `bin/launcher` becomes `tmin`, which has the code of all programs; `exec` (`exec/command/once.rs` runs one and keeps its output); `cargo_fuzz/cargo.rs`, `cargo_fuzz/build` and `cargo_fuzz/package` start cargo, rustup and rustc; `cargo_fuzz/decoded.rs` starts a fuzz target that prints its decoded input and does not run it |
//! | print | `report`; `mutator/session.rs`, which is inside libFuzzer; `bin/launcher`, if `tmin`
//! is missing; clap prints help and errors about arguments |
//!
//! # Words
//!
//! | word | meaning | source |
//! |---|---|---|
//! | outcome | pass, fail or unresolved, of one test | Zeller & Hildebrandt 2002 |
//! | configuration | the part of the input that is kept | Zeller & Hildebrandt 2002 |
//! | granularity | into how many parts a configuration is split | Zeller & Hildebrandt 2002 |
//! | complement | a configuration without one part | Zeller & Hildebrandt 2002 |
//! | ddmax, 1-maximal | maximizing the valid part of an input; nothing dropped can be added back |
//! Kirschner et al. 2020 |
//! | viable | said of a prefix that some completion makes valid | here |
//! | ddmin, dd | minimizing; isolating a difference | Zeller & Hildebrandt 2002 |
//! | 1-minimal | no single unit can be removed | Zeller & Hildebrandt 2002 |
//! | unit | the part that a flat reducer removes: byte, token, line | here |
//! | observation | what happened in one run, unjudged | here |
//! | signature | who a failure is: kind, place, message, stack | here |
//! | sameness | when two signatures are one failure | here |
//! | other failure | a failure met during a search that is not the session's | here |
//! | zygote, worker | the process that forks, the process that runs candidates | here |
//! | fresh | said of a worker that has run nothing else | here |
//! | baseline | the failure that the first runs of the input showed, and how often | here |
//! | session | one failing input on one target, and the tasks that are done with it | here |
//!
//! # What always holds
//!
//! 1. Only `exec` runs code under test, in processes that it starts (a closure runs in the caller's
//!    thread). A process that is forked has one thread.
//! 2. Reducers know no time, thread, file or process.
//! 3. The cache keeps observations: changing when two failures are the same reruns nothing.
//! 4. `Unresolved` is never `Fail`. Other failures are kept with their signatures and not followed.
//! 5. Whatever is accepted was seen to fail in a fresh worker.
//! 6. The best is on disk (written aside, renamed: `aside.rs`) before it is announced. A file that
//!    cannot be written to its place is kept in another. No input is replaced, and no result of
//!    another task.
//! 7. The first success in candidate order wins: `-j` changes only speed.
//! 8. Only `report` prints, but for the mutator inside libFuzzer. Options are read by [`cli`]
//!    alone; `report` asks whether it prints to a terminal, its view reads keys, and `exec` reads its own name and
//!    the environment that it hands to what it starts.
//! 9. The input is run several times before anything else, and the result in new processes at the
//!    end.

#![cfg_attr(
    all(
        not(test),
        feature = "arbitrary",
        feature = "cli",
        feature = "languages",
        feature = "mutator",
        feature = "self-fuzz",
        feature = "view"
    ),
    warn(unreachable_pub)
)]
#![cfg_attr(
    not(all(
        feature = "arbitrary",
        feature = "cli",
        feature = "languages",
        feature = "mutator",
        feature = "self-fuzz",
        feature = "view"
    )),
    allow(dead_code, unused_imports, reason = "a build with all features uses it")
)]

#[cfg(feature = "session")]
mod aside;
#[cfg(feature = "cli")]
mod cargo_fuzz;
#[cfg(feature = "cli")]
pub mod cli;
mod corpus;
mod coverage;
mod event;
#[cfg(feature = "self-fuzz")]
#[doc(hidden)]
pub mod fuzzed;
mod generalize;
#[cfg(feature = "session")]
mod journal;
#[cfg(feature = "session")]
mod library;
#[cfg(feature = "mutator")]
pub mod mutator;
mod reduce;
mod regression;
mod repair;
#[cfg(feature = "cli")]
mod report;
mod search;
#[cfg(feature = "session")]
mod session;
mod shim;
mod shrink;
mod wishes;

#[cfg(feature = "arbitrary")]
#[doc(hidden)]
pub use arbitrary;
pub use event::{Event, Minimality, NoteKind, ReducerStats, ReportError, Reporter, Silent};
#[cfg(feature = "session")]
pub use library::{GeneralizeOptions, MinimizeOptions, RepairOptions, Repaired, Session, Target};
pub use reduce::{Cost, Need, Reducer, Strategy, UnknownReducer};
pub use search::Search;
#[doc(inline)]
pub use seedsmith_engine::{
    Counts, IntoVerdict, Kind, Rule, Signature, StopReason, Stopped, TargetError, Verdict, serve,
};
#[cfg(feature = "arbitrary")]
#[doc(inline)]
pub use seedsmith_grammar::Texts;
#[cfg(feature = "session")]
pub use session::error::SessionError;
#[cfg(feature = "session")]
pub use session::first_runs::FirstRuns;
#[cfg(feature = "session")]
pub use session::generalize::Generalization;
#[cfg(feature = "session")]
pub use session::minimize::Minimized;
#[cfg(feature = "session")]
pub use session::repair::RepairError;
pub use shim::Corpus;
pub use shrink::{Shrink, ShrinkError, shrink};

/// Items that the tests, benches and macros of this repository use. They are no part of the public
/// interface and may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::shim::initialize_once;
    #[cfg(feature = "self-fuzz")]
    pub mod event {
        pub use crate::event::{Claim, FixVerdict, Judged};
    }
    #[cfg(feature = "self-fuzz")]
    pub mod generalize {
        pub use crate::generalize::claim::settling::TestCost;
        pub use crate::generalize::draws::sampler::Sampler;
        pub use crate::generalize::file::PatternFile;
        pub use crate::generalize::judge::AmongValid;
        pub use crate::generalize::pattern::Pattern;
        pub use crate::generalize::reduction::reduce;
        pub use crate::generalize::{
            Generalized, Method, Options, generalize, generalize_from, predicate,
        };
    }
    #[cfg(feature = "self-fuzz")]
    pub mod reduce {
        pub use crate::reduce::binary::known_formats;
        pub use crate::reduce::{Options, Polish, minimize};
    }
    #[cfg(feature = "self-fuzz")]
    pub mod repair {
        pub use crate::repair::distance::distance;
        pub use crate::repair::recovery::{Reader, Reads};
        pub use crate::repair::validate::{ByOracle, InPlace, Validate};
        pub use crate::repair::{Options, Repair, Strategy, repair};
    }
    #[cfg(feature = "self-fuzz")]
    pub mod search {
        pub use crate::search::DEPENDS_ON_BEFORE;
    }
    #[cfg(feature = "self-fuzz")]
    pub mod session {
        pub use crate::session::OpenSession;
        pub use crate::session::Options as SessionOptions;
        pub use crate::session::folder::disk;
        pub use crate::session::generalize::{Named, Options};
        pub use crate::session::kit::contents::{Parts, contents};
        pub use crate::session::kit::{JudgeOptions, Kit, judge};
        pub use crate::session::target::OpenTarget;
    }
}
