//! The smallest corpus of exact features, of which most inputs need only an estimate.
//!
//! An estimate comes from one run after other inputs in the same process. As far as programs that keep nothing from
//! one input to the next are concerned, it has all exact features, and perhaps more: those of code that a process
//! runs once, such as filling a table. So the inputs are chosen on estimates, those on which the choice depends
//! ([`Cover::tried`](super::cover::Cover::tried)) run again alone, and the choice is repeated until it depends on exact features only. It is the
//! choice of exact features then.
//!
//! A program that does keep something, such as a cache, can hide in an estimate what an input reaches alone. If an
//! exact list has something that its estimate lacks, all inputs run alone.

mod doubtful;
mod one_by_one;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use seedsmith_engine::Kind;
use seedsmith_engine::internal::features;

use doubtful::{Difference, Doubts, has_all, lacks};
use one_by_one::OneByOne;

use super::gather::{GatherError, Reached};
use super::rerun::{FIRST_SAMPLE, Reruns, Sampled};
use super::smallest::{Chooser, SmallestCorpus, Weight};
use super::survey::{Survey, Surveyed};

/// If fewer than this part of all inputs would be left with an estimate, these run alone too.
///
/// They cost little then, and the second run on a corpus that was chosen has exact features of all. A guess, not
/// measured.
const FEW_LEFT: usize = 4;

/// If more than this part of the inputs on which the choice depends had another estimate, all run alone: most inputs would be
/// tried one after the other. Not for the first few, which are the first to run the code that a process runs once.
/// A guess, not measured.
const MANY_DIFFER: usize = 4;
/// As many of these are accepted in any case. A guess, not measured.
const MIN_DIFFERENCES: usize = 64;

/// Inputs that run alone while inputs are chosen, divided by the workers, since these could run as many at once: another choice costs as
/// much as some ten of these runs. Not when the first choice is made, of which all inputs are open. Two at once, the likely next one
/// besides the one that is asked for, saved a sixth of the questions. A guess, not measured.
const ONE_BY_ONE: usize = 256;

/// What became of inputs that ran alone.
struct Verified {
    /// Those with other features than estimated.
    differing: Vec<Difference>,
    /// What they say of other inputs.
    doubts: Doubts,
    /// The inputs that have lost features since the last choice, empty if nothing has changed; nothing if more than that has.
    shortened: Option<BTreeSet<usize>>,
    /// Whether the target keeps something from one input to the next that hides what another one reaches.
    has_state: bool,
    /// How many of the differing ones ran again.
    sampled: usize,
    /// Inputs that ran alone because the choice depends on them, and how many of them had another estimate.
    tried: (usize, usize),
}

/// Chooses the smallest corpus of `survey`, whose features are estimates.
///
/// The features of the inputs on which the choice depends are exact in the end, and so are the failures. Costs two or three
/// runs for each of these, and a cover for each round; two or three rounds are usual.
pub(super) fn choose(
    survey: &mut Survey,
    is_held: &dyn Fn(&Surveyed) -> bool,
    reruns: &mut Reruns<'_, '_>,
    jobs: NonZero<usize>,
) -> Result<SmallestCorpus, GatherError> {
    let mut seen = Verified {
        differing: Vec::new(),
        doubts: Doubts::new(),
        shortened: None,
        has_state: false,
        sampled: 0,
        tried: (0, 0),
    };
    verify_failing(survey, reruns, &mut seen)?;
    let mut chooser = Chooser::of(survey, Weight::Bytes, jobs);
    let mut room = 0;
    loop {
        chooser.refresh(survey);
        let shortened = seen.shortened.replace(BTreeSet::new());
        let mut runs = OneByOne::new(survey, reruns, &mut seen, room);
        let choice = chooser.choose(survey, is_held, shortened.as_ref(), &mut |index, wanted| {
            runs.confirm(index, wanted)
        });
        let (found, has_ended) = runs.into_found()?;
        if !found.is_empty() {
            learn(survey, found, reruns, &mut seen, true)?;
        }
        // If inputs fail now, others have their places.
        let tried = seen.shortened.is_some().then(|| choice.tried.iter().copied());
        let mut wanted: BTreeSet<usize> =
            tried.into_iter().flatten().filter(is_open_in(survey)).collect();
        if wanted.is_empty() && !has_ended && seen.shortened.is_some() {
            return Ok(SmallestCorpus::of(survey, is_held, &choice.chosen));
        }
        // The inputs that the choice depends on come first. Those that follow are doubtful, so that most of them differ.
        let mut is_first = true;
        while !wanted.is_empty() {
            let open = || (0..survey.passing.len()).filter(is_open_in(survey));
            let is_few_left = || (open().count() - wanted.len()) * FEW_LEFT < survey.passing.len();
            if seen.has_state || is_few_left() {
                wanted = open().collect();
            }
            let found = run_alone(survey, &wanted, reruns, &mut seen)?;
            learn(survey, found, reruns, &mut seen, std::mem::take(&mut is_first))?;
            wanted = match seen.has_state {
                true => (0..survey.passing.len()).filter(is_open_in(survey)).collect(),
                false => {
                    chooser.refresh(survey);
                    seen.doubts.holders(chooser.index(), is_open_in(survey))
                }
            };
        }
        if seen.shortened.as_ref().is_some_and(BTreeSet::is_empty) {
            // The same choice from the same features.
            return Ok(SmallestCorpus::of(survey, is_held, &choice.chosen));
        }
        room = ONE_BY_ONE / jobs;
    }
}

/// Whether the features of the input at a place are an estimate.
fn is_open_in(survey: &Survey) -> impl Fn(&usize) -> bool + '_ {
    |index| !survey.passing[*index].is_exact
}

