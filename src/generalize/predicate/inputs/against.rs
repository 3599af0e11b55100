//! Inputs that are made against a condition: it says that they fail although little of the failing input is left, or
//! that they pass although they are like it.
//!
//! Mutants are near the failing input, so a condition that is true around it alone agrees with all of them. Here parts
//! that the condition does not mention are replaced, deleted, moved and repeated one after the other as long as it says
//! the same, and the parts that it asks for are put into inputs that pass.

use std::collections::HashSet;

use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use super::edits::{self, shuffle};
use super::parts::{Heat, Parts};
use super::reader::{Hypothesis, INPUTS_READ_AT_ONCE, Judged, Reader, made, such};
use super::samples::Samples;
use super::sweeps;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::feature::Features;
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::predicate::read::Wanted;
use crate::generalize::subjects::in_language;

/// Steps of a walk at most: enough to change most parts of an input of ten parts. Not measured.
const MAX_STEPS: usize = 8;
/// Inputs that are made for each step of a walk, because many are outside of the language or change what the condition
/// says. They cost no test. Not measured.
const PROPOSALS_PER_STEP: usize = 5;
/// Inputs that are made in search of one that a condition holds for, from one that it does not hold for. Not measured.
const PROPOSALS_TO_PLANT: usize = 40;
/// An input that was made may be this many times as long as the longest that it is made of, so that walks do not grow
/// inputs without end.
const MAX_GROWTH: usize = 2;
/// Inputs that refute a condition after which it is learnt again: a few, because one may be an exception.
const ENOUGH_REFUTATIONS: usize = 3;
/// Inputs that are made at once, by all processors: few, because those after a refutation are not tested.
const INPUTS_MADE_AT_ONCE: usize = 8;
/// Walks for each input that is wanted between two conditions, because most end in inputs of which both say the same.
/// They cost no test. Not measured.
const WALKS_PER_TEST: usize = 4;
/// Inputs with some items of others that are made for each that is tested, because most fail and the condition says so. They cost no test.
const SUBSETS_PER_TEST: usize = 12;
/// Exchanges of two parts that are tested: eight, because the four values of an object have six.
const MAX_EXCHANGES: usize = 8;
/// Single edits of which a part is tested, a bound on the time of parsing them. Not measured.
const MAX_SWEPT_EDITS: usize = 160;
/// Passing inputs with another word of a kind that are tested: a few, because half of the inputs have no such word that matters.
const MAX_REWORDED: usize = 5;

/// What inputs are made of.
pub(in crate::generalize::predicate) struct Adversary {
    /// The minimized input, the given ones, and others, each with whether it fails.
    pub(super) bases: Vec<(Vec<u8>, bool)>,
    pub(super) parts: Parts,
    pub(super) dice: Random,
    longest: usize,
}

impl Adversary {
    /// An adversary whose inputs follow from `seed`.
    pub(in crate::generalize::predicate) fn new(seed: u64) -> Self {
        Adversary {
            bases: Vec::new(),
            parts: Parts::default(),
            dice: Random::new(seed ^ 0x61_6761_696e_7374),
            longest: 0,
        }
    }

    /// Takes in an input that was tested, to make others of it. Costs parsing.
    pub(in crate::generalize::predicate) fn add(
        &mut self,
        samples: &mut Samples,
        input: &[u8],
        fails: bool,
    ) {
        let input = &*samples.words.left_out.of(input);
        if let Ok((tree, None)) = samples.language.read(input) {
            self.parts.add(&tree, input);
            self.bases.push((input.to_vec(), fails));
            self.longest = self.longest.max(input.len());
        }
    }

