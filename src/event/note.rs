//! The subjects of notes.

use serde::Serialize;

/// The subject of a note, so that a program that reads notes can choose among them. JSON Lines have it as
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
    /// The first runs of the input: how steady the failure is, and which failures count as the same.
    FirstRuns,
    /// The target depends on earlier runs, so each candidate is run in a new process.
    Processes,
    /// A reducer cannot be used on this input, or in another way only.
    Reduction,
    /// The limit of time or memory by which a hang is searched for.
    Limit,
    /// The input's language was guessed: which one, and from which clue.
    GuessedLanguage,
    /// Which grammar is used, and how far the input fits it.
    Grammar,
    /// Files of an earlier run, and whether this run continues it.
    Resume,
    /// The result was run in new processes, and did not fail each time.
    Confirmation,
}
