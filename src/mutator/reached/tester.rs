//! Tests candidates: asks the validator, runs the target where that may show something, and keeps what reaches something new.

use std::time::{Duration, Instant};

use super::Reached;
use super::pace::Pace;
use super::seen::{Feature, has_all};
use crate::mutator::job::{NO_ORIGIN, Origin, SHORTER, Text, Word};
use crate::mutator::time_limit::thread_time;
use seedsmith_grammar::{Digest, Random};

/// An input of the corpus that a shorter mutant may take the place of.
struct Replaceable {
    /// Features that it was the first to reach.
    own: Vec<Feature>,
    /// Bytes of the shortest that reaches all of that.
    length: usize,
    /// That, if it is a mutant.
    shorter: Option<Vec<u8>>,
}

/// What a test shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mutator) struct Shown {
    /// Whether the validator accepts the candidate.
    pub is_valid: bool,
    /// Whether the target reaches something new with it. Never where the target is not run.
    pub is_new: bool,
}

/// Tests candidates.
///
/// It reports each candidate before its test, so that a crash or a hang of the validator or the target is known by its
/// bytes.
pub(in crate::mutator) struct Tester<'v> {
    is_valid: &'v dyn Fn(&[u8]) -> bool,
    tell: &'v dyn Fn(&[u8]),
    reached: Option<&'v mut Reached>,
    word: Vec<u8>,
    parent: Option<Replaceable>,
    /// The processor time when the job began, or after the last slow test.
    processor: Duration,
    /// Slow tests since this was last taken.
    pub slow: usize,
    /// How the next candidate was made.
    pub origin: Origin,
    /// Candidates that reach something new.
    pub found: Vec<Text>,
}

impl<'v> Tester<'v> {
    /// Asks `is_valid`, and where there is `reached` also the target.
    ///
    /// `tell` gets each candidate before its test.
    pub(in crate::mutator) fn new(
        is_valid: &'v dyn Fn(&[u8]) -> bool,
        tell: &'v dyn Fn(&[u8]),
        reached: Option<&'v mut Reached>,
    ) -> Self {
        Tester {
            is_valid,
            tell,
            reached,
            word: Vec::new(),
            parent: None,
            processor: thread_time(),
            slow: 0,
            origin: NO_ORIGIN,
            found: Vec::new(),
        }
    }

    /// Whether the target is run too.
    pub(in crate::mutator) fn runs_target(&self) -> bool {
        self.reached.is_some()
    }

    /// Asks the validator alone.
    ///
    /// The target is not run, and nothing is kept.
    pub(in crate::mutator) fn is_valid(&mut self, candidate: &[u8]) -> bool {
        Word::write_tests(candidate, &mut self.word);
        (self.tell)(&self.word);
        (self.is_valid)(candidate)
    }

    /// The digest of a valid input that reaches a block which few mutants were made for.
    pub(in crate::mutator) fn rare(&mut self, random: &mut Random) -> Option<u128> {
        let reached = self.reached.as_mut()?;
        reached.rare.next(&reached.rejecting, &reached.running, random)
    }

    /// Records which blocks a valid input reaches: the one that was run last.
    pub(in crate::mutator) fn know_valid(&mut self, input: &[u8]) {
        if let Some(reached) = &mut self.reached {
            reached.rare.put(Digest::of(input).0, &reached.counts, &reached.rejecting);
        }
    }

    /// Records what an input of the corpus reaches: libFuzzer has it already.
    ///
    /// Costs a run of the target, where there is one.
    pub(in crate::mutator) fn know(&mut self, input: &[u8]) {
        if let Some(reached) = &mut self.reached {
            Word::write_runs(input, &mut self.word);
            (self.tell)(&self.word);
            if reached.runs(input) {
                reached.add(input);
            }
        }
    }