    /// Tests inputs that are made against a condition, and takes them in. Returns how many of them refute it.
    ///
    /// Cost: at most `tests` tests and `MAX_EXCHANGES`, fewer if some inputs refute the condition.
    pub(in crate::generalize::predicate) fn refute(
        &mut self,
        prober: &mut Prober<'_, '_>,
        samples: &mut Samples,
        predicate: &Predicate,
        tests: usize,
    ) -> Result<usize, Stopped> {
        let hypothesis = Hypothesis::of(predicate);
        let mut refuted = 0;
        let swept = self.swept(prober, samples, &hypothesis, tests / 2)?;
        let exchanged = self.exchanged(prober, samples, &hypothesis)?;
        let flipped = self.flipped(prober, samples, &hypothesis, tests / 3)?;
        let single_edits = flipped.into_iter().chain(exchanged).chain(swept).collect();
        for input in known_of(samples, &hypothesis, single_edits) {
            refuted += usize::from(is_refuted(prober, samples, &hypothesis, input)? == Some(true));
            if refuted >= ENOUGH_REFUTATIONS {
                return Ok(refuted);
            }
        }
        // Of several conditions of which one holds each is enough, so each is tried alone.
        let single = predicate.alternatives();
        // Some of the inputs are not worth a test.
        let left = prober.tests_left().saturating_sub(tests - tests / 2);
        let most = 2 * (tests - tests / 2);
        for first in (0..most).step_by(INPUTS_MADE_AT_ONCE) {
            prober.check_time()?;
            let numbers = first..most.min(first + INPUTS_MADE_AT_ONCE);
            let seed = self.dice.below(usize::MAX) as u64;
            let inputs = made(samples, (numbers, seed), |number, dice, reader| {
                let alone = single.get(number / 2 % single.len().max(1)).map(Hypothesis::of);
                match number % 6 {
                    4 | 5 => self.subset(dice, reader, &hypothesis),
                    0 | 1 => self.walk(dice, reader, (alone.as_ref().unwrap_or(&hypothesis), true)),
                    2 => self.planted(dice, reader, &hypothesis),
                    _ => self.walk(dice, reader, (&hypothesis, false)),
                }
            });
            for input in known_of(samples, &hypothesis, inputs.into_iter().flatten().collect()) {
                let is_refuted = is_refuted(prober, samples, &hypothesis, input)?;
                refuted += usize::from(is_refuted == Some(true));
                if refuted >= ENOUGH_REFUTATIONS || prober.tests_left() <= left {
                    return Ok(refuted);
                }
            }
        }
        Ok(refuted)
    }

    /// Some items of an input that was tested: such that the condition holds for them, if that comes up. Half of them have one edit besides,
    /// which takes away what the items have in common with the failing input.
    ///
    /// Costs no test, and parses at most `SUBSETS_PER_TEST` inputs twice.
    fn subset(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        hypothesis: &Hypothesis<'_>,
    ) -> Option<Vec<u8>> {
        let mut other = None;
        for _ in 0..SUBSETS_PER_TEST {
            let fails = dice.below(2) == 0;
            let base = in_language(&reader.language, &self.base(dice, fails)?)?;
            let mut input = edits::with_some_items(&base, dice);
            if dice.below(2) == 0
                && let Some(read) = in_language(&reader.language, &input)
            {
                input = edits::edited(&read, dice).unwrap_or(input);
            }
            if !reader.samples.is_new(&input) {
                continue;
            }
            let Some(judged) = reader.judged(hypothesis, &input) else { continue };
            if judged.holds {
                return Some(judged.input);
            }
            other = Some(judged.input);
        }
        other
    }

    /// Tests inputs for which one condition holds and a stricter one does not, until one of them passes. Returns how many
    /// pass.
    ///
    /// Cost: at most `tests` tests.
    pub(in crate::generalize::predicate) fn between(
        &mut self,
        prober: &mut Prober<'_, '_>,
        samples: &mut Samples,
        (strict, wide): (&Predicate, &Predicate),
        tests: usize,
    ) -> Result<usize, Stopped> {
        let (strict, wide) = (Hypothesis::of(strict), Hypothesis::of(wide));
        let mut tested = 0;
        let most = tests * WALKS_PER_TEST;
        for first in (0..most).step_by(INPUTS_MADE_AT_ONCE) {
            prober.check_time()?;
            let numbers = first..most.min(first + INPUTS_MADE_AT_ONCE);
            let seed = self.dice.below(usize::MAX) as u64;
            let inputs = made(samples, (numbers, seed), |number, dice, reader| {
                let input = match number % 2 {
                    0 => self.walk(dice, reader, (&wide, true)),
                    _ => self.planted(dice, reader, &wide),
                }?;
                let strictly = reader.judged(&strict, &input)?;
                (!strictly.holds).then_some(input)
            });
            for input in inputs.into_iter().flatten() {
                if tested >= tests {
                    return Ok(0);
                }
                let Some(fails) = samples.test(prober, input)? else { continue };
                tested += 1;
                if !fails {
                    return Ok(1);
                }
            }
        }
        Ok(0)
    }

