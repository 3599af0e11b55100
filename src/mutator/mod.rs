//! The edge inside libFuzzer: a custom mutator that repairs mutants of libFuzzer's own mutator.
//!
//! ```text
//! use libfuzzer_sys::fuzz_target;
//!
//! fuzz_target!(init: seedsmith::mutator::validator(is_valid), |data: &[u8]| { run(data) });
//! seedsmith::repairing_mutator!();
//! ```
//!
//! A lot of mutants of one valid parent is tested with the validator before libFuzzer runs them. Invalid
//! ones are mended from the parent: as much of the change stays as still makes a valid input,
//! with a few bytes added where that keeps more of it. The worker then runs the target itself, and mutants that
//! reach something new there are ready for libFuzzer's next turns. Mutants of libFuzzer's own mutator are run there too and
//! not mended, so that error paths stay fuzzed.
//!
//! ```text
//! the fuzzer:  session (time_shares, searches, samples, length) --job--> validator
//! the worker:  validator -> repairer (candidates, pairs, pieces, odds, explore) -> reached -> is_valid, the target
//! ```
//!
//! The validator and the target run in a worker process: this program, started once more, in which
//! `validator` never returns. They may crash, hang or eat memory there; a mutant that does is handed
//! to libFuzzer as it is, which then finds the crash itself and stores it with the right input.
//! One that hangs is handed out only if libFuzzer's own time limit is short. Nothing of the validator's coverage
//! reaches the feedback.
//!
//! This module is the edge: it reads the environment (`SEEDSMITH_REPAIR_SHARE`, `SEEDSMITH_VALID_SHARE`) and, like
//! libFuzzer, talks on stderr. Typed targets (`arbitrary`) mutate bytes that are no document:
//! almost every byte string is valid there, and there is nothing to repair.

mod candidates;
mod explore;
mod job;
mod length;
mod libfuzzer;
mod makers;
mod odds;
mod pairs;
mod pieces;
mod reached;
mod repairer;
mod samples;
mod session;
mod settings;
mod time_limit;
mod time_shares;
mod validator;

use std::cell::RefCell;
use std::sync::OnceLock;

use seedsmith_engine::IntoVerdict;
use session::Session;
use settings::Settings;
use validator::Validator;

static VALIDATOR: OnceLock<Validator> = OnceLock::new();

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Says what a valid input is: to be called in `fuzz_target!`'s `init:`.
///
/// `is_valid` returns a `bool`, a [`Corpus`](crate::Corpus) or nothing (then whatever doesn't crash
/// is valid). In the worker process, this call never returns. It costs nothing until the first
/// mutant comes.
pub fn validator<R: IntoVerdict>(is_valid: impl Fn(&[u8]) -> R) {
    #[cfg(fuzzing)]
    seedsmith_engine::internal::link();
    validator::serve(is_valid);
    let _ = VALIDATOR.set(Validator::Worker);
}

/// Says what a valid input is, and has it tested in the fuzzer's own process: where no other process
/// can be started, and only for a function that can neither crash nor hang nor keep memory.
///
/// libFuzzer's time limit does not cover a mutator, a crash in it is stored with the input that was
/// mutated and not with the one that crashed, and the comparisons in `is_valid` get into libFuzzer's
/// table of recent compares, from which it takes bytes for later mutations. (Its counters are
/// cleared before each run: coverage in a mutator is not counted.)
pub fn validator_in_place(is_valid: fn(&[u8]) -> bool) {
    #[cfg(fuzzing)]
    seedsmith_engine::internal::link();
    let _ = VALIDATOR.set(Validator::InPlace(is_valid));
}

/// Mutates `data[..size]` in place and returns the new size: what [`repairing_mutator!`] calls.
///
/// libFuzzer's own mutator comes as an argument: a dependency on `libfuzzer_sys` would bring its
/// entry points into every program that links this crate.
///
/// [`repairing_mutator!`]: crate::repairing_mutator
#[doc(hidden)]
pub fn mutate(
    data: &mut [u8],
    (size, max_size): (usize, usize),
    seed: u32,
    (share, valid): (f64, Option<f64>),
    fuzzer_mutate: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let validator = VALIDATOR.get().expect(
        "repairing_mutator! wants `init: seedsmith::mutator::validator(…)` in fuzz_target!",
    );
    SESSION.with_borrow_mut(|session| {
        let session =
            session.get_or_insert_with(|| Session::new(*validator, Settings { share, valid }));
        session.mutate(data, (size, max_size), seed, fuzzer_mutate)
    })
}

/// Makes the fuzz target's mutator a repairing one: libFuzzer's own, and then [`crate::mutator`].
///
/// The share of repaired mutants follows from their finds. `valid = 0.3` sets the share of all
/// inputs that should be valid instead, as far as that can be done, and `SEEDSMITH_VALID_SHARE` in the
/// environment overrides it. At most nine of ten mutants are ours; `share = 0.5` sets another limit,
/// which `SEEDSMITH_REPAIR_SHARE` overrides. With a share of 1 every mutant is repaired.
#[macro_export]
macro_rules! repairing_mutator {
    () => {
        $crate::repairing_mutator!(@ 0.9, None);
    };
    (share = $share:expr) => {
        $crate::repairing_mutator!(@ $share, None);
    };
    (valid = $valid:expr) => {
        $crate::repairing_mutator!(@ 0.98, Some($valid));
    };
    (share = $share:expr, valid = $valid:expr) => {
        $crate::repairing_mutator!(@ $share, Some($valid));
    };
    (@ $share:expr, $valid:expr) => {
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8],
                                        size: usize,
                                        max_size: usize,
                                        seed: u32| {
            let fuzzer_mutate = ::libfuzzer_sys::fuzzer_mutate;
            $crate::mutator::mutate(data, (size, max_size), seed, ($share, $valid), fuzzer_mutate)
        });
    };
}
