//! How much may be spent on getting below 1-minimal, and on which of two ways: every shorter input
//! there is, or changes of the best.

use super::alphabet::Alphabet;
use crate::event::Minimality;
use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::choices::Polish;
use crate::reduce::counts_at_start::CountsAtStart;
use crate::search::Search;

/// Work that is always worth it where nothing else was said, in tests of short candidates, because
/// it is 50 ms at 5 µs a test.
const MIN_WORK: u64 = 10_000;
/// Work that is not exceeded where nothing else was said, in tests of short candidates: half a
/// second at 5 µs a test. It covers every input of two bytes.
const MAX_WORK: u64 = 100_000;

/// Tests where each of them starts processes, at most. A guess at how long a user waits; not
/// measured.
const MAX_EXPENSIVE_TESTS: u64 = 50;
/// If each test starts processes, one in this many tests of the round may be used for polishing.
/// Since cached answers count too, an eighth became a twelfth (note of 2026-11-22 on the fixed
/// point).
const CALLS_PER_LUCKY_TEST: u64 = 12;

/// The most tests for polishing where each test starts processes: a share of those since `start`.
pub(crate) fn max_lucky_tests(start: CountsAtStart, search: &Search<'_, '_>) -> u64 {
    (start.calls_since(search) / CALLS_PER_LUCKY_TEST).min(MAX_EXPENSIVE_TESTS)
}

/// How many inputs are shorter than `length` bytes; saturates.
pub(crate) fn shorter_than(length: usize) -> u64 {
    (0..length).fold(0u64, |sum, _| sum.saturating_mul(256).saturating_add(1))
}

/// The next step below 1-minimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Nothing: it may cost nothing, or nothing shorter fails.
    Nothing,
    /// Every shorter input.
    AllShorter,
    /// Changes of the best.
    Changes,
}

/// The budget of polishing in one round of the schedule.
#[derive(Clone, Debug)]
pub(crate) struct Polisher {
    /// The bytes that may be written into the best: those of the best when the round began.
    pub alphabet: Alphabet,
    /// The seed of random changes.
    pub seed: u64,
    /// The current step.
    pub plan: Plan,
    /// The budget left for systematic changes; then that for random ones.
    pub allowance: Allowance,
    /// The work that may be spent on inputs that die, beyond one test for each shorter input.
    pub max_extra_work: u64,
    /// A share that the systematic changes leave to random ones.
    kept_for_luck: u64,
    /// The user's option.
    pub asked: Polish,
    /// The same; where tests are expensive, a number from the first plan on.
    polish: Polish,
    are_tests_expensive: bool,
    start: CountsAtStart,
    /// The rest of [`Polish::Tests`].
    tests: u64,
}

impl Polisher {
    /// For a round that starts from the best.
    pub(crate) fn new(
        search: &Search<'_, '_>,
        polish: Polish,
        seed: u64,
        are_tests_expensive: bool,
    ) -> Self {
        let tests = match polish {
            Polish::Auto => u64::MAX,
            Polish::Tests(tests) => tests,
        };
        Polisher {
            alphabet: Alphabet::of(search.best()),
            seed,
            plan: Plan::Nothing,
            allowance: Allowance::new(0),
            max_extra_work: 0,
            kept_for_luck: 0,
            asked: polish,
            polish,
            are_tests_expensive,
            start: CountsAtStart::of(search),
            tests,
        }
    }

    /// Plans the next step and its limit of tests.
    pub(crate) fn plan(&mut self, search: &Search<'_, '_>) {
        if self.are_tests_expensive && self.polish == Polish::Auto {
            self.tests = max_lucky_tests(self.start, search);
            self.polish = Polish::Tests(self.tests);
        }
        if self.tests == 0 || search.minimality() == Minimality::Global {
            self.plan = Plan::Nothing;
            return;
        }
        let all = shorter_than(search.best().len());
        let (given, is_all_covered) = match self.polish {
            Polish::Auto => {
                (self.start.work_since(search).clamp(MIN_WORK, MAX_WORK), all <= MAX_WORK)
            }
            Polish::Tests(_) => (self.tests, all <= self.tests),
        };
        self.plan = if is_all_covered { Plan::AllShorter } else { Plan::Changes };
        self.max_extra_work = match self.polish {
            Polish::Auto => MAX_WORK,
            Polish::Tests(_) => u64::MAX,
        };
        self.kept_for_luck = given / 4;
        self.allowance = Allowance::new(given - self.kept_for_luck);
    }

    /// Adds the share for random changes to the allowance.
    pub(crate) fn add_kept_for_luck(&mut self) {
        let kept = std::mem::take(&mut self.kept_for_luck);
        self.allowance = Allowance::new(self.allowance.left() + kept);
    }

    /// Subtracts work that was done from the user's budget.
    pub(crate) fn pay(&mut self, work: u64) {
        self.tests = self.tests.saturating_sub(work);
    }
}
