//! The measurement of a condition, and the conditions that take its place if inputs refute it.
//!
//! It makes inputs against a condition, inputs that decide between it and others, and mutants, and counts for how many the
//! condition is right.

use seedsmith_engine::Stopped;

use super::condition;
use super::inputs::against::Adversary;
use super::inputs::boundary;
use super::inputs::mutants::Mutants;
use super::inputs::samples::Samples;
use super::learn::{Predicate, learn, learn_either, nearest, rivals};
use super::measured::Measured;
use super::read::may_close;
use super::term::BODY;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::prober::Prober;

/// Mutants that a measurement is made on, so that its result is a percentage.
const MEASURED_INPUTS: usize = 100;
/// Inputs of a measurement that are made against the condition: a third of the mutants, so that these and those that decide
/// between conditions take about as many tests as one round more.
const TESTS_AGAINST: usize = 32;
/// Those that are made after it, where tests are left: six times as many, because the input that refutes a condition is rare by then.
const MAX_TESTS_AT_LAST: usize = 192;
/// Tests that a measurement takes beside its own: 24 to close in on bounds, and up to 16 of exchanges and other words. They are kept, because a
/// condition that came of the last inputs had one test too few without them.
const TESTS_BESIDE_A_MEASUREMENT: usize = 40;
/// Tests that have refuted nothing before rivals are decided between once more, because half as many are too few to decide between them.
const MIN_TESTS_TO_CHALLENGE_AT_LAST: usize = 64;
/// Inputs of a measurement of which other conditions say something else: each decides about dozens of conditions, so that the
/// planted causes of tests/causes/eighth rarely had 32.
const TESTS_TO_CHALLENGE: usize = 32;
/// Tests of a search with all inputs of its rounds and of two measurements. With fewer left it makes do with fewer inputs.
const TESTS_OF_FULL_EFFORT: usize = 450;
/// How often a condition is measured: a target may reject most inputs, and a measurement may refute the condition and
/// show another one. Not measured.
const MAX_MEASUREMENTS: usize = 6;
/// How often two conditions are looked for of which one is enough: each time takes seconds, and those that come of the same
/// inputs after two were refuted are guesses. Not measured.
pub(super) const MAX_EITHERS: usize = 2;
/// How often bounds are closed in on: once for those that were learnt, and once for those that came of it.
const MAX_CLOSINGS: usize = 2;
/// Inputs that pass although a condition holds for them, if it is otherwise right without the part that excludes them: one
/// that the target refuses without saying so.
const MAX_ODD_INPUTS: usize = 1;
/// Conditions with the words that all inputs have: a reader takes in three at once.
const MAX_CONDITIONS_WITH_WORDS: usize = 3;
/// Words in a required text that a condition names beside its own parts: two, because a key may have a point or a hyphen in it.
const MAX_WORDS_OF_REQUIRED: usize = 2;
/// Inputs that are drawn in search of one that needs a part of a condition: if one in four needed it, sixteen without one
/// would have a chance of 1 %.
const TESTS_TO_SHORTEN: usize = 16;
/// Inputs that only one of several conditions holds for of which one is enough: if one in eight passed, twenty without one
/// would have a chance of 7 %.
const TESTS_OF_ONE_ALONE: usize = 20;
/// Mutants that a condition is measured on at least which is called exact: with fewer, one input in twenty that refutes it
/// would be missed more often than in one case of twenty. Where the limit on tests leaves less, none is called so.
const MIN_MEASURED_INPUTS: usize = 60;
/// Mutants of the kind of which a measurement had too few: more than it needs, because a target rejects some. Not measured.
const MAX_RARE_INPUTS: usize = 8;
/// Mutants that a condition is measured on that is not exact: enough for a percentage to about 6.
const INPUTS_FOR_NEAREST: usize = 60;
/// Mutants that are left for it, however many tests there were.
const MIN_INPUTS_FOR_NEAREST: usize = 24;

/// What a condition is measured with.
pub(super) struct Tools {
    pub samples: Samples,
    pub mutants: Mutants,
    pub adversary: Adversary,
    pub required: Vec<String>,
    pub effort: Effort,
    /// The last answer of learning, and from how many inputs it came.
    pub learnt: Option<(usize, Option<Predicate>)>,
    /// How often two conditions may still be looked for of which one is enough.
    pub eithers_left: usize,
}

/// Whether a round and a measurement have fewer inputs, because few tests are left: else the limit would end the search
/// without a condition.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    is_low: bool,
}

