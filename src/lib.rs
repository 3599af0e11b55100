//! seedsmith shrinks crashing inputs, repairs invalid seeds and generalizes failures, for people
//! who fuzz with cargo-fuzz and libFuzzer. This page is the tour: how a candidate travels, what
//! the words mean, which layer may know what, and what always holds.
//!
//! # How a candidate travels
//!
//! ```text
//! bytes -> structure -> reducer --candidate--> search -> oracle: budget, cache, judge -> crew
//!                                                ^                                        |
//!                        best so far <- outcome -+         slot <- shared memory -> worker
//!                                                +-> event -> report
//! ```
//!
//! A *reducer* hands the *search* a stream of everything that it would try next if nothing were
//! accepted. The *oracle* reads that stream ahead, drops what its cache knows, and lets a *crew*
//! of *slots* run the rest. A slot is a *zygote*, started by exec, that forks *workers*; a worker
//! runs candidate after candidate, written to it through shared memory, until it dies. Reports are
//! consumed in candidate order, so the number of slots changes speed and nothing else.
//!
//! # Layers
//!
//! Imports point down only; `scripts/check-house` checks that in CI.
//!
//! - `outcome.rs`, `signature.rs`, `sameness.rs`, `kinship.rs`, `observation.rs`, `digest.rs`, `order.rs` and
//!   `event.rs` (0): the words
//! - `structure` and `grammar` (1): how an input falls into parts: units, pairs, records; and
//!   grammars as data, their front ends, lexer and parsers
//! - `target` (2): ways to run a program on bytes; the only processes, and the only `unsafe` but
//!   for `grammar/tree_sitter/library.rs`, which loads a parser that the user names
//! - `oracle` (3): judge, cache, budget, crew
//! - `search.rs` and `reduce` (4): the best so far, and the reducers that propose
//! - `repair` (4): ddmax, and repairs by small edits
//! - `generalize` (4): from a failing input to the pattern of what makes it fail
//! - `corpus` (4): many inputs: which files are inputs, which are the same, which fail alike
//! - `journal` (5): what a run did, written down while it runs
//! - `report` (5): console and JSON Lines; reads events only
//! - `cli`, `mutator`, `shim.rs` and `bin` (6): arguments, files, signals, programs, and the inside
//!   of libFuzzer
//!
//! # Words
//!
//! | word | meaning | source |
//! |---|---|---|
//! | outcome | pass, fail or unresolved, of one test | Zeller & Hildebrandt 2002 |
//! | configuration | the part of the input that is kept | Zeller & Hildebrandt 2002 |
//! | granularity | into how many parts a configuration is split | Zeller & Hildebrandt 2002 |
//! | complement | a configuration without one part | Zeller & Hildebrandt 2002 |
//! | ddmax, 1-maximal | maximizing what is valid; nothing dropped can be added back | Kirschner et al. 2020 |
//! | viable | said of a prefix that some completion makes valid | here |
//! | ddmin, dd | minimizing; isolating a difference | Zeller & Hildebrandt 2002 |
//! | 1-minimal | no single unit can be removed | Zeller & Hildebrandt 2002 |
//! | unit | what a flat reducer removes: byte, token, line | here |
//! | observation | what happened in one run, unjudged | here |
//! | signature | who a failure is: kind, place, message, stack | here |
//! | sameness | when two signatures are one failure | here |
//! | by-catch | another failure met on the way | here |
//! | zygote, worker | the process that forks, the process that runs candidates | here |
//! | fresh | said of a worker that has run nothing else | here |
//!
//! # What always holds
//!
//! 1. Only [`target`] runs code under test. Only a zygote forks, and it has one thread.
//! 2. Reducers know no time, thread, file or process.
//! 3. The cache keeps observations: changing what counts as the same failure reruns nothing.
//! 4. `Unresolved` is never `Fail`. By-catch is kept, signed, and not followed.
//! 5. Whatever is accepted was seen to fail in a fresh worker.
//! 6. The best is on disk (written aside, renamed) before it is announced.
//! 7. The first success in candidate order wins: `-j` changes only speed.
//! 8. Only [`report`] prints. Nothing below [`cli`] reads arguments or a terminal.
//! 9. The input is run several times before anything else, and the result in new processes at the
//!    end.
//!
//! # As a library
//!
//! ```
//! use seedsmith::oracle::{Oracle, budget::Budget, judge::Hunt};
//! use seedsmith::reduce::{Options, minimize};
//! use seedsmith::sameness::Sameness;
//! use seedsmith::search::Search;
//! use seedsmith::signature::{Kind, Signature};
//! use seedsmith::target::closure::ClosureTarget;
//!
//! let target = ClosureTarget::failing_if(|bytes| bytes.windows(2).any(|pair| pair == b"<<"));
//! let hunt = Hunt { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() };
//! let mut oracle = Oracle::new(&target, hunt, 1, Budget::default()).unwrap();
//! let mut quiet = |_: &seedsmith::event::Event<'_>| {};
//! let mut search = Search::new(&mut oracle, b"select a << b;".to_vec(), &mut quiet);
//! minimize(&mut search, &Options::default()).unwrap();
//! assert_eq!(search.best(), b"<<");
//! ```

#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
pub mod digest;
pub mod event;
pub mod generalize;
pub mod grammar;
#[cfg(feature = "cli")]
pub mod journal;
pub mod kinship;
#[cfg(feature = "mutator")]
pub mod mutator;
pub mod observation;
pub mod oracle;
pub mod order;
pub mod outcome;
pub mod reduce;
pub mod repair;
#[cfg(feature = "cli")]
pub mod report;
pub mod sameness;
pub mod search;
pub mod shim;
pub mod signature;
pub mod structure;
pub mod target;

#[cfg(feature = "arbitrary")]
pub use arbitrary;
pub use shim::Corpus;
