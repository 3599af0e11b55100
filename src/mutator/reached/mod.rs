//! What candidates reach: in the worker the validator's tests are watched, and the target itself is run.
//!
//! A run of a valid input takes several times as long in libFuzzer as it does here: libFuzzer records every
//! compare, and weighs its corpus by all that an input reaches. So candidates are run here first, and libFuzzer gets those
//! that reach something new. A rejected candidate is run only if the validator reached something new with it.

mod pace;
mod rare;
mod seen;
mod tester;

use std::collections::HashMap;

use pace::Pace;
use rare::RareBlocks;
use seedsmith_engine::internal::InProcessTarget;
use seedsmith_grammar::Digest;
use seen::{Feature, Seen};
pub(super) use tester::{Shown, Tester};

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
    rare: RareBlocks,
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
            rare: RareBlocks::default(),
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

#[cfg(test)]
pub mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::Duration;

    use super::*;
    use crate::mutator::job::{SHORTER, Text};
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
