//! One fuzzer's repairs: the oracle, what has helped so far, and what a repair may cost.

use std::time::Duration;

use super::Validator;
use super::mend::{Change, Way};
use super::pace::{MOST_RUNS, Pace};
use crate::observation::{Observation, Verdict};
use crate::oracle::budget::Budget;
use crate::oracle::judge::Judge;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::reduce::random::Random;
use crate::target::closure::ClosureTarget;
use crate::target::linked::LinkedTarget;
use crate::target::{Limits, Target};

/// What may be given to libFuzzer passes: a valid input, or one that the validator fails on in any
/// other way than rejecting it, which is a finding. Nothing fails, so nothing is confirmed.
struct WorthRunning;

impl Judge for WorthRunning {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(Verdict::Keep) | Observation::Failed(_) => Outcome::Pass,
            Observation::Returned(Verdict::Reject) | Observation::Lost => Outcome::Unresolved,
        }
    }
}

/// A validator that takes longer is a hang: the mutant goes to libFuzzer as it is.
const HANG: Duration = Duration::from_secs(1);
/// Candidates of one way before the next one has its turn.
const MOST_OF_A_WAY: usize = 24;

/// How often a way was tried, and how often it helped, both decaying.
#[derive(Clone, Copy, Debug)]
struct Record {
    way: Way,
    runs: f64,
    repairs: f64,
}

impl Record {
    fn rate(&self) -> f64 {
        (self.repairs + 1.0) / (self.runs + 4.0)
    }
}

/// The repairs of one fuzzer.
pub struct Session {
    oracle: Option<Oracle<'static>>,
    share: f64,
    records: [Record; Way::ALL.len()],
    pace: Pace,
    repaired: Vec<u8>,
}

impl Session {
    /// Starts the worker. If that can't be done, says so and repairs nothing.
    pub fn new(validator: Validator, share: f64) -> Self {
        let share = std::env::var("SEEDSMITH_REPAIR_SHARE").map_or(share, |text| {
            text.parse().unwrap_or_else(|_| panic!("SEEDSMITH_REPAIR_SHARE={text} is no number"))
        });
        // For the life of the fuzzer: libFuzzer ends without dropping anything.
        let target: &'static dyn Target = match validator {
            Validator::Worker => match LinkedTarget::new("validator") {
                Ok(target) => Box::leak(Box::new(target)),
                Err(error) => return Self::without(share, &error),
            },
            Validator::InPlace(is_valid) => {
                Box::leak(Box::new(ClosureTarget::observing(move |bytes| {
                    Observation::Returned(if is_valid(bytes) {
                        Verdict::Keep
                    } else {
                        Verdict::Reject
                    })
                })))
            }
        };
        match Oracle::new(target, WorthRunning, 1, Budget::default()) {
            Ok(mut oracle) => {
                oracle.set_limits(Limits { cpu: HANG, wall: HANG * 3, ..Limits::default() });
                Session { oracle: Some(oracle), ..Self::idle(share) }
            }
            Err(error) => Self::without(share, &error),
        }
    }

    fn idle(share: f64) -> Self {
        Session {
            oracle: None,
            share,
            records: Way::ALL.map(|way| Record { way, runs: 0.0, repairs: 0.0 }),
            pace: Pace::new(),
            repaired: Vec::new(),
        }
    }

    fn without(share: f64, error: &dyn std::error::Error) -> Self {
        eprintln!("seedsmith: mutants are not repaired: {error}");
        Self::idle(share)
    }

    /// What to run instead of `mutant`; `None` if that is to be run as it is: it is valid, it
    /// belongs to the share that stays broken, or nothing was found within the budget.
    pub fn repaired(
        &mut self,
        parent: &[u8],
        mutant: &[u8],
        max_size: usize,
        seed: u32,
    ) -> Option<&[u8]> {
        let mut random = Random::new(u64::from(seed));
        let draw = random.next_number() as f64 / u64::MAX as f64;
        let oracle = self.oracle.as_mut()?;
        if draw >= self.share {
            return None;
        }
        self.pace.enter();
        let allowance = self.pace.allowance();
        let found = if allowance.is_zero() {
            Ok(None)
        } else {
            oracle.set_budget(Budget {
                max_tests: Some(MOST_RUNS),
                max_time: Some(allowance),
                ..Budget::default()
            });
            repair(oracle, &mut self.records, parent, mutant, max_size)
        };
        self.pace.leave();
        match found {
            Ok(Some(candidate)) => {
                self.repaired = candidate;
                Some(&self.repaired)
            }
            Ok(None) | Err(Stopped::Early(_)) => None,
            Err(Stopped::Target(error)) => {
                eprintln!("seedsmith: from here on mutants are not repaired: {error}");
                self.oracle = None;
                None
            }
        }
    }
}

fn repair(
    oracle: &mut Oracle<'static>,
    records: &mut [Record],
    parent: &[u8],
    mutant: &[u8],
    max_size: usize,
) -> Result<Option<Vec<u8>>, Stopped> {
    let Some(change) = Change::between(parent, mutant) else { return Ok(None) };
    // A mutant that crashes the validator passes here: libFuzzer will find that.
    if oracle.outcome(mutant)? == Outcome::Pass {
        return Ok(None);
    }
    records.sort_by(|left, right| right.rate().total_cmp(&left.rate()));
    for record in records {
        let candidates = change.candidates(record.way, MOST_OF_A_WAY);
        let mut next = candidates.into_iter().filter(|candidate| candidate.len() <= max_size);
        let before = oracle.counts().tests;
        let answer = oracle.first(Outcome::Pass, &mut |buffer: &mut Vec<u8>| {
            *buffer = next.next()?;
            Some(())
        });
        record.runs = record.runs * 0.99 + (oracle.counts().tests - before) as f64;
        record.repairs *= 0.99;
        if let Some(((), candidate)) = answer? {
            record.repairs += 1.0;
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}
