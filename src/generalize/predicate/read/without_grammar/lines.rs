//! What a line without a grammar has by its text alone: its key, its indentation, and tags between brackets.

use std::ops::Range;

/// Marks after a key.
pub(super) const KEY_MARKS: &[u8] = b":=";
/// What the name of a tag begins with; its brackets follow.
pub(in crate::generalize::predicate::read) const TAG: &str = "<tag:";
/// The brackets of tags, longer ones first.
const BRACKETS: [(&str, &str); 8] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("<%", "%>"),
    ("${", "}"),
    ("<", ">"),
    ("[", "]"),
    ("{", "}"),
    ("(", ")"),
];

/// What separates words.
pub(super) const BLANKS: &[u8] = b" \t";

/// A piece of a line: its text, and where it begins in the line.
pub(super) type Piece<'t> = (&'t [u8], usize);

/// A kind of tags, by its place among the brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate::read) struct Kind(usize);

impl Kind {
    /// The first kind of which some input has a tag of several words.
    ///
    /// Of one kind only, because tags of two may be inside each other.
    pub(in crate::generalize::predicate::read) fn of_inputs(inputs: &[&[u8]]) -> Option<Kind> {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"|,".contains(byte);
        let is_tag = |tag: &&[u8]| tag.trim_ascii().split(is_between).count() > 1;
        let has_tags = |kind: &Kind, input: &[u8]| {
            let mut lines = input.split(|byte| *byte == b'\n');
            lines.any(|line| kind.tags(line).any(|(at, len)| is_tag(&&line[at..at + len])))
        };
        let mut kinds = (0..BRACKETS.len()).map(Kind);
        kinds.find(|kind| inputs.iter().any(|input| has_tags(kind, input)))
    }

    /// The kinds that a name is about.
    pub(in crate::generalize::predicate::read) fn in_name(name: &str) -> Option<Kind> {
        (0..BRACKETS.len()).map(Kind).find(|kind| name.contains(&kind.name()))
    }

    /// The name of its tags.
    pub(super) fn name(self) -> String {
        let (open, close) = BRACKETS[self.0];
        format!("{TAG}{open}{close}>")
    }

    /// The texts between its brackets in a line, each by its offset and length. Those with further brackets of the kind inside are none.
    pub(super) fn tags(self, line: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (open, close) = BRACKETS[self.0];
        let (open, close) = (open.as_bytes(), close.as_bytes());
        let find = move |from: usize, text: &[u8]| {
            let rest = line.get(from..)?;
            rest.windows(text.len()).position(|window| window == text).map(|at| from + at)
        };
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let mut start = find(at, open)? + open.len();
                let end = find(start, close)?;
                // The innermost of brackets in each other.
                while let Some(inner) = find(start, open).filter(|inner| *inner < end) {
                    start = inner + open.len();
                }
                at = end + close.len();
                if !line[start..end].trim_ascii().is_empty() {
                    return Some((start, end - start));
                }
            }
        })
    }
}

/// Whether a line without the blanks around it is a title in brackets.
///
/// The text in the brackets does not matter.
pub(super) fn is_title(line: &[u8]) -> bool {
    line.len() >= 2 && line.starts_with(b"[") && line.ends_with(b"]")
}

/// Whether titles in brackets have lines below them: more than are followed by another title at once.
///
/// In a record of a game of chess each key is in brackets with its value, and none is a title.
pub(in crate::generalize::predicate::read) fn have_sections(inputs: &[&[u8]]) -> bool {
    let followed = inputs.iter().flat_map(|input| {
        let lines = input.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| !line.is_empty());
        let lines: Vec<&[u8]> = lines.collect();
        let followed = lines.windows(2).filter(|two| is_title(two[0]));
        followed.map(|two| is_title(two[1])).collect::<Vec<bool>>()
    });
    let followed: Vec<bool> = followed.collect();
    let by_titles = followed.iter().filter(|by_title| **by_title).count();
    by_titles * 2 <= followed.len()
}

/// The mark after the key that a line begins with. A key has no blank in it, but one may be before the mark.
pub(in crate::generalize::predicate::read) fn key_mark(line: &[u8]) -> Option<u8> {
    let at = line.iter().position(|byte| KEY_MARKS.contains(byte))?;
    let is_of_key =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte) || !byte.is_ascii();
    let key = line[..at].trim_ascii();
    (!key.is_empty() && key.iter().all(is_of_key)).then_some(line[at])
}

