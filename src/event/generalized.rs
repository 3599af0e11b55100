//! The pattern that makes an input fail, as a report needs it: texts and figures, without the tree
//! and the grammar that it was made with.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{Counts, StackLine, StopReason};
use seedsmith_engine::Signature;

/// How a generalization ended.
#[derive(Clone, Debug)]
pub struct GeneralizedInput {
    /// The input's path.
    pub input: PathBuf,
    /// Its size.
    pub input_bytes: usize,
    /// The minimized input, of which the pattern is made.
    pub minimized: Vec<u8>,
    /// The grammar that fitted, if one did.
    pub grammar: Option<String>,
    /// The pattern.
    pub pattern: String,
    /// The pattern in parts, for colours.
    pub parts: Vec<(PatternPart, String)>,
    /// Parts that may be inserted: after how many bytes of the minimized input, and the part's name.
    pub room: Vec<(usize, String)>,
    /// The claim about the pattern.
    pub claim: Claim,
    /// The limit that inputs of the pattern exceed, where it is less than the limit of the run.
    pub claimed_limit: Option<ClaimedLimit>,
    /// The condition under which inputs fail, if a simple one was found.
    pub condition: Option<MeasuredCondition>,
    /// Parts that were not varied: their offsets and texts.
    pub not_varied: Vec<(usize, Vec<u8>)>,
    /// Whether the grammar was guessed.
    pub is_guessed: bool,
    /// Why parts are required.
    pub reasons: Vec<Reason>,
    /// Tests and runs for minimizing.
    pub reduction: Counts,
    /// Tests and runs for finding the pattern.
    pub generalization: Counts,
    /// Tests and runs for finding the reasons.
    pub reasoning: Counts,
    /// Tests and runs of produced inputs.
    pub production: Counts,
    /// Counts of the whole run, confirmations included.
    pub counts: Counts,
    /// Time since the target was opened.
    pub elapsed: Duration,
    /// Who the failure is.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
    /// Remarks on how far the result can be relied on.
    pub remarks: Vec<String>,
    /// A few inputs of the pattern.
    pub examples: Vec<Vec<u8>>,
    /// The derivation tree of the pattern, from the root on; `None` where no grammar fits.
    pub tree: Option<Vec<TreeRow>>,
    /// Why it was stopped early.
    pub stopped: Option<StopReason>,
}

/// A condition under which inputs fail, and how it did on inputs that it was not learnt from.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCondition {
    /// The condition, as `some <array> has at least 8 <value>`.
    pub text: String,
    /// Fresh inputs that were tested.
    pub inputs: u64,
    /// Those whose outcome it predicts.
    pub agreeing: u64,
    /// Of the inputs that meet the condition, the share that fails.
    pub precision: f64,
    /// Of the inputs that fail, the share that meets the condition.
    pub recall: f64,
    /// Whether it may be called the condition: a condition that is wrong too often is only near to it.
    pub is_exact: bool,
}

/// A claim about a pattern, with the figures that it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// Nothing is abstract: the pattern is the input.
    Concrete,
    /// Every input of the pattern that could be drawn was tested, and failed.
    All {
        /// How many there are.
        inputs: u64,
    },
    /// A share of the produced inputs, with a confidence.
    Rate {
        /// The share.
        rate: f64,
        /// The confidence that was reached.
        confidence: f64,
        /// Joint draws, all of which failed.
        draws: u64,
        /// Draws that were unresolved.
        unresolved: u64,
    },
    /// No claim: every draw was unresolved, or the run was stopped before enough draws failed. Parts that the
    /// pattern requires may be variable in fact.
    Nothing {
        /// Draws that were unresolved.
        unresolved: u64,
    },
    /// The claim of DDSET: each abstract node was replaced `checks` times, alone and together with
    /// all others, and every test failed.
    Checks {
        /// `MAX_CHECKS`.
        checks: u64,
    },
}

/// Less than the limit of the tests, because an input that is near it may take a little less in
/// another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimedLimit {
    /// Processor time.
    Time(Duration),
    /// Megabytes.
    Memory(u64),
}

impl fmt::Display for ClaimedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimedLimit::Time(time) => write!(f, "using more than {time:.0?} of processor time"),
            ClaimedLimit::Memory(memory_mb) => write!(f, "using more than {memory_mb} MB"),
        }
    }
}

/// Why a part is required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Offset of the part in the minimized input.
    pub offset: usize,
    /// The part.
    pub text: Vec<u8>,
    /// A text that passes instead of it.
    pub passes: Option<Vec<u8>>,
    /// Other texts of single tokens that fail at its place.
    pub also_fails: Vec<Vec<u8>>,
}

/// The kind of a part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternPart {
    /// It has to be as it is.
    Required,
    /// Any text of the named nonterminal or class.
    Any,
    /// The same at each place of that number.
    Same(u32),
    /// Not varied, since no valid text could be drawn: it stays as it is, and need not.
    Unknown,
}

/// A row of a derivation tree. A chain of parts, each the only child of the one before, is one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// How many rows it is inside of.
    pub depth: usize,
    /// The names of the chain's parts, as patterns write them, and whether each part was varied.
    pub names: Vec<(String, bool)>,
    /// The kind and the bytes of the chain's last part, unless rows for its children follow.
    pub part: Option<(PatternPart, Vec<u8>)>,
    /// Whether no rows for its children follow.
    pub is_leaf: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_limit_is_said_with_its_unit() {
        let said = ClaimedLimit::Time(Duration::from_millis(40)).to_string();
        assert_eq!(said, "using more than 40ms of processor time");
        assert_eq!(ClaimedLimit::Memory(512).to_string(), "using more than 512 MB");
    }
}
