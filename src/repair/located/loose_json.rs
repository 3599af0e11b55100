//! JSON as people write it: comments, trailing commas, keys without quotation marks, single
//! quotation marks, Python's and JavaScript's values. One habit is mended at every place at once,
//! because each of its places is one fault.

use crate::repair::located::edits::brackets::string_end;

/// What people write that JSON does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Habits(u8);

/// `// to the end of the line` and `/* to the next star and slash */`. One bit for each habit, because a
/// text has several.
const COMMENTS: u8 = 1;
/// A comma before a closing bracket.
const TRAILING_COMMAS: u8 = 2;
/// Keys without quotation marks.
const BARE_KEYS: u8 = 4;
/// Strings in single quotation marks.
const SINGLE_QUOTES: u8 = 8;
/// Values of Python and JavaScript, `None` for example.
const VALUES: u8 = 16;
/// Round brackets where JSON has square ones.
const TUPLES: u8 = 32;
/// Typographic quotation marks, as a word processor puts them.
const TYPOGRAPHIC: u8 = 64;

/// What a validator accepts for which these habits are no faults: one of Python's literals.
pub(super) const PYTHON_SAMPLE: &[u8] = b"['a', None, (1, True), ]";

impl Habits {
    /// All of them.
    pub(super) const ALL: Habits = Habits(127);

    /// Each alone, of those in `self`.
    ///
    /// In the order of their bits.
    pub(super) fn each(self) -> impl Iterator<Item = Habits> {
        (0..7).map(|bit| Habits(1 << bit)).filter(move |one| self.0 & one.0 != 0)
    }

    /// Those of `self` that are not in `other`.
    ///
    /// A habit of `other` that `self` lacks makes no difference.
    pub(super) fn without(self, other: Habits) -> Habits {
        Habits(self.0 & !other.0)
    }

    /// Whether strings in single quotation marks are among them, and none that Python does not have.
    pub(super) fn are_pythons(self) -> bool {
        self.0 & SINGLE_QUOTES != 0 && self.0 & (BARE_KEYS | TYPOGRAPHIC) == 0
    }

    /// Whether there are none.
    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// `text` with all habits mended, and those that it had, if it is JSON by its look and has any.
///
/// Cost: three passes at most.
pub(super) fn mended(text: &[u8]) -> Option<(Vec<u8>, Habits)> {
    is_json_like(text).then(|| strict(text, Habits::ALL)).filter(|(_, habits)| !habits.is_empty())
}

/// Whether a text is JSON by its look: it begins with a brace or a bracket, perhaps after comments,
/// ends like JSON, and has a colon or a comma. A section of TOML or INI begins with a bracket too, but JSON has no
/// lines that begin with a word and `=`; one may be due to damage. Cost: at most two passes.
fn is_json_like(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(b"//") || rest.starts_with(b"/*") || rest.starts_with(b"#") {
        let end: &[u8] = if rest.starts_with(b"/*") { b"*/" } else { b"\n" };
        let Some(at) = memchr::memmem::find(rest, end) else { return false };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let last = rest.trim_ascii_end().last();
    matches!(rest.first(), Some(b'{' | b'['))
        && matches!(last, Some(b'}' | b']' | b',' | b'/') | None)
        && memchr::memchr2(b':', b',', rest).is_some()
        && rest.split(|byte| *byte == b'\n').filter(|line| is_assignment(line)).nth(1).is_none()
}

/// Whether a line begins with a word and `=`.
fn is_assignment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let word = line.iter().take_while(|byte| is_word(**byte)).count();
    word > 0 && line[word..].trim_ascii_start().starts_with(b"=")
}

/// `text` with the `wanted` habits mended everywhere, and which of them it had. All other bytes
/// are as they were.
///
/// Cost: one pass. A text without such habits comes back byte for byte, with an empty set.
pub(super) fn strict(text: &[u8], wanted: Habits) -> (Vec<u8>, Habits) {
    let mut writer = Writer { text, out: Vec::with_capacity(text.len() + 64), wanted, had: 0 };
    let mut at = 0;
    while at < text.len() {
        at = writer.token(at);
    }
    (writer.out, Habits(writer.had))
}

/// Writes a text again, with each habit that is wanted mended. It reads tokens of JSON, comments
/// and words, and copies unknown bytes.
struct Writer<'t> {
    text: &'t [u8],
    out: Vec<u8>,
    wanted: Habits,
    had: u8,
}

