//! The first runs of an input, before anything else: does it fail, how, and every time?
//!
//! They fix the *baseline*: the failure that the search is to keep, and how often it showed. They
//! run the target, and judge only which failures are the same.

pub(super) mod commands;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use seedsmith_engine::Observation;
use seedsmith_engine::Repeat;
use seedsmith_engine::Sameness;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Repeats;
use seedsmith_engine::internal::{DecidedBy, Undecided};
use seedsmith_engine::internal::{Oracle, RUNS_IN_A_LIMIT};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Limits, Request};

/// Runs that have to agree before a failure counts as steady. A failure that shows in half of the
/// runs is wrongly called steady once in 32 times (docs/notes/2026-11-21-unsteady-failures.md).
pub(in crate::session) const STEADY_RUNS: u32 = 5;
/// Runs from which the rate of an unsteady failure is computed: they give it to a tenth
/// (docs/notes/2026-11-21-unsteady-failures.md).
pub(in crate::session) const RATE_RUNS: u32 = 30;
/// Runs of an input that hangs or fills the memory slowly: a few runs suffice, since each takes the
/// whole limit.
pub(in crate::session) const HANG_RUNS: u32 = 2;
/// A run that takes longer is one of few: five of them would take seconds before the first test.
const MIN_SLOW_TIME: Duration = Duration::from_millis(500);
/// A limit of time for candidates is never shorter: the first run of a worker can be slow, and a
/// start under a sanitizer takes a tenth of a second.
pub(crate) const MIN_TIME_LIMIT: Duration = Duration::from_millis(250);
/// A run in a worker that has run nothing else, with its stack.
const FRESH: Request =
    Request { frames: true, fresh: true, once: false, varied: false, expected: None };

/// The observations of the first runs of an input that show no failure to keep.
#[derive(Clone, Debug)]
pub struct FirstRuns {
    /// The different observations, and how often each was made.
    pub(crate) seen: Vec<(Observation, u32)>,
    /// How often the input was run.
    pub(crate) runs: u32,
    /// How long the slowest run took.
    pub(crate) slowest: Duration,
    /// The rule for what counts as the failure.
    pub(crate) decided: Result<DecidedBy, Undecided>,
}

/// The failure that a search has to keep, and how steadily it showed.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// Who it is.
    pub signature: Arc<Signature>,
    /// How many of the runs showed it.
    pub shown: u32,
    /// How many runs there were.
    pub runs: u32,
}

/// Runs `input` a few times; more often if the runs don't agree, or if `repeat` asks for it.
///
/// They cost five runs if these agree, thirty if they do not, and two if the input hangs or fills
/// the memory slowly. Each is in a worker that has run nothing else.
pub(crate) fn first_runs(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    sameness: &Sameness,
    repeat: Repeat,
) -> Result<FirstRuns, Stopped> {
    let mut first = FirstRuns::none();
    let runs = match repeat {
        Repeat::Auto => STEADY_RUNS,
        Repeat::Times(times) => times.clamp(STEADY_RUNS, RATE_RUNS),
    };
    first.observe_until(oracle, input, runs)?;
    first.decided = oracle.decide(&first.seen);
    if first.baseline(sameness).is_some_and(|baseline| baseline.shown < baseline.runs) {
        first.observe_until(oracle, input, RATE_RUNS)?;
    }
    Ok(first)
}

impl FirstRuns {
    /// No runs yet.
    fn none() -> Self {
        let decided = Ok(DecidedBy::default());
        FirstRuns { seen: Vec::new(), runs: 0, slowest: Duration::ZERO, decided }
    }

    /// Runs the input until there were `runs` runs, or enough: the first alone, the others side by
    /// side unless it reached the memory limit.
    fn observe_until(
        &mut self,
        oracle: &mut Oracle<'_>,
        input: &[u8],
        runs: u32,
    ) -> Result<(), Stopped> {
        while self.runs < runs && !self.is_long_enough() {
            let at_once = if self.runs == 0 || self.fills_memory() { 1 } else { STEADY_RUNS };
            let times = at_once.min(runs - self.runs);
            let began = Instant::now();
            let seen = oracle.observe_often(input, FRESH, times)?;
            let in_turn = times.div_ceil(oracle.jobs() as u32);
            self.slowest = self.slowest.max(began.elapsed() / in_turn);
            seen.into_iter().for_each(|observation| self.add(observation));
        }
        Ok(())
    }

