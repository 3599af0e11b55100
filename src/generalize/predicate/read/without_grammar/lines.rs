//! What a line without a grammar has by its text alone: a list after a mark, and tags between brackets.

use std::ops::Range;

/// What separates items: the first of these that is in the list, because one that comes later here is rather within an item.
const SEPARATORS: [&str; 10] = ["->", "=>", "&&", "||", ">", ";", "|", ",", ":", " "];
/// Marks after a key, before its list.
const KEY_MARKS: &[u8] = b":=";
/// Brackets that a list may be in. Braces are none of them, because they are around bodies.
const LIST_BRACKETS: [[u8; 2]; 2] = [*b"()", *b"[]"];
/// Bytes of a list over several lines, a bound on the time because each line that opens one reads so far. A guess.
const MAX_BYTES_OF_LIST: usize = 2048;
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

/// Whether some line of an input has a list of two items.
pub(in crate::generalize::predicate::read) fn has_lists(input: &[u8]) -> bool {
    items_in_lines(input).iter().any(|items| items.len() > 1)
}

/// The items of each list in a line of an input, by their places.
pub(in crate::generalize::predicate) fn items_in_lines(input: &[u8]) -> Vec<Vec<Range<usize>>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        let text = with_its_list(input, start..start + line.len());
        let in_call = || list_of_call(input, start..start + line.len());
        let lists = match lists_of_pairs(line) {
            pairs if pairs.is_empty() => vec![list(text).or_else(in_call)],
            pairs => pairs.into_iter().map(Some).collect(),
        };
        found.extend(lists.into_iter().map(|list| {
            let items = list.map(|list| list.items).unwrap_or_default().into_iter();
            items.map(|(item, at)| start + at..start + at + item.len()).collect()
        }));
        start += line.len() + 1;
    }
    found
}

/// The mark after the key that a line begins with. A key has no blank in it, but one may be before the mark.
pub(in crate::generalize::predicate::read) fn key_mark(line: &[u8]) -> Option<u8> {
    let at = line.iter().position(|byte| KEY_MARKS.contains(byte))?;
    let is_of_key =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte) || !byte.is_ascii();
    let key = line[..at].trim_ascii();
    (!key.is_empty() && key.iter().all(is_of_key)).then_some(line[at])
}

/// A list in a line.
pub(super) struct List<'t> {
    /// The word before its mark; empty if that is no word.
    pub(super) key: &'t [u8],
    /// The mark after the key, unless the line has several keys with one.
    pub(super) mark: Option<char>,
    /// Whether it is in square or round brackets.
    pub(super) is_in_brackets: bool,
    /// Its items without the blanks around them, each with its offset in the line.
    pub(super) items: Vec<(&'t [u8], usize)>,
}

/// A line with the lines below it up to the bracket that closes its list, if it opens one and does not close it.
///
/// Offsets are those of the input's bytes. A list that has more than `MAX_BYTES_OF_LIST` is not closed.
pub(super) fn with_its_list(input: &[u8], line: Range<usize>) -> &[u8] {
    let text = &input[line.clone()];
    let Some(mark) = text.iter().position(|byte| KEY_MARKS.contains(byte)) else { return text };
    let blanks = text[mark + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = line.start + mark + 1 + blanks;
    let value = &input[start..input.len().min(start + MAX_BYTES_OF_LIST)];
    let brackets = LIST_BRACKETS.iter().find(|[open, _]| value.first() == Some(open));
    match brackets.and_then(|brackets| closing(value, *brackets)) {
        Some(close) if start + close >= line.end => &input[line.start..=start + close],
        _ => text,
    }
}

/// The items between the first round brackets of a line that are right after a word, up to the bracket that closes them, maybe some lines below:
/// `add(a b\n c)`. Its key is the word, and the bracket its mark.
pub(super) fn list_of_call(input: &[u8], line: Range<usize>) -> Option<List<'_>> {
    let text = &input[line.clone()];
    let open = text.iter().position(|byte| *byte == b'(')?;
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = text[..open].iter().rev().take_while(|byte| is_of_key(byte)).count();
    let (start, key) = (line.start + open, &text[open - length..open]);
    let value = &input[start..input.len().min(start + MAX_BYTES_OF_LIST)];
    let close = closing(value, LIST_BRACKETS[0]).filter(|_| length > 0)?;
    let items = items_in_brackets(&value[..=close])?.into_iter();
    let items = items.map(|(item, at)| (item, open + at)).collect();
    Some(List { key, mark: Some('('), is_in_brackets: true, items })
}

/// Where the bracket is closed that a text begins with; nothing if it is not.
///
/// Brackets in texts between quotation marks count too.
fn closing(text: &[u8], [open, close]: [u8; 2]) -> Option<usize> {
    let mut depth = 0;
    text.iter().position(|byte| {
        depth += i32::from(*byte == open) - i32::from(*byte == close);
        depth == 0
    })
}

