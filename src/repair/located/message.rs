//! A validator's message: where the fault is, which tokens are expected there, and which words it
//! names. A message is a hint where to look first, and never a verdict.

use std::sync::Arc;

use super::places::{NamedPlace, places};
use crate::repair::located::expectations::{owner, wishes, words};
use seedsmith_engine::internal::Complaint;

/// A message, read for one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    /// The offset of the first fault, if the message names a place.
    pub at: Option<usize>,
    /// Other offsets that the message names: where something was opened, for example.
    pub others: Vec<usize>,
    /// How many faults are reported.
    pub count: usize,
    /// Texts that are said to be missing.
    pub wishes: Vec<Vec<u8>>,
    /// Words that the message quotes.
    pub words: Vec<Vec<u8>>,
    /// Words of what should have the named ones: `users` in `table users has no column named age`.
    pub owners: Vec<Vec<u8>>,
    /// Offsets where a definition may have lost a named word.
    pub lost_at: Vec<usize>,
    /// Offsets of words that earlier edits of the search have put into the text: one of them may be the named word.
    pub made_at: Vec<usize>,
    /// Whether the fault is said to be that the text ended too early.
    pub is_end: bool,
    /// The last line without numbers and quotations: two faults of one kind have the same wording.
    pub wording: String,
    /// Whether something is said to be open that should have been closed. The place is then often where it was
    /// opened, and not where it should have been closed.
    pub is_unclosed: bool,
    /// The message itself, if the validator printed it.
    pub complaint: Option<Arc<Complaint>>,
}

impl Message {
    /// The wording without the named words: the same for two faults of one kind.
    pub(super) fn kind(&self) -> String {
        let mut kind = self.wording.clone();
        for word in self.words.iter().chain(&self.owners) {
            kind = kind.replace(&*String::from_utf8_lossy(word), "");
        }
        kind
    }
}

/// Lines of a message that are read, because the first errors are what counts and a compiler can print
/// thousands.
const MAX_LINES: usize = 60;

/// How serious a line of a message says it is. Errors come before lines that say nothing, and notes
/// last, because notes name places that explain the error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Error,
    Warning,
    None,
    Note,
}

/// How serious a line says it is. One that says several counts as a warning first, then as a note.
fn severity(line: &str) -> Severity {
    let line = line.to_ascii_lowercase();
    let has = |word: &str| line.contains(word);
    if has("warning") {
        Severity::Warning
    } else if has("note:") || has("info:") {
        Severity::Note
    } else if has("error:") || has("error :") || has("fatal") || has("error near") {
        Severity::Error
    } else {
        Severity::None
    }
}

/// A place that a line of the message names, and what speaks for it.
struct FoundPlace {
    offset: usize,
    is_exact: bool,
    is_end: bool,
    severity: Severity,
    line: usize,
    is_first_of_line: bool,
}

