//! A target that keeps something from one input to the next, and one that keeps nothing.

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
    /// Nothing; but most pairs with k and more are there by chance, in most inputs.
    Chance,
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
    fn run(&mut self, text: &[u8], is_estimate: bool) -> FeatureText {
        let mut counters: BTreeSet<u32> =
            text.windows(2).map(|two| u32::from(two[0] % 8) * 8 + u32::from(two[1] % 8)).collect();
        let new: Vec<u8> = text.iter().filter(|one| self.met.insert(**one)).copied().collect();
        if self.memory == Memory::Letters {
            counters
                .extend(new.into_iter().filter(|one| *one >= b'y').map(|one| 100 + u32::from(one)));
        }
        if self.memory == Memory::Last && self.last == text.first().copied() {
            counters.insert(400 + u32::from(text[0]));
        }
        self.last = text.last().copied();
        let is_by_chance = |one: u32| {
            let digest = xxhash_rust::xxh3::xxh3_64_with_seed(text, one.into());
            self.memory == Memory::Chance
                && !is_estimate
                && one % 8 > 2
                && !digest.is_multiple_of(5)
        };
        counters.into_iter().map(|one| (one * BUCKETS, is_by_chance(one))).collect()
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
    fn push(&mut self, ticket: u64, text: &[u8], request: Request) -> Result<bool, TargetError> {
        if request.fresh {
            (self.met, self.last, self.is_new) = (BTreeSet::new(), None, true);
        }
        let is_estimate = request.once && !self.is_new;
        let mut features = self.run(text, is_estimate);
        if !is_estimate {
            features = self.run(text, false);
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

/// One worker, and one thread.
const ONE: NonZero<usize> = NonZero::<usize>::MIN;

/// The SHA-1 of the kept inputs, and how many inputs ran alone.
fn kept(folder: &Path, memory: Memory, exact: Exact<'_>, names: &[usize]) -> (Vec<String>, usize) {
    let fresh = Rc::new(Cell::new(0));
    let target = Remembering { memory, fresh: fresh.clone() };
    let never = AtomicBool::new(false);
    let files = names.iter().map(|number| folder.join(number.to_string()));
    let contents = ByContent::new(files, None, ONE, &never);
    let limits = Limits::default();
    let options = SurveyOptions { limits, jobs: ONE, exact, varied: true };
    let (survey, smallest) = survey(&target, contents, &options, None, &never).unwrap();
    assert_eq!(survey.unstable.len(), 0);
    let chosen = || smallest_corpus(&survey, Weight::Bytes, &|_| false, ONE);
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
    for memory in [Memory::Nothing, Memory::Letters, Memory::Last, Memory::Chance] {
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
            Memory::Chance => assert!(fresh < count * 9 / 10, "{fresh}"),
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
        let options = SurveyOptions { limits, jobs: ONE, exact, varied: true };
        let contents = ByContent::new(files, None, ONE, &never);
        let (survey, smallest) = survey(&target, contents, &options, None, &never).unwrap();
        let chosen = || smallest_corpus(&survey, Weight::Bytes, &is_held, ONE);
        let smallest = smallest.unwrap_or_else(chosen);
        let names = smallest.kept.iter().map(|one| survey.passing[one.index].input.sha1.clone());
        (names.collect::<Vec<String>>(), smallest.features, smallest.added)
    };
    assert_eq!(added(Exact::Chosen(&is_held)), added(Exact::All));
}
