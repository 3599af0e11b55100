//! The condition under which an input fails, in one sentence: what a pattern of places cannot say.
//!
//! ```text
//! inputs that the search has tested -+-> features -> learn -> predicate -> inputs made against it
//!                  mutants, both sides +                          |                   |
//!                        ^---------------------------------------+---- until new ones agree
//! ```
//!
//! As Alhazen and Avicenna do it: features of parsed inputs ([`feature`]), the simplest condition
//! that separates failing from passing ones ([`mod@learn`]), and further inputs near its boundary, until
//! these agree (`inputs`). The reported figures are of inputs that came after the last learning: mutants, and
//! inputs that were made against the condition.

mod bound;
pub mod condition;
pub mod feature;
mod features;
mod formula;
mod hasher;
pub(super) mod inputs;
pub mod learn;
mod phrases;
pub mod plain;
mod read;
mod sentence;
mod sentence_of_parts;
mod some_of;
mod term;

use std::collections::HashSet;

use seedsmith_engine::Stopped;

use super::pattern::{Pattern, Subject};
use super::reasons;
use super::subjects::in_language;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use feature::Words;
use inputs::absent;
use inputs::against::Adversary;
use inputs::alphabet::Alphabet;
use inputs::boundary;
use inputs::lengths::lengths;
use inputs::mutants::Mutants;
use inputs::samples::Samples;
use inputs::siblings::siblings;
use learn::{Predicate, Table, learn, learn_some};

/// Inputs longer than this are not learnt from, because each mutant of one is parsed and has a feature for each pair of
/// its names. A minimized input that is longer has no condition. The original of 38 kB of a public crash
/// (`lua_backtick`) took more than 600 s; those of the planted causes are shorter than 400 bytes.
pub(super) const MAX_LEARNT_BYTES: usize = 1000;
/// Mutants of one round, in tests. 32 because two rounds that agree are then 64 inputs, of which one in
/// twenty that disagrees is missed in 4 % of cases.
const TESTS_PER_ROUND: usize = 32;
/// Rounds at most, so that a condition costs at most 256 tests before its measurement.
const MAX_ROUNDS: usize = 8;
/// Rounds after which the search is given up if no predicate agrees with the inputs, so that an input
/// without a condition costs 128 tests. Not measured.
const ROUNDS_WITHOUT_AGREEMENT: usize = 4;
/// Mutants of a round that a predicate may be wrong about, because a target refuses or crashes on some
/// input for another reason.
const MAX_WRONG_PER_ROUND: usize = 1;
/// Rounds in a row that agree before a predicate is measured, because one round agrees with a wrong
/// predicate too often.
const AGREEING_ROUNDS: usize = 2;
/// Mutants that a measurement is made on, so that its result is a percentage.
const MEASURED_INPUTS: usize = 100;
/// Inputs of a measurement that are made against the condition: half as many as mutants. Not measured.
const TESTS_AGAINST: usize = 50;
/// Tests of a search with all inputs of its rounds and of two measurements. With fewer left it makes do with fewer inputs.
const TESTS_OF_FULL_EFFORT: u64 = 450;
/// How often a condition is measured: a target may reject most inputs, and a measurement may refute the condition and
/// show another one. Not measured.
const MAX_MEASUREMENTS: usize = 6;
/// Inputs that pass of which others are made against a condition. Not measured.
const MAX_PASSING_BASES: usize = 12;
/// Failing and passing inputs that a measurement has at least, because a predicate that always says yes
/// agrees with inputs of one kind.
const MIN_INPUTS_OF_A_KIND: u64 = 5;
/// Of a hundred fresh inputs this many agree at least, or nothing is said: so that a condition is stated
/// only if it is hardly ever wrong. Not measured.
const MIN_AGREEING_PERCENT: u64 = 98;
/// Inputs that pass although a condition holds for them, if it is otherwise right without the part that excludes them: one
/// that the target refuses without saying so.
const MAX_ODD_INPUTS: usize = 1;
/// Failing inputs with another word of a kind that mutants are made of as often as of the given one: few, because each has
/// a share of the mutants.
const MAX_PREFERRED_SIBLINGS: usize = 3;