/// Reads a message about `text`.
///
/// Never fails: a message without a place and without words gives an empty one. Of several places
/// the first of the most serious lines is taken; of an exception's lines the last.
pub(super) fn read(message: &[u8], text: &[u8]) -> Message {
    let message = String::from_utf8_lossy(message);
    let lines: Vec<&str> = message.lines().take(MAX_LINES).collect();
    let starts = line_starts(text);
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        for (index, place) in places(line).into_iter().enumerate() {
            let (offset, is_exact) = match place {
                NamedPlace::Offset(offset) if offset <= text.len() => (offset, true),
                NamedPlace::End => (text.len(), true),
                NamedPlace::Line(row, column) if row >= 1 && row <= starts.len() => {
                    let column = column.map(|column| in_line(text, starts[row - 1], column));
                    let caret = || caret(&lines[number + 1..], text, starts[row - 1]);
                    match column.or_else(|| (index == 0).then(caret).flatten()) {
                        Some(offset) => (offset, true),
                        None => (starts[row - 1], false),
                    }
                }
                NamedPlace::Line(row, _) if row == starts.len() + 1 => (text.len(), true),
                _ => continue,
            };
            let (severity, is_end) = (severity(line), place == NamedPlace::End);
            let is_first_of_line = index == 0;
            found.push(FoundPlace {
                offset,
                is_exact,
                is_end,
                severity,
                line: number,
                is_first_of_line,
            });
        }
    }
    let worst = found.iter().map(|one| one.severity).min().unwrap_or(Severity::None);
    let of_worst = || found.iter().filter(|one| one.severity == worst);
    // Compilers report faults in the order of the text. What says no severity is an exception,
    // whose last place is the fault and whose other places are the context.
    let main = match worst {
        Severity::Error | Severity::Warning => of_worst().next(),
        _ => of_worst().rfind(|one| one.is_exact).or_else(|| of_worst().next_back()),
    };
    let spoken: Vec<&str> = match main {
        Some(main) if worst != Severity::None => {
            lines[main.line..].iter().take(1).copied().collect()
        }
        _ => without_frames(&lines),
    };
    let mut others: Vec<usize> = found.iter().map(|one| one.offset).collect();
    others.retain(|offset| main.is_none_or(|main| main.offset != *offset));
    others.dedup();
    others.truncate(6);
    Message {
        at: main.map(|main| main.offset),
        others,
        count: match worst {
            Severity::Error | Severity::Warning => {
                of_worst().filter(|one| one.is_first_of_line).count()
            }
            _ => 1,
        },
        wishes: spoken.iter().flat_map(|line| wishes(line)).collect(),
        words: spoken.iter().flat_map(|line| words(line)).collect(),
        owners: spoken.iter().filter_map(|line| owner(line)).collect(),
        lost_at: Vec::new(),
        made_at: Vec::new(),
        is_end: main.is_some_and(|main| main.is_end || main.offset >= text.trim_ascii_end().len()),
        is_unclosed: spoken.iter().any(|line| is_unclosed(line)),
        wording: spoken
            .iter()
            .rfind(|line| !line.trim().is_empty())
            .map_or_else(String::new, |line| wording(line)),
        complaint: None,
    }
}

/// Words of messages about something that was opened and not closed, in small letters.
const UNCLOSED: [&str; 9] = [
    "never closed",
    "unclosed",
    "unterminated",
    "not closed",
    "missing",
    "mismatch",
    "does not match",
    "end of",
    "eof",
];

/// Whether a line is about something that was opened and not closed.
fn is_unclosed(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    UNCLOSED.iter().any(|words| line.contains(words))
}

/// Bytes of a line that are compared, because a validator may print a line of the text.
const MAX_WORDING_BYTES: usize = 200;

/// A line up to its expectations, without its numbers and quotations, which differ between two faults of one kind.
fn wording(line: &str) -> String {
    let line = line.split("expect").next().unwrap_or_default();
    let mut open = None;
    let mut kept = String::new();
    for c in line.chars().take(MAX_WORDING_BYTES) {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"') => open = Some(c),
            None if c.is_ascii_digit() => {}
            None => kept.push(c),
        }
    }
    kept
}

/// The lines of a message without the stack of the program that wrote it: frames of Python, and the lines of
/// code that it shows for each.
fn without_frames<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let mut is_in_frame = false;
    let mut kept = Vec::new();
    for line in lines {
        let is_frame = line.trim_start().starts_with("File \"");
        is_in_frame = if is_frame {
            !line.contains("\"{}\"")
        } else {
            is_in_frame && line.starts_with("    ")
        };
        if !is_frame && !is_in_frame {
            kept.push(*line);
        }
    }
    kept
}

/// The offsets at which lines begin.
///
/// The first is 0. A line feed at the end of the text begins a last, empty line.
pub(super) fn line_starts(text: &[u8]) -> Vec<usize> {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect()
}

/// The bytes of the line that begins at `start`, without its line feed.
fn line_at(text: &[u8], start: usize) -> &[u8] {
    let rest = &text[start..];
    &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())]
}

/// The offset of a column, which counts characters from 1. A column after the line's end gives its
/// end.
fn in_line(text: &[u8], start: usize, column: usize) -> usize {
    let line = line_at(text, start);
    let characters = String::from_utf8_lossy(line);
    let skipped: usize =
        characters.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    start + skipped.min(line.len())
}