    /// The kinds of the failures that were seen.
    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.seen.iter().filter_map(|(seen, _)| Some(&seen.signature()?.kind))
    }

    /// Whether a run exceeded the limit of memory. Several runs side by side would each use as
    /// much.
    fn fills_memory(&self) -> bool {
        self.kinds().any(|kind| *kind == Kind::OutOfMemory)
    }

    /// Whether a run hung, or two filled the memory slowly. Five runs of those would take too long:
    /// with AddressSanitizer, 2 GB in small blocks take seconds.
    fn is_long_enough(&self) -> bool {
        let fills_memory = self.seen.len() == 1 && self.fills_memory();
        self.kinds().any(|kind| *kind == Kind::Timeout)
            || (fills_memory && self.runs >= HANG_RUNS && self.slowest >= MIN_SLOW_TIME)
    }

    /// The limits for a candidate, at most `limits`: ten times the time of the input.
    pub(crate) fn limits(&self, limits: Limits) -> Limits {
        let enough = self.slowest.saturating_mul(RUNS_IN_A_LIMIT).max(MIN_TIME_LIMIT);
        if enough < limits.cpu { limits.with_time(enough) } else { limits }
    }

    /// Counts an observation. There are few different ones, so that a list is enough.
    fn add(&mut self, observation: Observation) {
        self.runs += 1;
        match self.seen.iter_mut().find(|(seen, _)| *seen == observation) {
            Some((_, count)) => *count += 1,
            None => self.seen.push((observation, 1)),
        }
    }

    /// The failure that showed most often (the first of them), with everything that is the same.
    ///
    /// There is none if no observation is a failure that counts.
    pub(crate) fn baseline(&self, sameness: &Sameness) -> Option<Baseline> {
        let decided = self.decided.as_ref().ok()?;
        let signatures = self.seen.iter().filter_map(|(seen, _)| seen.signature());
        let signatures = signatures.filter(|signature| decided.counts(&signature.kind));
        let quarries = signatures.filter(|one| sameness.is_same(one, one)).map(|signature| {
            let is_it = |seen: &Observation| {
                seen.signature().is_some_and(|other| sameness.is_same(signature, other))
            };
            let shown =
                self.seen.iter().filter(|(seen, _)| is_it(seen)).map(|(_, count)| count).sum();
            Baseline { signature: signature.clone(), shown, runs: self.runs }
        });
        // `max_by_key` would take the last of equals.
        quarries.fold(None, |best: Option<Baseline>, one| match best {
            Some(best) if best.shown >= one.shown => Some(best),
            _ => Some(one),
        })
    }

    /// The outcome of the runs instead of a failure, in words.
    pub fn what_happened(&self) -> String {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for (seen, count) in &self.seen {
            let words = match seen {
                Observation::Returned(_) | Observation::Complained(_) => "returned".to_owned(),
                Observation::Failed(signature) => match signature.kind {
                    Kind::Command => "exited with status 0".to_owned(),
                    Kind::Timeout => "exceeded the limit of time".to_owned(),
                    _ => format!("failed by {signature}"),
                },
                Observation::Unresolved => "said that it cannot tell".to_owned(),
                Observation::Lost => "was ended from outside".to_owned(),
            };
            *counts.entry(words).or_default() += count;
        }
        let words: Vec<String> = counts
            .into_iter()
            .map(|(words, count)| {
                if count == self.runs {
                    format!("{words} each time")
                } else {
                    match count {
                        1 => format!("{words} once"),
                        count => format!("{words} {count} times"),
                    }
                }
            })
            .collect();
        words.join(", ")
    }

    /// How often the input was run.
    pub fn runs(&self) -> u32 {
        self.runs
    }
}

impl fmt::Display for FirstRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {} times, it {}", self.runs, self.what_happened())
    }
}

impl Baseline {
    /// Whether the failure is that a run uses up time or memory.
    pub fn uses_up(&self) -> bool {
        matches!(self.signature.kind, Kind::Timeout | Kind::OutOfMemory)
    }

