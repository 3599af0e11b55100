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

use std::collections::BTreeSet;
use std::num::NonZero;

use seedsmith_engine::Kind;
use seedsmith_engine::internal::features;

use doubtful::{Difference, Doubts, lacks};

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

/// What became of inputs that ran alone.
struct Verified {
    /// Those with other features than estimated.
    differing: Vec<Difference>,
    /// What they say of other inputs.
    doubts: Doubts,
    /// Whether any features or inputs are others since the last choice.
    has_changed: bool,
    /// Whether the target keeps something from one input to the next that hides what another one reaches.
    has_state: bool,
}

/// Chooses the smallest corpus of `survey`, whose features are estimates.
///
/// The features of the inputs on which the choice depends are exact in the end, and so are the failures. Costs three
/// runs for each of these at most, and a cover for each round; some rounds are usual.
pub(super) fn choose(
    survey: &mut Survey,
    is_held: &dyn Fn(&Surveyed) -> bool,
    reruns: &mut Reruns<'_, '_>,
    jobs: NonZero<usize>,
) -> Result<SmallestCorpus, GatherError> {
    let mut seen = Verified {
        differing: Vec::new(),
        doubts: Doubts::new(),
        has_changed: false,
        has_state: false,
    };
    verify_failing(survey, reruns, &mut seen)?;
    let mut sampled = 0;
    // Inputs that ran alone because the choice depends on them, and how many of them had another estimate.
    let (mut tried, mut tried_differing) = (0, 0);
    let mut chooser = Chooser::of(survey, Weight::Bytes, jobs);
    loop {
        chooser.refresh(survey);
        let smallest = chooser.choose(survey, is_held, &seen.doubts.without_estimates());
        let is_open = |index: &usize| !survey.passing[*index].is_exact;
        let mut wanted: BTreeSet<usize> = smallest.tried.iter().copied().filter(is_open).collect();
        if wanted.is_empty() {
            return Ok(smallest);
        }
        seen.has_changed = false;
        // The inputs that the choice depends on come first. Those that follow are doubtful, so that most of them differ.
        let mut is_first = true;
        while !wanted.is_empty() {
            let open = || (0..survey.passing.len()).filter(is_open_in(survey));
            let is_few_left = || (open().count() - wanted.len()) * FEW_LEFT < survey.passing.len();
            if seen.has_state || is_few_left() {
                wanted = open().collect();
            }
            let differed = seen.differing.len();
            verify(survey, &wanted, reruns, &mut seen)?;
            if !seen.differing.is_empty() && sampled < FIRST_SAMPLE {
                // Counters may be left out.
                seen.has_changed = true;
                sampled +=
                    find_unstable(survey, &mut seen.differing, FIRST_SAMPLE - sampled, reruns)?;
            }
            if std::mem::take(&mut is_first) {
                tried += wanted.len();
                tried_differing += seen.differing.len().saturating_sub(differed);
            }
            // As slow as if it had: see `MANY_DIFFER`.
            seen.has_state |= (tried_differing > MIN_DIFFERENCES
                && tried_differing * MANY_DIFFER > tried)
                || seen.differing.iter().any(|one| lacks(&one.estimate, &one.exact));
            wanted = match seen.has_state {
                true => (0..survey.passing.len()).filter(is_open_in(survey)).collect(),
                false => {
                    chooser.refresh(survey);
                    seen.doubts.holders(survey, &chooser)
                }
            };
        }
        if !seen.has_changed {
            // The same choice from the same features.
            return Ok(smallest);
        }
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
    let reached = reruns.exact(&inputs, seen.has_state)?;
    let passes = |reached: &Reached| matches!(reached, Reached::Kept(_) | Reached::Rejected(_));
    seen.has_state |= reached.iter().any(passes);
    survey.add(failing.into_iter().map(|(input, _)| input).zip(reached), true);
    Ok(())
}

/// Runs the passing inputs at these places alone. Those that fail there are passing no more.
fn verify(
    survey: &mut Survey,
    wanted: &BTreeSet<usize>,
    reruns: &mut Reruns<'_, '_>,
    seen: &mut Verified,
) -> Result<(), GatherError> {
    let inputs = wanted.iter().map(|index| {
        let one = &survey.passing[*index];
        // What a target keeps can make an estimate look right.
        (&one.input, (!seen.has_state).then_some(&one.features))
    });
    let inputs: Vec<_> = inputs.collect();
    let reached = reruns.exact(&inputs, seen.has_state)?;
    let mut gone = Vec::new();
    for (index, reached) in wanted.iter().zip(reached) {
        let one = &mut survey.passing[*index];
        one.is_exact = true;
        one.is_rejected = matches!(reached, Reached::Rejected(_));
        match reached {
            Reached::Kept(exact) | Reached::Rejected(exact) => {
                let exact = survey.unstable.stable_part(&exact);
                seen.doubts.add(&one.features, &exact);
                if exact != one.features {
                    seen.has_changed = true;
                    let estimate = std::mem::replace(&mut one.features, exact.clone());
                    // An estimate does not know what is there by chance.
                    if !features(&estimate).eq(features(&exact)) {
                        let input = one.input.clone();
                        seen.differing.push(Difference { input, estimate, exact });
                    }
                }
            }
            other => gone.push((*index, other)),
        }
    }
    seen.has_state |= gone.iter().any(|(_, reached)| matches!(reached, Reached::Failed(_)));
    seen.has_changed |= !gone.is_empty();
    let mut others = Vec::new();
    for (index, reached) in gone.into_iter().rev() {
        others.push((survey.passing.remove(index).input, reached));
    }
    survey.add(others, true);
    Ok(())
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
mod tests {
    use std::cell::Cell;
    use std::collections::VecDeque;
    use std::path::Path;
    use std::rc::Rc;
    use std::sync::atomic::AtomicBool;

    use seedsmith_engine::internal::{BUCKETS, FeatureText};
    use seedsmith_engine::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};
    use seedsmith_engine::{Observation, Verdict};

    use super::*;
    use crate::corpus::ByContent;
    use crate::coverage::run::{SurveyOptions, survey};
    use crate::coverage::smallest::smallest_corpus;
    use crate::coverage::survey::Exact;

    /// What a process of the target keeps from one input to the next.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Memory {
        Nothing,
        /// Whether it has met the letters y and z: the first one takes more code.
        Letters,
        /// The last letter of the input before: code runs if the input begins with it.
        Last,
    }

    /// A target in this process that reaches a counter for each pair of letters that follow each other.
    struct Remembering {
        memory: Memory,
        /// Inputs that ran in a worker that had run nothing else.
        fresh: Rc<Cell<usize>>,
    }

    struct Worker {
        memory: Memory,
        fresh: Rc<Cell<usize>>,
        met: BTreeSet<u8>,
        last: Option<u8>,
        is_new: bool,
        done: VecDeque<RunReport>,
    }

    impl Worker {
        fn run(&mut self, text: &[u8]) -> FeatureText {
            let mut counters: BTreeSet<u32> = text
                .windows(2)
                .map(|two| u32::from(two[0] % 8) * 8 + u32::from(two[1] % 8))
                .collect();
            let new: Vec<u8> = text.iter().filter(|one| self.met.insert(**one)).copied().collect();
            if self.memory == Memory::Letters {
                counters.extend(
                    new.into_iter().filter(|one| *one >= b'y').map(|one| 100 + u32::from(one)),
                );
            }
            if self.memory == Memory::Last && self.last == text.first().copied() {
                counters.insert(400 + u32::from(text[0]));
            }
            self.last = text.last().copied();
            FeatureText::of(&counters.into_iter().map(|one| one * BUCKETS).collect::<Vec<_>>())
        }
    }

    impl Target for Remembering {
        fn name(&self) -> &str {
            "remembering"
        }

        fn open(&self, _: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError> {
            Ok(Box::new(Worker {
                memory: self.memory,
                fresh: self.fresh.clone(),
                met: BTreeSet::new(),
                last: None,
                is_new: true,
                done: VecDeque::new(),
            }))
        }

        fn is_synchronous(&self) -> bool {
            true
        }
    }

    impl Slot for Worker {
        fn push(
            &mut self,
            ticket: u64,
            text: &[u8],
            request: Request,
        ) -> Result<bool, TargetError> {
            if request.fresh {
                (self.met, self.last, self.is_new) = (BTreeSet::new(), None, true);
            }
            let mut features = self.run(text);
            if self.is_new || !request.once {
                features = self.run(text);
            }
            self.fresh.set(self.fresh.get() + usize::from(self.is_new));
            let was_fresh = std::mem::take(&mut self.is_new);
            let answer = AsRef::<[u8]>::as_ref(&features).to_vec();
            let observation = Observation::Returned(Verdict::Keep);
            self.done.push_back(RunReport { ticket, observation, was_fresh, answer });
            Ok(true)
        }

        fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
            Ok(self.done.pop_front())
        }

        fn request_notification(&mut self) {}

        fn cancel(&mut self) -> Vec<u64> {
            self.done.clear();
            Vec::new()
        }

        fn set_limits(&mut self, _: Limits) {}

        fn tend(&mut self) -> Result<(), TargetError> {
            Ok(())
        }
    }

    /// Writes texts of one to twelve letters.
    fn corpus(folder: &Path, count: usize) {
        let mut state = 5u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            (state >> 33) % below
        };
        for number in 0..count {
            let text: Vec<u8> = (0..1 + draw(12)).map(|_| b'a' + draw(26) as u8).collect();
            std::fs::write(folder.join(number.to_string()), text).unwrap();
        }
    }

    /// The SHA-1 of the kept inputs, and how many inputs ran alone.
    fn kept(
        folder: &Path,
        memory: Memory,
        exact: Exact<'_>,
        names: &[usize],
    ) -> (Vec<String>, usize) {
        let fresh = Rc::new(Cell::new(0));
        let target = Remembering { memory, fresh: fresh.clone() };
        let never = AtomicBool::new(false);
        let files = names.iter().map(|number| folder.join(number.to_string()));
        let contents = ByContent::new(files, None, &never);
        let limits = Limits::default();
        let options = SurveyOptions { limits, jobs: 1, exact, varied: true };
        let (survey, smallest) = survey(&target, contents, &options, None, &never).unwrap();
        assert_eq!(survey.unstable.len(), 0);
        let chosen = || smallest_corpus(&survey, Weight::Bytes, &|_| false, NonZero::<usize>::MIN);
        let smallest = smallest.unwrap_or_else(chosen);
        let name = |index: usize| survey.passing[index].input.sha1.clone();
        (smallest.kept.iter().map(|one| name(one.index)).collect(), fresh.get())
    }

    #[test]
    fn estimates_lead_to_the_choice_of_exact_features_and_most_inputs_need_no_worker() {
        let folder = tempfile::tempdir().unwrap();
        let count = 600;
        corpus(folder.path(), count);
        let forward: Vec<usize> = (0..count).collect();
        let backward: Vec<usize> = (0..count).rev().collect();
        for memory in [Memory::Nothing, Memory::Letters, Memory::Last] {
            let estimated = Exact::Chosen(&|_| false);
            let (expected, _) = kept(folder.path(), memory, Exact::All, &forward);
            let (chosen, fresh) = kept(folder.path(), memory, estimated, &forward);
            assert_eq!(chosen, expected, "{memory:?}");
            assert_eq!(kept(folder.path(), memory, estimated, &backward).0, expected, "{memory:?}");
            match memory {
                // Two thirds of them are not even looked at again.
                Memory::Nothing | Memory::Letters => {
                    assert!(fresh < count / 3, "{memory:?}: {fresh}")
                }
                // What such an input reaches alone is known only when it runs alone.
                Memory::Last => assert!(fresh > count * 9 / 10, "{fresh}"),
            }
        }
    }

    #[test]
    fn a_corpus_that_is_added_to_counts_with_what_its_inputs_reach_alone() {
        let folder = tempfile::tempdir().unwrap();
        corpus(folder.path(), 300);
        let all: Vec<usize> = (0..300).collect();
        let is_held = |one: &Surveyed| {
            let name = one.input.path.file_name().unwrap().to_str().unwrap();
            name.parse::<usize>().unwrap() < 40
        };
        let never = AtomicBool::new(false);
        let added = |exact: Exact<'_>| {
            let target = Remembering { memory: Memory::Letters, fresh: Rc::default() };
            let files = all.iter().map(|number| folder.path().join(number.to_string()));
            let limits = Limits::default();
            let options = SurveyOptions { limits, jobs: 1, exact, varied: true };
            let contents = ByContent::new(files, None, &never);
            let (survey, smallest) = survey(&target, contents, &options, None, &never).unwrap();
            let chosen =
                || smallest_corpus(&survey, Weight::Bytes, &is_held, NonZero::<usize>::MIN);
            let smallest = smallest.unwrap_or_else(chosen);
            let names =
                smallest.kept.iter().map(|one| survey.passing[one.index].input.sha1.clone());
            (names.collect::<Vec<String>>(), smallest.features, smallest.added)
        };
        assert_eq!(added(Exact::Chosen(&is_held)), added(Exact::All));
    }
}