/// The offset that a caret under an excerpt of the line points at. `after` are the lines of the
/// message after the one that named the line, of which four are read. `None` if the excerpt is not
/// of that line.
fn caret(after: &[&str], text: &[u8], start: usize) -> Option<usize> {
    let index = after.iter().take(4).position(|line| is_caret(line))?;
    let excerpt = after.get(index.checked_sub(1)?)?;
    let caret = after[index].find('^')?;
    // Some tools have the line's number before the excerpt.
    let margin = excerpt.find(" | ").filter(|at| *at < caret && *at < 10).map_or(0, |at| at + 3);
    let shown = &excerpt[margin..];
    let indent = shown.len() - shown.trim_start().len();
    let shown = shown.trim();
    let line = line_at(text, start);
    let at = memchr::memmem::find(line, shown.as_bytes())?;
    Some(start + (at + caret.saturating_sub(margin + indent)).min(line.len()))
}

/// Whether a line has nothing but a caret and what continues it (`^~~~`, `^--`), after blanks and
/// bars.
fn is_caret(line: &str) -> bool {
    let marks = line.trim_start_matches([' ', '|', '\t']);
    marks.starts_with('^') && marks.trim_end().chars().all(|c| matches!(c, '^' | '~' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_errors_the_first_is_the_fault() {
        let text = b"int a;\nint b\nint c;\n";
        let said = b"{}: In function 'f':\n{}:2:6: error: expected ';' before 'int'\n    2 | int b\n      |      ^\n{}:3:1: error: x\n{}:1:1: note: here\n";
        let read = read(said, text);
        assert_eq!((read.at, read.count), (Some(12), 2));
        assert_eq!(read.wishes, [b";"]);
    }

    #[test]
    fn of_an_exception_the_last_place_is_the_fault() {
        let text = b"a:\n  b: 1\n c: 2\n";
        let said = b"yaml.parser.ParserError: while parsing a block mapping\n  in \"{}\", line 1, column 1\nexpected <block end>, but found '<block mapping start>'\n  in \"{}\", line 3, column 2\n";
        let read = read(said, text);
        assert_eq!((read.at, read.others), (Some(11), vec![0]));
    }

    #[test]
    fn a_caret_under_an_excerpt_gives_the_column() {
        let text = b"<r>\n <a>x & y</a>\n</r>";
        let said = b"{}:2: parser error : xmlParseEntityRef: no name\n <a>x & y</a>\n       ^\n";
        assert_eq!(read(said, text).at, Some(11));
        let said =
            b"  File \"{}\", line 2\n    <a>x & y</a>\n         ^\nSyntaxError: invalid syntax\n";
        assert_eq!(read(said, text).at, Some(10));
    }

    #[test]
    fn code_of_the_validator_in_a_traceback_names_no_words_of_the_text() {
        let said = b"Traceback (most recent call last):\n  File \"/x/check.py\", line 3, in <module>\n    connect(':memory:').run(text)\nOperationalError: near \"FORM\": syntax error\n";
        assert_eq!(read(said, b"SELECT a FORM b").words, [b"FORM"]);
    }

    #[test]
    fn two_faults_of_one_kind_have_one_wording() {
        let said = |line: &str| read(line.as_bytes(), b"x\ny\nz\n");
        let first =
            said("  File \"{}\", line 2\n    y\n    ^\nSyntaxError: '(' was never closed\n");
        let other =
            said("  File \"{}\", line 1\n    x\n    ^\nSyntaxError: '[' was never closed\n");
        assert_eq!(first.wording, other.wording);
        assert!(first.is_unclosed);
        let parsed = said("  File \"{}\", line 1\n    x\n    ^\nSyntaxError: invalid syntax\n");
        assert!(parsed.wording != first.wording && !parsed.is_unclosed);
    }

    #[test]
    fn faults_of_one_kind_may_name_other_words() {
        let kind = |line: &str| read(line.as_bytes(), b"x").kind();
        assert_eq!(kind("no such table: users"), kind("no such table: pages"));
        assert_ne!(kind("no such table: users"), kind("near \"users\": syntax error"));
    }

    #[test]
    fn a_place_outside_the_text_is_no_place() {
        assert_eq!(read(b"line 99, column 3", b"x\n").at, None);
        assert_eq!(read(b"offset 99", b"x\n").at, None);
    }
}