impl Effort {
    /// That of the tests that are left.
    pub(super) fn of_budget(prober: &Prober<'_, '_>) -> Self {
        Effort { is_low: prober.tests_left() < TESTS_OF_FULL_EFFORT }
    }

    /// A number of tests, or three fifths of it.
    pub(super) fn of(self, tests: usize) -> usize {
        if self.is_low { tests * 3 / 5 } else { tests }
    }
}

impl Tools {
    /// The condition with its measurement, if one is exact; else the nearest one, if it is seldom wrong.
    pub(super) fn condition(
        mut self,
        prober: &mut Prober<'_, '_>,
        predicate: Option<Predicate>,
    ) -> Result<Option<Measured>, Stopped> {
        if let Some(predicate) = predicate.or_else(|| self.learnt())
            && let Some(measured) = self.measured(prober, predicate)?
        {
            return Ok(Some(measured));
        }
        self.nearest(prober)
    }

    /// The condition that agrees with all tested inputs.
    ///
    /// Learning takes up to seconds, so the answer is kept until there are more inputs.
    fn learnt(&mut self) -> Option<Predicate> {
        let inputs = self.samples.all.len();
        if self.learnt.as_ref().is_none_or(|(known, _)| *known != inputs) {
            let mut predicate = learn(self.samples.table(), &self.required);
            if predicate.is_none() && self.eithers_left > 0 {
                self.eithers_left -= 1;
                predicate = learn_either(self.samples.table(), &self.required);
            }
            self.learnt = Some((inputs, predicate));
        }
        self.learnt.as_ref().and_then(|(_, predicate)| predicate.clone())
    }

    /// The condition that is wrong about the fewest tested inputs, measured on further ones; on all, if none of the further ones shows that it is
    /// not exact, or too few of them fail or pass. It is exact if it is right about all.
    ///
    /// Nothing if it is wrong about too many of these.
    fn nearest(&mut self, prober: &mut Prober<'_, '_>) -> Result<Option<Measured>, Stopped> {
        let tests = prober.tests_left().min(INPUTS_FOR_NEAREST);
        if tests < MIN_INPUTS_FOR_NEAREST {
            return Ok(None);
        }
        let Some(predicate) = nearest(self.samples.table(), &self.required) else {
            return Ok(None);
        };
        let known = self.samples.all.len();
        self.samples.add_mutants(prober, &mut self.mutants, tests, &[])?;
        let mut fresh = Measured::none(predicate.clone());
        self.samples.count_from(known, &mut fresh);
        // The target rejects some of them.
        let missing = (MIN_MEASURED_INPUTS as u64).saturating_sub(fresh.draws()) as usize;
        if fresh.is_exact() && missing > 0 {
            let more = (2 * missing).min(prober.tests_left());
            let known = self.samples.all.len();
            self.samples.add_mutants(prober, &mut self.mutants, more, &[])?;
            self.samples.count_from(known, &mut fresh);
        }
        if !fresh.is_exact() && fresh.has_both() {
            return Ok(Some(fresh).filter(Measured::is_near));
        }
        // The inputs that it is wrong about came before, or enough of each kind.
        let mut all = Measured::none(predicate.clone());
        self.samples.count_from(0, &mut all);
        if !all.is_exact() {
            return Ok(Some(all).filter(Measured::is_near));
        }
        // Other conditions were measured, and no tests were left for this one but these.
        let is_told = fresh.is_exact()
            && fresh.draws() >= MIN_MEASURED_INPUTS as u64
            && self.samples.agree(&predicate)
            && self.samples.decide(&predicate);
        let predicate = self.with_untested_words(prober, predicate);
        Ok(is_told.then_some(Measured { predicate, ..fresh }))
    }

