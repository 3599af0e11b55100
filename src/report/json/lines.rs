//! The JSON Lines that programs read: their shapes, version 1.
//!
//! `docs/events.schema.json` says the same as a JSON Schema, and a test holds the output against
//! it. Members may be added within a version; none is removed and none changes its meaning.

mod generalized;

use std::collections::BTreeMap;

pub(crate) use generalized::{
    JsonClaim, JsonClaimedLimit, JsonCondition, JsonJudgedInput, JsonPatternPart, JsonReason,
    JsonRoom,
};

use serde::Serialize;

use crate::event::{ArtifactKind, Minimality, NodeKind, NoteKind, Rate, StopReason};

/// The version that every line carries. Members may be added without a new one.
pub(crate) const VERSION: u32 = 1;

/// A line: version, event, and what belongs to it.
#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    #[serde(flatten)]
    /// Its members are on the top level of the line, next to `version`.
    pub event: JsonEvent<'a>,
    pub version: u32,
}

/// The content of a line.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum JsonEvent<'a> {
    /// The input fails and the search begins.
    /// Frames without a name are left out of the stack in `signature`.
    Started { input: &'a str, target: &'a str, bytes: usize, signature: JsonSignature<'a> },
    /// A reducer ended.
    /// `calls` is `tests` plus `cache_hits`.
    Reducer {
        reducer: &'a str,
        calls: u64,
        tests: u64,
        cache_hits: u64,
        executions: u64,
        bytes_before: usize,
        bytes_after: usize,
        elapsed_ms: u64,
    },
    /// A better input is on disk.
    /// `tests` and `elapsed_ms` count from the beginning of the run, not of the reducer.
    Reduced { bytes: usize, tests: u64, elapsed_ms: u64 },
    /// Another failure was met for the first time.
    /// `bytes` is the size of the input that showed it.
    OtherFailure { bytes: usize, signature: JsonSignature<'a> },
    /// Something that the user should know.
    /// `text` is for people; `kind` is its subject, for programs.
    Note { kind: NoteKind, text: &'a str },
    /// The reduction ended.
    /// `tests`, `executions` and `elapsed_ms` are those of the whole run, confirmations included.
    /// `reproduce` has shell commands; `decoded` is null unless the target takes a typed value.
    Finished {
        input: &'a str,
        output: &'a str,
        input_bytes: usize,
        output_bytes: usize,
        tests: u64,
        executions: u64,
        cache_hits: u64,
        recalled: usize,
        elapsed_ms: u64,
        signature: JsonSignature<'a>,
        minimality: Minimality,
        stopped: Option<StopReason>,
        confirmed: Option<Rate>,
        sanitized: Option<JsonSignature<'a>>,
        reproduce: &'a [String],
        decoded: Option<&'a str>,
        other_failures: Vec<JsonCaught<'a>>,
    },
    /// One input was run.
    /// `shown` of `runs` ended with the failure `signature`, the most frequent one of this input.
    Ran {
        input: &'a str,
        target: &'a str,
        bytes: usize,
        fails: bool,
        shown: u32,
        runs: u32,
        slowest_ms: u64,
        signature: Option<JsonSignature<'a>>,
        outcome: &'a str,
        decoded: Option<&'a str>,
    },
    /// Settings of a file apply.
    /// `target` is null unless the file has a section for the target of this run.
    Settings { file: &'a str, target: Option<&'a str>, values: BTreeMap<&'a str, &'a str> },
    /// The targets and artifacts of a package.
    Listed { folder: &'a str, targets: Vec<JsonTarget<'a>> },
    /// The inputs of a kit were run on a patched target.
    Judged {
        kit: &'a str,
        target: &'a str,
        verdict: &'a str,
        given: Vec<JsonJudgedInput<'a>>,
        failing: Vec<JsonJudgedInput<'a>>,
        fresh: Vec<JsonJudgedInput<'a>>,
        passing: Vec<JsonJudgedInput<'a>>,
        executions: u64,
    },
    /// A folder that was one input was reduced.
    /// Sizes are the sums over all files of the folder, in bytes.
    Folder {
        input: &'a str,
        output: &'a str,
        input_files: usize,
        output_files: usize,
        input_bytes: u64,
        output_bytes: u64,
        tests: u64,
        executions: u64,
        elapsed_ms: u64,
        signature: JsonSignature<'a>,
    },
    /// The isolation ended.
    /// The two sizes are those of the inputs that the search found, not of the given ones.
    Isolated {
        input: &'a str,
        passing_bytes: usize,
        failing_bytes: usize,
        difference: Vec<JsonPart>,
        tests: u64,
        executions: u64,
        cache_hits: u64,
        elapsed_ms: u64,
        signature: JsonSignature<'a>,
        stopped: Option<StopReason>,
    },
    /// A generalization ended.
    Generalized {
        input: &'a str,
        input_bytes: usize,
        minimized: String,
        grammar: Option<&'a str>,
        grammar_is_guessed: bool,
        pattern: &'a str,
        parts: Vec<JsonPatternPart<'a>>,
        room: Vec<JsonRoom<'a>>,
        claim: JsonClaim,
        claimed_limit: Option<JsonClaimedLimit>,
        condition: Option<JsonCondition>,
        not_varied: Vec<JsonRoom<'a>>,
        reasons: Vec<JsonReason>,
        tests_to_minimize: u64,
        tests_to_generalize: u64,
        tests_to_explain: u64,
        tests_to_produce: u64,
        tests: u64,
        executions: u64,
        cache_hits: u64,
        elapsed_ms: u64,
        signature: JsonSignature<'a>,
        written: Vec<String>,
        stopped: Option<StopReason>,
    },
    /// One of many inputs was looked at.
    Triaged {
        input: &'a str,
        copies: Vec<String>,
        target: &'a str,
        bytes: u64,
        fails: bool,
        shown: u32,
        runs: u32,
        signature: Option<JsonSignature<'a>>,
    },
    /// One of many inputs was passed over.
    /// `why` is the error message; `exit` is the exit code that the input would give on its own.
    PassedOver { input: &'a str, why: &'a str, exit: u8 },
    /// Some of many inputs fail the same way.
    /// `outputs` is empty unless the inputs were minimized.
    Group {
        id: &'a str,
        state: Option<&'static str>,
        target: &'a str,
        signature: JsonSignature<'a>,
        inputs: Vec<String>,
        smallest: String,
        smallest_bytes: u64,
        steady: bool,
        outputs: Vec<String>,
    },
    /// What became of many inputs.
    /// Each copy of an input counts. The sum of `failing`, `passing` and `passed_over` is `inputs`.
    Summary {
        inputs: usize,
        failing: usize,
        passing: Vec<String>,
        passed_over: usize,
        groups: usize,
        fixed: Option<&'a [String]>,
    },
    /// What became of a corpus that was minimized.
    /// `added` counts the features that only the kept inputs reach, not those that were in `output` before.
    Corpus {
        target: &'a str,
        output: &'a str,
        inputs: usize,
        input_bytes: u64,
        kept: usize,
        kept_bytes: u64,
        features: usize,
        added: usize,
        rejected: usize,
        failing: usize,
        failures: usize,
        recalled: usize,
        elapsed_ms: u64,
    },
    /// An input of a corpus is kept.
    /// `name` is the SHA-1 of the input, which is the name of the file in the result.
    CorpusFile { input: &'a str, name: &'a str, bytes: u64, features: usize, unique: usize },
    /// What one of several folders contributes to a corpus.
    CorpusSource { source: &'a str, inputs: usize, features: usize, unique: usize, kept: usize },
    /// An input of a corpus was shrunk.
    ShrunkFile {
        input: &'a str,
        name: &'a str,
        input_bytes: usize,
        output_bytes: usize,
        features: usize,
        tests: u64,
    },
    /// What became of a corpus that was shrunk.
    CorpusShrunk {
        target: &'a str,
        output: &'a str,
        inputs: usize,
        input_bytes: usize,
        output_bytes: usize,
        failing: usize,
        tests: u64,
        elapsed_ms: u64,
    },
    /// What a corpus reaches of a function.
    CoverageFunction {
        function: &'a str,
        file: Option<&'a str>,
        line: Option<u32>,
        blocks: usize,
        reached: usize,
        against: Option<usize>,
    },
    /// What code a corpus reaches.
    /// `differing` counts functions of which another corpus reaches other blocks; null without one.
    Coverage {
        target: &'a str,
        inputs: usize,
        failing: usize,
        functions: usize,
        functions_reached: usize,
        lines: usize,
        lines_reached: usize,
        differing: Option<usize>,
    },
    /// One input was repaired, or not.
    /// `failures` counts crashes and hangs of the validator itself, one for each kind.
    Repaired {
        input: &'a str,
        output: Option<String>,
        status: &'a str,
        input_bytes: usize,
        output_bytes: usize,
        kept_bytes: usize,
        distance: Option<usize>,
        tests: u64,
        executions: u64,
        elapsed_ms: u64,
        stopped: Option<StopReason>,
        note: Option<&'a str>,
        failures: usize,
        other_failures: Vec<String>,
    },
    /// What became of all inputs of a repair.
    /// `written` may be less than `repaired`: equal texts are written to one file.
    Repairs {
        inputs: usize,
        valid: usize,
        repaired: usize,
        not_repaired: usize,
        written: usize,
        tests: u64,
        elapsed_ms: u64,
    },
    /// A grammar comes with the program.
    Builtin { name: &'a str, aliases: &'a [&'a str], about: &'a str },
    /// A reducer that can be switched on and off.
    ReducerListed {
        name: &'a str,
        description: &'a str,
        needs: Vec<String>,
        cost: String,
        used_by: Vec<String>,
        source: &'a str,
    },
    /// What a grammar is made of.
    /// `complete` is false for a tree-sitter parser: its shortest texts are not known.
    Grammar {
        name: &'a str,
        start: &'a str,
        rules: Vec<JsonRule<'a>>,
        tokens: Vec<JsonToken<'a>>,
        unused_fragments: &'a [String],
        notices: &'a [String],
        complete: bool,
    },
    /// How a file was read.
    /// At most 20 errors are listed; `errors_left_out` counts the others.
    Parsed {
        input: &'a str,
        bytes: usize,
        valid: bool,
        errors: Vec<JsonSyntaxError<'a>>,
        errors_left_out: usize,
        nodes: Vec<JsonNode<'a>>,
    },
    /// Nothing came of it.
    /// The program ends with the code `exit`.
    Error { message: &'a str, exit: u8 },
}

/// A target of a package.
#[derive(Debug, Serialize)]
pub(crate) struct JsonTarget<'a> {
    pub name: &'a str,
    pub artifacts: Vec<JsonArtifact>,
}

/// An input that a fuzzer left.
#[derive(Debug, Serialize)]
pub(crate) struct JsonArtifact {
    pub input: String,
    pub bytes: u64,
    /// By the beginning of the file's name, as `crash-`.
    pub kind: ArtifactKind,
    /// Seconds since 1970; 0 for an earlier time.
    pub modified: u64,
    /// Null if no result is next to the input.
    pub minimized: Option<JsonMinimized>,
}

/// What an input was minimized to.
#[derive(Debug, Serialize)]
pub(crate) struct JsonMinimized {
    pub output: String,
    pub bytes: u64,
    /// Whether the search ended and was not stopped early. Null if its journal cannot be read.
    pub complete: Option<bool>,
    pub failure: Option<String>,
}

/// A rule of a grammar.
#[derive(Debug, Serialize)]
pub(crate) struct JsonRule<'a> {
    pub name: &'a str,
    /// What follows the rule's colon; for a tree-sitter parser the children of the node, by field.
    pub definition: &'a str,
    pub minimal: Option<&'a str>,
    /// Whether a derivation from the start rule can contain it.
    pub reachable: bool,
}

/// A token of a grammar.
#[derive(Debug, Serialize)]
pub(crate) struct JsonToken<'a> {
    pub name: &'a str,
    pub minimal: Option<&'a str>,
}

/// A place where a file does not fit the grammar.
#[derive(Debug, Serialize)]
pub(crate) struct JsonSyntaxError<'a> {
    /// From 1; `column` is from 1, too, and counts characters.
    pub line: usize,
    pub column: usize,
    pub message: &'a str,
}

/// A node of a parse tree; the tree is a list, so that its depth is no trouble.
#[derive(Debug, Serialize)]
pub(crate) struct JsonNode<'a> {
    pub kind: NodeKind,
    pub name: Option<&'a str>,
    /// Offset of the first byte; `end` is the offset after the last one.
    pub start: usize,
    pub end: usize,
    /// The index of the parent in the list. The root has its own index, 0.
    pub parent: usize,
}

