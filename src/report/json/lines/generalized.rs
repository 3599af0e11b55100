//! Parts of the events of generalizing and of judging a fix.

use serde::Serialize;

use crate::report::json::lines::JsonSignature;

/// A part of a pattern.
#[derive(Debug, Serialize)]
pub(crate) struct JsonPatternPart<'a> {
    /// `required`, `any`, `same` or `unknown`.
    pub part: &'static str,
    /// The number that equal parts share.
    pub number: Option<u32>,
    pub text: &'a str,
}

/// A part that may be inserted.
#[derive(Debug, Serialize)]
pub(crate) struct JsonRoom<'a> {
    /// Behind how many bytes of the minimized input.
    pub offset: usize,
    pub text: &'a str,
}

/// A claim about a pattern. Members that a kind of claim does not have are null.
#[derive(Debug, Serialize)]
pub(crate) struct JsonClaim {
    /// `concrete`, `all`, `rate` or `checks`.
    pub kind: &'static str,
    pub rate: Option<f64>,
    pub confidence: Option<f64>,
    /// Draws (or inputs, or checks) that failed.
    pub fails: Option<u64>,
    pub unresolved: Option<u64>,
}

/// What inputs of a pattern exceed by its claim: one of the two.
#[derive(Debug, Serialize)]
pub(crate) struct JsonClaimedLimit {
    pub time_ms: Option<u64>,
    pub memory_mb: Option<u64>,
}

/// The condition under which inputs fail, and how many fresh inputs agree with it.
#[derive(Debug, Serialize)]
pub(crate) struct JsonCondition {
    pub text: String,
    pub inputs: u64,
    pub agreeing: u64,
    pub precision: f64,
    pub recall: f64,
    pub exact: bool,
}

/// Why a part is required, its bytes in hexadecimal.
#[derive(Debug, Serialize)]
pub(crate) struct JsonReason {
    pub offset: usize,
    pub text: String,
    pub passes: Option<String>,
    pub also_fails: Vec<String>,
}

/// An input of a kit, and what became of it.
#[derive(Debug, Serialize)]
pub(crate) struct JsonJudgedInput<'a> {
    pub file: Option<&'a str>,
    pub became: &'a str,
    pub signature: Option<JsonSignature<'a>>,
    /// The bytes of an input that has no file and is not handled.
    pub hex: Option<String>,
}
