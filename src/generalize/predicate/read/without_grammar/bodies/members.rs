//! The members right in the braces of a body, where there is no grammar, and their keys.
//!
//! `struct Light { color: vec3, range: f32 }` has two members and the keys `color` and `range`, on one line or on several. Further brackets belong to the member
//! around them.

use std::ops::Range;

use super::pairs::Body;
use crate::generalize::predicate::term::{KEY, MEMBER};

/// Marks between members. A new line is one too.
const SEPARATORS: &[u8] = b",;\n";
/// Marks between a key and the one before its value: `name?: string`.
const AFTER_NAME: &[u8] = b"?! \t";
/// Marks that are part of an operator before `=` or after it, or of `::`.
const OPERATORS: &[u8] = b"=<>!+-*/%&|^~:";
/// Members and keys of one body, a bound on the time.
const MAX_MEMBERS: usize = 64;

/// The members and keys of a body, with their names, in order; none of one without braces.
///
/// Cost: one pass over the body.
pub(super) fn members(input: &[u8], body: &Body<'_>) -> Vec<(&'static str, Range<usize>)> {
    let has_braces = input[..body.open.end].ends_with(b"{")
        && input[body.close.clone()].trim_ascii_start().starts_with(b"}");
    if !has_braces {
        return Vec::new();
    }
    let mut reader = Reader { input, found: Vec::new(), member: body.open.end, word: None };
    let (mut at, mut depth) = (body.open.end, 0usize);
    while at < body.close.start && reader.found.len() < MAX_MEMBERS {
        at = match input[at] {
            b'"' => {
                let end = end_of_text(input, at, body.close.start);
                reader.word = Some(at + 1..end - 1).filter(|word| depth == 0 && !word.is_empty());
                end
            }
            b'/' if input[at..].starts_with(b"//") => reader.end_of_remark(at),
            b'#' if input[..at].last().is_none_or(u8::is_ascii_whitespace) => {
                reader.end_of_remark(at)
            }
            byte => {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    _ if depth == 0 => reader.step(at),
                    _ => {}
                }
                at + 1
            }
        };
    }
    reader.end_member(body.close.start);
    reader.found
}

/// Where a text in quotation marks ends; the end of its line if it has no second one.
fn end_of_text(input: &[u8], start: usize, most: usize) -> usize {
    let rest = &input[start + 1..most];
    let length = rest.iter().position(|byte| b"\"\n".contains(byte)).unwrap_or(rest.len());
    (start + 2 + length).min(most).max(start + 1)
}

/// What has been read of a body.
struct Reader<'t> {
    input: &'t [u8],
    found: Vec<(&'static str, Range<usize>)>,
    /// Where the member begins.
    member: usize,
    /// The last word, if nothing but brackets came after it.
    word: Option<Range<usize>>,
}

impl Reader<'_> {
    /// Takes in a byte that is in no further brackets.
    fn step(&mut self, at: usize) {
        let byte = self.input[at];
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let beside = [at.checked_sub(1), Some(at + 1)];
        let beside = beside.map(|at| at.and_then(|at| self.input.get(at)).copied());
        let is_operator = beside.iter().flatten().any(|byte| OPERATORS.contains(byte));
        match byte {
            byte if SEPARATORS.contains(&byte) => self.end_member(at),
            b':' | b'=' if !is_operator => {
                self.found.extend(self.word.take().map(|word| (KEY, word)));
            }
            byte if is_of_word(byte) => match &mut self.word {
                Some(word) if word.end == at => word.end += 1,
                word => *word = Some(at..at + 1),
            },
            byte if AFTER_NAME.contains(&byte) => {}
            _ => self.word = None,
        }
    }

    /// Takes the text since the last separator for a member, if it is not empty.
    fn end_member(&mut self, at: usize) {
        // A remark at the end of a body reaches past it.
        let text = self.input.get(self.member..at).unwrap_or_default();
        let start = at - text.trim_ascii_start().len();
        if !text.trim_ascii().is_empty() {
            self.found.push((MEMBER, start..start + text.trim_ascii().len()));
        }
        self.member = at + 1;
        if self.input.get(at) != Some(&b'\n') {
            self.word = None;
        }
    }

    /// Where a remark ends, which is no member and in none.
    fn end_of_remark(&mut self, at: usize) -> usize {
        let length = self.input[at..].iter().position(|byte| *byte == b'\n');
        let end = length.map_or(self.input.len(), |length| at + length);
        self.end_member(at);
        self.member = end;
        end
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::bodies;
    use super::*;

    #[test]
    fn members_and_keys_are_those_right_in_the_braces() {
        let found = |input: &str| -> Vec<String> {
            let body = &bodies(input.as_bytes())[0];
            let all = members(input.as_bytes(), body);
            all.into_iter().map(|(name, range)| format!("{name}{}", &input[range])).collect()
        };
        let light = ["<key>a", "<member>a: f<x, y>", "<key>b", "<member>@at(0) b: u"];
        assert_eq!(found("struct L { a: f<x>, @at(0) b: u }")[2..], light[2..]);
        assert_eq!(found("struct L {\n  a: f(c: d),\n  @at(0) b: u, // c: d\n}\n").len(), 4);
        let keys = |input: &str| -> Vec<String> {
            let all = found(input).into_iter();
            all.filter_map(|one| Some(one.strip_prefix("<key>")?.to_owned())).collect()
        };
        assert_eq!(keys("type T { id: ID! name(a: S): S! id: I }"), ["id", "name", "id"]);
        assert_eq!(keys("let x = { \"a b\": 1, c = 2, d == 3, e::f }"), ["a b", "c"]);
        assert_eq!(found("enum K { OWL, WREN, OWL }").len(), 3);
        assert_eq!(found("if a\nb: c\nfi\n"), [""; 0]);
        assert_eq!(keys("x { a: b // c: d }"), ["a"]);
    }
}
