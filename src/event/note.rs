//! What notes are about.

use serde::Serialize;

/// What a note is about, so that a program that reads notes can choose among them. JSON Lines have it as
/// the member `kind`, in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteKind {
    /// Files that are left out, or read otherwise than a user may expect.
    Input,
    /// An executable is built, chosen or not used.
    Build,
    /// Which target is tried, and how its program is run.
    Target,
    /// What the first runs of the input showed: how steady the failure is, and what counts as it.
    FirstRuns,
    /// The target depends on what ran before, so each candidate gets a process of its own.
    Processes,
    /// What a reducer cannot do with this input, and what it does instead.
    Reduction,
    /// Under which limit of time or memory a hang is searched for.
    Limit,
    /// Which grammar is used, and how far the input fits it.
    Grammar,
    /// What an earlier run left, and whether this run continues it.
    Resume,
    /// How often the result failed in new processes, and what follows from that.
    Confirmation,
}
