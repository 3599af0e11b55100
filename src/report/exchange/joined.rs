//! Failures beside those of an earlier run (new, known and fixed), and the identifiers by which they are
//! compared.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::report::show;
use crate::session::stack::StackLine;
use seedsmith_engine::signature::{Message, Signature};
use xxhash_rust::xxh3::xxh3_64;

/// Frames of the user's code that go into an identifier: as many as `--same auto` compares.
const IDENTIFYING_FRAMES: usize = 3;

/// A name of a failure that stays the same over runs, builds and edits elsewhere in a file: a digest
/// of target, kind, normalised message, the panic's file and the innermost own functions, without
/// lines.
pub fn identifier(target: &str, signature: &Signature, stack: &[StackLine]) -> String {
    let mut text = format!("{}\n{}\n", target, signature.kind_name());
    if let Some(message) = &signature.message {
        text += Message::normalised(message);
    }
    if let Some(place) = &signature.place {
        text += "\n";
        text += file_of(&show::short_paths(place));
    }
    let own = stack.iter().filter(|line| line.own && line.file.is_some());
    for line in own.take(IDENTIFYING_FRAMES) {
        text += "\n";
        text += &line.function;
    }
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

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
    /// The identifiers of this run's failures beside those of an earlier run.
    pub fn of<'i>(now: impl IntoIterator<Item = &'i String>, earlier: Vec<String>) -> Self {
        let earlier: BTreeSet<String> = earlier.into_iter().collect();
        let now: BTreeSet<String> = now.into_iter().cloned().collect();
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

/// The file of `file:line:column` or `file:line`.
pub(crate) fn file_of(place: &str) -> &str {
    let digits = |char: char| char.is_ascii_digit();
    let mut file = place;
    while let Some(cut) = file.trim_end_matches(digits).strip_suffix(':') {
        if file.len() == cut.len() + 1 {
            break;
        }
        file = cut;
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::signature::Kind;

    fn of(place: &str, message: &str) -> String {
        let signature = Signature {
            place: Some(place.to_owned()),
            message: Some(Message::new(message)),
            ..Signature::of_kind(Kind::Panic)
        };
        identifier("parse", &signature, &[])
    }

    #[test]
    fn an_identifier_is_kept_when_lines_and_numbers_change_and_no_other_failure_has_it() {
        let one = of("src/a.rs:17:9", "the len is 5");
        assert_eq!(one, of("src/a.rs:99:5", "the len is 1234"));
        assert_eq!(one.len(), 16);
        for other in [of("src/b.rs:17:9", "the len is 5"), of("src/a.rs:17:9", "the end is 5")] {
            assert_ne!(one, other);
        }
    }
}