/// Whether some line of an input is two levels deep in one that is not indented.
pub(in crate::generalize::predicate::read) fn has_inner_entries(input: &[u8]) -> bool {
    let mut margin = None;
    input.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).any(|line| {
        let indentation = indentation_of(line);
        if indentation == 0 {
            margin = None;
            return false;
        }
        indentation > *margin.get_or_insert(indentation)
    })
}

/// Whether some lines of an input have an empty one between them.
///
/// Empty lines at the beginning and at the end do not count. Only if a given input has some, lines are grouped by them: else
/// all lines would be one group, and each of its features one of the whole input in other words.
pub(in crate::generalize::predicate::read) fn has_blocks(input: &[u8]) -> bool {
    let lines = input.trim_ascii().split(|byte| *byte == b'\n');
    let mut lines = lines.map(<[u8]>::trim_ascii);
    lines.any(<[u8]>::is_empty) && !input.trim_ascii().is_empty()
}

/// Where a remark begins in a line: with the mark anywhere, but with `#` and `--` only after a blank, with `//` not after a colon, and with `%` not after a backslash.
///
/// Nothing if there is none. A mark between quotation marks counts too.
pub(super) fn start_of_remark(line: &[u8], mark: &str) -> Option<usize> {
    let mut places = (0..line.len()).filter(|at| line[*at..].starts_with(mark.as_bytes()));
    places.find(|at| match (mark, at.checked_sub(1).map(|at| line[at])) {
        (_, None) => true,
        ("#" | "--", Some(before)) => before.is_ascii_whitespace(),
        ("//", Some(before)) => before != b':',
        ("%", Some(before)) => before != b'\\',
        _ => true,
    })
}

/// How many blanks a line begins with.
pub(in crate::generalize::predicate) fn indentation_of(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Where a text in quotation marks ends that further lines of such texts continue: those below a `msgid`.
///
/// The end of the span for any other text.
pub(in crate::generalize::predicate::read) fn end_of_text(input: &[u8], span: Range<u32>) -> u32 {
    let is_text = |text: &[u8]| text.len() > 1 && text.starts_with(b"\"") && text.ends_with(b"\"");
    let mut end = span.end as usize;
    if !is_text(&input[span.start as usize..end]) {
        return span.end;
    }
    // What is left of the line is blank.
    while let Some(length) = input[end..].iter().position(|byte| *byte == b'\n')
        && input[end..end + length].trim_ascii().is_empty()
    {
        let rest = &input[end + length + 1..];
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if !is_text(line.trim_ascii()) {
            break;
        }
        end = input.len() - rest.len() + line.trim_ascii_end().len();
    }
    end as u32
}

/// The texts between separators, also those that are empty.
pub(super) fn split<'t>(
    line: &'t [u8],
    separators: &'static [u8],
) -> impl Iterator<Item = Piece<'t>> {
    let mut at = 0;
    line.split(|byte| separators.contains(byte)).map(move |text| {
        let start = at;
        at += text.len() + 1;
        (text, start)
    })
}

/// The words of a part of a line.
pub(super) fn pieces((text, start): Piece<'_>) -> impl Iterator<Item = Piece<'_>> {
    let all = split(text, BLANKS).filter(|(text, _)| !text.is_empty());
    all.map(move |(text, at)| (text, start + at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_reaches_over_the_lines_that_continue_it() {
        let end =
            |text: &'static str, end: u32| &text[..end_of_text(text.as_bytes(), 0..end) as usize];
        assert_eq!(end("\"a\"\n  \"b\" \n\"c\"\nd", 3), "\"a\"\n  \"b\" \n\"c\"");
        assert_eq!(end("\"a\" + 1\n\"b\"", 3), "\"a\"");
        assert_eq!(end("a\n\"b\"", 1), "a");
    }

    #[test]
    fn tags_are_between_brackets_of_one_kind() {
        let tags = |kind: usize, line: &str| {
            let found = Kind(kind).tags(line.as_bytes());
            found.map(|(at, len)| line[at..at + len].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(tags(0, "a {{b c}} {{ d }}{{}} }} {{e {{f}} g}}"), ["b c", " d ", "f"]);
        assert_eq!(tags(4, "1 < 2"), [""; 0]);
        let kinds = |inputs: &[&[u8]]| Kind::of_inputs(inputs);
        assert_eq!(kinds(&[b"(a b) [e\nf]", b"<g h>"]), Some(Kind(4)));
        assert_eq!(kinds(&[b"(a) [b] < c"]), None);
        assert_eq!(Kind::in_name("some <tag:()> with \"a\""), Some(Kind(7)));
    }
}
