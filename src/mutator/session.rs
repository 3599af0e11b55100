//! One fuzzer's repairs: who validates, what is known of parents, what has helped so far, and what
//! a repair may cost.

use std::time::Duration;

use super::Validator;
use super::mend::{Change, Way};
use super::pace::{MOST_RUNS, Pace};
use crate::digest::{Digest, NumberMap};
use crate::observation::{Observation, Verdict};
use crate::oracle::budget::Budget;
use crate::oracle::judge::Judge;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::reduce::random::Random;
use crate::repair::validate::{ByOracle, InPlace, Validate};
use crate::repair::{self, Options, Strategy};
use crate::target::linked::LinkedTarget;
use crate::target::{Limits, TargetError};

/// Valid inputs pass. Nothing fails, so nothing is confirmed; what ends otherwise is by-catch.
struct IsKept;

impl Judge for IsKept {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(Verdict::Keep) => Outcome::Pass,
            _ => Outcome::Unresolved,
        }
    }
}

/// Who is asked.
enum Asked {
    Worker(Box<Oracle<'static>>),
    InPlace(InPlace<fn(&[u8]) -> bool>),
}

impl Asked {
    fn new(validator: Validator) -> Result<Self, TargetError> {
        Ok(match validator {
            Validator::Worker => {
                // For the life of the fuzzer: libFuzzer ends without dropping anything.
                let target = Box::leak(Box::new(LinkedTarget::new("validator")?));
                let mut oracle = Oracle::new(target, IsKept, 1, Budget::default())?;
                oracle.set_limits(Limits { cpu: HANG, wall: HANG * 3, ..Limits::default() });
                Asked::Worker(Box::new(oracle))
            }
            Validator::InPlace(is_valid) => {
                Asked::InPlace(InPlace::new(is_valid, Budget::default()))
            }
        })
    }

    /// Asks within a budget; of a candidate that crashed or hung on the way, tells its bytes.
    fn ask<R>(
        &mut self,
        budget: Budget,
        question: impl FnOnce(&mut dyn Validate) -> R,
    ) -> (R, Option<Vec<u8>>) {
        match self {
            Asked::Worker(oracle) => {
                oracle.begin_anew(budget);
                let answer = question(&mut ByOracle::new(oracle, false));
                (answer, oracle.by_catch().first().map(|caught| caught.input.clone()))
            }
            Asked::InPlace(validator) => {
                validator.begin_anew(budget);
                (question(validator), None)
            }
        }
    }
}

/// A validator that takes longer is a hang: the mutant goes to libFuzzer as it is.
const HANG: Duration = Duration::from_secs(1);
/// Candidates of one way before the next one has its turn.
const MOST_OF_A_WAY: usize = 24;
/// What making an input of the corpus valid may cost, once.
const PARENTS_RUNS: u64 = 2_000;
const PARENTS_TIME: Duration = Duration::from_millis(10);
/// Parents that are remembered.
const MOST_PARENTS: usize = 16_384;
/// Valid inputs that the likelihood of an edit is learnt from.
const LEARNT_FROM: usize = 256;

/// What is known of an input that libFuzzer mutates.
enum Parent {
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    Hopeless,
}

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

/// What is to be mutated.
#[derive(Debug, PartialEq, Eq)]
pub enum Start<'p> {
    /// The parent as it is; what becomes of it stays as it is too.
    AsItIs,
    /// The parent, and the mutant is to be valid as well.
    FromParent,
    /// What the parent was repaired to, and the mutant is to be valid as well.
    From(&'p [u8]),
    /// Nothing: this is to be run at once, because the validator fails on it.
    Finding(Vec<u8>),
}

/// The repairs of one fuzzer.
pub struct Session {
    asked: Option<Asked>,
    share: f64,
    parents: NumberMap<u128, Parent>,
    options: Options,
    learnt: usize,
    records: [Record; Way::ALL.len()],
    pace: Pace,
}

impl Session {
    /// Starts the worker. If that can't be done, says so and repairs nothing.
    pub fn new(validator: Validator, share: f64) -> Self {
        let share = std::env::var("SEEDSMITH_REPAIR_SHARE").map_or(share, |text| {
            text.parse().unwrap_or_else(|_| panic!("SEEDSMITH_REPAIR_SHARE={text} is no number"))
        });
        let asked = match Asked::new(validator) {
            Ok(asked) => Some(asked),
            Err(error) => {
                eprintln!("seedsmith: mutants are not repaired: {error}");
                None
            }
        };
        Session {
            asked,
            share,
            parents: NumberMap::default(),
            options: Options { strategy: Strategy::Auto, ..Options::default() },
            learnt: 0,
            records: Way::ALL.map(|way| Record { way, runs: 0.0, repairs: 0.0 }),
            pace: Pace::new(),
        }
    }

