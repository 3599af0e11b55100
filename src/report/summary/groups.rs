//! Many inputs, as a table for people: which fail, which of them alike, and the result of each failure.
//!
//! `triage` prints the table on stdout. A minimization of many inputs prints it on stderr.

use crate::event::{FailureGroup, FailureGroups, TriagedInput};
use crate::report::show;
use crate::report::summary::failure::in_one_line;
use crate::report::terminal::table;
use crate::report::terminal::table::{Align, cell, column_width};
use crate::report::terminal::{Facts, Look, Styled};
use anstyle::Style;

/// One input in one line: `d/crash-1: panic at src/lib.rs:3:5, in 4 of 5 runs`. The rate is left out if every
/// run failed. Only `--verbose` shows these lines; a failure without a place has only its kind and message
/// here, because the event has no stack.
pub(crate) fn line(one: &TriagedInput<'_>) -> String {
    let path = show::short_digests(&show::path(one.input));
    match one.signature {
        None => format!("{path}: doesn't fail on {}", one.target),
        Some(signature) => {
            let signature = in_one_line(signature, &[]).text();
            let rate = if one.shown == one.runs {
                String::new()
            } else {
                format!(", in {} of {} runs", one.shown, one.runs)
            };
            format!("{path}: {signature}{rate}")
        }
    }
}

/// `7 inputs: 4 fail in 2 ways, 2 don't fail, 1 passed over`. A part whose count is 0 is left out.
///
/// Files with the same bytes count one by one if they fail or pass. Inputs that could not be run are at the
/// end. The report in Markdown uses this line too.
pub(crate) fn headline(groups: &FailureGroups) -> String {
    let failing: usize = groups.rows.iter().map(|row| row.inputs.len()).sum();
    let all = failing + groups.passing.len() + groups.troubled;
    let mut parts = Vec::new();
    if failing > 0 {
        let ways = show::counted(groups.rows.len() as u64, "way", "ways");
        parts.push(format!("{failing} {} in {ways}", if failing == 1 { "fails" } else { "fail" }));
    }
    if !groups.passing.is_empty() {
        let count = groups.passing.len();
        parts.push(format!("{count} {}", if count == 1 { "doesn't fail" } else { "don't fail" }));
    }
    if groups.troubled > 0 {
        parts.push(format!("{} passed over", groups.troubled));
    }
    format!("{}: {}", show::counted(all as u64, "input", "inputs"), parts.join(", "))
}

/// A row a failure; blocks of lines where a terminal is too narrow for rows:
///
/// ```text
///   files  bytes  failure  smallest
///       2  1,234  abort    d/a
/// ```
///
/// There is a column `result` if something was minimized, `target` if there are several, and `state` if the
/// failures are compared with those of an earlier run.
///
/// The rows have the order of `groups`. Only the failure is cut to fit the terminal: the other columns stay
/// whole. Without failures the text is empty.
pub(crate) fn table(groups: &FailureGroups, look: &Look) -> String {
    if groups.rows.is_empty() {
        return String::new();
    }
    let are_many = groups.rows.iter().any(|row| row.target != groups.rows[0].target);
    let has_results = groups.rows.iter().any(|row| !row.results.is_empty());
    let mut columns = vec![("files", Align::Right), ("bytes", Align::Right)];
    if has_results {
        columns.push(("result", Align::Right));
    }
    if are_many {
        columns.push(("target", Align::Left));
    }
    if groups.joined.is_some() {
        columns.push(("state", Align::Left));
    }
    let failure = columns.len();
    columns.extend([("failure", Align::Left), ("smallest", Align::Left)]);
    let (names, aligns): (Vec<&str>, Vec<Align>) = columns.into_iter().unzip();
    let mut rows: Vec<Vec<Styled>> = vec![names.into_iter().map(cell).collect()];
    for row in &groups.rows {
        let mut cells = vec![
            cell(&show::number(row.inputs.len() as u64)),
            cell(&show::number(row.smallest_bytes)),
        ];
        if has_results {
            let bytes = row.best().map(|best| show::number(best.bytes as u64));
            cells.push(cell(bytes.as_deref().unwrap_or("-")));
        }
        if are_many {
            cells.push(cell(&row.target));
        }
        if let Some(joined) = &groups.joined {
            cells.push(cell(joined.state(&row.id).name()));
        }
        cells.extend([row.failure(), cell(&row.shown())]);
        rows.push(cells);
    }
    let others: usize = (0..aligns.len())
        .filter(|column| *column != failure)
        .map(|column| column_width(&rows, column) + COLUMN_GAP)
        .sum();
    let room = look.columns.map_or(MAX_FAILURE_COLUMNS, |columns| {
        columns.saturating_sub(others + COLUMN_GAP + 1).min(MAX_FAILURE_COLUMNS)
    });
    if room < column_width(&rows, failure).min(MIN_FAILURE_COLUMNS) {
        return groups.rows.iter().map(|row| row.block(has_results, are_many, look)).collect();
    }
    for row in &mut rows {
        row[failure] = row[failure].cut(room);
    }
    table::styled(&rows, &aligns, look)
}

