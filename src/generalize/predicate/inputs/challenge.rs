//! Inputs of which a condition and others that agree with all tested inputs say different things.
//!
//! A condition is refuted by few inputs if it is too general: by those that meet it and lack what the cause needs besides.
//! They are not made at random. Walks that keep what the condition says give many inputs, which cost no test. Of these the
//! one is tested that decides about most of the other conditions, then the one that decides about most of those that are
//! left over. So every part that all failing inputs have in common, and that the condition does not mention, is taken
//! away once, if some walk takes it away.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use super::against::{Adversary, is_refuted, known_of};
use super::bases::subsets::without_lines;
use super::edits::{shuffle, with_split_items};
use super::mutants::{Base, Mutants};
use super::reader::{Hypothesis, INPUTS_READ_AT_ONCE, Reader, made};
use super::samples::Samples;
use super::sweeps;
use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::learn::{Predicate, Rivals};
use crate::generalize::predicate::plain::is_plain;
use crate::generalize::predicate::read::Wanted;
use crate::generalize::subjects::in_language;

/// Walks for each side, because a walk has up to eight inputs, and reading one takes a millisecond or two.
const WALKS: usize = 24;
/// Walks that are made at once, by all processors: few, because the pool is full after a dozen.
const WALKS_AT_ONCE: usize = 6;
/// Inputs with parts drawn from the grammar for each side, because no walk comes to some of them, such as a group whose only
/// part is a group. As many as the steps of walks that are read. Not measured.
const REDRAWN: usize = 128;
/// Inputs for each side of which the ones to test are chosen, a bound on the time: each is compared with 400 conditions.
const MAX_POOL: usize = 90;
/// Single edits of tested inputs of which a part is in it, a bound on the time of parsing them. Not measured.
const MAX_EDITS: usize = 96;
/// Lines of a text of which each is left out once: half as many as single edits are read at most, so that these are among them too.
const LINES_LEFT_OUT: RangeInclusive<usize> = 2..=48;
/// What a rival counts that is one condition and agrees with all tested inputs: eight, because an input that decides about what all inputs have in common
/// by chance decides about half a dozen such at once.
const WEIGHT_OF_WHOLE: usize = 8;
/// Inputs that refute a condition after which it is learnt again: two, because one may be an exception.
const ENOUGH_REFUTATIONS: usize = 2;
/// Rejected inputs for each side after which no more are tested, because a target may take none that differ so much.
const MAX_REJECTED: usize = 12;

/// An input, and the numbers of the rivals that say something else of it than the condition does.
struct Telling {
    input: Vec<u8>,
    rivals: Vec<usize>,
}

/// Inputs of which a condition says one thing, and rivals that may say another one.
struct Pool<'r> {
    inputs: Vec<Telling>,
    rivals: &'r [Predicate],
    /// What the rivals are about, and what is likely to be rejected.
    wanted: Wanted<'r>,
    says: bool,
}

impl Pool<'_> {
    /// Takes in inputs that are new and of which some rival says something else, as long as there are fewer than `most`.
    fn extend(&mut self, samples: &mut Samples, mut inputs: Vec<Vec<u8>>, most: usize) {
        let mut known: HashSet<&[u8]> = self.inputs.iter().map(|known| &known.input[..]).collect();
        let is_new: Vec<bool> = inputs.iter().map(|input| known.insert(input)).collect();
        let mut is_new = is_new.into_iter();
        inputs.retain(|_| is_new.next() == Some(true));
        let read = samples.peek_all(&inputs, &self.wanted);
        for (input, features) in inputs.into_iter().zip(read) {
            let Some(features) = features.filter(|_| self.inputs.len() < most) else { continue };
            if samples.rejected().is_unlikely(&features) {
                continue;
            }
            let differs = |at: &usize| self.rivals[*at].holds(&features) != self.says;
            let rivals: Vec<usize> = (0..self.rivals.len()).filter(differs).collect();
            if !rivals.is_empty() {
                self.inputs.push(Telling { input, rivals });
            }
        }
    }

    /// The same of those of some inputs of which the condition says what is wanted. They are read several at once.
    fn extend_judged(
        &mut self,
        (prober, samples): (&Prober<'_, '_>, &mut Samples),
        hypothesis: &Hypothesis<'_>,
        mut inputs: impl Iterator<Item = Vec<u8>>,
        most: usize,
    ) -> Result<(), Stopped> {
        while self.inputs.len() < most {
            prober.check_time()?;
            let some: Vec<Vec<u8>> = inputs.by_ref().take(INPUTS_READ_AT_ONCE).collect();
            if some.is_empty() {
                break;
            }
            let judged = samples.judge_all(hypothesis, &some).into_iter().flatten();
            let such = judged.filter(|one| one.holds == self.says).map(|one| one.input);
            self.extend(samples, such.collect(), most);
        }
        Ok(())
    }
}

