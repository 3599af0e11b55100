//! Many inputs, sorted by failure; one of them in full; and the same failures compared with those of an earlier run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StackLine;
use seedsmith_engine::Signature;

/// One input that was run.
#[derive(Clone, Debug)]
pub struct TriagedInput<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// Further files with the same bytes.
    pub copies: &'a [PathBuf],
    /// The target's name.
    pub target: &'a str,
    /// Its size.
    pub bytes: u64,
    /// How many runs failed.
    pub shown: u32,
    /// How many runs there were.
    pub runs: u32,
    /// The executable with the code that fails, for stacks.
    pub code: Option<PathBuf>,
    /// The failure, if there was one.
    pub signature: Option<&'a Signature>,
}

/// One failing input in full: what a crash report of another tool has.
#[derive(Clone, Debug)]
pub(crate) struct Crash<'a> {
    /// What was run: an executable, or the program of a command; empty if only a target's name is known.
    pub executable: PathBuf,
    /// A command that shows the failure; empty if none is known.
    pub command_line: String,
    /// The failure as this input shows it.
    pub signature: &'a Signature,
    /// Its stack, innermost function first, each line with its address relative to its module; 0 if there is none.
    pub stack: Vec<(u64, StackLine)>,
}

/// Many inputs, sorted by failure.
#[derive(Clone, Debug)]
pub struct FailureGroups {
    /// Those that fail.
    pub rows: Vec<FailureGroup>,
    /// Those that don't.
    pub passing: Vec<PathBuf>,
    /// How many inputs could not be run.
    pub troubled: usize,
    /// The failures of an earlier run beside these, where one was named.
    pub joined: Option<Joined>,
}

/// Inputs that fail the same way.
#[derive(Clone, Debug)]
pub struct FailureGroup {
    /// A name of the failure that later runs and builds have, too.
    pub id: String,
    /// The target's name.
    pub target: String,
    /// The failure.
    pub signature: Arc<Signature>,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// Every file, copies too.
    pub inputs: Vec<PathBuf>,
    /// The smallest of them.
    pub smallest: PathBuf,
    /// Its size.
    pub smallest_bytes: u64,
    /// Whether each of them failed in every run.
    pub is_steady: bool,
    /// The minimized inputs; empty if none were wanted.
    pub results: Vec<GroupResult>,
}

impl FailureGroup {
    /// The smallest result.
    pub fn best(&self) -> Option<&GroupResult> {
        self.results.iter().min_by_key(|result| result.bytes)
    }
}

/// A result of one input.
#[derive(Clone, Debug)]
pub struct GroupResult {
    /// Where it was written.
    pub output: PathBuf,
    /// Its size.
    pub bytes: usize,
}

/// The failures of this run compared with those of an earlier run.
#[derive(Clone, Debug)]
pub struct Joined {
    earlier: BTreeSet<String>,
    new: usize,
    known: usize,
    /// Failures of the earlier run that no input showed in this one, by identifier.
    pub fixed: Vec<String>,
}

impl Joined {
    /// The identifiers of this run's failures beside those of an earlier run.
    pub fn of<'i>(now: impl IntoIterator<Item = &'i String>, earlier: Vec<String>) -> Self {
        let earlier: BTreeSet<String> = earlier.into_iter().collect();
        let now: BTreeSet<String> = now.into_iter().cloned().collect();
        Joined {
            new: now.difference(&earlier).count(),
            known: now.intersection(&earlier).count(),
            fixed: earlier.difference(&now).cloned().collect(),
            earlier,
        }
    }

    /// Whether the failure of that identifier is new.
    pub fn state(&self, identifier: &str) -> JoinedState {
        if self.earlier.contains(identifier) { JoinedState::Known } else { JoinedState::New }
    }

    /// Whether there is a failure that the earlier run did not have.
    pub fn has_new(&self) -> bool {
        self.new > 0
    }

    /// `2 new, 1 known, 0 fixed since the earlier run`.
    pub fn headline(&self) -> String {
        let Joined { new, known, fixed, .. } = self;
        format!("{new} new, {known} known, {} fixed since the earlier run", fixed.len())
    }
}

/// Whether an earlier run had a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinedState {
    /// It did not.
    New,
    /// It did.
    Known,
}

impl JoinedState {
    /// As the table and JSON have it.
    pub fn name(self) -> &'static str {
        match self {
            JoinedState::New => "new",
            JoinedState::Known => "known",
        }
    }
}