/// Conditions with the words that all inputs have: a reader takes in three at once.
const MAX_CONDITIONS_WITH_WORDS: usize = 3;

/// Inputs that are drawn in search of one that needs a part of a condition: if one in four needed it, sixteen without one
/// would have a chance of 1 %.
const TESTS_TO_SHORTEN: usize = 16;

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
    ///
    /// 0 if no fresh input meets it.
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

    /// A predicate that was not measured yet.
    fn none(predicate: Predicate) -> Self {
        Measured { predicate, hits: 0, false_alarms: 0, misses: 0, quiet: 0 }
    }

    /// Whether the fresh inputs agree. It may leave out some that fail, but an input that it calls failing fails.
    fn is_right(&self) -> bool {
        self.false_alarms == 0 && self.agreeing() * 100 >= self.draws() * MIN_AGREEING_PERCENT
    }

    /// Whether enough fresh inputs fail and enough pass.
    fn has_both(&self) -> bool {
        let failing = self.hits + self.misses;
        failing.min(self.draws() - failing) >= MIN_INPUTS_OF_A_KIND
    }

    fn count(&mut self, says: bool, fails: bool) {
        match (says, fails) {
            (true, true) => self.hits += 1,
            (true, false) => self.false_alarms += 1,
            (false, true) => self.misses += 1,
            (false, false) => self.quiet += 1,
        }
    }
}

/// The condition under which inputs fail; nothing where none is simple enough, or where fresh
/// inputs don't agree with it. Where there is no grammar, texts are read by lines, words, numbers and
/// marks ([`plain`]). `origins` are further inputs that fail, such as the one that was minimized: there
/// numbers have other values, and parts have other neighbours. `structure` is a language for texts that the pattern
/// has no grammar of. Cost: at most the tests of `limits::for_condition`, where the caller has set no limit.
pub fn explain(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
    (origins, structure): (&[Vec<u8>], Option<Sampler>),
    seed: u64,
) -> Result<Option<Measured>, Stopped> {
    let is_short = |input: &&Vec<u8>| input.len() <= MAX_LEARNT_BYTES;
    let origins: Vec<Vec<u8>> = origins.iter().filter(is_short).cloned().collect();
    let origins = &origins[..];
    let structured = structure.and_then(|language| in_language(&language, &pattern.subject.input));
    let is_plain = pattern.subject.language.is_none() && structured.is_none();
    let Some(subject) = structured.or_else(|| parsed(&pattern.subject)) else { return Ok(None) };
    let Some(language) = subject.language.clone() else { return Ok(None) };
    let mut bases = vec![subject.clone()];
    bases.extend(origins.iter().filter_map(|input| in_language(&language, input)));
    let lacking: Vec<Vec<u8>> = absent::absent(prober, &mut bases)?.into_iter().collect();
    let is_binary = is_plain && bases.iter().any(|base| read::is_binary(&base.input));
    let siblings = match is_binary {
        true => lengths(prober, &subject.input)?,
        false => siblings(prober, &mut bases, is_plain)?,
    };
    let of_kind =
        |wanted: bool| siblings.iter().filter(move |one| one.1 == wanted).map(|one| &one.0);
    let others: Vec<Vec<u8>> =
        lacking.iter().chain(of_kind(false)).chain(of_kind(true)).cloned().collect();
    let all = || std::iter::once(&subject.input).chain(origins).chain(&others).map(Vec::as_slice);
    let required = required_words(pattern);
    let words = required_numbers(pattern)
        .iter()
        .fold(Words::of(all()), |words, number| words.with_number(number));
    let alphabet = Alphabet::of(all(), &language, is_plain);
    let (seen, all_tested, table) = (HashSet::new(), Vec::new(), Table::default());
    let mut samples = Samples { language, words, alphabet, seen, all: all_tested, table };
    samples.allow(all());
    prober.tested.extend(lacking.iter().map(|input| (input.clone(), false)));
    prober.tested.extend(siblings.iter().cloned());
    samples.add_known(&prober.tested);
    siblings.iter().for_each(|(input, fails)| samples.add_tested(input, *fails));
    let kin: Vec<Vec<u8>> = of_kind(true).take(MAX_PREFERRED_SIBLINGS).cloned().collect();
    let others = [origins, &kin, &samples.failing_inputs(&prober.tested)].concat();
    let mut mutants = Mutants::new(&subject, &others, seed);
    mutants.prefer(1 + origins.len() + kin.len());
    lacking.iter().for_each(|input| mutants.keep(input, false));
    siblings.iter().for_each(|(input, fails)| mutants.keep(input, *fails));
    let effort = Effort::of_budget(prober);
    let mut learnt = learn_some(&samples.table, &required);
    let mut agreeing = 0;
    for round in 0..MAX_ROUNDS {
        let is_hopeless = learnt.is_empty() && round >= ROUNDS_WITHOUT_AGREEMENT;
        if agreeing >= AGREEING_ROUNDS || is_hopeless {
            break;
        }
        let from = samples.all.len();
        samples.add_mutants(prober, &mut mutants, effort.of(TESTS_PER_ROUND), &learnt)?;
        let again = learn_some(&samples.table, &required);
        let is_same = !learnt.is_empty() && learnt.first() == again.first();
        let is_right = is_same && samples.wrong(from, &learnt[0]) <= MAX_WRONG_PER_ROUND;
        agreeing = if is_right { agreeing + 1 } else { 0 };
        learnt = again;
    }
    let Some(predicate) = learnt.into_iter().next() else { return Ok(None) };
    let mut adversary = Adversary::new(seed);
    let bases = std::iter::once(&subject.input).chain(&others);
    bases.for_each(|input| adversary.add(&mut samples, input, true));
    let lacking: Vec<Vec<u8>> = lacking.iter().chain(of_kind(false)).cloned().collect();
    of_kind(true).for_each(|input| adversary.add(&mut samples, input, true));
    for input in passing_bases(&samples, &lacking) {
        adversary.add(&mut samples, &input, false);
    }
    let tools = Tools { samples, mutants, adversary, required, effort };
    tools.measured(prober, predicate)
}

