//! How repairs ended, as the console, JSON Lines and the page tell it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::show::{self, counted, number as grouped};
use crate::event::StopReason;
use seedsmith_grammar::grammar::parser::Position;
use seedsmith_grammar::structure::Units;
use seedsmith_grammar::structure::diff::{Step, diff};

/// What became of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairStatus {
    /// It was valid as it stood.
    Valid,
    /// A valid text was found that has more in common with it than not.
    Repaired,
    /// None was found, or only one that is hardly alike.
    NotRepaired,
}

impl RepairStatus {
    /// The status in words.
    pub fn name(self) -> &'static str {
        match self {
            RepairStatus::Valid => "valid",
            RepairStatus::Repaired => "repaired",
            RepairStatus::NotRepaired => "not repaired",
        }
    }
}

/// One input and what became of it.
#[derive(Clone, Debug)]
pub struct RepairRow {
    /// The input's file.
    pub input: PathBuf,
    /// Where the valid text was written, if it was.
    pub output: Option<PathBuf>,
    /// What became of it.
    pub status: RepairStatus,
    /// The input's size.
    pub input_bytes: usize,
    /// The valid text's size; 0 without one.
    pub output_bytes: usize,
    /// Bytes of the input that the valid text has in the same order.
    pub kept_bytes: usize,
    /// Insertions, deletions and replacements of single bytes from the input to the valid text.
    pub distance: Option<usize>,
    /// Distinct candidates that were tested.
    pub tests: u64,
    /// All runs of the validator.
    pub executions: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
    /// Something that the user should know.
    pub note: Option<String>,
    /// Files with inputs on which the target crashed or hung.
    pub by_catch: Vec<PathBuf>,
}

/// What became of all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepairTotals {
    /// Inputs, each content once.
    pub inputs: usize,
    /// Those that were valid.
    pub valid: usize,
    /// Those that are valid now.
    pub repaired: usize,
    /// Those that are not.
    pub not_repaired: usize,
    /// Tests of all.
    pub tests: u64,
    /// Files that were written; inputs that became the same text share one.
    pub written: usize,
    /// How long all of it took.
    pub elapsed: Duration,
}

impl RepairTotals {
    /// Adds an input.
    pub fn add(&mut self, row: &RepairRow) {
        self.inputs += 1;
        self.tests += row.tests;
        match row.status {
            RepairStatus::Valid => self.valid += 1,
            RepairStatus::Repaired => self.repaired += 1,
            RepairStatus::NotRepaired => self.not_repaired += 1,
        }
    }
}

/// One line for an input.
pub(super) fn line(row: &RepairRow) -> String {
    format!("{}: {}", show::path(&row.input), words(row))
}

/// What became of an input, in words.
pub(super) fn words(row: &RepairRow) -> String {
    let mut text = row.status.name().to_owned();
    if let (RepairStatus::Repaired, Some(distance)) = (row.status, row.distance) {
        let _ = write!(
            text,
            " by {} {}, {} of {} bytes kept",
            grouped(distance as u64),
            if distance == 1 { "edit" } else { "edits" },
            grouped(row.kept_bytes as u64),
            grouped(row.input_bytes as u64),
        );
    }
    if row.status != RepairStatus::Valid {
        let _ = write!(text, " ({} tests)", grouped(row.tests));
    }
    if let Some(reason) = row.stopped {
        let why = match reason {
            StopReason::Time => "its time was over",
            StopReason::Tests => "its tests were used up",
            StopReason::Interrupted => "it was interrupted",
        };
        let _ = write!(text, "; {why}");
    }
    if let Some(note) = &row.note {
        let _ = write!(text, "; {note}");
    }
    for path in &row.by_catch {
        let _ = write!(text, "; the target failed on {}", show::path(path));
    }
    text
}

/// One line for all.
pub(super) fn totals_line(totals: &RepairTotals) -> String {
    format!(
        "{}: {} valid, {} repaired, {} not repaired; {}; {} written",
        counted(totals.inputs as u64, "input", "inputs"),
        grouped(totals.valid as u64),
        grouped(totals.repaired as u64),
        grouped(totals.not_repaired as u64),
        counted(totals.tests, "test", "tests"),
        counted(totals.written as u64, "file", "files"),
    )
}

/// A stretch of a text that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it stands in the input.
    pub at: usize,
    /// What was dropped.
    pub dropped: Vec<u8>,
    /// What was added.
    pub added: Vec<u8>,
}

/// What was changed, stretch by stretch.
pub fn changes(input: &[u8], text: &[u8]) -> Vec<Change> {
    let steps = diff((input, &Units::bytes(input.len())), (text, &Units::bytes(text.len())));
    let mut changes: Vec<Change> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for step in steps {
        if let Step::Common(span) = &step {
            at = span.end;
            is_open = false;
            continue;
        }
        if !is_open {
            changes.push(Change { at, dropped: Vec::new(), added: Vec::new() });
            is_open = true;
        }
        let change = changes.last_mut().expect("one was just opened");
        match step {
            Step::Delete(span) => {
                at = span.end;
                change.dropped.extend_from_slice(&input[span]);
            }
            Step::Insert(span) => change.added.extend_from_slice(&text[span]),
            Step::Common(_) => unreachable!("handled above"),
        }
    }
    changes
}

/// The changes in context, as figure 4 of 'Debugging Inputs' shows a diagnosis.
pub(super) fn diagnosis(name: &str, input: &[u8], text: &[u8]) -> String {
    let mut out = String::new();
    let mut place = Position::default();
    for change in changes(input, text) {
        place.advance(input, change.at);
        let Position { line, column, .. } = place;
        let shown = show::plain;
        let what = match (change.dropped.as_slice(), change.added.as_slice()) {
            (dropped, []) => format!("drop `{}`", shown(dropped)),
            ([], added) => format!("add `{}`", shown(added)),
            (dropped, added) => format!("`{}` becomes `{}`", shown(dropped), shown(added)),
        };
        let begin =
            input[..change.at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let begin = begin.max(change.at.saturating_sub(40));
        let behind = change.at + change.dropped.len();
        let end = input[behind..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(input.len(), |n| behind + n);
        let end = end.min(behind + 40);
        let (front, back) = (shown(&input[begin..change.at]), shown(&input[behind..end]));
        let dropped = shown(&change.dropped);
        let mark =
            if dropped.is_empty() { "^".to_owned() } else { "^".repeat(dropped.chars().count()) };
        let _ = writeln!(out, "{name}:{line}:{column}: {what}");
        let _ = writeln!(out, "    {front}{dropped}{back}");
        let _ = writeln!(out, "    {}{mark}", " ".repeat(front.chars().count()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnosis_shows_what_has_to_go_in_its_place() {
        let input = b"{ \"item\": \"Apple\",\n \"price\": **3.45 }";
        let text = b"{ \"item\": \"Apple\",\n \"price\": 3.45 }";
        let shown = diagnosis("a.json", input, text);
        assert_eq!(shown, "a.json:2:11: drop `**`\n     \"price\": **3.45 }\n              ^^\n");
    }
}