    /// Pairs of texts that the target compares in a run of an input, and that differ.
    pub(in crate::mutator) fn compared(&mut self, input: &[u8]) -> Vec<[Vec<u8>; 2]> {
        let Some(reached) = &mut self.reached else { return Vec::new() };
        Word::write_runs(input, &mut self.word);
        (self.tell)(&self.word);
        reached.target.compared(input)
    }

    /// Records what the parent of the next candidates reaches, as [`Tester::know`], and has shorter ones looked for that
    /// may take its place.
    pub(in crate::mutator) fn replace(&mut self, parent: &[u8]) {
        self.know(parent);
        self.watch(parent.len(), Digest::of(parent).0);
    }

    /// Has shorter ones looked for that may take the place of an input whose digest and length these are. It was run
    /// earlier.
    pub(in crate::mutator) fn watch(&mut self, length: usize, digest: u128) {
        let own = self.reached.as_ref().and_then(|reached| reached.own.get(&digest));
        self.parent = own.map(|own| Replaceable { own: own.clone(), length, shorter: None });
    }

    /// The shortest candidate that may take the place of the parent. Its origin is `SHORTER`.
    pub(in crate::mutator) fn replacement(&mut self) -> Option<Text> {
        let Replaceable { own, shorter, .. } = self.parent.take()?;
        let bytes = shorter?;
        if let Some(reached) = &mut self.reached {
            reached.owns(&bytes, own);
        }
        Some(Text { bytes, origin: SHORTER, is_valid: false, is_new: false })
    }

    /// Tests a candidate, and keeps it if it reaches something new.
    ///
    /// Costs one test of the validator, and a run of the target if the candidate is valid or
    /// reaches something new in the validator. A slow test is counted, and shows nothing new.
    pub(in crate::mutator) fn test(&mut self, candidate: &[u8]) -> Shown {
        let Some(reached) = &mut self.reached else {
            return Shown { is_valid: self.is_valid(candidate), is_new: false };
        };
        Word::write_tests(candidate, &mut self.word);
        (self.tell)(&self.word);
        let began = Instant::now();
        let (processor, slow) = (&mut self.processor, &mut self.slow);
        // A job takes some milliseconds without its slow tests, so nearly all of the time since it began is the test's.
        let mut is_slow = |pace: &mut Pace| {
            let of_processor = || thread_time().saturating_sub(*processor);
            let is_slow = pace.is_slow(began.elapsed(), of_processor);
            if is_slow {
                (*processor, *slow) = (thread_time(), *slow + 1);
            }
            is_slow
        };
        reached.target.clear();
        let is_valid = (self.is_valid)(candidate);
        if is_slow(&mut reached.pace) {
            return Shown { is_valid, is_new: false };
        }
        let replaces = |parent: &Option<Replaceable>, counts: &[u8]| {
            let is_shorter = |parent: &&Replaceable| candidate.len() < parent.length;
            parent.as_ref().filter(is_shorter).is_some_and(|parent| has_all(counts, &parent.own))
        };
        if !is_valid {
            reached.target.read(&mut reached.counts);
            let is_new = reached.rejecting.add(&reached.counts, &mut reached.fresh);
            if !is_new && !replaces(&self.parent, &reached.counts) {
                return Shown { is_valid, is_new: false };
            }
        }
        Word::write_runs(candidate, &mut self.word);
        (self.tell)(&self.word);
        if !reached.runs(candidate) || is_slow(&mut reached.pace) {
            return Shown { is_valid, is_new: false };
        }
        let is_new = reached.add(candidate);
        if !is_new
            && replaces(&self.parent, &reached.counts)
            && let Some(parent) = &mut self.parent
        {
            parent.length = candidate.len();
            parent.shorter = Some(candidate.to_vec());
        }
        if is_new {
            if is_valid {
                reached.rare.put(Digest::of(candidate).0, &reached.counts, &reached.rejecting);
            }
            let (bytes, origin) = (candidate.to_vec(), self.origin);
            self.found.push(Text { bytes, origin, is_valid, is_new });
        }
        Shown { is_valid, is_new }
    }
}