/// Runs the failing inputs alone: a failure may be that of an input before.
///
/// An input that took too long is not run again: it would take as long.
fn verify_failing(
    survey: &mut Survey,
    reruns: &mut Reruns<'_, '_>,
    seen: &mut Verified,
) -> Result<(), GatherError> {
    let failing = std::mem::take(&mut survey.failing);
    let (hanging, failing): (Vec<_>, Vec<_>) =
        failing.into_iter().partition(|(_, signature)| signature.kind == Kind::Timeout);
    survey.failing = hanging;
    let inputs: Vec<_> = failing.iter().map(|(input, _)| (input, None)).collect();
    let reached = reruns.exact_of_failing(&inputs)?;
    let passes = |reached: &Reached| matches!(reached, Reached::Kept(_) | Reached::Rejected(_));
    seen.has_state |= reached.iter().any(passes);
    survey.add(failing.into_iter().map(|(input, _)| input).zip(reached), true);
    Ok(())
}

/// Runs the passing inputs at these places alone, and notes what they say of estimates. Gives what each reached, without
/// what counts by chance.
fn run_alone(
    survey: &Survey,
    wanted: &BTreeSet<usize>,
    reruns: &mut Reruns<'_, '_>,
    seen: &mut Verified,
) -> Result<BTreeMap<usize, Reached>, GatherError> {
    let inputs = wanted.iter().map(|index| {
        let one = &survey.passing[*index];
        // What a target keeps can make an estimate look right.
        (&one.input, (!seen.has_state).then_some(&one.features))
    });
    let inputs: Vec<_> = inputs.collect();
    let mut reached = reruns.exact(&inputs, seen.has_state)?;
    for (index, reached) in wanted.iter().zip(&mut reached) {
        if let Reached::Kept(exact) | Reached::Rejected(exact) = reached {
            *exact = survey.unstable.stable_part(exact);
            seen.doubts.add(&survey.passing[*index].features, exact);
        }
    }
    Ok(wanted.iter().copied().zip(reached).collect())
}

/// Notes what inputs reached alone, and what follows from it for others. `are_tried` are those on which the choice depends.
fn learn(
    survey: &mut Survey,
    found: BTreeMap<usize, Reached>,
    reruns: &mut Reruns<'_, '_>,
    seen: &mut Verified,
    are_tried: bool,
) -> Result<(), GatherError> {
    let (count, differed) = (found.len(), seen.differing.len());
    note(survey, found, seen);
    if !seen.differing.is_empty() && seen.sampled < FIRST_SAMPLE {
        let unstable = survey.unstable.len();
        let count = FIRST_SAMPLE - seen.sampled;
        seen.sampled += find_unstable(survey, &mut seen.differing, count, reruns)?;
        if survey.unstable.len() > unstable {
            // All features may have changed.
            seen.shortened = None;
        }
    }
    let (tried, tried_differing) = &mut seen.tried;
    if are_tried {
        *tried += count;
        *tried_differing += seen.differing.len().saturating_sub(differed);
    }
    // As slow as if it had: see `MANY_DIFFER`.
    seen.has_state |= (*tried_differing > MIN_DIFFERENCES
        && *tried_differing * MANY_DIFFER > *tried)
        || seen.differing.iter().any(|one| lacks(&one.estimate, &one.exact));
    Ok(())
}

/// Notes what passing inputs reached alone. Those that fail there are passing no more.
fn note(survey: &mut Survey, found: BTreeMap<usize, Reached>, seen: &mut Verified) {
    let mut gone = Vec::new();
    for (index, reached) in found {
        let one = &mut survey.passing[index];
        one.is_exact = true;
        one.is_rejected = matches!(reached, Reached::Rejected(_));
        match reached {
            Reached::Kept(exact) | Reached::Rejected(exact) => {
                if exact != one.features {
                    let estimate = std::mem::replace(&mut one.features, exact.clone());
                    match &mut seen.shortened {
                        Some(shortened) if has_all(&estimate, &exact) => {
                            shortened.insert(index);
                        }
                        shortened => *shortened = None,
                    }
                    // An estimate does not know what is there by chance.
                    if !features(&estimate).eq(features(&exact)) {
                        let input = one.input.clone();
                        seen.differing.push(Difference { input, estimate, exact });
                    }
                }
            }
            other => gone.push((index, other)),
        }
    }
    seen.has_state |= gone.iter().any(|(_, reached)| matches!(reached, Reached::Failed(_)));
    seen.shortened = seen.shortened.take().filter(|_| gone.is_empty());
    let mut others = Vec::new();
    for (index, reached) in gone.into_iter().rev() {
        others.push((survey.passing.remove(index).input, reached));
    }
    survey.add(others, true);
}

/// Finds out whether inputs differ from their estimates because the target does not do the same each time. What
/// counts by chance is left out of all features, and no longer makes a difference. Gives the number of inputs that
/// ran again.
fn find_unstable(
    survey: &mut Survey,
    differing: &mut Vec<Difference>,
    count: usize,
    reruns: &mut Reruns<'_, '_>,
) -> Result<usize, GatherError> {
    let mut sample: Vec<&Difference> = differing.iter().collect();
    sample.sort_by_key(|one| &one.input.sha1);
    sample.truncate(count);
    let sample: Vec<Sampled> = sample
        .into_iter()
        .map(|one| Sampled { input: one.input.clone(), before: Some(one.exact.clone()) })
        .collect();
    let count = sample.len();
    reruns.find_unstable_in(survey, sample)?;
    let unstable = &survey.unstable;
    for one in differing.iter_mut() {
        one.estimate = unstable.stable_part(&one.estimate);
        one.exact = unstable.stable_part(&one.exact);
    }
    differing.retain(|one| !features(&one.estimate).eq(features(&one.exact)));
    Ok(count)
}

#[cfg(test)]
mod tests;