impl Writer<'_> {
    /// Writes the token that begins at `at`, and returns where it ends.
    ///
    /// Strings, comments and words are one token, every other byte is one by itself.
    fn token(&mut self, at: usize) -> usize {
        let text = self.text;
        let end = match text[at] {
            b'"' | b'\'' => match string_end(text, at) {
                Some(end) if text[at] == b'\'' => {
                    let new = double_quoted(&text[at + 1..end - 1]);
                    return self.put(at, end, &new, SINGLE_QUOTES);
                }
                Some(end) => end,
                None => at + 1,
            },
            0xe2 if is_typographic(text, at) => {
                let rest = line_rest(text, at + 3);
                let closing = (rest.start..rest.end).find(|other| is_typographic(text, *other));
                let Some(close) = closing else {
                    return self.put(at, at + 3, b"\"", TYPOGRAPHIC);
                };
                let new = double_quoted(&text[at + 3..close]);
                return self.put(at, close + 3, &new, TYPOGRAPHIC);
            }
            b'/' | b'#' => match comment_end(text, at) {
                Some(end) => {
                    let blanks = if self.wanted.0 & COMMENTS != 0 {
                        let kept = self.out.trim_ascii_end().len();
                        let is_blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
                        self.out[kept..].iter().rev().take_while(is_blank).count()
                    } else {
                        0
                    };
                    // Blanks before a comment are part of it.
                    self.out.truncate(self.out.len() - blanks);
                    return self.put(at, end, b"", COMMENTS);
                }
                None => at + 1,
            },
            b',' if matches!(text.get(next_token(text, at + 1)), Some(b'}' | b']' | b')')) => {
                return self.put(at, at + 1, b"", TRAILING_COMMAS);
            }
            b'(' => return self.put(at, at + 1, b"[", TUPLES),
            b')' => return self.put(at, at + 1, b"]", TUPLES),
            byte if is_word(byte) || matches!(byte, b'+' | b'-' | b'.') => {
                let more = |byte: &&u8| is_word(**byte) || matches!(**byte, b'.' | b'+' | b'-');
                return self.word(at, at + text[at..].iter().take_while(more).count().max(1));
            }
            _ => at + 1,
        };
        self.out.extend_from_slice(&text[at..end]);
        end
    }

    /// Writes a word that is no token of JSON: a key gets quotation marks, `None` and the like
    /// become what JSON has, and numbers are written as JSON writes them.
    fn word(&mut self, at: usize, end: usize) -> usize {
        let text = self.text;
        let word = &text[at..end];
        if text.get(next_token(text, end)) == Some(&b':') {
            return self.put(at, end, &[b"\"", word, b"\""].concat(), BARE_KEYS);
        }
        let new: Option<Vec<u8>> = match word {
            b"True" | b"TRUE" => Some(b"true".to_vec()),
            b"False" | b"FALSE" => Some(b"false".to_vec()),
            b"None" | b"NULL" | b"Null" | b"nil" | b"undefined" => Some(b"null".to_vec()),
            _ => plain_number(word),
        };
        match new {
            Some(new) => self.put(at, end, &new, VALUES),
            None => {
                self.out.extend_from_slice(word);
                end
            }
        }
    }

    /// Writes `new` in place of `text[at..end]` and records the habit, if it is wanted; else copies
    /// the text. Returns `end`.
    fn put(&mut self, at: usize, end: usize, new: &[u8], habit: u8) -> usize {
        if self.wanted.0 & habit != 0 {
            self.had |= habit;
            self.out.extend_from_slice(new);
        } else {
            self.out.extend_from_slice(&self.text[at..end]);
        }
        end
    }
}

/// Whether a byte belongs to a word: letters, digits, `_`, `$`, and all bytes outside of ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Whether a typographic quotation mark begins at `at`.
fn is_typographic(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..at + 3), Some([0xe2, 0x80, 0x98..=0x9f]))
}

