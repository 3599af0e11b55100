//! The targets and artifacts of a fuzz package, and the settings of a file that apply.

use std::path::PathBuf;
use std::time::SystemTime;

/// A package with its targets.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The package's folder.
    pub folder: PathBuf,
    /// Its targets, sorted by name.
    pub targets: Vec<ListedTarget>,
}

/// A target and the inputs that were left for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTarget {
    /// The name.
    pub name: String,
    /// The inputs, the newest first.
    pub artifacts: Vec<Artifact>,
}

/// An input that a fuzzer left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SystemTime,
    /// Its kind, by its name.
    pub kind: ArtifactKind,
    /// Its result, if it was minimized.
    pub minimized: Option<ArtifactResult>,
}

/// The kind of an artifact, by the name that libFuzzer gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// `crash-…`.
    Crash,
    /// `leak-…`.
    Leak,
    /// `timeout-…`.
    Timeout,
    /// `oom-…`.
    OutOfMemory,
    /// `slow-unit-…`.
    SlowUnit,
    /// Any other name.
    Other,
}

impl ArtifactKind {
    /// The kind of an input by its file's name.
    pub fn of(name: &str) -> Self {
        const BEGINNINGS: [(&str, ArtifactKind); 5] = [
            ("crash-", ArtifactKind::Crash),
            ("leak-", ArtifactKind::Leak),
            ("timeout-", ArtifactKind::Timeout),
            ("oom-", ArtifactKind::OutOfMemory),
            ("slow-unit-", ArtifactKind::SlowUnit),
        ];
        let known = BEGINNINGS.into_iter().find(|(beginning, _)| name.starts_with(beginning));
        known.map_or(ArtifactKind::Other, |(_, kind)| kind)
    }

    /// In a word or two.
    pub fn in_words(self) -> &'static str {
        match self {
            ArtifactKind::Crash => "crash",
            ArtifactKind::Leak => "leak",
            ArtifactKind::Timeout => "timeout",
            ArtifactKind::OutOfMemory => "out of memory",
            ArtifactKind::SlowUnit => "slow",
            ArtifactKind::Other => "input",
        }
    }
}

/// The result of a minimization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactResult {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Whether the run was complete; `None` if its journal cannot be read.
    pub is_complete: Option<bool>,
    /// The failure, if the journal of the run has it.
    pub failure: Option<String>,
}

/// Options that a file of settings gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedSettings {
    /// The file.
    pub file: PathBuf,
    /// The target whose own settings are among them.
    pub target: Option<String>,
    /// The options with their values, in the order of the names.
    pub values: Vec<(String, String)>,
}
