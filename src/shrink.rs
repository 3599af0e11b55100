//! [`shrink`]: the smallest input for which a closure says yes. No file is written and no process is
//! started.
//!
//! It is separate from [`session`](crate::session), which also saves, resumes and runs other kinds of
//! targets, and which is not part of every build.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};
use std::time::Duration;

use seedsmith_engine::ClosureTarget;
use seedsmith_engine::Outcome;
use seedsmith_engine::Sameness;
use seedsmith_engine::Stopped;
use seedsmith_engine::TargetError;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Judge, SameFailure};
use seedsmith_engine::{Kind, Message, Signature};
use seedsmith_engine::{Observation, Verdict};

use crate::event::Event;
use crate::reduce::{self, Reducer, minimize};
use crate::search::Search;

/// Runs of the input before the search, and of the result after it: as many as a
/// [`Session`](crate::Session) has. They cost nothing beside a search, which has hundreds.
const RUNS: u32 = 5;

/// Shrinks `input` to the smallest input for which `fails` returns true.
///
/// The closure is called in this thread, some hundred to some ten thousand times. A panic in it ends
/// the search and reaches the caller; [`Shrink::panics_fail`] makes it a failure instead.
///
/// ```
/// let fails = |bytes: &[u8]| bytes.windows(2).any(|pair| pair == b"<<");
/// let smallest = seedsmith::shrink(b"select a << b;", fails)?;
/// assert_eq!(smallest, b"<<");
/// # Ok::<(), seedsmith::ShrinkError>(())
/// ```
///
/// # Errors
///
/// [`ShrinkError::DoesNotFail`] if `fails` returns false for `input`, and [`ShrinkError::Unsteady`] if
/// it does not always return the same.
pub fn shrink(input: &[u8], fails: impl FnMut(&[u8]) -> bool) -> Result<Vec<u8>, ShrinkError> {
    Shrink::new().run(input, fails)
}

/// [`shrink`] with options.
///
/// ```
/// use seedsmith::Shrink;
///
/// let parses = |bytes: &[u8]| {
///     assert_ne!(bytes.iter().filter(|byte| **byte == b'[').count(), 3);
///     false
/// };
/// let smallest = Shrink::new().panics_fail(true).max_tests(10_000).run(b"[[1], [2]]", parses)?;
/// assert_eq!(smallest, b"[[[");
/// # Ok::<(), seedsmith::ShrinkError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shrink {
    panics_fail: bool,
    budget: Budget,
    reduction: reduce::Options,
}

impl Shrink {
    /// No limits, and a panic is not a failure.
    pub fn new() -> Self {
        Shrink::default()
    }

    /// Whether a panic of the closure is a failure. Panics in different places are different failures:
    /// only the one that the input shows is followed. Their messages are not printed.
    ///
    /// It installs a panic hook that calls the hook before it for all other panics. It has no effect
    /// where panics abort.
    #[must_use]
    pub fn panics_fail(mut self, fails: bool) -> Self {
        self.panics_fail = fails;
        self
    }

    /// Ends the search after `tests` different candidates. The result is the best until then.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.budget.max_tests = Some(tests);
        self
    }

    /// Ends the search after that time. The result is the best until then.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.budget.max_time = Some(time);
        self
    }

    /// Adds a reducer of your own. It runs at the beginning of each round.
    #[must_use]
    pub fn reducer(mut self, reducer: Reducer) -> Self {
        self.reduction.reducers.push(reducer);
        self
    }

    /// The seed of the reducers that draw at random. The same seed gives the same result.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.reduction.seed = seed;
        self
    }

    /// Shrinks `input`; see [`shrink`].
    ///
    /// # Errors
    ///
    /// As for [`shrink`]. A limit that ends the search is no error.
    pub fn run(
        &self,
        input: &[u8],
        mut fails: impl FnMut(&[u8]) -> bool,
    ) -> Result<Vec<u8>, ShrinkError> {
        if self.panics_fail {
            install_hook();
        }
        let failed = Arc::new(Signature::of_kind(Kind::Command));
        let mut observe = |bytes: &[u8]| {
            let outcome = match self.panics_fail {
                true => caught(|| fails(bytes)),
                false => Ok(fails(bytes)),
            };
            match outcome {
                Ok(true) => Observation::Failed(failed.clone()),
                Ok(false) => Observation::Returned(Verdict::Keep),
                Err(panicked) => Observation::Failed(panicked),
            }
        };
        let seen: Vec<Observation> = (0..RUNS).map(|_| observe(input)).collect();
        let first = seen.iter().find_map(Observation::signature);
        let first = first.ok_or(ShrinkError::DoesNotFail)?;
        let hunt =
            SameFailure { signature: Signature::clone(first), sameness: Sameness::default() };
        check_steady(&hunt, seen.iter())?;
        let best = {
            let target = ClosureTarget::observing(&mut observe);
            let mut oracle = Oracle::new(&target, hunt.clone(), 1, self.budget.clone())?;
            let mut quiet = |_: &Event<'_>| {};
            let mut search = Search::new(&mut oracle, input.to_vec(), &mut quiet);
            match minimize(&mut search, &self.reduction) {
                Ok(()) | Err(Stopped::Early(_)) => search.best().to_vec(),
                Err(Stopped::Target(error)) => return Err(error.into()),
            }
        };
        let seen: Vec<Observation> = (0..RUNS).map(|_| observe(&best)).collect();
        check_steady(&hunt, seen.iter())?;
        Ok(best)
    }
}

