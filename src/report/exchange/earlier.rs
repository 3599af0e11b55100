//! What an earlier run of triage found, read from its JSON Lines.
//!
//! `--join` names the file. It is read before any input is run, so that a wrong name costs no tests.

use std::path::Path;

use serde_json::Value;

/// Why an earlier run cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EarlierError {
    /// The file cannot be read.
    #[error("failed to read {path}: {source}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It has no line that a run on several inputs ends with.
    #[error("{path} is not the JSON of a whole run of triage: it has no event \"summary\"")]
    NoSummary {
        /// The file.
        path: String,
    },
}

/// The identifiers of the failures in what `triage --json` has written to `path`: the member `id` of each `group`.
/// Lines that are no JSON are ignored, so that a log with other lines in it can be read.
///
/// # Errors
///
/// The file cannot be read, or has no line `summary`: the run did not end.
pub(crate) fn earlier(path: &Path) -> Result<Vec<String>, EarlierError> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|source| EarlierError::Read { path: shown.clone(), source })?;
    let events: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !events.iter().any(|event| event["event"] == "summary") {
        return Err(EarlierError::NoSummary { path: shown });
    }
    let groups = events.iter().filter(|event| event["event"] == "group");
    Ok(groups.filter_map(|event| Some(event["id"].as_str()?.to_owned())).collect())
}