    /// Decides whether this mutant is to be valid, and from what it is made.
    pub fn start(&mut self, parent: &[u8], max_size: usize, seed: u32) -> Start<'_> {
        let mut random = Random::new(u64::from(seed));
        let draw = random.next_number() as f64 / u64::MAX as f64;
        if self.asked.is_none() || draw >= self.share {
            return Start::AsItIs;
        }
        let digest = Digest::of(parent).0;
        if !self.parents.contains_key(&digest) {
            if self.parents.len() >= MOST_PARENTS {
                self.parents.clear();
            }
            self.pace.enter();
            let known = self.look_at(parent, max_size);
            self.pace.leave();
            match known {
                Ok(known) => self.parents.insert(digest, known),
                Err(finding) => return Start::Finding(finding),
            };
        }
        match self.parents.get(&digest) {
            Some(Parent::Valid) => Start::FromParent,
            Some(Parent::Repaired(text)) => Start::From(text),
            Some(Parent::Hopeless) | None => Start::AsItIs,
        }
    }

    /// Makes a parent valid if it isn't. An error is an input that the validator fails on.
    fn look_at(&mut self, parent: &[u8], max_size: usize) -> Result<Parent, Vec<u8>> {
        let Some(asked) = &mut self.asked else { return Ok(Parent::Hopeless) };
        let budget = Budget {
            max_tests: Some(PARENTS_RUNS),
            max_time: Some(PARENTS_TIME),
            ..Budget::default()
        };
        let options = &self.options;
        let (repaired, finding) =
            asked.ask(budget, |validator| repair::repair(validator, parent, options));
        // The parent itself has been run by libFuzzer.
        if let Some(finding) = finding
            && finding != parent
        {
            return Err(finding);
        }
        let known = match repaired {
            Ok(repaired) if repaired.was_valid => Parent::Valid,
            Ok(repaired) => match repaired.text {
                Some(text) if !text.is_empty() && text.len() <= max_size => Parent::Repaired(text),
                _ => Parent::Hopeless,
            },
            Err(error) => {
                self.give_up(&error);
                Parent::Hopeless
            }
        };
        let valid = match &known {
            Parent::Valid => parent,
            Parent::Repaired(text) => text,
            Parent::Hopeless => return Ok(known),
        };
        if self.learnt < LEARNT_FROM {
            self.learnt += 1;
            self.options.learnt.learn(valid);
        }
        Ok(known)
    }

    fn give_up(&mut self, error: &dyn std::error::Error) {
        eprintln!("seedsmith: from here on mutants are not repaired: {error}");
        self.asked = None;
    }

    /// What to run instead of `mutant`; `None` if that is to be run as it is: it is valid, or
    /// nothing was found within the budget. What the validator fails on is to be run.
    pub fn repaired(
        &mut self,
        parent: &[u8],
        mutant: &[u8],
        max_size: usize,
    ) -> Option<Vec<u8>> {
        let change = Change::between(parent, mutant)?;
        self.pace.enter();
        let allowance = self.pace.allowance();
        let found = if allowance.is_zero() {
            Ok(None)
        } else {
            self.search(&change, mutant, max_size, allowance)
        };
        self.pace.leave();
        found.unwrap_or_else(|stopped| {
            if let Stopped::Target(error) = stopped {
                self.give_up(&error);
            }
            None
        })
    }

    /// Tests the mutant and what it could be mended to, in one stream: the worker goes from one to
    /// the next without waiting for this process.
    fn search(
        &mut self,
        change: &Change<'_>,
        mutant: &[u8],
        max_size: usize,
        allowance: Duration,
    ) -> Result<Option<Vec<u8>>, Stopped> {
        let Some(asked) = &mut self.asked else { return Ok(None) };
        self.records.sort_by(|left, right| right.rate().total_cmp(&left.rate()));
        let budget = Budget {
            max_tests: Some(MOST_RUNS),
            max_time: Some(allowance),
            ..Budget::default()
        };
        let ways = self.records.map(|record| record.way);
        // Which way each proposed candidate is of; the first is the mutant's own.
        let mut made: Vec<Option<usize>> = Vec::new();
        let mut candidates = ways.iter().enumerate().flat_map(|(index, way)| {
            change.candidates(*way, MOST_OF_A_WAY).into_iter().map(move |text| (index, text))
        });
        let (answer, finding) = asked.ask(budget, |validator| {
            validator.first_valid(&mut |buffer| {
                if made.is_empty() {
                    made.push(None);
                    buffer.extend_from_slice(mutant);
                    return true;
                }
                for (index, text) in candidates.by_ref() {
                    if text.len() <= max_size {
                        made.push(Some(index));
                        buffer.extend_from_slice(&text);
                        return true;
                    }
                }
                false
            })
        });
        if finding.is_some() {
            return Ok(finding);
        }
        let answer = match answer {
            Err(Stopped::Early(_)) => None,
            other => other?,
        };
        if let Some((0, _)) = answer {
            return Ok(None);
        }
        let tried = answer.as_ref().map_or(made.len(), |(index, _)| index + 1);
        for way in made[..tried.min(made.len())].iter().flatten() {
            self.records[*way].runs += 1.0;
        }
        for record in &mut self.records {
            record.runs *= 0.998;
            record.repairs *= 0.998;
        }
        Ok(answer.map(|(index, candidate)| {
            if let Some(way) = made[index] {
                self.records[way].repairs += 1.0;
            }
            candidate
        }))
    }
}
