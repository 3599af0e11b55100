//! The lines of a journal, version 1.

use serde::{Deserialize, Serialize};

use crate::event::StopReason;

/// The version that every line carries. A reader ignores lines of another version, so a run of an older program
/// is not continued.
pub(super) const VERSION: u32 = 1;

/// A line: version, event, and what belongs to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    #[serde(flatten)]
    pub entry: Entry,
    pub version: u32,
}

/// An entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Entry {
    /// A run begins.
    Begun(Begun),
    /// A later run continues it.
    Resumed(Begun),
    /// A better input is on disk.
    Reduced { bytes: usize, xxh3: String, tests: u64, elapsed_ms: u64 },
    /// A reducer ended.
    Reducer { reducer: String, tests: u64, bytes_after: usize, elapsed_ms: u64 },
    /// Another failure was met for the first time.
    OtherFailure { bytes: usize, signature: String },
    /// The run ended.
    Finished(Ended),
}

/// The task of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// The version of this program.
    pub seedsmith: String,
    /// The input's path.
    pub input: String,
    /// The SHA-1 of its bytes.
    pub input_sha1: String,
    /// What a user would call the target.
    pub target: String,
    /// The executable's build id, or what identifies it otherwise.
    pub executable: String,
    /// The options that decide which way the search goes, in words.
    pub options: String,
    /// The input that the search started from, in hexadecimal, if that was a smaller one.
    pub start: Option<String>,
    /// Tests of the part of the run that came before, on another executable, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_tests: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ended {
    /// The result's size.
    pub bytes: usize,
    /// The digest of its bytes.
    pub xxh3: String,
    /// Tests of the whole run.
    pub tests: u64,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
    /// The failure, as its signature reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}
