//! Inputs of which a condition and others that agree with all tested inputs say different things.
//!
//! A condition is refuted by few inputs if it is too general: by those that meet it and lack what the cause needs besides.
//! They are not made at random. Walks that keep what the condition says give many inputs, which cost no test. Of these the
//! one is tested that decides about most of the other conditions, then the one that decides about most of those that are
//! left over. So every part that all failing inputs have in common, and that the condition does not mention, is taken
//! away once, if some walk takes it away.

use seedsmith_engine::Stopped;

use super::against::{Adversary, Hypothesis, Judged, is_refuted, judged};
use super::mutants::{Base, Mutants};
use super::samples::Samples;
use crate::generalize::draws::prober::Prober;
use crate::generalize::predicate::learn::{Predicate, Rivals};
use crate::generalize::predicate::plain::is_plain;

/// Walks for each side, because a walk has up to eight inputs, and reading one takes a millisecond or two.
const WALKS: usize = 24;
/// Inputs with parts drawn from the grammar for each side, because no walk comes to some of them, such as a group whose only
/// part is a group. As many as the steps of walks that are read. Not measured.
const REDRAWN: usize = 128;
/// Inputs for each side of which the ones to test are chosen, a bound on the time: each is compared with 400 conditions.
const MAX_POOL: usize = 80;
/// Inputs that refute a condition after which it is learnt again: two, because one may be an exception.
const ENOUGH_REFUTATIONS: usize = 2;
/// Rejected inputs for each side after which no more are tested, because a target may take none that differ so much.
const MAX_REJECTED: usize = 12;

/// An input, and the numbers of the rivals that say something else of it than the condition does.
struct Telling {
    input: Vec<u8>,
    rivals: Vec<usize>,
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
                refuted += decided(prober, samples, &alone, (pool, rivals.len()), least)?;
            }
            if refuted > 0 {
                return Ok(refuted);
            }
        }
        for (says, rivals) in [(true, &rivals.needed), (false, &rivals.enough)] {
            let pool = self.pool(prober, (samples, mutants), (&hypothesis, says), rivals)?;
            let tests = if says { tests - tests / 3 } else { tests / 3 };
            refuted += decided(prober, samples, &hypothesis, (pool, rivals.len()), tests)?;
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
        let mut pool: Vec<Telling> = Vec::new();
        let from = if says { Base::Failing } else { Base::Passing };
        // Without a grammar a part that is drawn is any text.
        let redrawn = if is_plain(&samples.language) { 0 } else { REDRAWN };
        for number in 0..redrawn + WALKS {
            prober.check_time()?;
            let inputs = match number < redrawn {
                true if pool.len() >= MAX_POOL / 2 => continue,
                true => {
                    let input = mutants.redraw(from);
                    let judged = input.and_then(|input| judged(samples, hypothesis, input));
                    judged
                        .filter(|one| one.holds == says)
                        .map(Judged::into_input)
                        .into_iter()
                        .collect()
                }
                false => self.trail(samples, hypothesis, says),
            };
            for input in inputs {
                if pool.iter().any(|known| known.input == input) {
                    continue;
                }
                let Some(features) = samples.peek(&input) else { continue };
                let others = (0..rivals.len()).filter(|at| rivals[*at].holds(&features) != says);
                let others: Vec<usize> = others.collect();
                if !others.is_empty() {
                    pool.push(Telling { input, rivals: others });
                }
            }
            if pool.len() >= MAX_POOL {
                break;
            }
        }
        Ok(pool)
    }

    /// All inputs of a walk of which the condition says the same.
    fn trail(
        &mut self,
        samples: &mut Samples,
        hypothesis: &Hypothesis<'_>,
        says: bool,
    ) -> Vec<Vec<u8>> {
        let Some(start) = self.base(says) else { return Vec::new() };
        let Some(start) = judged(samples, hypothesis, start) else { return Vec::new() };
        if start.holds != says {
            let planted = if says { self.planted(samples, hypothesis) } else { None };
            return planted.into_iter().collect();
        }
        self.steps_from(samples, hypothesis, start)
    }
}

/// Tests those of some inputs that decide about most rivals. Returns how many refute the condition.
fn decided(
    prober: &mut Prober<'_, '_>,
    samples: &mut Samples,
    hypothesis: &Hypothesis<'_>,
    (mut pool, rivals): (Vec<Telling>, usize),
    tests: usize,
) -> Result<usize, Stopped> {
    let mut is_open = vec![true; rivals];
    let (mut refuted, mut rejected) = (0, 0);
    for _ in 0..tests {
        prober.check_time()?;
        let open = |one: &Telling| one.rivals.iter().filter(|at| is_open[**at]).count();
        let best = (0..pool.len()).max_by_key(|at| {
            let length = std::cmp::Reverse(pool[*at].input.len());
            (open(&pool[*at]), length, std::cmp::Reverse(*at))
        });
        let Some(best) = best.filter(|at| open(&pool[*at]) > 0) else { break };
        let Telling { input, rivals } = pool.swap_remove(best);
        match is_refuted(prober, samples, hypothesis, input)? {
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