/// The items of a list in brackets, without quotation marks, each with its offset in the list: between commas, or between blanks and
/// ends of lines if it has no comma. Nothing if it is in no brackets.
fn items_in_brackets(value: &[u8]) -> Option<Vec<(&[u8], usize)>> {
    let value = value.strip_suffix(b";").unwrap_or(value);
    let brackets = LIST_BRACKETS.iter().find(|[open, _]| value.first() == Some(open))?;
    let close = closing(value, *brackets).filter(|close| close + 1 == value.len())?;
    let inner = &value[1..close];
    let has_commas = inner.contains(&b',');
    let separates = |byte: &u8| if has_commas { *byte == b',' } else { byte.is_ascii_whitespace() };
    let mut at = 1;
    let items = inner.split(separates).map(|item| {
        let (start, text) = (at + item.len() - item.trim_ascii_start().len(), item.trim_ascii());
        at += item.len() + 1;
        match text {
            [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => (inner, start + 1),
            _ => (text, start),
        }
    });
    // A comma may be after the last one.
    Some(items.filter(|(item, _)| !item.is_empty()).collect())
}

/// The lists of a line of pairs with blanks between them, each the value of its key: `id=4 nodes=a,b`. None if it has less than two.
///
/// Offsets of the items are those in the line. A value without a separator is a list of one item, and an empty value is one of none, so that the number of
/// items can be compared with a number in the same line.
pub(super) fn lists_of_pairs(line: &[u8]) -> Vec<List<'_>> {
    let fields = pieces((line, 0)).filter_map(|(field, start)| {
        let key = &field[..field.iter().position(|byte| *byte == b'=')?];
        let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let is_key = key.first()?.is_ascii_alphabetic() && key.iter().all(is_of_key);
        let List { items, .. } = list(field).filter(|_| is_key)?;
        let items = items.into_iter().map(|(item, at)| (item, start + at)).collect();
        Some(List { key, mark: None, is_in_brackets: false, items })
    });
    let lists: Vec<List<'_>> = fields.collect();
    if lists.len() > 1 { lists } else { Vec::new() }
}

/// The list after the first mark of a key in a line. It may have one item or none.
pub(super) fn list(line: &[u8]) -> Option<List<'_>> {
    let mark = line.iter().position(|byte| KEY_MARKS.contains(byte))?;
    let before = line[..mark].trim_ascii_end();
    let key = before.rsplit(u8::is_ascii_whitespace).next()?;
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace();
    let start = mark + 1 + line[mark + 1..].iter().take_while(is_blank).count();
    let value = line[start..].trim_ascii_end();
    if let Some(items) = items_in_brackets(value) {
        let items = items.into_iter().map(|(item, at)| (item, start + at)).collect();
        let mark = Some(char::from(line[mark]));
        return Some(List { key, mark, is_in_brackets: true, items });
    }
    let (value, start) = match value {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => (inner, start + 1),
        _ => (value, start),
    };
    let text = std::str::from_utf8(value).ok()?;
    // Without a blank after the mark, blanks come after the list rather than between its items: `FROM python:3.20 AS build`. Numbers are items.
    let has_blank = line[mark + 1..].first().is_some_and(u8::is_ascii_whitespace);
    let has_numbers = || text.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    let is_separator = |separator: &&str| {
        text.contains(*separator) && (*separator != " " || has_blank || has_numbers())
    };
    // A text without a separator is one item.
    let separator = SEPARATORS.into_iter().find(is_separator).unwrap_or("\n");
    let mut at = start;
    let items = text.split(separator).map(|item| {
        let blanks = item.len() - item.trim_ascii_start().len();
        let found = (item.trim_ascii().as_bytes(), at + blanks);
        at += item.len() + separator.len();
        found
    });
    // Two blanks in a row are one, and an empty text has no item.
    let is_single = [" ", "\n"].contains(&separator);
    let items = items.filter(|(item, _)| !(is_single && item.is_empty())).collect();
    Some(List { key, mark: Some(char::from(line[mark])), is_in_brackets: false, items })
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
    fn lists_have_items_after_the_first_mark_of_a_line() {
        let items = |line: &'static str| {
            let List { key, items, .. } = list(line.as_bytes())?;
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let are_there = items.iter().all(|(item, at)| line.as_bytes()[*at..].starts_with(item));
            assert!(are_there, "{line}");
            Some((text(key), items.iter().map(|one| text(one.0)).collect::<Vec<_>>().join("_")))
        };
        let found = |key: &str, items: &str| Some((key.to_owned(), items.to_owned()));
        assert_eq!(items("export PATH=\"/bin:/a b:\"  "), found("PATH", "/bin_/a b_"));
        assert_eq!(items("Mill (16): turn > chain,x > star"), found("(16)", "turn_chain,x_star"));
        assert_eq!(items("tags :  a  b"), found("tags", "a_b"));
        assert_eq!(items("FROM a:b AS c"), found("a", "b AS c"));
        assert_eq!([items("tags: a"), items("tags:")], [found("tags", "a"), found("tags", "")]);
        assert_eq!([items("a b"), items("")], [None, None]);
        assert_eq!(items("deps=('a-b' c\n  \"d\")"), found("deps", "a-b_c_d"));
        assert_eq!(items("x: [a b, 'c',];"), found("x", "a b_c"));
        assert_eq!(items("x: [a](b c)"), found("x", "[a](b_c)"));
        let input = b"y\nx=(a (b)\n c)\nz";
        assert_eq!(with_its_list(input, 2..9), b"x=(a (b)\n c)");
        assert_eq!(with_its_list(input, 0..1), b"y");
        assert_eq!(with_its_list(b"x=(a\n", 0..4), b"x=(a");
        let called = |input: &'static str| {
            let List { key, items, .. } = list_of_call(input.as_bytes(), 0..input.find('\n')?)?;
            let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let are_there =
                items.iter().all(|(item, at)| input.as_bytes()[*at..].starts_with(item));
            assert!(are_there, "{input}");
            Some((text(key), items.iter().map(|one| text(one.0)).collect::<Vec<_>>().join("_")))
        };
        assert_eq!(called(" add(a b\n  \"c\")\n"), found("add", "a_b_c"));
        assert_eq!([called("add (a)\n"), called("add(a\n")], [None, None]);
    }

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
