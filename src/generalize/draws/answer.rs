//! What draws are asked for, and what the target answers to them.
//!
//! The types of a question: how its draws are spread, and the counts and witnesses that come back. [`super::prober`] asks.

use seedsmith_grammar::Word;

/// How draws are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As the pattern produces inputs: independent of each other. Rejected draws are repeated, as
    /// DDSET has it.
    Produced,
    /// The same draws, ended when this many are rejected that fewer than nine in ten can be valid.
    Claimed,
    /// The most different ones first, beginning with the one of that number.
    Varied(usize),
}

impl Spread {
    /// How many rejected draws are allowed beside the number of failures of those `wanted`.
    ///
    /// With [`Spread::Claimed`] a check ends once fewer than nine in ten draws can be valid.
    pub(super) fn allows(self, wanted: u64, fails: u64) -> u64 {
        match self {
            Spread::Produced => 4 * wanted + 20,
            Spread::Claimed => 4 + fails / 16,
            // The most different draws are rejected more often than others.
            Spread::Varied(_) => 2 + fails,
        }
    }
}

/// A candidate with a telling outcome, and what made it.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The draw's number.
    pub number: usize,
    /// The words of each slot.
    pub words: Vec<Vec<Word>>,
    /// The candidate.
    pub text: Vec<u8>,
}

/// What a number of draws said.
///
/// Counts are of distinct candidates.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// Distinct candidates that failed.
    pub fails: u64,
    /// Candidates that said nothing.
    pub unresolved: u64,
    /// The first candidate that passed; nothing was asked after it.
    pub passed: Option<Witness>,
    /// The first candidates that were rejected.
    pub rejected: Vec<Witness>,
    /// Whether nothing new could be drawn any more.
    pub is_exhausted: bool,
    /// Draws for which there is no text that is read back as meant.
    pub unwritable: u64,
    /// How many failures were wanted.
    pub wanted: u64,
    /// Whether anything was drawn.
    pub(super) drew: bool,
}

impl CheckResult {
    /// Whether every valid draw failed, and there were enough: all that were wanted, or all that
    /// there are and hardly any of them rejected.
    pub fn is_abstract(&self) -> bool {
        let is_all = self.is_exhausted && self.unresolved * 10 <= self.fails;
        self.passed.is_none() && self.fails > 0 && (self.fails >= self.wanted || is_all)
    }

    /// Whether it was ended because too many draws were rejected.
    ///
    /// Then nothing is known about the failure, so the slots are made smaller.
    pub fn is_rejected(&self) -> bool {
        self.passed.is_none() && !self.is_abstract() && self.unresolved > 0
    }

    /// Whether there is just one text: the one that is there.
    ///
    /// Nothing can be said about such a place: it cannot be anything else.
    pub fn is_single(&self) -> bool {
        self.is_exhausted && self.drew && self.fails + self.unresolved == 0 && self.passed.is_none()
    }
}
