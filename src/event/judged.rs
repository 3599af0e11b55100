//! Whether a fix handles the inputs of a kit.

use std::path::Path;
use std::sync::Arc;

use seedsmith_engine::Signature;

/// A kit whose inputs were run on a patched target.
#[derive(Clone, Copy, Debug)]
pub struct JudgedKit<'a> {
    /// The kit's folder.
    pub kit: &'a Path,
    /// The target's name.
    pub target: &'a str,
    /// The executable with the code that fails, for stacks.
    pub code: Option<&'a Path>,
    /// The judgement.
    pub judged: &'a Judged,
}

/// How a fix was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: FixVerdict,
    /// The minimized input, and the original one if the kit has it.
    pub given: Vec<JudgedInput>,
    /// The other failing inputs of the kit.
    pub failing: Vec<JudgedInput>,
    /// New inputs of the pattern.
    pub fresh: Vec<JudgedInput>,
    /// The inputs that passed before.
    pub passing: Vec<JudgedInput>,
    /// Runs in all.
    pub executions: u64,
}

/// The verdict on a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixVerdict {
    /// No failing input fails any more, and every passing one passes.
    Fixed,
    /// The given input is handled, and nearly all others still fail.
    SilencesTheGiven,
    /// Some inputs still fail in the same way.
    StillFails,
    /// None fails in the same way any more, and some fail in another.
    FailsOtherwise,
    /// The failure is fixed, and inputs that used to pass do not any more.
    BreaksPassing,
    /// Some inputs could not be judged.
    Unknown,
}

impl FixVerdict {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FixVerdict::Fixed => "fixed",
            FixVerdict::SilencesTheGiven => "silences_the_given",
            FixVerdict::StillFails => "still_fails",
            FixVerdict::FailsOtherwise => "fails_otherwise",
            FixVerdict::BreaksPassing => "breaks_passing",
            FixVerdict::Unknown => "unknown",
        }
    }
}

/// An input that was run on a patched target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedInput {
    /// Its file in the kit; nothing for a new one.
    pub name: Option<String>,
    /// The input.
    pub input: Vec<u8>,
    /// Its outcome on the patched target.
    pub became: Became,
}

/// The outcome of an input on a patched target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Became {
    /// The target processes it.
    Passes,
    /// The target says that it is invalid.
    Rejected,
    /// It fails as the kit says.
    FailsTheSame,
    /// It fails in another way.
    FailsOtherwise(Arc<Signature>),
    /// The runs were unresolved.
    Unknown,
}

impl Became {
    /// Whether the target ended it as a program should.
    pub fn is_handled(&self) -> bool {
        matches!(self, Became::Passes | Became::Rejected)
    }

    /// How it is called in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Became::Passes => "passes",
            Became::Rejected => "rejected",
            Became::FailsTheSame => "fails_the_same",
            Became::FailsOtherwise(_) => "fails_otherwise",
            Became::Unknown => "unknown",
        }
    }
}
