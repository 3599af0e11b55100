//! The bytes of a text that are in no string and no comment, and the kinds of brackets.

use crate::repair::located::proposals::line;

/// The closing bracket of an opening one.
///
/// `None` for every other byte. Angle brackets are left to `tags`.
pub(crate) fn closer(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

/// The opening bracket of a closing one; `None` for every other byte.
pub(super) fn opener(close: u8) -> Option<u8> {
    match close {
        b')' => Some(b'('),
        b']' => Some(b'['),
        b'}' => Some(b'{'),
        _ => None,
    }
}

/// How comments begin in a text, by its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comments {
    hash: bool,
    slashes: bool,
    dashes: bool,
}

impl Comments {
    /// Looks for the bytes of each style anywhere in the text. Where `//` and `/* */` are used, `#`
    /// begins a directive and no comment.
    fn guess(text: &[u8]) -> Self {
        let has = |part: &[u8]| memchr::memmem::find(text, part).is_some();
        let slashes =
            has(b"/*") || has(b"#include") || has(b"#define") || has(b"{\n") && has(b";\n");
        Comments { hash: !slashes, slashes, dashes: !slashes && has(b"-- ") }
    }
}

/// Calls `visit` with each byte that is in no string and no comment. A string ends with its line,
/// but for those in three quotation marks.
///
/// Cost: one pass. Strings and comments hold brackets that need no partner, which is why the two
/// are passed over.
pub(super) fn code(text: &[u8], mut visit: impl FnMut(usize, u8)) {
    let comments = Comments::guess(text);
    let end_of_line = |at: usize| line(text, at).end;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let byte = text[at];
        at = match byte {
            b'#' if comments.hash => end_of_line(at),
            b'/' if comments.slashes && rest.starts_with(b"//") => end_of_line(at),
            b'/' if comments.slashes && rest.starts_with(b"/*") => {
                memchr::memmem::find(&rest[2..], b"*/").map_or(text.len(), |end| at + end + 4)
            }
            b'-' if comments.dashes && rest.starts_with(b"--") => end_of_line(at),
            b'"' | b'\'' if rest.starts_with(&[byte; 3]) => {
                let end = memchr::memmem::find(&rest[3..], &[byte; 3]);
                end.map_or(at + 3, |end| at + end + 6)
            }
            b'"' | b'\'' => string_end(text, at).unwrap_or(at + 1),
            _ => {
                visit(at, byte);
                at + 1
            }
        };
    }
}

/// Where the string that begins at `at` ends, if it does on its line.
///
/// Returns the offset after the closing quotation mark. A backslash escapes the next byte, also in
/// languages that do not have escapes.
pub(crate) fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let quote = text[at];
    let mut inside = at + 1;
    while inside < text.len() && text[inside] != b'\n' {
        match text[inside] {
            b'\\' => inside += 1,
            byte if byte == quote => return Some(inside + 1),
            _ => {}
        }
        inside += 1;
    }
    None
}
