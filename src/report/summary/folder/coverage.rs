//! What code a corpus reaches: a headline for stderr and a line for each function for stdout.

use crate::event::{CoverageFunction, CoverageTotals};
use crate::report::show;

/// `12/40  parse::table  src/parse.rs:88`: of the function's 40 instrumented blocks the corpus reaches 12.
///
/// With a second corpus its blocks come next: `12/40  9/40  parse::table`. Without debug information the file
/// and the line are left out. Control characters in names are escaped by the console, not here.
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

/// `812 inputs reach 40 of 92 functions and 310 of 804 lines of parse`. Inputs that fail are counted
/// separately at the end, and the code that they reach does not count. With a second corpus the end says in
/// how many functions its blocks differ. Only functions and lines with instrumented blocks count.
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
