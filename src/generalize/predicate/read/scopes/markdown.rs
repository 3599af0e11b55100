//! Tables of Markdown, where there is no grammar: lines with bars, of which the second one has dashes between its bars.
//!
//! Some programs want a bar at the beginning or at both ends of a row, and some allow empty cells in the line of dashes. So a table is read in several ways, and
//! the rows have another name in each.

use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::NEIGHBOURING;

/// What begins and ends a text in Markdown whose lines are no rows.
const FENCES: [&[u8]; 2] = [b"```", b"~~~"];

/// Where the bars of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bars {
    Anywhere,
    AtTheBeginning,
    AtBothEnds,
}

/// The names of rows, with where their bars are and whether cells of the line of dashes may be empty.
const ROWS: [(&str, Bars, bool); 6] = [
    ("<row> of a Markdown table", Bars::Anywhere, false),
    ("<row> that begins with '|' of a Markdown table", Bars::AtTheBeginning, false),
    ("<row> between '|' of a Markdown table", Bars::AtBothEnds, false),
    ("<row> of a table as in Markdown", Bars::Anywhere, true),
    ("<row> that begins with '|' of a table as in Markdown", Bars::AtTheBeginning, true),
    ("<row> between '|' of a table as in Markdown", Bars::AtBothEnds, true),
];

/// Whether some table has a row with another number of cells than its head, in each way of reading tables.
///
/// Cost: a pass over the input, and one over its lines for each of the six ways; nothing for an input without a bar.
pub(super) fn of_tables(input: &[u8], found: &mut Features) {
    if !input.contains(&b'|') {
        return;
    }
    let lines = lines(input);
    for (row, bars, may_be_empty) in ROWS {
        let are_uneven = has_uneven_table(&lines, bars, may_be_empty);
        let name = || Name::from(format!("{NEIGHBOURING}{row}"));
        found.answer(|| Feature::Unequal(name(), "<cell>".into()), are_uneven, false);
    }
}

/// A line that may be a row.
struct Line<'t> {
    /// Its text without the blanks around it.
    text: &'t [u8],
    /// How many cells it has; nothing without a bar or between two fences, where no line is a row.
    cells: Option<usize>,
}

/// The lines of an input. Each way of reading tables asks for their cells, so that these are counted once.
fn lines(input: &[u8]) -> Vec<Line<'_>> {
    let mut is_fenced = false;
    let lines = input.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).map(|text| {
        is_fenced ^= FENCES.iter().any(|fence| text.starts_with(fence));
        Line { text, cells: if is_fenced { None } else { cells_of_row(text) } }
    });
    lines.collect()
}

/// Whether some table has a row with another number of cells than its head.
///
/// The line below the head has as many cells, of dashes.
fn has_uneven_table(lines: &[Line<'_>], bars: Bars, may_be_empty: bool) -> bool {
    let (mut last, mut columns) = (None, None);
    for line in lines {
        let cells = line.cells.filter(|_| bars.are_in(line.text));
        let is_below_head =
            cells.is_some() && cells == last && is_of_dashes(line.text, may_be_empty);
        match columns {
            Some(count) if cells.is_some_and(|cells| cells != count) => return true,
            Some(_) if cells.is_none() => columns = None,
            None if is_below_head => columns = cells,
            _ => {}
        }
        last = cells;
    }
    false
}

impl Bars {
    /// Whether a line without the blanks around it has its bars there. A bar alone is at the beginning.
    fn are_in(self, line: &[u8]) -> bool {
        match self {
            Bars::Anywhere => true,
            Bars::AtTheBeginning => line.starts_with(b"|"),
            Bars::AtBothEnds => line.len() > 1 && line.starts_with(b"|") && line.ends_with(b"|"),
        }
    }
}

/// How many cells a row of Markdown has; nothing for a line without a bar. A bar after a backslash is a part of a cell, and one at either end of the
/// row belongs to it.
fn cells_of_row(line: &[u8]) -> Option<usize> {
    let is_bar = |at: &usize| line[*at] == b'|' && (*at == 0 || line[at - 1] != b'\\');
    let bars: Vec<usize> = (0..line.len()).filter(is_bar).collect();
    let (first, last) = (bars.first()?, bars.last()?);
    let inner = bars.len() - usize::from(*first == 0);
    Some(inner + 1 - usize::from(*last > 0 && *last + 1 == line.len()))
}

/// Whether each cell of a row has dashes, maybe with a colon at either end, and nothing else.
///
/// With `may_be_empty` one cell with a dash is enough where the others are empty or have colons alone.
fn is_of_dashes(line: &[u8], may_be_empty: bool) -> bool {
    let inner = line.strip_prefix(b"|").unwrap_or(line);
    let inner = inner.strip_suffix(b"|").unwrap_or(inner);
    if may_be_empty {
        return inner.contains(&b'-') && inner.iter().all(|byte| b"|-: \t".contains(byte));
    }
    inner.split(|byte| *byte == b'|').map(<[u8]>::trim_ascii).all(|cell| {
        let cell = cell.strip_prefix(b":").unwrap_or(cell);
        let dashes = cell.strip_suffix(b":").unwrap_or(cell);
        !dashes.is_empty() && dashes.iter().all(|byte| *byte == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_markdown_table_has_a_line_of_dashes_and_is_in_no_fence() {
        let has = |text: &str| has_uneven_table(&lines(text.as_bytes()), Bars::Anywhere, false);
        assert!(has("| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n"));
        assert!(has("a | b\n--|--\n1 | 2 | 3\n"));
        assert!(!has("| a | b |\n| c |\n"));
        assert!(!has("| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n\n| c |\n"));
        assert!(!has("```\n| a | b |\n|---|---|\n| 1 |\n```\n"));
        assert!(!has("| a | b |\n|---||\n| 1 |\n"));
    }

    #[test]
    fn rows_have_their_bars_where_a_program_wants_them() {
        let all = [Bars::Anywhere, Bars::AtTheBeginning, Bars::AtBothEnds];
        let uneven = |text: &str, is_loose| {
            all.map(|bars| has_uneven_table(&lines(text.as_bytes()), bars, is_loose))
        };
        assert_eq!(uneven("| a | b |\n|---|---|\n1 |\n", false), [true, false, false]);
        assert_eq!(uneven("|||\n|-||\n|", true), [true, true, false]);
        assert_eq!(uneven("|||\n|-||\n|", false), [false; 3]);
        assert_eq!(uneven("|a|b|\n|||\n|c|\n", true), [false; 3]);
    }
}
