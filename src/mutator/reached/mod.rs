//! What candidates reach: in the worker the validator's tests are watched, and the target itself is run.
//!
//! A run of a valid input takes several times as long in libFuzzer as it does here: libFuzzer records every
//! compare, and weighs its corpus by all that an input reaches. So candidates are run here first, and libFuzzer gets those
//! that reach something new. A rejected candidate is run only if the validator reached something new with it.

mod pace;
mod seen;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::job::{NO_ORIGIN, Origin, SHORTER, Text, Word};
use super::time_limit::thread_time;
use pace::Pace;
use seedsmith_engine::internal::InProcessTarget;
use seedsmith_grammar::Digest;
use seen::{Feature, Seen, has_all};

/// A target and the counters of its blocks.
pub(super) trait Counted {
    /// Sets all counters to 0.
    fn clear(&self);
    /// Runs the target; whether libFuzzer would keep the input.
    fn run(&self, input: &[u8]) -> bool;
    /// Copies the counters.
    fn read(&self, counts: &mut Vec<u8>);
    /// Words that the code compares with.
    fn words(&self) -> &[Vec<u8>];
    /// Runs the target, and gives pairs of texts that it compared and that differ.
    fn compared(&self, input: &[u8]) -> Vec<[Vec<u8>; 2]>;
}

impl Counted for InProcessTarget {
    fn clear(&self) {
        self.clear();
    }

    fn run(&self, input: &[u8]) -> bool {
        self.run(input)
    }

    fn read(&self, counts: &mut Vec<u8>) {
        self.read(counts);
    }

    fn words(&self) -> &[Vec<u8>] {
        self.words()
    }

    fn compared(&self, input: &[u8]) -> Vec<[Vec<u8>; 2]> {
        self.compared(input)
    }
}

/// Inputs whose own features are remembered: a bound on memory. When it is reached all are forgotten, because libFuzzer's
/// corpora are rarely as large. A guess, not measured.
const MAX_OWNERS: usize = 32_768;

/// The target, and the features that were reached before.
pub(super) struct Reached {
    target: Box<dyn Counted>,
    counts: Vec<u8>,
    /// By the validator alone, of candidates that it rejected.
    rejecting: Seen,
    running: Seen,
    pace: Pace,
    /// What the last run was the first to reach.
    fresh: Vec<Feature>,
    /// What each input of the corpus was the first to reach, by its digest. libFuzzer keeps the same list, and puts a
    /// shorter mutant that reaches all of it in the place of its parent.
    own: HashMap<u128, Vec<Feature>>,
}

impl Reached {
    /// Nothing was reached. `None` where this program has no target that could be run.
    pub(super) fn new() -> Option<Self> {
        Some(Reached::of(Box::new(InProcessTarget::find()?)))
    }

    /// Nothing was reached.
    ///
    /// For tests, and for targets that count in another way.
    pub(super) fn of(target: Box<dyn Counted>) -> Self {
        let (rejecting, running) = (Seen::default(), Seen::default());
        Reached {
            target,
            counts: Vec::new(),
            rejecting,
            running,
            pace: Pace::default(),
            fresh: Vec::new(),
            own: HashMap::new(),
        }
    }

    /// Words that the target's code compares with.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        self.target.words()
    }

    /// Runs the target; whether libFuzzer would keep the input if it reached something new.
    fn runs(&mut self, candidate: &[u8]) -> bool {
        self.target.clear();
        let is_wanted = self.target.run(candidate);
        self.target.read(&mut self.counts);
        is_wanted
    }

    /// Whether the last run, which was of `candidate`, reached something new. If it did, that is recorded.
    fn add(&mut self, candidate: &[u8]) -> bool {
        let is_new = self.running.add(&self.counts, &mut self.fresh);
        if is_new {
            let fresh = self.fresh.clone();
            self.owns(candidate, fresh);
        }
        is_new
    }

    fn owns(&mut self, input: &[u8], features: Vec<Feature>) {
        if self.own.len() >= MAX_OWNERS {
            self.own.clear();
        }
        self.own.insert(Digest::of(input).0, features);
    }
}

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
pub(super) struct Shown {
    /// Whether the validator accepts the candidate.
    pub is_valid: bool,
    /// Whether the target reaches something new with it. Never where the target is not run.
    pub is_new: bool,
}