/// The rest of the line after `from`.
fn line_rest(text: &[u8], from: usize) -> std::ops::Range<usize> {
    let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |length| from + length);
    from..end
}

/// The offset after the comment that begins at `at`; `None` if none begins there.
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with(b"/*") {
        return memchr::memmem::find(rest, b"*/").map(|end| at + end + 2);
    }
    let is_line = rest.starts_with(b"//") || rest.starts_with(b"#");
    is_line.then(|| memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + end))
}

/// Where the next byte is that is neither blank nor in a comment.
///
/// Returns the text's length if there is none.
fn next_token(text: &[u8], mut at: usize) -> usize {
    loop {
        at += text[at..].len() - text[at..].trim_ascii_start().len();
        match text.get(at) {
            Some(b'/' | b'#') => match comment_end(text, at) {
                Some(end) => at = end,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// The body of a string in single quotation marks as a string of JSON.
///
/// Escaped apostrophes lose their backslash, and quotation marks get one.
fn double_quoted(body: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    let mut bytes = body.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if bytes.peek() == Some(&b'\'') => {}
            b'\\' => {
                out.push(b'\\');
                out.extend(bytes.next());
            }
            b'"' => out.extend_from_slice(b"\\\""),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
    out
}

/// A number that JSON does not have, such as `+1`, `.5`, `5.` or `0x1f`, as one that it has.
///
/// `None` if the word is no number in any of these forms, and where its value does not fit into 64
/// bits.
fn plain_number(word: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(word).ok()?;
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let number = u64::from_str_radix(hex, 16).ok()?;
        return Some(format!("{sign}{number}").into_bytes());
    }
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "-"));
    let plain = match (whole, part) {
        ("", part) if !part.is_empty() => format!("{sign}0.{part}"),
        (whole, "") if !whole.is_empty() => format!("{sign}{whole}.0"),
        _ => format!("{sign}{digits}"),
    };
    (plain != text).then(|| plain.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        String::from_utf8(strict(text.as_bytes(), Habits::ALL).0).unwrap()
    }

    #[test]
    fn json_as_people_write_it_becomes_json_with_the_same_data() {
        for (text, expected) in [
            (r#"{name: "x", tags: ['a', "b",]}"#, r#"{"name": "x", "tags": ["a", "b"]}"#),
            ("{\"a\": 1, // one\n\"b\": 2, /* two */}", "{\"a\": 1,\n\"b\": 2}"),
            ("{'it\\'s': 'say \"hi\"', 'n': None}", "{\"it's\": \"say \\\"hi\\\"\", \"n\": null}"),
            (
                "{\"t\": True, 1: (1, .5, 5., +1, 0x1f)}",
                "{\"t\": true, \"1\": [1, 0.5, 5.0, 1, 31]}",
            ),
            ("{\"a\": \"// no 'comment', }\"}", "{\"a\": \"// no 'comment', }\"}"),
            ("{\"a\": -1.5e-3}", "{\"a\": -1.5e-3}"),
            ("{\u{201c}a\u{201d}: \u{2018}it's\u{2019}}", "{\"a\": \"it's\"}"),
            ("{\"a\": \"\u{201c}b\u{201d}\"}", "{\"a\": \"\u{201c}b\u{201d}\"}"),
        ] {
            assert_eq!(mended(text), expected);
        }
    }

    #[test]
    fn sections_with_assignments_are_no_json() {
        assert!(is_json_like(b"// x\n{\n  a: 1,\n  b = 2\n}"));
        assert!(!is_json_like(b"[[test]]\nname = 'a'\nspan = [1, 2]"));
    }

    #[test]
    fn one_habit_may_be_left_as_it_is() {
        let (_, had) = strict(b"{a: 1, // x\n}", Habits::ALL);
        assert_eq!(had.each().count(), 3);
        let comments = Habits(COMMENTS);
        assert_eq!(strict(b"{a: 1, // x\n}", had.without(comments)).0, b"{\"a\": 1 // x\n}");
    }
}