impl Adversary {
    /// Tests inputs of which a condition and its rivals say different things. Returns how many refute the condition.
    ///
    /// Cost: at most `tests` tests, fewer if the inputs decide about all rivals.
    pub(in crate::generalize::predicate) fn challenge(
        &mut self,
        prober: &mut Prober<'_, '_>,
        (samples, mutants): (&mut Samples, &mut Mutants),
        (predicate, rivals): (&Predicate, &Rivals),
        tests: usize,
    ) -> Result<usize, Stopped> {
        let hypothesis = Hypothesis::of(predicate);
        let mut refuted = 0;
        // Of conditions of which one is enough each is a claim of its own.
        if let Predicate::Any(any) = predicate {
            let others = predicate.alternatives();
            let least = tests / 3 / any.len();
            for (at, one) in others.iter().enumerate() {
                let mut rivals = rivals.needed.clone();
                rivals.extend(
                    (0..others.len()).filter(|other| *other != at).map(|at| others[at].clone()),
                );
                let alone = Hypothesis::of(one);
                let pool = self.pool(prober, (samples, mutants), (&alone, true), &rivals)?;
                refuted += decided(prober, samples, &alone, (pool, &vec![1; rivals.len()]), least)?;
            }
            if refuted > 0 {
                return Ok(refuted);
            }
        }
        for (says, all) in [(true, &rivals.needed), (false, &rivals.enough)] {
            let pool = self.pool(prober, (samples, mutants), (&hypothesis, says), all)?;
            let tests = if says { tests - tests / 3 } else { tests / 3 };
            let weight = |at: usize| if at < rivals.whole { WEIGHT_OF_WHOLE } else { 1 };
            let weights: Vec<usize> = (0..all.len()).map(weight).collect();
            refuted += decided(prober, samples, &hypothesis, (pool, &weights), tests)?;
            if refuted >= ENOUGH_REFUTATIONS {
                break;
            }
        }
        Ok(refuted)
    }