impl FailureGroup {
    /// The failure, and whether it is unsteady: some input of the group did not fail in every run.
    fn failure(&self) -> Styled {
        let unsteady = if self.is_steady { "" } else { " (unsteady)" };
        in_one_line(&self.signature, &self.stack).with(Style::new(), unsteady)
    }

    /// The path of the smallest result, or without results that of the smallest input. Digests in file names
    /// are shortened to 12 digits.
    fn shown(&self) -> String {
        let path = self.best().map_or(&self.smallest, |best| &best.output);
        show::short_digests(&show::path(path))
    }

    /// The row as lines, for a narrow terminal: files and target, then the failure, then sizes and path. The
    /// state since an earlier run has no place here.
    fn block(&self, has_results: bool, has_target: bool, look: &Look) -> String {
        let mut facts = Facts::default();
        let files = show::counted(self.inputs.len() as u64, "file", "files");
        let mut sizes = show::counted(self.smallest_bytes, "byte", "bytes");
        if let Some(best) = self.best().filter(|_| has_results) {
            sizes = format!("{} → {}", show::number(self.smallest_bytes), show::bytes(best.bytes));
        }
        let name = if has_target { format!("{files}, {}", self.target) } else { files };
        let lines = vec![self.failure(), cell(&format!("{sizes}: {}", self.shown()))];
        facts.add_prose(&name, lines);
        facts.render(look)
    }
}

/// Blanks before each column, as `table` has them.
const COLUMN_GAP: usize = 2;
/// Columns of a failure. Its text may be a page long, and a row is one line. A guess: a place and the beginning of
/// a message; not measured.
const MAX_FAILURE_COLUMNS: usize = 90;
/// With fewer columns for failures the table becomes blocks of lines: a place such as
/// `panic at src/lib.rs:17:9` takes that many.
const MIN_FAILURE_COLUMNS: usize = 24;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::event::GroupResult;
    use seedsmith_engine::{Kind, Message, Signature};

    fn row(target: &str, inputs: &[&str], bytes: u64) -> FailureGroup {
        FailureGroup {
            id: "0".to_owned(),
            target: target.to_owned(),
            signature: Arc::new(Signature::of_kind(Kind::Abort)),
            stack: Vec::new(),
            inputs: inputs.iter().map(PathBuf::from).collect(),
            smallest: inputs[0].into(),
            smallest_bytes: bytes,
            is_steady: true,
            results: Vec::new(),
        }
    }

    #[test]
    fn a_row_tells_how_many_files_fail_alike_and_which_is_the_smallest() {
        let mut groups = FailureGroups {
            rows: vec![row("t", &["d/a", "d/b"], 1234), row("t", &["d/c"], 5)],
            passing: vec!["d/e".into()],
            troubled: 0,
            joined: None,
        };
        assert_eq!(headline(&groups), "4 inputs: 3 fail in 2 ways, 1 doesn't fail");
        assert_eq!(
            table(&groups, &Look::default()),
            "  files  bytes  failure  smallest\n      \
               2  1,234  abort    d/a\n      \
               1      5  abort    d/c\n"
        );
        groups.rows[0].results.push(GroupResult { output: "out/x".into(), bytes: 3 });
        groups.rows[1].target = "other".to_owned();
        assert_eq!(
            table(&groups, &Look::default()),
            "  files  bytes  result  target  failure  smallest\n      \
               2  1,234       3  t       abort    out/x\n      \
               1      5       -  other   abort    d/c\n"
        );
        let narrow = Look { columns: Some(40), ..Look::default() };
        assert_eq!(
            table(&groups, &narrow),
            "  2 files, t\n    abort\n    1,234 → 3 bytes: out/x\n  \
               1 file, other\n    abort\n    5 bytes: d/c\n"
        );
    }

    #[test]
    fn a_row_fits_a_terminal_and_has_short_digests() {
        let digest = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        let path = format!("d/crash-{digest}");
        let mut groups = FailureGroups {
            rows: vec![row("t", &[&path], 7)],
            passing: vec![],
            troubled: 0,
            joined: None,
        };
        let text = "index out of bounds: the len is 5 but the index is 17, or so";
        groups.rows[0].signature = Arc::new(Signature {
            place: Some("src/lib.rs:3:5".to_owned()),
            message: Some(Message::new(text)),
            ..Signature::of_kind(Kind::Panic)
        });
        let shown = table(&groups, &Look { columns: Some(80), ..Look::default() });
        assert_eq!(
            shown,
            "  files  bytes  failure                                    smallest\n      \
               1      7  panic at src/lib.rs:3:5: index out of bo…  d/crash-da39a3ee5e6b\n"
        );
        assert!(table(&groups, &Look::default()).contains("17, or so  d/crash-da39a3ee5e6b\n"));
    }
}
