//! One fuzzer's repairs: who validates, what is known of parents, what has helped so far, and what
//! a repair may cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Validator;
use super::length::Length;
use super::mend::{Change, Patch, Way};
use super::odds::Odds;
use super::pace::{MOST_TIME, Maker, Pace};
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
/// What making an input of the corpus valid may cost, once.
const PARENTS_RUNS: u64 = 2_000;
const PARENTS_TIME: Duration = Duration::from_millis(10);
/// Parents that are remembered.
const MOST_PARENTS: usize = 16_384;
/// Valid inputs that the likelihood of an edit is learnt from.
const LEARNT_FROM: usize = 256;

/// With less time than this an input of the corpus is not mended.
const ENOUGH_FOR_A_PARENT: Duration = Duration::from_millis(2);
/// An input that is not mended in so many visits is not tried again.
const VISITS: u8 = 3;

/// What is known of an input that libFuzzer mutates.
enum Parent {
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    /// Visited that often in vain.
    Broken(u8),
}

/// What is to be mutated.
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

/// What became of a mutant.
pub enum Mended {
    /// It is valid as it is.
    IsValid,
    /// This is valid.
    By(Vec<u8>),
    /// The validator fails on this: a finding.
    Finding(Vec<u8>),
    /// Nothing was found within the budget.
    StaysBroken,
}

