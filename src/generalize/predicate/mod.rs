//! The condition under which an input fails, in one sentence: what a pattern of places cannot say.
//!
//! ```text
//! inputs that the search has tested -+-> features -> learn -> predicate
//!                  mutants, both sides +                          |
//!                        ^---------------------------------------+   until new ones agree
//! ```
//!
//! As Alhazen and Avicenna do it: features of parsed inputs ([`feature`]), the simplest condition
//! that tells failing from passing ones ([`mod@learn`]), and further inputs near its boundary, until
//! these agree. What is reported was measured on inputs that came after the last learning.

pub mod condition;
pub mod feature;
pub mod learn;
pub(super) mod mutants;

use std::collections::HashSet;

use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::outcome::Outcome;
use seedsmith_grammar::digest::Digest;

use super::pattern::Pattern;
use super::prober::Prober;
use super::speaker::Speaker;
use feature::{Features, features};
use learn::{Predicate, Sample, learn};
use mutants::Mutants;

/// Inputs that the search has tested that are learnt from, failing and passing.
const MOST_KNOWN: usize = 120;
/// Mutants of one round.
const ROUND: usize = 32;
/// Rounds at most.
const MOST_ROUNDS: usize = 8;
/// Rounds after which it is given up if no predicate agrees with what was seen.
const HOPELESS: usize = 3;
/// Rounds in a row that agree before it is measured.
const AGREEING: usize = 2;
/// Mutants that the measurement is made on.
const FRESH: usize = 100;
/// Failing and passing inputs that a measurement has at least.
const LEAST_FRESH: u64 = 5;
/// Of a hundred fresh inputs so many agree at least, or nothing is said.
const LEAST_AGREEING: u64 = 98;

/// A predicate, and how it did on inputs that it wasn't learnt from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The condition.
    pub predicate: Predicate,
    /// Fresh inputs that meet it and fail.
    pub hits: u64,
    /// Fresh inputs that meet it and pass.
    pub false_alarms: u64,
    /// Fresh inputs that don't meet it and fail.
    pub misses: u64,
    /// Fresh inputs that don't meet it and pass.
    pub quiet: u64,
}

impl Measured {
    /// Of the inputs that meet the condition, the share that fails.
    pub fn precision(&self) -> f64 {
        self.hits as f64 / (self.hits + self.false_alarms).max(1) as f64
    }

    /// Of the inputs that fail, the share that meets the condition.
    pub fn recall(&self) -> f64 {
        self.hits as f64 / (self.hits + self.misses).max(1) as f64
    }

    /// Fresh inputs in all.
    pub fn draws(&self) -> u64 {
        self.hits + self.false_alarms + self.misses + self.quiet
    }

    /// Fresh inputs for which it says what happens.
    pub fn agreeing(&self) -> u64 {
        self.hits + self.quiet
    }

    fn count(&mut self, (features, fails): &Sample) {
        match (self.predicate.holds(features), fails) {
            (true, true) => self.hits += 1,
            (true, false) => self.false_alarms += 1,
            (false, true) => self.misses += 1,
            (false, false) => self.quiet += 1,
        }
    }
}

/// The condition under which inputs of the pattern's grammar fail; nothing where there is no
/// grammar, where none is simple enough, or where fresh inputs don't agree with it. Cost: at most
/// 356 tests.
pub fn explain(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
    seed: u64,
) -> Result<Option<Measured>, Stopped> {
    let Some(language) = prober.subject.language.clone() else { return Ok(None) };
    let mut samples = Samples { language, seen: HashSet::new(), all: Vec::new() };
    samples.add_known(&prober.told);
    let mut mutants = Mutants::new(pattern, &samples.failing_inputs(&prober.told), seed);
    let mut learnt = learn(&samples.all);
    let mut agreeing = 0;
    for round in 0..MOST_ROUNDS {
        let is_hopeless = learnt.is_none() && round >= HOPELESS;
        if agreeing >= AGREEING || is_hopeless {
            break;
        }
        let from = samples.all.len();
        samples.add_mutants(prober, &mut mutants, ROUND)?;
        let agrees = |predicate: &Predicate| {
            samples.all[from..].iter().all(|(features, fails)| predicate.holds(features) == *fails)
        };
        if learnt.as_ref().is_some_and(agrees) {
            agreeing += 1;
        } else {
            agreeing = 0;
            learnt = learn(&samples.all);
        }
    }
    let Some(predicate) = learnt.filter(|_| agreeing > 0) else { return Ok(None) };
    let from = samples.all.len();
    samples.add_mutants(prober, &mut mutants, FRESH)?;
    let mut measured = Measured { predicate, hits: 0, false_alarms: 0, misses: 0, quiet: 0 };
    samples.all[from..].iter().for_each(|sample| measured.count(sample));
    let failing = measured.hits + measured.misses;
    let has_both = failing.min(measured.draws() - failing) >= LEAST_FRESH;
    let is_right = measured.agreeing() * 100 >= measured.draws() * LEAST_AGREEING;
    Ok(Some(measured).filter(|_| has_both && is_right))
}

/// Inputs that are learnt from, each once.
struct Samples {
    language: Speaker,
    seen: HashSet<Digest>,
    all: Vec<Sample>,
}

impl Samples {
    /// The features of an input that is in the language and new.
    fn features(&mut self, input: &[u8]) -> Option<Features> {
        if !self.seen.insert(Digest::of(input)) {
            return None;
        }
        match self.language.read(input) {
            Ok((tree, None)) => Some(features(&tree, input, &self.language)),
            _ => None,
        }
    }

    /// Takes in what the search has tested, as many failing as passing inputs at most.
    fn add_known(&mut self, told: &[(Vec<u8>, bool)]) {
        let mut left = [MOST_KNOWN, MOST_KNOWN];
        for (input, fails) in told {
            let left = &mut left[usize::from(*fails)];
            if *left > 0
                && let Some(features) = self.features(input)
            {
                *left -= 1;
                self.all.push((features, *fails));
            }
        }
    }

    /// A few failing inputs that were tested, to make mutants of.
    fn failing_inputs(&self, told: &[(Vec<u8>, bool)]) -> Vec<Vec<u8>> {
        let failing = told.iter().filter(|(_, fails)| *fails).map(|(input, _)| input);
        failing.filter(|input| input.len() < 400).rev().take(6).cloned().collect()
    }

    /// Tests `count` mutants that are new, and takes in those that pass or fail.
    fn add_mutants(
        &mut self,
        prober: &mut Prober<'_, '_>,
        mutants: &mut Mutants,
        count: usize,
    ) -> Result<(), Stopped> {
        let mut made = 0;
        for _ in 0..count * 4 {
            if made == count {
                break;
            }
            let Some(input) = mutants.next() else { continue };
            let Some(features) = self.features(&input) else { continue };
            made += 1;
            match prober.oracle.outcome(&input)? {
                Outcome::Fail => {
                    mutants.keep(&input);
                    self.all.push((features, true));
                }
                Outcome::Pass => self.all.push((features, false)),
                Outcome::Unresolved => {}
            }
        }
        Ok(())
    }
}
