//! Many inputs, as a table for people: which fail, which of them alike, and what came of each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::names::Names;
use super::show;
use super::table::{self, Align};
use crate::corpus::{Group, Listed};
use crate::session::first_runs::Baseline;
use crate::session::sort::{Failing, Sorted, smallest};
use crate::session::stack::StackLine;
use crate::session::target::OpenTarget;
use seedsmith_engine::signature::Signature;

/// One input that was looked at.
#[derive(Clone, Debug)]
pub struct Triaged<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// Further files with the same bytes.
    pub copies: &'a [PathBuf],
    /// The target's name.
    pub target: &'a str,
    /// Its size.
    pub bytes: u64,
    /// How many runs failed.
    pub shown: u32,
    /// How many runs there were.
    pub runs: u32,
    /// The executable with the code that fails, for stacks.
    pub code: Option<PathBuf>,
    /// The failure, if there was one.
    pub signature: Option<&'a Signature>,
}

impl<'a> Triaged<'a> {
    /// An input that was run that often on `target`, and its failure, if it has one.
    pub fn of(
        listed: &'a Listed,
        target: &'a OpenTarget,
        runs: u32,
        baseline: Option<&'a Baseline>,
    ) -> Self {
        Triaged {
            input: &listed.path,
            copies: &listed.copies,
            target: &target.name,
            code: target.code(),
            bytes: listed.bytes,
            shown: baseline.map_or(0, |baseline| baseline.shown),
            runs,
            signature: baseline.map(|baseline| &*baseline.signature),
        }
    }
}

/// A result of one input.
#[derive(Clone, Debug)]
pub struct GroupResult {
    /// Where it was written.
    pub output: PathBuf,
    /// Its size.
    pub bytes: usize,
}

/// Inputs that fail the same way.
#[derive(Clone, Debug)]
pub struct GroupRow {
    /// The target's name.
    pub target: String,
    /// The failure.
    pub signature: Arc<Signature>,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// Every file, copies too.
    pub inputs: Vec<PathBuf>,
    /// The smallest of them.
    pub smallest: PathBuf,
    /// Its size.
    pub smallest_bytes: u64,
    /// Whether each of them failed in every run.
    pub is_steady: bool,
    /// What was made of them; nothing where nothing was to be made.
    pub results: Vec<GroupResult>,
}

impl GroupRow {
    /// The row of a group for which there are no results yet.
    fn of(group: &Group<Failing>, names: &mut Names) -> Self {
        let smallest = &smallest(group).input;
        let target = &group.members[0].target;
        GroupRow {
            target: target.name.clone(),
            stack: names.stack(target.code().as_deref(), &group.signature),
            signature: group.signature.clone(),
            inputs: group.members.iter().flat_map(|one| one.input.files()).collect(),
            smallest: smallest.path.clone(),
            smallest_bytes: smallest.bytes,
            is_steady: group.members.iter().all(|one| one.baseline.is_steady()),
            results: Vec::new(),
        }
    }

    /// The smallest result.
    pub fn best(&self) -> Option<&GroupResult> {
        self.results.iter().min_by_key(|result| result.bytes)
    }
}

/// What became of many inputs.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Those that fail.
    pub rows: Vec<GroupRow>,
    /// Those that don't.
    pub passing: Vec<PathBuf>,
    /// How many there are about which nothing can be said.
    pub troubled: usize,
}

impl Groups {
    /// The groups without results.
    pub fn of(sorted: &Sorted) -> Self {
        let names = &mut Names::default();
        Groups {
            rows: sorted.groups.iter().map(|group| GroupRow::of(group, names)).collect(),
            passing: sorted.passing_files(),
            troubled: sorted.troubled,
        }
    }
}

/// One input in one line.
pub fn line(one: &Triaged<'_>) -> String {
    let path = one.input.display();
    match one.signature {
        None => format!("{path}: doesn't fail on {}", one.target),
        Some(signature) => {
            let signature = show::short_paths(&signature.to_string());
            let rate = if one.shown == one.runs {
                String::new()
            } else {
                format!(", in {} of {} runs", one.shown, one.runs)
            };
            format!("{path}: {signature}{rate}")
        }
    }
}

/// `7 inputs: 5 still fail in 2 ways, 2 don't`.
pub fn headline(groups: &Groups) -> String {
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

/// A row a failure, and one for those that don't fail.
pub fn table(groups: &Groups) -> String {
    let are_many = groups.rows.iter().any(|row| row.target != groups.rows[0].target);
    let has_results = groups.rows.iter().any(|row| !row.results.is_empty());
    let mut columns = vec![("files", Align::Right), ("bytes", Align::Right)];
    if has_results {
        columns.push(("result", Align::Right));
    }
    if are_many {
        columns.push(("target", Align::Left));
    }
    columns.extend([("failure", Align::Left), ("smallest", Align::Left)]);
    let (names, aligns): (Vec<&str>, Vec<Align>) = columns.into_iter().unzip();
    let mut rows = vec![names.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for row in &groups.rows {
        let mut cells =
            vec![show::number(row.inputs.len() as u64), show::number(row.smallest_bytes)];
        if has_results {
            cells.push(row.best().map_or("-".to_owned(), |best| show::number(best.bytes as u64)));
        }
        if are_many {
            cells.push(row.target.clone());
        }
        let unsteady = if row.is_steady { "" } else { " (unsteady)" };
        cells.push(show::shortened(
            &format!("{}{unsteady}", show::short_paths(&row.signature.to_string())),
            FAILURE_WIDTH,
        ));
        let shown = row.best().map_or(&row.smallest, |best| &best.output);
        cells.push(shown.display().to_string());
        rows.push(cells);
    }
    if rows.len() == 1 { String::new() } else { table::aligned(&rows, &aligns) }
}

/// A failure's text may be a page long; a row should be one line.
const FAILURE_WIDTH: usize = 90;

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::signature::Kind;

    fn row(target: &str, inputs: &[&str], bytes: u64) -> GroupRow {
        GroupRow {
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
        let mut groups = Groups {
            rows: vec![row("t", &["d/a", "d/b"], 1234), row("t", &["d/c"], 5)],
            passing: vec!["d/e".into()],
            troubled: 0,
        };
        assert_eq!(headline(&groups), "4 inputs: 3 fail in 2 ways, 1 doesn't fail");
        assert_eq!(
            table(&groups),
            "  files  bytes  failure  smallest\n      \
               2  1,234  abort    d/a\n      \
               1      5  abort    d/c\n"
        );
        groups.rows[0].results.push(GroupResult { output: "out/x".into(), bytes: 3 });
        groups.rows[1].target = "other".to_owned();
        assert_eq!(
            table(&groups),
            "  files  bytes  result  target  failure  smallest\n      \
               2  1,234       3  t       abort    out/x\n      \
               1      5       -  other   abort    d/c\n"
        );
    }
}