/// The repairs of one fuzzer.
pub struct Session {
    asked: Option<Asked>,
    share: f64,
    parents: NumberMap<u128, Parent>,
    /// The valid text that was seen last: what the last mutant was made of, or that itself.
    valid: Vec<u8>,
    /// Whether what was handed to libFuzzer last is valid, as far as is known. It mutates a mutant
    /// a few times in a row.
    handed_valid: bool,
    options: Options,
    learnt: usize,
    odds: Odds,
    pace: Pace,
    length: Length,
    limit: usize,
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
            valid: Vec::new(),
            handed_valid: false,
            options: Options { strategy: Strategy::Auto, ..Options::default() },
            learnt: 0,
            odds: Odds::new(),
            pace: Pace::new(),
            length: Length::new(),
            limit: 0,
        }
    }

    /// How long libFuzzer's own mutator may make what is mutated now.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Decides whether this mutant is to be valid, and from what it is made.
    pub fn start(&mut self, parent: &[u8], max_size: usize, seed: u32) -> Start<'_> {
        let digest = Digest::of(parent).0;
        let is_in_a_row = self.pace.latest() == Some(digest);
        let is_new = self.pace.enter(digest);
        self.limit = self.length.limit(parent.len(), is_new, max_size);
        let mut random = Random::new(u64::from(seed));
        let draw = random.next_number() as f64 / u64::MAX as f64;
        // Who wants each mutant repaired gets that, whether it pays or not.
        let share = if self.share < 1.0 { self.share.min(self.pace.share()) } else { 1.0 };
        if self.asked.is_none() || draw >= share {
            return Start::AsItIs;
        }
        if is_in_a_row {
            // Not worth a repair of its own: its last valid ancestor is mutated again.
            return match self.handed_valid {
                true => Start::FromParent,
                false => self.last_valid(max_size),
            };
        }
        let visits = match self.parents.get(&digest) {
            Some(Parent::Broken(visits)) => *visits,
            Some(_) => VISITS,
            None => 0,
        };
        if visits < VISITS {
            let known = self.look_at(parent, visits, max_size);
            if self.parents.len() >= MOST_PARENTS {
                self.parents.clear();
            }
            match known {
                Ok(known) => self.parents.insert(digest, known),
                Err(finding) => return Start::Finding(finding),
            };
        }
        match self.parents.get(&digest) {
            Some(Parent::Valid) => {
                self.valid.clear();
                self.valid.extend_from_slice(parent);
                Start::FromParent
            }
            Some(Parent::Repaired(text)) => {
                self.valid.clone_from(text);
                Start::From(&self.valid)
            }
            Some(Parent::Broken(_)) | None => self.last_valid(max_size),
        }
    }

    fn last_valid(&self, max_size: usize) -> Start<'_> {
        if self.valid.is_empty() || self.valid.len() > max_size {
            Start::AsItIs
        } else {
            Start::From(&self.valid)
        }
    }

    /// Takes down what libFuzzer gets, and who made it.
    pub fn hand(&mut self, mutant: &[u8], maker: Maker, is_valid: bool) {
        self.pace.hand(Digest::of(mutant).0, maker);
        self.handed_valid = is_valid;
        if is_valid {
            self.valid.clear();
            self.valid.extend_from_slice(mutant);
        }
    }

    /// Makes a parent valid if it isn't. An error is an input that the validator fails on.
    fn look_at(&mut self, parent: &[u8], visits: u8, max_size: usize) -> Result<Parent, Vec<u8>> {
        let Some(asked) = &mut self.asked else { return Ok(Parent::Broken(VISITS)) };
        let began = Instant::now();
        let may_take = self.pace.for_a_parent();
        let budget = Budget {
            max_tests: Some(PARENTS_RUNS),
            max_time: Some(PARENTS_TIME.min(may_take.max(ENOUGH_FOR_A_PARENT))),
            ..Budget::default()
        };
        // Whether it is valid is always asked; to mend it takes time that was saved up.
        let may_mend = may_take >= ENOUGH_FOR_A_PARENT;
        let options = &self.options;
        let (text, finding) = asked.ask(budget, |validator| {
            if validator.is_valid(parent)? {
                return Ok(Some(parent.to_vec()));
            }
            if !may_mend {
                return Ok(None);
            }
            Ok(repair::repair(validator, parent, options)?.text)
        });
        if may_mend {
            self.pace.spend_on_a_parent(began);
        }
        // The parent itself has been run by libFuzzer.
        if let Some(finding) = finding
            && finding != parent
            && finding.len() <= max_size
        {
            return Err(finding);
        }
        let text = match text {
            Ok(text) => text.filter(|text| !text.is_empty() && text.len() <= max_size),
            Err(Stopped::Early(_)) => None,
            Err(error) => {
                self.give_up(&error);
                return Ok(Parent::Broken(VISITS));
            }
        };
        let Some(text) = text else { return Ok(Parent::Broken(visits + u8::from(may_mend))) };
        if self.learnt < LEARNT_FROM {
            self.learnt += 1;
            Arc::make_mut(&mut self.options.learnt).learn(&text);
        }
        Ok(if text == parent { Parent::Valid } else { Parent::Repaired(text) })
    }

    fn give_up(&mut self, error: &dyn std::error::Error) {
        eprintln!("seedsmith: from here on mutants are not repaired: {error}");
        self.asked = None;
    }

    /// What became of `mutant` within the budget.
    pub fn mend(&mut self, parent: &[u8], mutant: &[u8], max_size: usize) -> Mended {
        let Some(change) = Change::between(parent, mutant) else { return Mended::IsValid };
        let found = self.search(&change, mutant, max_size);
        found.unwrap_or_else(|stopped| {
            if let Stopped::Target(error) = stopped {
                self.give_up(&error);
            }
            Mended::StaysBroken
        })
    }

    /// Tests the mutant and what it could be mended to, in one stream: the worker goes from one to
    /// the next without waiting for this process.
    fn search(
        &mut self,
        change: &Change<'_>,
        mutant: &[u8],
        max_size: usize,
    ) -> Result<Mended, Stopped> {
        let Some(asked) = &mut self.asked else { return Ok(Mended::StaysBroken) };
        // The mutant itself is one.
        let most = self.odds.most() + 1;
        let budget =
            Budget { max_tests: Some(most), max_time: Some(MOST_TIME), ..Budget::default() };
        let mut lists: [Option<Vec<Patch>>; Way::ALL.len()] = Default::default();
        let mut places = self.odds.places().iter().enumerate();
        let mut is_first = true;
        // Which place each proposed candidate is of.
        let mut made: Vec<usize> = Vec::new();
        let (answer, finding) = asked.ask(budget, |validator| {
            validator.first_valid(&mut |buffer| {
                if std::mem::take(&mut is_first) {
                    buffer.extend_from_slice(mutant);
                    return true;
                }
                // What is beyond the budget need not be made.
                if made.len() as u64 >= most {
                    return false;
                }
                for (number, place) in places.by_ref() {
                    let list = &mut lists[place.way as usize];
                    let list = list.get_or_insert_with(|| change.candidates(place.way));
                    if let Some(patch) = list.get(place.index)
                        && change.length(patch) <= max_size
                    {
                        made.push(number);
                        change.write(patch, buffer);
                        return true;
                    }
                }
                false
            })
        });
        if let Some(finding) = finding {
            return Ok(Mended::Finding(finding));
        }
        let answer = match answer {
            Err(Stopped::Early(_)) => None,
            other => other?,
        };
        if let Some((0, _)) = answer {
            return Ok(Mended::IsValid);
        }
        // The first of the stream was the mutant.
        let tried = answer.as_ref().map_or(made.len(), |(index, _)| *index);
        self.odds.tell(&made[..tried.min(made.len())], answer.is_some());
        Ok(answer.map_or(Mended::StaysBroken, |(_, candidate)| Mended::By(candidate)))
    }
}