    /// Whether the failure is that a run doesn't end.
    pub fn is_hang(&self) -> bool {
        self.signature.kind == Kind::Timeout
    }

    /// Whether every run showed it.
    pub fn is_steady(&self) -> bool {
        self.shown == self.runs
    }

    /// How often a candidate has to be run; `None` where the failure is too rare to be sure.
    pub fn repeats(&self, repeat: Repeat) -> Option<Repeats> {
        match repeat {
            Repeat::Auto => Repeats::for_rate(self.shown, self.runs),
            Repeat::Times(times) => Some(Repeats::at_most(times)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::Verdict;
    use seedsmith_engine::internal::Budget;
    use seedsmith_engine::internal::NoFailureYet;

    fn runs_that_answer(mut answers: Vec<bool>) -> FirstRuns {
        let target = ClosureTarget::failing_if(move |_| answers.pop().unwrap_or(false));
        let mut oracle = Oracle::new(&target, NoFailureYet, 1, Budget::default()).unwrap();
        first_runs(&mut oracle, b"x", &Sameness::default(), Repeat::Auto).unwrap()
    }

    #[test]
    fn five_runs_that_agree_are_enough() {
        let first = runs_that_answer(vec![true; 5]);
        let baseline = first.baseline(&Sameness::default()).unwrap();
        assert_eq!((baseline.runs, baseline.repeats(Repeat::Auto)), (5, Some(Repeats::STEADY)));
        let first = runs_that_answer(vec![false; 5]);
        assert!(first.baseline(&Sameness::default()).is_none());
        assert_eq!((first.runs, first.what_happened().as_str()), (5, "returned each time"));
    }

    #[test]
    fn the_rate_of_an_unsteady_failure_is_measured_in_thirty_runs() {
        let answers = (0..30).map(|run| run % 2 == 0).collect();
        let baseline = runs_that_answer(answers).baseline(&Sameness::default()).unwrap();
        assert_eq!((baseline.shown, baseline.runs), (15, 30));
        assert_eq!(baseline.repeats(Repeat::Auto), Repeats::for_rate(15, 30));
        assert_eq!(baseline.repeats(Repeat::Times(9)), Some(Repeats::at_most(9)));
    }

    #[test]
    fn a_candidate_may_take_ten_times_as_long_as_the_input_and_no_less_than_a_moment() {
        let long = Limits::default();
        let first = |slowest| FirstRuns { runs: 5, slowest, ..FirstRuns::none() };
        assert_eq!(first(Duration::from_millis(1)).limits(long).cpu, MIN_TIME_LIMIT);
        assert_eq!(first(Duration::from_millis(70)).limits(long).cpu.as_millis(), 700);
        assert_eq!(first(Duration::from_secs(7)).limits(long), long);
    }

    #[test]
    fn few_long_runs_are_enough_if_they_agree() {
        let failed = |kind| (Observation::Failed(Arc::new(Signature::of_kind(kind))), 1);
        let returned = (Observation::Returned(Verdict::Keep), 1);
        let full = (failed(Kind::OutOfMemory).0, 2);
        for (seen, slowest, is_enough) in [
            (vec![full.clone()], 3000, true),
            (vec![full.clone()], 20, false),
            (vec![failed(Kind::OutOfMemory), returned.clone()], 3000, false),
            (vec![returned, failed(Kind::Timeout)], 10_000, true),
            (vec![(failed(Kind::Panic).0, 2)], 3000, false),
        ] {
            let slowest = Duration::from_millis(slowest);
            let first = FirstRuns { seen, runs: 2, slowest, ..FirstRuns::none() };
            assert_eq!(first.is_long_enough(), is_enough, "{first:?}");
        }
    }

    #[test]
    fn the_failure_that_shows_most_often_is_hunted() {
        let failed = |kind| Observation::Failed(Arc::new(Signature::of_kind(kind)));
        let seen = vec![
            (Observation::Returned(Verdict::Keep), 3),
            (failed(Kind::Abort), 1),
            (failed(Kind::Panic), 2),
        ];
        let baseline = FirstRuns { seen, runs: 6, ..FirstRuns::none() }
            .baseline(&Sameness::default())
            .unwrap();
        assert_eq!(baseline.signature.kind, Kind::Panic);
    }
}
