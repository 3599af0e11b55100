//! A binary input in rows of hexadecimal digits, with its changes marked.

use maud::{Markup, html};

use super::excerpt::{Fate, Piece, gap};
use crate::report::show::{bytes as size, counted};

/// Bytes of a row, as `xxd` and `hexdump -C` have them.
const ROW_BYTES: usize = 16;
/// Rows that are shown. A guess: some screens; not measured.
const MAX_ROWS: usize = 200;

/// One byte of the input or of what was added.
#[derive(Clone, Copy)]
struct Cell {
    fate: Fate,
    byte: u8,
}

/// A row, at an offset in the input. It has at least one cell, and its cells are either all added or none is.
struct Row {
    at: usize,
    cells: Vec<Cell>,
}

/// The original of a minimized input. Rows of which everything was deleted are left out, but for one beside each
/// other row. Added bytes have rows without an offset.
pub(crate) fn hex_rows(pieces: &[Piece<'_>]) -> Markup {
    let rows = rows(pieces);
    let is_left: Vec<bool> =
        rows.iter().map(|row| row.cells.iter().any(|cell| cell.fate != Fate::Dropped)).collect();
    let is_shown = |at: usize| {
        let beside = at.saturating_sub(1)..=(at + 1).min(rows.len() - 1);
        is_left[beside].contains(&true)
    };
    let mut blocks: Vec<(bool, usize, usize)> = Vec::new();
    for at in 0..rows.len() {
        let is_shown = is_shown(at);
        match blocks.last_mut() {
            Some((last, _, end)) if *last == is_shown => *end = at + 1,
            _ => blocks.push((is_shown, at, at + 1)),
        }
    }
    let mut room = MAX_ROWS;
    let blocks = blocks.into_iter().map(|(is_shown, from, until)| {
        let room_before = room;
        if is_shown {
            room = room.saturating_sub(until - from);
        }
        (is_shown, &rows[from..until], room_before)
    });
    html! {
        @for (is_shown, rows, room) in blocks {
            @if is_shown {
                @for row in &rows[..rows.len().min(room)] { (shown(row)) "\n" }
                @if rows.len() > room && room > 0 { (gap("more rows are left out")) }
            } @else if room > 0 {
                @let bytes = rows.iter().map(|row| row.cells.len()).sum();
                (gap(&format!("{} deleted, {}", counted(rows.len() as u64, "row", "rows"), size(bytes))))
            }
        }
    }
}

/// Rows of the input and of what was added. A row of the input begins at a multiple of its length, or after added
/// bytes; those have rows of their own, so that offsets stay those of the input.
fn rows(pieces: &[Piece<'_>]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for piece in pieces {
        let is_added = piece.fate == Fate::Added;
        for (number, &byte) in piece.bytes.iter().enumerate() {
            let at = if is_added { piece.at } else { piece.at + number };
            let cell = Cell { fate: piece.fate, byte };
            match rows.last_mut() {
                Some(row)
                    if row.cells.len() < ROW_BYTES
                        && (row.cells[0].fate == Fate::Added) == is_added
                        && (is_added || !at.is_multiple_of(ROW_BYTES)) =>
                {
                    row.cells.push(cell);
                }
                _ => rows.push(Row { at, cells: vec![cell] }),
            }
        }
    }
    rows
}

/// Offset, digits and characters. The digits of a row that does not begin at a multiple of its length are indented.
fn shown(row: &Row) -> Markup {
    let is_added = row.cells[0].fate == Fate::Added;
    let indent = if is_added { 0 } else { row.at % ROW_BYTES };
    let offset = match is_added {
        true => "       +".to_owned(),
        false => format!("{:08x}", row.at - indent),
    };
    let digits = |cells: &[Cell]| {
        let each: Vec<String> = cells.iter().map(|cell| format!("{:02x}", cell.byte)).collect();
        each.join(" ")
    };
    let characters = |cells: &[Cell]| {
        cells
            .iter()
            .map(|cell| match cell.byte {
                byte @ 0x20..=0x7e => byte as char,
                _ => '.',
            })
            .collect()
    };
    let behind = ROW_BYTES - indent - row.cells.len();
    html! {
        span.offset { (offset) } "  " (" ".repeat(indent * 3)) (marked(&row.cells, " ", digits))
        (" ".repeat(behind * 3)) "  " (" ".repeat(indent)) (marked(&row.cells, "", characters))
    }
}

/// The cells, each stretch of one fate as one element. `between` is what separates two of them.
fn marked(cells: &[Cell], between: &str, written: impl Fn(&[Cell]) -> String) -> Markup {
    let stretches = cells.chunk_by(|one, next| one.fate == next.fate);
    html! {
        @for (at, stretch) in stretches.enumerate() {
            @if at > 0 { (between) }
            @match stretch[0].fate {
                Fate::Kept => mark { (written(stretch)) },
                Fate::Dropped => del { (written(stretch)) },
                Fate::Added => ins { (written(stretch)) },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::excerpt::pieces;
    use super::super::kept::deletions;
    use super::*;

    fn of(input: &[u8], result: &[u8]) -> String {
        hex_rows(&pieces(input, &deletions(input, result))).into_string()
    }

    #[test]
    fn rows_have_an_offset_digits_and_characters() {
        assert_eq!(
            of(b"\0<A\xff", b"A"),
            format!(
                "<span class=\"offset\">00000000</span>  <del>00 3c</del> <mark>41</mark> \
                 <del>ff</del>{}  <del>.&lt;</del><mark>A</mark><del>.</del>\n",
                " ".repeat(36)
            )
        );
    }

    #[test]
    fn added_bytes_have_a_row_and_what_follows_keeps_its_column() {
        let shown = of(b"\0\x01\x02\x03", b"\0\x09\x02\x03");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert!(lines[1].contains("       +</span>  <ins>09</ins>"), "{shown}");
        assert!(lines[2].contains("00000000</span>        <mark>02 03</mark>"), "{shown}");
    }

    #[test]
    fn deleted_rows_far_from_what_is_left_are_counted_and_not_shown() {
        let mut input = vec![0xee; 16 * 100];
        input[16 * 50] = 0x41;
        let shown = of(&input, b"A");
        assert_eq!(shown.matches("class=\"offset\"").count(), 3, "{shown}");
        assert!(shown.contains("… 49 rows deleted, 784 bytes …"), "{shown}");
        assert!(shown.contains("… 48 rows deleted, 768 bytes …"), "{shown}");
        let all = of(&[b'A'; 16 * 400], &[b'A'; 16 * 400]);
        assert_eq!(all.matches("class=\"offset\"").count(), MAX_ROWS);
        assert!(all.contains("… more rows are left out …"));
    }
}
