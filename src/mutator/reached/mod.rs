//! What candidates reach: in the worker the validator's tests are watched, and the target itself is run.
//!
//! A run of a valid input costs libFuzzer several times what it costs here: it takes notes of every
//! compare, and weighs its corpus by all that an input reaches. So candidates are run here first, and libFuzzer gets those
//! that reach something new. A rejected candidate is run only if the validator reached something new with it.

mod seen;

use super::job::{NO_ORIGIN, Origin, Text, Word};
use seedsmith_engine::internal::InProcessTarget;
use seen::Seen;

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
}

/// The target, and what was reached so far.
pub(super) struct Reached {
    target: Box<dyn Counted>,
    counts: Vec<u8>,
    /// By the validator alone, of candidates that it rejected.
    rejecting: Seen,
    running: Seen,
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
        Reached { target, counts: Vec::new(), rejecting, running }
    }

    /// Words that the target's code compares with.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        self.target.words()
    }

    /// Runs the target; whether it reaches something new.
    ///
    /// Also `false` if libFuzzer would not keep the input.
    fn runs(&mut self, candidate: &[u8]) -> bool {
        self.target.clear();
        if !self.target.run(candidate) {
            return false;
        }
        self.target.read(&mut self.counts);
        self.running.add(&self.counts)
    }
}

/// What a test shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Whether the validator accepts the candidate.
    pub is_valid: bool,
    /// Whether the target reaches something new with it. Never where the target is not run.
    pub is_new: bool,
}

/// Tests candidates. It says first what it tests, so that a crash is known by its input.
///
/// It says what it tests before each test, so that a crash or a hang of the validator or the target
/// is known by its bytes.
pub(super) struct Tester<'v> {
    is_valid: &'v dyn Fn(&[u8]) -> bool,
    tell: &'v dyn Fn(&[u8]),
    reached: Option<&'v mut Reached>,
    word: Vec<u8>,
    /// How the next candidate was made.
    pub origin: Origin,
    /// Candidates that reach something new.
    pub found: Vec<Text>,
}

impl<'v> Tester<'v> {
    /// Asks `is_valid`, and where there is `reached` also the target.
    ///
    /// `tell` hears of each test before it is made.
    pub(super) fn new(
        is_valid: &'v dyn Fn(&[u8]) -> bool,
        tell: &'v dyn Fn(&[u8]),
        reached: Option<&'v mut Reached>,
    ) -> Self {
        Tester { is_valid, tell, reached, word: Vec::new(), origin: NO_ORIGIN, found: Vec::new() }
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
            reached.runs(input);
        }
    }

    /// Tests a candidate, and keeps it if it reaches something new.
    ///
    /// Costs one test of the validator, and a run of the target if the candidate is valid or
    /// reaches something new in the validator.
    pub(super) fn test(&mut self, candidate: &[u8]) -> Shown {
        let Some(reached) = &mut self.reached else {
            return Shown { is_valid: self.is_valid(candidate), is_new: false };
        };
        Word::write_tests(candidate, &mut self.word);
        (self.tell)(&self.word);
        reached.target.clear();
        let is_valid = (self.is_valid)(candidate);
        if !is_valid {
            reached.target.read(&mut reached.counts);
            if !reached.rejecting.add(&reached.counts) {
                return Shown { is_valid, is_new: false };
            }
        }
        Word::write_runs(candidate, &mut self.word);
        (self.tell)(&self.word);
        let is_new = reached.runs(candidate);
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
    fn what_an_input_of_the_corpus_reaches_is_not_new() {
        assert!(found(&["1", "x"], &["1", "x"]).is_empty());
    }

    #[test]
    fn what_the_target_wants_out_of_the_corpus_is_not_found() {
        assert!(found(&["-"], &[]).is_empty());
    }

    #[test]
    fn without_a_target_nothing_is_found_and_the_validator_is_asked() {
        let is_valid = |input: &[u8]| input == b"1";
        let mut tester = Tester::new(&is_valid, &|_| (), None);
        assert_eq!(tester.test(b"1"), Shown { is_valid: true, is_new: false });
        assert!(tester.found.is_empty());
    }
}
