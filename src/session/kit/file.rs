//! `kit.json`, the table of contents of a kit: the failure, the target, and the role of each file.

use serde::{Deserialize, Serialize};

/// The name of the file.
pub(crate) const NAME: &str = "kit.json";
/// The version of its shape.
pub(crate) const VERSION: u32 = 1;

/// The table of contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KitFile {
    /// The version of the shape.
    pub seedsmith_kit: u32,
    /// The target that the inputs fail on.
    pub target: TargetFile,
    /// The failure.
    pub signature: SignatureFile,
    /// How often an input is run before it counts as handled: once where the failure is steady.
    pub runs: u32,
    /// The name of the original input; commands see it.
    pub input_name: String,
    /// The pattern, for people.
    pub pattern: String,
    /// The claim about the pattern, in words.
    pub claim: String,
    /// The condition under which inputs fail, in words, if one was found.
    pub condition: Option<String>,
    /// The file of the minimized input.
    pub minimal: String,
    /// The file of the original input, if it is not the minimized one and not too large.
    pub original: Option<String>,
    /// Files of other inputs that fail in the same way.
    pub failing: Vec<String>,
    /// Files of inputs that pass, the nearest to the minimized one first.
    pub passing: Vec<String>,
    /// Every other file of the kit.
    pub files: Vec<String>,
}

/// The target that the inputs fail on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetFile {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: TargetKind,
    /// The command and its arguments, for people: it is not run because a kit says so.
    pub command: Vec<String>,
    /// Where the command has to run.
    pub workplace: WorkplaceFile,
    /// Whether the failure was seen in a build with AddressSanitizer.
    pub needs_sanitizer: bool,
}

/// The kind of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A target of a cargo-fuzz package.
    FuzzTarget,
    /// Any program.
    Command,
    /// A libFuzzer executable.
    Executable,
    /// A function of a program.
    Function,
}

/// Where a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkplaceFile {
    /// In a new folder for each test.
    Private,
    /// The same, with arguments that name files as absolute paths.
    PrivateWithPaths,
    /// In the user's folder.
    Shared,
}

/// A failure, symbolized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureFile {
    /// How it failed.
    pub kind: String,
    /// `file:line:column`, if it is known.
    pub place: Option<String>,
    /// The message, with numbers and addresses replaced.
    pub message: Option<String>,
    /// Whether a command says by exit status 0 that the failure shows.
    pub is_status: bool,
    /// Functions and lines, innermost first.
    pub stack: Vec<String>,
}

impl KitFile {
    /// Every file of the kit but the table itself.
    pub fn all_files(&self) -> impl Iterator<Item = &String> {
        let inputs = std::iter::once(&self.minimal).chain(&self.original);
        inputs.chain(&self.failing).chain(&self.passing).chain(&self.files)
    }
}