/// Inputs that pass: the one that has a name more first, then the last ones that were tested.
fn passing_bases(samples: &Samples, lacking: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let passing = samples.all.iter().rev().filter(|one| !one.fails).map(|one| &one.input);
    lacking.iter().chain(passing).take(MAX_PASSING_BASES).cloned().collect()
}

/// What a condition is measured with.
struct Tools {
    samples: Samples,
    mutants: Mutants,
    adversary: Adversary,
    required: Vec<String>,
    effort: Effort,
}

/// Whether a round and a measurement have fewer inputs, because few tests are left: else the limit would end the search
/// without a condition.
#[derive(Clone, Copy)]
struct Effort {
    is_low: bool,
}

impl Effort {
    /// That of the tests that are left.
    fn of_budget(prober: &Prober<'_, '_>) -> Self {
        let tests = prober.oracle.counts().tests;
        let left = prober.oracle.budget().max_tests.map(|most| most.saturating_sub(tests));
        Effort { is_low: left.is_some_and(|left| left < TESTS_OF_FULL_EFFORT) }
    }

    /// A number of tests, or three fifths of it.
    fn of(self, tests: usize) -> usize {
        if self.is_low { tests * 3 / 5 } else { tests }
    }
}

impl Tools {
    /// The condition with its measurement, or another one that came of the inputs that refuted it.
    ///
    /// Nothing if no condition is left that agrees with all inputs.
    fn measured(
        mut self,
        prober: &mut Prober<'_, '_>,
        mut predicate: Predicate,
    ) -> Result<Option<Measured>, Stopped> {
        let mut measured: Option<Measured> = None;
        for _ in 0..MAX_MEASUREMENTS {
            if measured.is_none() {
                let Some(sharper) = self.sharpened(prober, predicate)? else { return Ok(None) };
                predicate = sharper;
            }
            let mut counted = measured.take().unwrap_or_else(|| Measured::none(predicate.clone()));
            let known = self.samples.all.len();
            let samples = &mut self.samples;
            let refuted = self.adversary.refute(
                prober,
                samples,
                &predicate,
                self.effort.of(TESTS_AGAINST),
            )?;
            if refuted == 0 || learn(&samples.table, &self.required).as_ref() == Some(&predicate) {
                samples.add_mutants(
                    prober,
                    &mut self.mutants,
                    self.effort.of(MEASURED_INPUTS),
                    &[],
                )?;
                for at in known..samples.all.len() {
                    counted.count(samples.says(at, &predicate), samples.all[at].fails);
                }
                if counted.is_right() && counted.has_both() {
                    if let Some(shorter) = self.shortened(prober, (&predicate, known))? {
                        let predicate = self.with_untested_words(shorter.predicate.clone());
                        return Ok(Some(Measured { predicate, ..shorter }));
                    }
                    let is_told = self.samples.agree(&predicate) && self.samples.decide(&predicate);
                    if !is_told {
                        return Ok(None);
                    }
                    let predicate = self.with_untested_words(counted.predicate.clone());
                    return Ok(Some(Measured { predicate, ..counted }));
                }
                if counted.is_right() {
                    measured = Some(counted);
                    continue;
                }
            }
            // Inputs that refute a condition show another one, which is measured on further inputs.
            match learn(&self.samples.table, &self.required) {
                Some(other) if other != predicate => predicate = other,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The condition with required words that all inputs have and that it does not name.
    ///
    /// No input shows what happens without such a word, because the target rejects all that were made. With the word the
    /// condition says of each tested input what it said before, and nothing of others.
    fn with_untested_words(&self, predicate: Predicate) -> Predicate {
        if self.samples.words.has_fields() {
            return predicate;
        }
        let Predicate::All(mut all) = predicate else { return predicate };
        for word in &self.required {
            let is_named =
                all.iter().any(|one| one.feature.names().iter().any(|name| name.contains(&**word)));
            let is_everywhere = || self.samples.table.counts(word).iter().all(|count| *count > 0);
            if all.len() < MAX_CONDITIONS_WITH_WORDS && !is_named && is_everywhere() {
                let feature = feature::Feature::Count(word.clone());
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
    fn sharpened(
        &mut self,
        prober: &mut Prober<'_, '_>,
        predicate: Predicate,
    ) -> Result<Option<Predicate>, Stopped> {
        let known = self.samples.all.len();
        boundary::close(prober, &mut self.samples, &mut self.mutants, &predicate)?;
        match self.samples.all.len() > known {
            true => Ok(learn(&self.samples.table, &self.required)),
            false => Ok(Some(predicate)),
        }
    }
}

/// The words that the pattern requires, in quotation marks as names have them.
fn required_words(pattern: &Pattern) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for leaves in reasons::parts(pattern) {
        let text = leaves.iter().flat_map(|leaf| pattern.subject.text(*leaf)).copied();
        let text: Vec<u8> = text.collect();
        let word = String::from_utf8_lossy(read::core(&text)).into_owned();
        let word = format!("\"{word}\"");
        if word.contains(char::is_alphabetic) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The short numbers that the pattern requires.
fn required_numbers(pattern: &Pattern) -> Vec<String> {
    let texts = reasons::parts(pattern).into_iter().flat_map(|leaves| {
        let text = leaves.iter().flat_map(|leaf| pattern.subject.text(*leaf)).copied();
        let text: Vec<u8> = text.collect();
        let numbers = stretches(&text, |byte| byte.is_ascii_digit()).into_iter();
        let numbers = numbers.map(|span| String::from_utf8_lossy(&text[span]).into_owned());
        numbers.collect::<Vec<String>>()
    });
    texts.collect()
}

/// The subject with a tree that conditions can be read off.
///
/// Without a grammar the text is parsed by the grammar of all texts (`plain`). `None` if the input
/// is not in the language.
fn parsed(subject: &Subject) -> Option<Subject> {
    if subject.language.is_some() {
        return Some(subject.clone());
    }
    let mut language = plain::language()?;
    let tree = match language.read(&subject.input) {
        Ok((tree, None)) => tree,
        _ => return None,
    };
    let (input, language) = (subject.input.clone(), Some(language));
    Some(Subject { input, tree, language, shared: Default::default() })
}