/// Fails unless all observations show the failure.
fn check_steady<'o>(
    hunt: &SameFailure,
    seen: impl Iterator<Item = &'o Observation>,
) -> Result<(), ShrinkError> {
    let shown = seen.filter(|seen| hunt.outcome(seen) == Outcome::Fail).count() as u32;
    if shown == RUNS { Ok(()) } else { Err(ShrinkError::Unsteady { shown, runs: RUNS }) }
}

/// Why nothing could be shrunk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShrinkError {
    /// The closure returns false for the input.
    #[error("the input does not fail")]
    DoesNotFail,
    /// The closure does not always return the same for the input, or for the result.
    #[error("the failure is unsteady: it showed in {shown} of {runs} runs")]
    Unsteady {
        /// Runs that showed it.
        shown: u32,
        /// All runs.
        runs: u32,
    },
    /// The operating system refused a resource that a search needs.
    #[error("failed to begin the search")]
    System(#[from] TargetError),
}

thread_local! {
    /// Whether a panic in this thread is caught by [`caught`].
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// The failure that the last such panic is.
    static PANICKED: RefCell<Option<Signature>> = const { RefCell::new(None) };
}

/// Installs, once, the hook that records the panics that [`caught`] catches, and prints nothing of them.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_CAUGHT.get() {
                return before(info);
            }
            let place = info.location().map(ToString::to_string);
            let message = Some(Message::new(text_of(info.payload())));
            let signature = Signature { place, message, ..Signature::of_kind(Kind::Panic) };
            PANICKED.set(Some(signature));
        }));
    });
}

/// The message of a panic, as far as it is text.
fn text_of(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// The result of `body`, or the failure if it panics.
fn caught(body: impl FnOnce() -> bool) -> Result<bool, Arc<Signature>> {
    let was_caught = IS_CAUGHT.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    IS_CAUGHT.set(was_caught);
    // A hook that another part of the program installed later may not have called ours.
    result.map_err(|_| Arc::new(PANICKED.take().unwrap_or_else(|| Signature::of_kind(Kind::Panic))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(needle: &'static [u8]) -> impl Fn(&[u8]) -> bool {
        move |bytes| bytes.windows(needle.len()).any(|part| part == needle)
    }

    #[test]
    fn a_closure_may_borrow_and_count() {
        let needle = b"BUG".to_vec();
        let mut calls = 0;
        let smallest = shrink(b"some text with BUG in it", |bytes| {
            calls += 1;
            bytes.windows(3).any(|part| part == needle)
        });
        assert_eq!(smallest.unwrap(), b"BUG");
        assert!(calls > 2 * RUNS, "{calls}");
    }

    #[test]
    fn an_input_that_does_not_fail_is_an_error() {
        assert!(matches!(shrink(b"text", has(b"BUG")), Err(ShrinkError::DoesNotFail)));
    }

    #[test]
    fn a_failure_that_does_not_always_show_is_an_error() {
        let mut runs = 0;
        let result = shrink(b"BUG", |_| {
            runs += 1;
            runs % 2 == 1
        });
        assert!(matches!(result, Err(ShrinkError::Unsteady { shown: 3, runs: 5 })), "{result:?}");
    }

    #[test]
    fn a_limit_of_tests_ends_the_search_with_the_best_until_then() {
        let input: Vec<u8> = b"0123456789".repeat(20).into_iter().chain(*b"BUG").collect();
        let best = Shrink::new().max_tests(3).run(&input, has(b"BUG")).unwrap();
        assert!(has(b"BUG")(&best) && best.len() > 3, "{best:?}");
    }

    #[test]
    fn a_panic_reaches_the_caller_unless_it_counts_as_failing() {
        let panics = |bytes: &[u8]| {
            assert!(!bytes.contains(&b'!'), "planted");
            false
        };
        let unwound = panic::catch_unwind(|| shrink(b"text!", panics));
        assert!(unwound.is_err());
        let smallest = Shrink::new().panics_fail(true).run(b"text!", panics).unwrap();
        assert_eq!(smallest, b"!");
    }

    #[test]
    fn a_panic_in_another_place_is_another_failure() {
        let panics = |bytes: &[u8]| {
            assert!(!bytes.is_empty(), "another place");
            assert!(!bytes.contains(&b'!'), "the place of the input");
            false
        };
        let smallest = Shrink::new().panics_fail(true).run(b"text!", panics).unwrap();
        assert_eq!(smallest, b"!");
    }
}