    /// The condition with its measurement, or another one that came of the inputs that refuted it.
    ///
    /// Nothing if no condition is left that agrees with all inputs.
    fn measured(
        &mut self,
        prober: &mut Prober<'_, '_>,
        mut predicate: Predicate,
    ) -> Result<Option<Measured>, Stopped> {
        let mut measured: Option<Measured> = None;
        for _ in 0..MAX_MEASUREMENTS {
            if prober.tests_left() < self.tests_of_measurement() {
                return Ok(None);
            }
            if measured.is_none() {
                let Some(sharper) = self.sharpened(prober, predicate)? else { return Ok(None) };
                predicate = sharper;
            }
            let mut counted = measured.take().unwrap_or_else(|| Measured::none(predicate.clone()));
            let known = self.samples.all.len();
            let samples = &mut self.samples;
            // Where few tests are left, more of them are for the measurement, without which there is no condition.
            let spare = prober.tests_left().saturating_sub(MIN_MEASURED_INPUTS);
            let tests = self.effort.of(TESTS_AGAINST).min(spare / 2);
            let mut refuted = self.adversary.refute(prober, samples, &predicate, tests)?;
            if refuted == 0 {
                let rivals = rivals(samples.table(), &self.required, &predicate);
                let spare = prober.tests_left().saturating_sub(MIN_MEASURED_INPUTS);
                let tests = self.effort.of(TESTS_TO_CHALLENGE).min(spare);
                let inputs = (&mut *samples, &mut self.mutants);
                refuted = self.adversary.challenge(prober, inputs, (&predicate, &rivals), tests)?;
            }
            if refuted == 0 {
                refuted = self.alone(prober, &predicate)?;
            }
            if refuted == 0 || self.learnt().as_ref() == Some(&predicate) {
                let tests = self.effort.of(MEASURED_INPUTS).min(prober.tests_left());
                if tests < MIN_MEASURED_INPUTS {
                    return Ok(None);
                }
                let samples = &mut self.samples;
                samples.add_mutants(prober, &mut self.mutants, tests, &[])?;
                samples.count_from(known, &mut counted);
                if let Some(says) = counted.is_right().then(|| counted.rare()).flatten() {
                    let (known, count) =
                        (samples.all.len(), MAX_RARE_INPUTS.min(prober.tests_left()));
                    let rare = (&predicate, says);
                    samples.add_mutants_of(prober, &mut self.mutants, count, rare)?;
                    samples.count_from(known, &mut counted);
                }
                let is_found = counted.is_right() && counted.has_both();
                if is_found
                    && (self.at_last(prober, &predicate)? == 0
                        || self.learnt().as_ref() == Some(&predicate))
                {
                    let shorter = self.shortened(prober, (&predicate, known))?;
                    if let Some(shorter) =
                        shorter.filter(|shorter| self.samples.agree(&shorter.predicate))
                    {
                        let predicate = self.with_untested_words(prober, shorter.predicate.clone());
                        return Ok(Some(Measured { predicate, ..shorter }));
                    }
                    let is_told = self.samples.agree(&predicate) && self.samples.decide(&predicate);
                    if !is_told {
                        return Ok(None);
                    }
                    let predicate = self.with_untested_words(prober, counted.predicate.clone());
                    return Ok(Some(Measured { predicate, ..counted }));
                }
                if !is_found && counted.is_right() {
                    measured = Some(counted);
                    continue;
                }
            }
            // Inputs that refute a condition show another one, which is measured on further inputs.
            match self.learnt() {
                Some(other) if other != predicate => predicate = other,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The least tests that a measurement takes.
    fn tests_of_measurement(&self) -> usize {
        MIN_MEASURED_INPUTS + self.effort.of(TESTS_AGAINST + TESTS_TO_CHALLENGE)
    }

    /// How many inputs of those that there are tests left for refute a condition that is otherwise found: such an input is rare.
    ///
    /// Those of one more measurement are left over: another condition may come of the inputs. Of the tests a third decides between the
    /// condition and others that agree with all inputs up to now.
    fn at_last(
        &mut self,
        prober: &mut Prober<'_, '_>,
        predicate: &Predicate,
    ) -> Result<usize, Stopped> {
        let reserved = self.tests_of_measurement() + TESTS_BESIDE_A_MEASUREMENT;
        let spare = prober.tests_left().saturating_sub(reserved);
        let tests = spare.min(MAX_TESTS_AT_LAST);
        if tests < self.effort.of(TESTS_AGAINST) {
            return Ok(0);
        }
        let to_refute = tests - tests / 3;
        let refuted = self.adversary.refute(prober, &mut self.samples, predicate, to_refute)?;
        if refuted > 0 || to_refute < MIN_TESTS_TO_CHALLENGE_AT_LAST {
            return Ok(refuted);
        }
        let rivals = rivals(self.samples.table(), &self.required, predicate);
        let inputs = (&mut self.samples, &mut self.mutants);
        self.adversary.challenge(prober, inputs, (predicate, &rivals), tests / 3)
    }

    /// How many of several conditions of which one has to hold are refuted by an input that only this one holds for.
    ///
    /// Each was learnt from some of the failing inputs, so that fewer speak for it than for a condition of its own.
    fn alone(
        &mut self,
        prober: &mut Prober<'_, '_>,
        predicate: &Predicate,
    ) -> Result<usize, Stopped> {
        let Predicate::Any(any) = predicate else { return Ok(0) };
        let (tests, mut refuted) = (self.effort.of(TESTS_OF_ONE_ALONE), 0);
        for at in 0..any.len() {
            let mut others = any.clone();
            let one = Predicate::All(vec![others.remove(at)]);
            let (samples, others) = (&mut self.samples, Predicate::Any(others));
            refuted += self.adversary.between(prober, samples, (&others, &one), tests)?;
        }
        Ok(refuted)
    }

    /// The condition with required words that all inputs have and that it does not name: about a part whose name has the word, or with the
    /// word itself, or with it or another one that all inputs without it have.
    ///
    /// No input that the condition was learnt from shows what happens without such a word. With the word it says of each of them what it said
    /// before, and nothing of others. A word without which the target rejects all inputs is left out: another one may be in its place, as
    /// `HEAD` in that of `GET`.
    fn with_untested_words(&mut self, prober: &Prober<'_, '_>, predicate: Predicate) -> Predicate {
        if self.samples.words.has_fields() {
            return predicate;
        }
        let Predicate::All(mut all) = predicate else { return predicate };
        // A body has the words that open and close it.
        let has_bodies =
            all.iter().any(|one| one.feature.names().iter().any(|name| name.starts_with(BODY)));
        let is_told = |word: &&String| {
            let text = word.trim_matches('"').as_bytes();
            // A text of many words is required for the bodies and lines that it is part of.
            let words = stretches(text, |byte| byte.is_ascii_alphanumeric()).len();
            words <= MAX_WORDS_OF_REQUIRED && !(has_bodies && may_close(text))
        };
        let words: Vec<String> = self.required.iter().filter(is_told).cloned().collect();
        for word in &words {
            let is_named =
                all.iter().any(|one| one.feature.names().iter().any(|name| name.contains(&**word)));
            let text = word.trim_matches('"').as_bytes();
            let has_case = self.samples.words.left_out.has_case();
            let lacks_word = |(input, _): &(Vec<u8>, bool)| match has_case {
                true => memchr::memmem::find(&input.to_ascii_lowercase(), text).is_none(),
                false => memchr::memmem::find(input, text).is_none(),
            };
            if is_named || !prober.tested.iter().any(lacks_word) {
                continue;
            }
            let Some(feature) = self.samples.table().everywhere(&word.as_str().into()) else {
                continue;
            };
            if let Some(narrower) = self.samples.about_word(&all, word) {
                all = narrower;
            } else if all.len() < MAX_CONDITIONS_WITH_WORDS {
                all.push(condition::Condition { feature, bound: condition::Bound::AtLeast(1) });
            }
        }
        Predicate::All(all)
    }

    /// The condition without a part that no usual input needs, with its measurement; nothing if each part is needed.
    ///
    /// A part may be there for one odd input that passes. Inputs are drawn of which the condition without the part says
    /// something else. If none of them passes, the part goes; also if none can be drawn, since then the part says nothing of
    /// usual inputs.
    fn shortened(
        &mut self,
        prober: &mut Prober<'_, '_>,
        (predicate, known): (&Predicate, usize),
    ) -> Result<Option<Measured>, Stopped> {
        for shorter in predicate.shorter() {
            let alarms = self.samples.alarms(0..known, &shorter);
            if alarms > MAX_ODD_INPUTS
                || self.samples.alarms(known..self.samples.all.len(), &shorter) > 0
            {
                continue;
            }
            let samples = &mut self.samples;
            let passing =
                self.adversary.between(prober, samples, (predicate, &shorter), TESTS_TO_SHORTEN)?;
            if passing > 0 {
                continue;
            }
            let mut counted = Measured::none(shorter.clone());
            for at in known..self.samples.all.len() {
                counted.count(self.samples.says(at, &shorter), self.samples.all[at].fails);
            }
            if counted.is_right() && counted.has_both() {
                return Ok(Some(counted));
            }
        }
        Ok(None)
    }

    /// The condition after inputs near its bounds were tested.
    ///
    /// It is learnt again only if some of these are new. Other bounds are closed in on too: a round number between two that
    /// were tested is still a guess.
    fn sharpened(
        &mut self,
        prober: &mut Prober<'_, '_>,
        mut predicate: Predicate,
    ) -> Result<Option<Predicate>, Stopped> {
        for _ in 0..MAX_CLOSINGS {
            let known = self.samples.all.len();
            boundary::close(prober, &mut self.samples, &mut self.mutants, &predicate)?;
            if self.samples.all.len() == known {
                break;
            }
            match self.learnt() {
                Some(other) if other != predicate => predicate = other,
                other => return Ok(other),
            }
        }
        Ok(Some(predicate))
    }
}
