//! The JSON Lines that programs read: their shapes, version 1.
//!
//! `docs/events.schema.json` says the same as a JSON Schema, and a test holds the output against
//! it. Members may be added within a version; none is removed and none changes its meaning.

use serde::Serialize;

use crate::event::{Minimality, StopReason};
use crate::signature::Kind;

/// The version that every line carries.
pub const VERSION: u32 = 1;

/// A line: version, event, and what belongs to it.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    #[serde(flatten)]
    pub event: JsonEvent<'a>,
    pub version: u32,
}

/// What a line tells.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum JsonEvent<'a> {
    /// The input fails and the search begins.
    Started { input: &'a str, target: &'a str, bytes: usize, signature: JsonSignature<'a> },
    /// A reducer ended.
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
    Reduced { bytes: usize, tests: u64, elapsed_ms: u64 },
    /// Another failure was met for the first time.
    ByCatch { bytes: usize, signature: JsonSignature<'a> },
    /// Something that the user should know.
    Note { text: &'a str },
    /// The reduction ended.
    Finished {
        input: &'a str,
        output: &'a str,
        input_bytes: usize,
        output_bytes: usize,
        tests: u64,
        executions: u64,
        cache_hits: u64,
        elapsed_ms: u64,
        signature: JsonSignature<'a>,
        minimality: Minimality,
        stopped: Option<StopReason>,
        reproduce: &'a [String],
        decoded: Option<&'a str>,
        by_catch: Vec<JsonCaught<'a>>,
    },
    /// The isolation ended.
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
    PassedOver { input: &'a str, why: &'a str, exit: u8 },
    /// Some of many inputs fail the same way.
    Group {
        target: &'a str,
        signature: JsonSignature<'a>,
        inputs: Vec<String>,
        smallest: String,
        smallest_bytes: u64,
        steady: bool,
        outputs: Vec<String>,
    },
    /// What became of many inputs.
    Summary {
        inputs: usize,
        failing: usize,
        passing: Vec<String>,
        passed_over: usize,
        groups: usize,
    },
    /// One input was repaired, or not.
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
        by_catch: Vec<String>,
    },
    /// What became of all inputs of a repair.
    Repairs {
        inputs: usize,
        valid: usize,
        repaired: usize,
        not_repaired: usize,
        written: usize,
        tests: u64,
        elapsed_ms: u64,
    },
    /// Nothing came of it.
    Error { message: &'a str, exit: u8 },
}

/// Who a failure is.
#[derive(Debug, Serialize)]
pub struct JsonSignature<'a> {
    pub kind: &'a Kind,
    pub place: Option<&'a str>,
    pub message: Option<&'a str>,
    pub frames: Vec<String>,
}

/// Another failure that was met, and the file that shows it.
#[derive(Debug, Serialize)]
pub struct JsonCaught<'a> {
    pub signature: JsonSignature<'a>,
    pub path: String,
    pub bytes: usize,
}

/// A stretch of the difference, its bytes in hexadecimal.
#[derive(Debug, Serialize)]
pub struct JsonPart {
    pub offset: usize,
    pub removed: String,
    pub inserted: String,
}