/// Who a failure is.
#[derive(Debug, Serialize)]
pub(crate) struct JsonSignature<'a> {
    /// How the input failed, as `panic`.
    pub kind: String,
    /// `file:line:column` of a panic, as the panic message has it.
    pub place: Option<&'a str>,
    /// As the target printed it.
    pub message: Option<&'a str>,
    /// As it is compared.
    pub normalized: Option<&'a str>,
    pub frames: Vec<JsonFrame<'a>>,
}

/// A function of a stack, innermost first. Without debug information it is a module and an offset.
#[derive(Debug, Serialize)]
pub(crate) struct JsonFrame<'a> {
    pub function: &'a str,
    pub file: Option<&'a str>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// Whether it is the user's or a crate's code, and not the runtime's.
    pub own: bool,
}

/// Another failure that was met, and the file that shows it.
#[derive(Debug, Serialize)]
pub(crate) struct JsonCaught<'a> {
    pub signature: JsonSignature<'a>,
    /// The file to which its input was written.
    pub path: String,
    pub bytes: usize,
}

/// A stretch of the difference, its bytes in hexadecimal.
#[derive(Debug, Serialize)]
pub(crate) struct JsonPart {
    pub offset: usize,
    /// What the passing input has at `offset` of the failing one; may be empty.
    pub removed: String,
    /// What the failing input has there; may be empty.
    pub inserted: String,
}