    /// Failing inputs with two parts of one kind in each other's places, as far as the condition does not hold for them any
    /// more: it may be true of other parts too, of two of three flags.
    fn exchanged(
        &mut self,
        prober: &mut Prober<'_, '_>,
        samples: &mut Samples,
        hypothesis: &Hypothesis<'_>,
    ) -> Result<Vec<Vec<u8>>, Stopped> {
        let failing = self.bases.iter().filter(|(_, fails)| *fails).take(2);
        let bases: Vec<Vec<u8>> = failing.map(|(input, _)| input.clone()).collect();
        let mut all: Vec<Vec<u8>> = Vec::new();
        for base in &bases {
            if let Ok((tree, None)) = samples.language.read(base) {
                all.extend(sweeps::exchanges(&tree, base));
            }
        }
        shuffle(&mut all, &mut self.dice);
        all.truncate(MAX_SWEPT_EDITS);
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        all.retain(|input| seen.insert(input.clone()));
        such(prober, samples, hypothesis, all, (false, MAX_EXCHANGES))
    }

    /// Single edits of the first bases: most of them such that the condition holds for them. Then inputs with two equal texts for which
    /// it holds.
    fn swept(
        &mut self,
        prober: &mut Prober<'_, '_>,
        samples: &mut Samples,
        hypothesis: &Hypothesis<'_>,
        tests: usize,
    ) -> Result<Vec<Vec<u8>>, Stopped> {
        let failing = self.bases.iter().filter(|(_, fails)| *fails).take(2);
        let passing = self.bases.iter().filter(|(_, fails)| !fails).take(1);
        let bases: Vec<Vec<u8>> = failing.chain(passing).map(|(input, _)| input.clone()).collect();
        let (mut edits, mut equal) = (Vec::new(), Vec::new());
        for base in &bases {
            if let Ok((tree, None)) = samples.language.read(base) {
                let language = &samples.language;
                let mut own = sweeps::single_edits(&tree, base, language, &mut self.dice);
                shuffle(&mut own, &mut self.dice);
                edits.extend(own.into_iter().enumerate());
                equal.extend(sweeps::equal_texts(&tree, base, language));
            }
        }
        // A long input has most edits, and those of a short one say more.
        edits.sort_by_key(|(place, _)| *place);
        let (mut holding, mut others) = (Vec::new(), Vec::new());
        let mut edits = edits.into_iter().map(|(_, input)| input).take(MAX_SWEPT_EDITS);
        while holding.len() < tests * 2 / 3 || others.len() < tests / 3 {
            prober.check_time()?;
            let some: Vec<Vec<u8>> = edits.by_ref().take(INPUTS_READ_AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            for judged in samples.judge_all(hypothesis, &some).into_iter().flatten() {
                if judged.holds { holding.push(judged.input) } else { others.push(judged.input) }
            }
        }
        holding.truncate(tests * 2 / 3);
        others.truncate(tests - holding.len());
        holding.extend(others);
        let passing = self.bases.iter().filter(|(_, fails)| !fails).map(|(input, _)| input);
        let mut reworded: Vec<Vec<u8>> =
            passing.flat_map(|input| sweeps::other_words(input)).collect();
        shuffle(&mut reworded, &mut self.dice);
        reworded.truncate(MAX_SWEPT_EDITS);
        reworded.retain(|input| samples.is_new(input));
        holding.extend(such(prober, samples, hypothesis, reworded, (false, MAX_REWORDED))?);
        shuffle(&mut equal, &mut self.dice);
        equal.truncate(MAX_SWEPT_EDITS);
        holding.extend(such(prober, samples, hypothesis, equal, (true, tests / 2))?);
        Ok(holding)
    }

    /// An input that is some steps away from one that was tested, of all of which the condition says the same.
    fn walk(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        (hypothesis, says): (&Hypothesis<'_>, bool),
    ) -> Option<Vec<u8>> {
        let start = self.base(dice, says)?;
        match reader.judged(hypothesis, &start)? {
            start if start.holds == says => self.walk_from(dice, reader, (hypothesis, start)),
            _ if says => self.planted(dice, reader, hypothesis),
            _ => None,
        }
    }

    /// The same from an input that was read: the last one of a walk.
    fn walk_from(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        (hypothesis, start): (&Hypothesis<'_>, Judged),
    ) -> Option<Vec<u8>> {
        self.steps_from(dice, reader, (hypothesis, start)).pop()
    }

    /// All inputs of a walk, each a step away from the one before it.
    pub(super) fn steps_from(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        (hypothesis, start): (&Hypothesis<'_>, Judged),
    ) -> Vec<Vec<u8>> {
        let says = start.holds;
        let (mut at, mut steps) = (start, Vec::new());
        let wanted = 1 + dice.below(MAX_STEPS);
        for _ in 0..wanted * PROPOSALS_PER_STEP {
            let Some(input) = self.proposal(dice, reader, &at) else { continue };
            let Some(next) = reader.judged(hypothesis, &input) else { continue };
            if next.holds == says {
                steps.push(next.input.clone());
                at = next;
            }
            if steps.len() == wanted {
                break;
            }
        }
        steps
    }

    /// An input for which the condition holds, made of one for which it does not: its parts are planted there.
    pub(super) fn planted(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        hypothesis: &Hypothesis<'_>,
    ) -> Option<Vec<u8>> {
        let start = self.base(dice, false)?;
        let mut at = reader.judged(hypothesis, &start)?;
        for _ in 0..PROPOSALS_TO_PLANT {
            if at.holds {
                break;
            }
            let Some(input) = self.proposal(dice, reader, &at) else { continue };
            let Some(next) = reader.judged(hypothesis, &input) else { continue };
            at = next;
        }
        if !at.holds {
            return None;
        }
        match dice.below(2) {
            0 => Some(at.input),
            _ => self.walk_from(dice, reader, (hypothesis, at)),
        }
    }

    /// An input to start from. Of failing ones the first two, which are the minimized and the given one, are taken every
    /// other time.
    pub(super) fn base(&self, dice: &mut Random, fails: bool) -> Option<Vec<u8>> {
        let of_kind = |wanted: bool| -> Vec<usize> {
            (0..self.bases.len()).filter(|at| self.bases[*at].1 == wanted).collect()
        };
        let mut all = of_kind(fails);
        if all.is_empty() {
            all = of_kind(!fails);
        }
        let first = if dice.below(2) == 0 { all.len().min(2) } else { all.len() };
        let at = *all.get(dice.below(first.max(1)))?;
        Some(self.bases[at].0.clone())
    }

    /// Another input near one.
    fn proposal(&self, dice: &mut Random, reader: &Reader<'_>, at: &Judged) -> Option<Vec<u8>> {
        let samples = reader.samples;
        let place = (&at.tree, &at.input[..]);
        let subject = || {
            let (input, tree) = (at.input.clone(), at.tree.clone());
            Subject { input, tree, language: None, shared: Default::default() }
        };
        // Most of a binary input are numbers, and a tree of it says little. Where all that the target takes is records, nearly everything else
        // is rejected; bytes are records by chance, too.
        if samples.words.has_fields() {
            let records = if samples.are_records() { 6 } else { 2 };
            match dice.below(8) {
                at if at < records => {
                    if let Some(made) = edits::other_record(&subject(), dice) {
                        return Some(made);
                    }
                }
                at if at < records.max(4) => {
                    return edits::other_field(&subject(), dice);
                }
                _ => {}
            }
        }
        let made = match dice.below(6) {
            0 => Some(self.parts.recombined(place, &samples.language, Heat(2), dice)),
            1 => Some(self.parts.recombined(place, &samples.language, Heat(4), dice)),
            2 => self.parts.replaced_part(place, dice),
            _ => edits::edited(&subject(), dice),
        };
        made.filter(|input| *input != at.input && input.len() <= MAX_GROWTH * self.longest + 16)
    }
}

/// Tests an input and takes it in; says whether the condition is wrong about it. Nothing for an input that is rejected,
/// not new, or not usual.
pub(super) fn is_refuted(
    prober: &mut Prober<'_, '_>,
    samples: &mut Samples,
    hypothesis: &Hypothesis<'_>,
    (input, features): (Vec<u8>, Features),
) -> Result<Option<bool>, Stopped> {
    if samples.rejected().is_unlikely(&features) {
        return Ok(None);
    }
    let says = hypothesis.predicate.holds(&features);
    let fails = samples.test(prober, input)?;
    Ok(fails.map(|fails| fails != says))
}

/// Those of some inputs that are new and usual, with the features that a condition is about and those by which inputs are likely to be rejected.
///
/// Costs no test.
pub(super) fn known_of(
    samples: &mut Samples,
    hypothesis: &Hypothesis<'_>,
    inputs: Vec<Vec<u8>>,
) -> Vec<(Vec<u8>, Features)> {
    let rejected = samples.rejected().conditions().to_vec();
    let wanted = Wanted::by(hypothesis.predicate.conditions().iter().chain(&rejected));
    let read = samples.peek_all(&inputs, &wanted);
    inputs.into_iter().zip(read).filter_map(|(input, read)| Some((input, read?))).collect()
}
