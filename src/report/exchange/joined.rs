//! Failures beside those of an earlier run: new, known and fixed.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::identifier;
use crate::report::groups::Groups;

/// Whether an earlier run had a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It did not.
    New,
    /// It did.
    Known,
}

impl State {
    /// As the table and JSON have it.
    pub fn name(self) -> &'static str {
        match self {
            State::New => "new",
            State::Known => "known",
        }
    }
}

/// The failures of an earlier run beside those of this one.
#[derive(Clone, Debug)]
pub struct Joined {
    earlier: BTreeSet<String>,
    new: usize,
    known: usize,
    /// Failures of the earlier run that no input showed in this one, by identifier.
    pub fixed: Vec<String>,
}

impl Joined {
    /// `groups` beside the identifiers of an earlier run.
    pub fn of(groups: &Groups, earlier: Vec<String>) -> Self {
        let earlier: BTreeSet<String> = earlier.into_iter().collect();
        let now: BTreeSet<String> = groups.rows.iter().map(identifier).collect();
        Joined {
            new: now.difference(&earlier).count(),
            known: now.intersection(&earlier).count(),
            fixed: earlier.difference(&now).cloned().collect(),
            earlier,
        }
    }

    /// Whether the failure of that identifier is new.
    pub fn state(&self, identifier: &str) -> State {
        if self.earlier.contains(identifier) { State::Known } else { State::New }
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

/// Why an earlier run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EarlierError {
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

/// The identifiers of the failures in what `triage --json` has written to `path`.
pub fn earlier(path: &Path) -> Result<Vec<String>, EarlierError> {
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
