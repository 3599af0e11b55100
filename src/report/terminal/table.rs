//! Columns that line up.

use anstyle::Style;

use super::{FAINT, Look, Styled, width};

/// The side to which a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// To the left, as texts do.
    Left,
    /// To the right, as numbers do.
    Right,
}

/// Rows of equally many cells, two blanks in front and between, a line each: control characters in
/// a cell, line feeds too, are escaped before widths are counted.
pub(crate) fn aligned(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let rows: Vec<Vec<Styled>> =
        rows.iter().map(|row| row.iter().map(|cell| Styled::plain(cell)).collect()).collect();
    styled(&rows, aligns, &Look::default())
}

/// The same with styles. The first row has the names of the columns.
pub(crate) fn styled(rows: &[Vec<Styled>], aligns: &[Align], look: &Look) -> String {
    let cell_width = |cell: &Styled| width(&cell.text());
    let widths: Vec<usize> = (0..aligns.len()).map(|column| column_width(rows, column)).collect();
    let mut out = String::new();
    for (at, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for ((cell, align), width) in row.iter().zip(aligns).zip(&widths) {
            let blanks = " ".repeat(width - cell_width(cell));
            let cell = match at {
                0 => Styled::default().with(FAINT, &cell.text()).render(look),
                _ => cell.render(look),
            };
            line += &match align {
                Align::Left => format!("  {cell}{blanks}"),
                Align::Right => format!("  {blanks}{cell}"),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// How wide the widest cell of a column is.
pub(crate) fn column_width(rows: &[Vec<Styled>], column: usize) -> usize {
    rows.iter().map(|row| width(&row[column].text())).max().unwrap_or_default()
}

/// A cell without a style.
pub(crate) fn cell(text: &str) -> Styled {
    Styled::default().with(Style::new(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_what_a_terminal_shows() {
        let rows = [["name", "n"], ["一二", "1"], ["e\u{301}\x1b", "12"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            aligned(&rows, &[Align::Left, Align::Right]),
            "  name    n\n  一二    1\n  e\u{301}\\x1b  12\n"
        );
    }
}
