//! Columns that line up.

use seedsmith_grammar::harmless::harmless;

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left, as texts do.
    Left,
    /// To the right, as numbers do.
    Right,
}

/// Rows of equally many cells, two blanks in front and between, a line each: control characters in
/// a cell, line feeds too, are escaped before widths are counted.
pub fn aligned(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let harmless_cells = |row: &Vec<String>| -> Vec<String> {
        row.iter().map(|cell| harmless(cell, &[]).into_owned()).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(harmless_cells).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..aligns.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for ((cell, align), width) in row.iter().zip(aligns).zip(&widths) {
            line += &match align {
                Align::Left => format!("  {cell:<width$}"),
                Align::Right => format!("  {cell:>width$}"),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}
