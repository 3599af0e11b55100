//! Columns that line up.

/// Where a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left, as texts do.
    Left,
    /// To the right, as numbers do.
    Right,
}

/// Rows of equally many cells, two blanks in front and between, a line each.
pub fn aligned(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..aligns.len()).map(width).collect();
    let mut out = String::new();
    for row in rows {
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