/// Tests candidates.
///
/// It reports each candidate before its test, so that a crash or a hang of the validator or the target is known by its
/// bytes.
pub(super) struct Tester<'v> {
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
    pub(super) fn new(
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
    pub(super) fn runs_target(&self) -> bool {
        self.reached.is_some()
    }

    /// Asks the validator alone.
    ///
    /// The target is not run, and nothing is kept.
    pub(super) fn is_valid(&mut self, candidate: &[u8]) -> bool {
        Word::write_tests(candidate, &mut self.word);
        (self.tell)(&self.word);
        (self.is_valid)(candidate)
    }

    /// Records what an input of the corpus reaches: libFuzzer has it already.
    ///
    /// Costs a run of the target, where there is one.
    pub(super) fn know(&mut self, input: &[u8]) {
        if let Some(reached) = &mut self.reached {
            Word::write_runs(input, &mut self.word);
            (self.tell)(&self.word);
            if reached.runs(input) {
                reached.add(input);
            }
        }
    }

    /// Pairs of texts that the target compares in a run of an input, and that differ.
    pub(super) fn compared(&mut self, input: &[u8]) -> Vec<[Vec<u8>; 2]> {
        let Some(reached) = &mut self.reached else { return Vec::new() };
        Word::write_runs(input, &mut self.word);
        (self.tell)(&self.word);
        reached.target.compared(input)
    }

    /// Records what the parent of the next candidates reaches, as [`Tester::know`], and has shorter ones looked for that
    /// may take its place.
    pub(super) fn replace(&mut self, parent: &[u8]) {
        self.know(parent);
        self.watch(parent.len(), Digest::of(parent).0);
    }

    /// Has shorter ones looked for that may take the place of an input whose digest and length these are. It was run
    /// earlier.
    pub(super) fn watch(&mut self, length: usize, digest: u128) {
        let own = self.reached.as_ref().and_then(|reached| reached.own.get(&digest));
        self.parent = own.map(|own| Replaceable { own: own.clone(), length, shorter: None });
    }

    /// The shortest candidate that may take the place of the parent. Its origin is `SHORTER`.
    pub(super) fn replacement(&mut self) -> Option<Text> {
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
    pub(super) fn test(&mut self, candidate: &[u8]) -> Shown {
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
            let (bytes, origin) = (candidate.to_vec(), self.origin);
            self.found.push(Text { bytes, origin, is_valid, is_new });
        }
        Shown { is_valid, is_new }
    }
}

#[cfg(test)]
pub mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::mutator::time_limit::tests::use_processor;

    /// Counts the bytes of each value, as a parser and as a target that is called after it.
    #[derive(Clone, Default)]
    pub struct Bytes(Rc<RefCell<Vec<u8>>>);

    impl Bytes {
        fn count(&self, input: &[u8], from: usize) {
            let mut counts = self.0.borrow_mut();
            counts.resize(512, 0);
            input.iter().for_each(|byte| counts[from + usize::from(*byte)] += 1);
        }

        /// A validator: of digits.
        pub fn is_valid(&self, input: &[u8]) -> bool {
            self.count(input, 0);
            input.iter().all(u8::is_ascii_digit)
        }
    }

    impl Counted for Bytes {
        fn clear(&self) {
            self.0.borrow_mut().fill(0);
        }

        fn run(&self, input: &[u8]) -> bool {
            if self.is_valid(input) {
                self.count(input, 256);
            }
            !input.contains(&b'-')
        }

        fn read(&self, counts: &mut Vec<u8>) {
            counts.clone_from(&self.0.borrow());
        }

        fn words(&self) -> &[Vec<u8>] {
            &[]
        }

        fn compared(&self, input: &[u8]) -> Vec<[Vec<u8>; 2]> {
            if input.starts_with(b"12") { vec![[b"12".into(), b"98".into()]] } else { Vec::new() }
        }
    }

    fn found(candidates: &[&str], known: &[&str]) -> Vec<(String, bool)> {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        known.iter().for_each(|input| tester.know(input.as_bytes()));
        for candidate in candidates {
            let shown = tester.test(candidate.as_bytes());
            assert_eq!(shown.is_valid, is_valid(candidate.as_bytes()));
        }
        let text = |one: Text| (String::from_utf8(one.bytes).unwrap(), one.is_valid);
        tester.found.into_iter().map(text).collect()
    }

    #[test]
    fn what_reaches_something_new_is_found_once_whether_it_is_valid_or_not() {
        let all = found(&["1", "1", "11", "x", "x", "2"], &[]);
        let expected = [("1", true), ("11", true), ("x", false), ("2", true)];
        assert_eq!(all, expected.map(|(text, is_valid)| (text.to_owned(), is_valid)));
    }

    #[test]
    fn the_shortest_that_reaches_what_its_parent_was_the_first_to_reach_may_take_its_place() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        tester.know(b"123");
        for (parent, shorter) in [("123444", Some("1444")), ("1444", Some("444")), ("444", None)] {
            tester.replace(parent.as_bytes());
            let candidates = ["123444", "1234", "1444", "13444", "44"].into_iter();
            let shortest = Some("444").filter(|_| parent == "1444");
            candidates.chain(shortest).for_each(|one| {
                tester.test(one.as_bytes());
            });
            let text = |text: Text| (String::from_utf8(text.bytes).unwrap(), text.origin);
            let expected = shorter.map(|text| (text.to_owned(), SHORTER));
            assert_eq!(tester.replacement().map(text), expected);
        }
    }

    #[test]
    fn what_an_input_of_the_corpus_reaches_is_not_new() {
        assert!(found(&["1", "x"], &["1", "x"]).is_empty());
    }

    #[test]
    fn what_the_target_wants_out_of_the_corpus_is_not_found() {
        assert!(found(&["-"], &[]).is_empty());
    }

    #[test]
    fn what_a_slow_test_reaches_is_not_found_and_what_reaches_the_same_quickly_is() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| {
            if input == b"3333" {
                use_processor(Duration::from_millis(200));
            }
            target.is_valid(input)
        };
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        let shown = ["1", "3333", "3333"].map(|one| tester.test(one.as_bytes()).is_new);
        assert_eq!((shown, tester.slow), ([true, false, false], 2));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        assert!(tester.test(b"3333").is_new);
    }

    #[test]
    fn without_a_target_nothing_is_found_and_the_validator_is_asked() {
        let is_valid = |input: &[u8]| input == b"1";
        let mut tester = Tester::new(&is_valid, &|_| (), None);
        assert_eq!(tester.test(b"1"), Shown { is_valid: true, is_new: false });
        assert!(tester.found.is_empty());
    }
}
