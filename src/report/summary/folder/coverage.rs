//! What code a corpus reaches.

use crate::event::{CoverageFunction, CoverageTotals};
use crate::report::show;

/// `12/40  parse::table  src/parse.rs:88`, with the blocks of the other corpus after those of the first.
pub(crate) fn line(row: &CoverageFunction<'_>) -> String {
    let CoverageFunction { name, file, line, blocks, reached, .. } = row;
    let place = match (file, line) {
        (Some(file), Some(line)) => format!("  {file}:{line}"),
        (Some(file), None) => format!("  {file}"),
        _ => String::new(),
    };
    let against = row.against.map_or(String::new(), |against| format!("  {against}/{blocks}"));
    format!("{reached}/{blocks}{against}  {name}{place}")
}

/// `812 inputs reach 40 of 92 functions and 310 of 804 lines of parse`.
pub(crate) fn headline(coverage: &CoverageTotals<'_>) -> String {
    let number = |count: usize| show::number(count as u64);
    let differing = coverage.differing.map_or(String::new(), |count| {
        format!(
            "; the other corpus differs in {}",
            show::counted(count as u64, "function", "functions")
        )
    });
    let failing = match coverage.failing {
        0 => String::new(),
        count => format!("; {}", show::counted(count as u64, "input fails", "inputs fail")),
    };
    format!(
        "{} reach {} of {} functions and {} of {} lines of {}{failing}{differing}",
        show::counted(coverage.inputs as u64, "input", "inputs"),
        number(coverage.functions_reached),
        number(coverage.functions),
        number(coverage.lines_reached),
        number(coverage.lines),
        coverage.target
    )
}
