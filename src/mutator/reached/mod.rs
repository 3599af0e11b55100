//! What candidates reach: in the worker the validator's tests are watched, and the target itself is run.
//!
//! A run of a valid input costs libFuzzer several times what it costs here: it takes notes of every
//! compare, and weighs its corpus by all that an input reaches. So what changes and repairs make is run here
//! first, and libFuzzer gets what reaches something new. A rejected candidate is run only if it was new to the
//! counters how the validator rejected it.

mod seen;

use super::job::{NO_ORIGIN, Origin, Text, Word};
use seedsmith_engine::exec::own_target::OwnTarget;
use seen::Seen;

/// The target, and what was reached so far.
pub struct Reached {
    target: OwnTarget,
    counts: Vec<u8>,
    /// By the validator alone, of candidates that it rejected.
    rejecting: Seen,
    running: Seen,
}

impl Reached {
    /// Nothing was reached. `None` where this program has no target that could be run.
    pub fn new() -> Option<Self> {
        let target = OwnTarget::find()?;
        Some(Reached {
            target,
            counts: Vec::new(),
            rejecting: Seen::default(),
            running: Seen::default(),
        })
    }

    /// Words that the target's code compares with.
    pub fn words(&self) -> &[Vec<u8>] {
        self.target.words()
    }

    /// Runs the target; whether it reaches something new.
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
pub struct Shown {
    /// Whether the validator accepts the candidate.
    pub is_valid: bool,
    /// Whether the target reaches something new with it. Never where the target is not run.
    pub is_new: bool,
}

/// Tests candidates. It says first what it tests, so that a crash is known by its input.
pub struct Tester<'v> {
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
    pub fn new(
        is_valid: &'v dyn Fn(&[u8]) -> bool,
        tell: &'v dyn Fn(&[u8]),
        reached: Option<&'v mut Reached>,
    ) -> Self {
        Tester { is_valid, tell, reached, word: Vec::new(), origin: NO_ORIGIN, found: Vec::new() }
    }

    /// Whether the target is run too.
    pub fn runs_target(&self) -> bool {
        self.reached.is_some()
    }

    /// Asks the validator alone.
    pub fn is_valid(&mut self, candidate: &[u8]) -> bool {
        Word::write_tests(candidate, &mut self.word);
        (self.tell)(&self.word);
        (self.is_valid)(candidate)
    }

    /// Takes note of what an input of the corpus reaches: libFuzzer has it already.
    pub fn know(&mut self, input: &[u8]) {
        if let Some(reached) = &mut self.reached {
            Word::write_runs(input, &mut self.word);
            (self.tell)(&self.word);
            reached.runs(input);
        }
    }

    /// Tests a candidate, and keeps it if it reaches something new.
    pub fn test(&mut self, candidate: &[u8]) -> Shown {
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
