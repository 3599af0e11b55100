//! How repairs ended, in the words that the console and the page use.

use std::fmt::Write as _;

use crate::event::{RepairRow, RepairStatus, RepairTotals, StopReason};
use crate::report::show;
use crate::report::show::{counted, number as grouped};
use crate::session::repair::changes;
use seedsmith_grammar::Position;

/// One line for an input: its path and `words`. The console prints it when a repair has ended; for valid
/// inputs only with `--verbose`.
pub(crate) fn line(row: &RepairRow) -> String {
    format!("{}: {}", show::path(&row.input), words(row))
}

/// How the repair of an input ended: `repaired by 2 edits, 33 of 35 bytes kept (12 tests)`.
///
/// The number of edits is left out if there are too many to count. After semicolons come the reason for an
/// early end, a note, and files on which the validator itself crashed or hung. The page shows the same words.
pub(crate) fn words(row: &RepairRow) -> String {
    let mut text = row.status.name().to_owned();
    if row.status == RepairStatus::Repaired {
        if let Some(edits) = row.distance {
            let noun = if edits == 1 { "edit" } else { "edits" };
            let _ = write!(text, " by {} {noun}", grouped(edits as u64));
        }
        let _ = write!(
            text,
            ", {} of {} bytes kept",
            grouped(row.kept_bytes as u64),
            grouped(row.input_bytes as u64)
        );
    }
    if matches!(row.status, RepairStatus::Repaired | RepairStatus::NotRepaired) {
        let _ = write!(text, " ({})", counted(row.tests, "test", "tests"));
    }
    if let Some(reason) = row.stopped {
        let why = match reason {
            StopReason::Time => "its time was over",
            StopReason::Tests => "its tests were used up",
            StopReason::Interrupted => "it was interrupted",
            StopReason::Target => "the validator could not be run any more",
        };
        let _ = write!(text, "; {why}");
    }
    if let Some(note) = &row.note {
        let _ = write!(text, "; {note}");
    }
    for path in &row.other_failures {
        let _ = write!(text, "; the validator failed on {}", show::path(path));
    }
    if row.other_failures.is_empty() && row.failures > 0 {
        let failures = counted(row.failures as u64, "failure", "failures");
        let _ = write!(text, "; {failures} of the validator itself on the way (-o keeps them)");
    }
    text
}

/// One line for all: inputs by status, tests, and files that were written. If inputs were only checked, the
/// line has valid and invalid ones, and no files. If all inputs of a check are valid, it is the line of a
/// repair.
pub(crate) fn totals_line(totals: &RepairTotals) -> String {
    if totals.invalid > 0 {
        return format!(
            "{}: {} valid, {} invalid; {}",
            counted(totals.inputs as u64, "input", "inputs"),
            grouped(totals.valid as u64),
            grouped(totals.invalid as u64),
            counted(totals.tests, "test", "tests")
        );
    }
    format!(
        "{}: {} valid, {} repaired, {} not repaired; {}; {} written",
        counted(totals.inputs as u64, "input", "inputs"),
        grouped(totals.valid as u64),
        grouped(totals.repaired as u64),
        grouped(totals.not_repaired as u64),
        counted(totals.tests, "test", "tests"),
        counted(totals.written as u64, "file", "files")
    )
}

/// The changes in context, as figure 4 of 'Debugging Inputs' (Kirschner et al. 2020) shows a diagnosis:
///
/// ```text
/// a.json:2:11: drop `**`
///      "price": **3.45 }
///               ^^
/// ```
///
/// Lines count from 1, columns in characters from 1. Of long lines 40 bytes are shown on each side.
pub(crate) fn diagnosis(name: &str, input: &[u8], text: &[u8]) -> String {
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
    use crate::report::summary::repairs::*;

    #[test]
    fn a_diagnosis_shows_what_has_to_go_in_its_place() {
        let input = b"{ \"item\": \"Apple\",\n \"price\": **3.45 }";
        let text = b"{ \"item\": \"Apple\",\n \"price\": 3.45 }";
        let shown = diagnosis("a.json", input, text);
        assert_eq!(shown, "a.json:2:11: drop `**`\n     \"price\": **3.45 }\n              ^^\n");
    }
}
