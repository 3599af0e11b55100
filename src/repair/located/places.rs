//! Places in a line of a validator's message: `line 4, column 7`, `file:4:7`, `offset 123`.
//!
//! It reads digits and the words around them, and knows no tool. Which of the places is meant is
//! decided in `message.rs`.

/// A place as a message names it. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedPlace {
    /// A line, and perhaps a column.
    Line(usize, Option<usize>),
    /// An offset in bytes from the start.
    Offset(usize),
    /// The end of the text.
    End,
}

/// Words after which a number is an offset.
const OFFSETS: [&str; 7] = ["offset", "byte", "char", "character", "position", "index", "pos"];
/// Words that say that the text ended too early.
const ENDS: [&str; 8] = [
    "end of document",
    "end of file",
    "end of input",
    "end of data",
    "incomplete input",
    "unexpected eof",
    "premature end",
    "unexpected end",
];

/// The places that a line of a message names, in their order.
///
/// Reads `line 4, column 7`, `4:7` after a file's name, `offset 123`, and words for the end.
/// Numbers that belong to no such form are left out.
pub(super) fn places(line: &str) -> Vec<NamedPlace> {
    let line = line.to_ascii_lowercase();
    if is_stack_frame(&line) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let (number, end) = number_at(bytes, at);
        let before = &line[..at];
        match place(before, number, &bytes[end..]) {
            Some((place, used)) => {
                found.push(place);
                at = end + used;
            }
            None => at = end,
        }
    }
    if found.is_empty() && ENDS.iter().any(|words| line.contains(words)) {
        found.push(NamedPlace::End);
    }
    found
}

/// The place that a number is, and how many bytes after the number belong to it.
///
/// `before` is the text before the number, in small letters; `after` the bytes after it.
fn place(before: &str, number: usize, after: &[u8]) -> Option<(NamedPlace, usize)> {
    let trimmed = before.trim_end_matches([' ', ':', '=', '#', '(', '\'', '"']);
    let word = trimmed.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    if matches!(word, "line" | "lines" | "ln") {
        let (column, used) = column(after);
        return Some((NamedPlace::Line(number, column), used));
    }
    if OFFSETS.contains(&word) && trimmed.len() < before.len() {
        return Some((NamedPlace::Offset(number), 0));
    }
    let is_pair = after.first() == Some(&b':') && after.get(1).is_some_and(u8::is_ascii_digit);
    // `{}:4:7`, `-:4: parser error`, `4:7: expected`, `(4:7)`, `(4,7)`.
    let whole = before.rsplit([' ', '\t']).next().unwrap_or("");
    let names_candidate = whole.ends_with("{}:") || whole.ends_with("{}(");
    let is_stream = matches!(whole, "-:" | "stdin:" | "<stdin>:" | "(stdin):" | "input:" | "[");
    let is_alone = before.trim().is_empty() || whole == "(" || before.ends_with("at ");
    // `request:4:7`: a name and no path.
    let is_name = whole.strip_suffix(':').is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    if names_candidate || is_stream || ((is_alone || is_name) && is_pair) {
        let next = after.first().copied().unwrap_or(b'\n');
        let (column, used) = match next {
            b':' | b',' if after.get(1).is_some_and(u8::is_ascii_digit) => {
                let (column, end) = number_at(after, 1);
                (Some(column), end)
            }
            _ => (None, 0),
        };
        return Some((NamedPlace::Line(number, column), used));
    }
    None
}

/// The column after a line's number, and how many bytes it takes.
///
/// It follows a colon, a comma or the word; (`None`, 0) if there is none.
fn column(after: &[u8]) -> (Option<usize>, usize) {
    let text = String::from_utf8_lossy(&after[..after.len().min(24)]).into_owned();
    let Some(digit) = text.find(|c: char| c.is_ascii_digit()) else { return (None, 0) };
    let between = text[..digit].trim_matches([' ', ',', ':', '=', '-', '.', '(', '\'', '"']);
    let is_column = matches!(between, "column" | "col" | "char" | "character" | "position");
    let is_close = between.is_empty() && digit == 1 && matches!(after[0], b':' | b',' | b'.');
    if !is_column && !is_close {
        return (None, 0);
    }
    let (number, end) = number_at(after, digit);
    (Some(number), end)
}

/// The number that begins at `at`, and where it ends.
///
/// A number that does not fit counts as the largest one.
fn number_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let end = bytes[at..].iter().position(|byte| !byte.is_ascii_digit());
    let end = end.map_or(bytes.len(), |length| at + length);
    let digits = bytes[at..end].iter().map(|byte| usize::from(byte - b'0'));
    let number = digits.fold(0usize, |sum, digit| sum.saturating_mul(10).saturating_add(digit));
    (number, end)
}

/// Whether the line names a place in the validator itself: a frame of Python's or of Node's stack,
/// or a library's file.
fn is_stack_frame(line: &str) -> bool {
    let trimmed = line.trim_start();
    let is_python = trimmed.starts_with("file \"") && line.contains(", in ");
    let is_other_file = trimmed.starts_with("file \"")
        && !trimmed.starts_with("file \"{}\"")
        && !trimmed.starts_with("file \"<");
    let is_node = trimmed.starts_with("at ") && (line.contains("node:") || line.contains(".js:"));
    is_python || is_other_file || is_node
}

#[cfg(test)]
mod tests {
    use super::*;
    use NamedPlace::{End, Line, Offset};

    #[test]
    fn places_are_read_in_the_spellings_of_many_tools() {
        for (line, expected) in [
            ("line 4, column 7", vec![Line(4, Some(7))]),
            ("mismatched tag: line 4 column 7", vec![Line(4, Some(7))]),
            ("{}:4:7: error: expected ';'", vec![Line(4, Some(7))]),
            ("{}:4: parser error : x", vec![Line(4, None)]),
            ("4:7: bad", vec![Line(4, Some(7))]),
            ("GraphQL request:4:7", vec![Line(4, Some(7))]),
            ("parse error (4:7)", vec![Line(4, Some(7))]),
            ("-:4: parser error", vec![Line(4, None)]),
            ("  File \"{}\", line 4", vec![Line(4, None)]),
            ("at offset 123", vec![Offset(123)]),
            ("unexpected x at byte 17", vec![Offset(17)]),
            ("Expecting ',': line 1 column 7 (char 6)", vec![Line(1, Some(7)), Offset(6)]),
            ("line 4 alone", vec![Line(4, None)]),
            ("{}:4: mismatch: link line 3 and lnk", vec![Line(4, None), Line(3, None)]),
            ("Unclosed array (at end of document)", vec![End]),
        ] {
            assert_eq!(places(line), expected, "{line}");
        }
    }

    #[test]
    fn places_in_the_validator_itself_are_passed_over() {
        for line in [
            "  File \"<string>\", line 1, in <module>",
            "  File \"/usr/lib/python3/yaml/scanner.py\", line 120, in scan",
            "    at Module._compile (node:internal/modules:1105:14)",
            "/usr/include/stdio.h:33:5: error: x",
            "version 3.11 of 12:30",
        ] {
            assert_eq!(places(line), [], "{line}");
        }
    }
}