    /// Inputs of which the condition says one thing and some rivals another one. Costs no test.
    fn pool(
        &mut self,
        prober: &Prober<'_, '_>,
        (samples, mutants): (&mut Samples, &mut Mutants),
        (hypothesis, says): (&Hypothesis<'_>, bool),
        rivals: &[Predicate],
    ) -> Result<Vec<Telling>, Stopped> {
        let rejected = samples.rejected().conditions().to_vec();
        let conditions = rivals.iter().flat_map(Predicate::conditions).chain(&rejected);
        let wanted = Wanted::by(conditions);
        let mut pool = Pool { inputs: Vec::new(), rivals, wanted, says };
        let from = if says { Base::Failing } else { Base::Passing };
        // Without a grammar a part that is drawn is any text.
        let redrawn = if is_plain(&samples.language) { 0 } else { REDRAWN };
        let redrawn = (0..redrawn).filter_map(|_| mutants.redraw(from));
        pool.extend_judged((prober, samples), hypothesis, redrawn, MAX_POOL / 3)?;
        let neighbours = self.neighbours(samples, says).into_iter();
        pool.extend_judged((prober, samples), hypothesis, neighbours, MAX_POOL * 2 / 3)?;
        for first in (0..WALKS).step_by(WALKS_AT_ONCE) {
            prober.check_time()?;
            if pool.inputs.len() >= MAX_POOL {
                break;
            }
            let numbers = first..WALKS.min(first + WALKS_AT_ONCE);
            let seed = self.dice.below(usize::MAX) as u64;
            let trails = made(samples, (numbers, seed), |_, dice, reader| {
                self.trail(dice, reader, (hypothesis, says))
            });
            pool.extend(samples, trails.concat(), MAX_POOL);
        }
        Ok(pool.inputs)
    }

    /// Inputs that are one edit away from the first ones that fail, or that pass: walks come to few of those where two certain texts
    /// are equal, or two certain parts have changed places. Of a text in lines each line is left out once: a given input has many, and
    /// the one that makes it fail may be any of them.
    fn neighbours(&mut self, samples: &mut Samples, fails: bool) -> Vec<Vec<u8>> {
        let bases = self.bases.iter().filter(|one| one.1 == fails).take(2);
        let bases: Vec<Vec<u8>> = bases.map(|(input, _)| input.clone()).collect();
        let (mut first, mut all): (Vec<Vec<u8>>, Vec<Vec<u8>>) = Default::default();
        for base in &bases {
            let language = &samples.language;
            if let Some(read) = in_language(language, base) {
                first.extend(with_split_items(&read));
                if is_plain(language) {
                    first.extend(without_lines(base, LINES_LEFT_OUT));
                }
                all.extend(sweeps::equal_texts(&read.tree, base, language));
                all.extend(sweeps::exchanges(&read.tree, base));
                all.extend(sweeps::single_edits(&read.tree, base, language, &mut self.dice));
            }
        }
        shuffle(&mut all, &mut self.dice);
        all.truncate(MAX_EDITS.saturating_sub(first.len()));
        first.extend(all);
        first
    }

    /// All inputs of a walk of which the condition says the same.
    fn trail(
        &self,
        dice: &mut Random,
        reader: &mut Reader<'_>,
        (hypothesis, says): (&Hypothesis<'_>, bool),
    ) -> Vec<Vec<u8>> {
        let Some(start) = self.base(dice, says) else { return Vec::new() };
        let Some(start) = reader.judged(hypothesis, &start) else { return Vec::new() };
        if start.holds != says {
            let planted = if says { self.planted(dice, reader, hypothesis) } else { None };
            return planted.into_iter().collect();
        }
        self.steps_from(dice, reader, (hypothesis, start))
    }
}

/// Tests those of some inputs that decide about most rivals, each by its weight. Returns how many refute the condition.
fn decided(
    prober: &mut Prober<'_, '_>,
    samples: &mut Samples,
    hypothesis: &Hypothesis<'_>,
    (mut pool, weights): (Vec<Telling>, &[usize]),
    tests: usize,
) -> Result<usize, Stopped> {
    let mut is_open = vec![true; weights.len()];
    let (mut refuted, mut rejected) = (0, 0);
    for _ in 0..tests {
        prober.check_time()?;
        let open = |one: &Telling| -> usize {
            one.rivals.iter().filter(|at| is_open[**at]).map(|at| weights[*at]).sum()
        };
        let best = (0..pool.len()).max_by_key(|at| {
            let length = std::cmp::Reverse(pool[*at].input.len());
            (open(&pool[*at]), length, std::cmp::Reverse(*at))
        });
        let Some(best) = best.filter(|at| open(&pool[*at]) > 0) else { break };
        let Telling { input, rivals } = pool.swap_remove(best);
        let known = known_of(samples, hypothesis, vec![input]).pop();
        let is_refuted = known.map(|known| is_refuted(prober, samples, hypothesis, known));
        match is_refuted.transpose()?.flatten() {
            Some(true) => refuted += 1,
            Some(false) => rivals.iter().for_each(|at| is_open[*at] = false),
            None => rejected += 1,
        }
        if refuted >= ENOUGH_REFUTATIONS || rejected >= MAX_REJECTED {
            break;
        }
    }
    Ok(refuted)
}
