//! Lists where there is no grammar: after a mark in a line, in brackets over several lines, below a key, and as arguments of a call.
//!
//! | list | key | items |
//! |---|---|---|
//! | `PATH=/bin:/sbin` | `PATH` | `/bin`, `/sbin` |
//! | `deps=('a' b` and in the next line `c)` | `deps` | `a`, `b`, `c` |
//! | `tags:` and below it `- a` and `- b` | `tags` | `a`, `b` |
//! | `add(a b)` | `add` | `a`, `b` |
//! | `id=4 nodes=a,b` | `nodes` | `a`, `b` |
//!
//! An item is a part of the text, so that it has an offset. What separates items is read off each list: the first of `SEPARATORS` that is in it.

use std::ops::Range;

use super::lines::{KEY_MARKS, Piece, indentation_of, pieces, start_of_remark};

/// What separates items: the first of these that is in the list, because one that comes later here is rather within an item.
const SEPARATORS: [&str; 10] = ["->", "=>", "&&", "||", ">", ";", "|", ",", ":", " "];
/// Brackets that a list may be in. Braces are none of them, because they are around bodies.
const LIST_BRACKETS: [[u8; 2]; 2] = [*b"()", *b"[]"];
/// Bytes of a list over several lines, a bound on the time because each line that opens one reads so far. A guess.
const MAX_BYTES_OF_LIST: usize = 2048;
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
        let below = || list_below(input, start..start + line.len());
        let lists = match lists_of_pairs(line) {
            pairs if pairs.is_empty() => {
                vec![below().or_else(|| list(text)).or_else(in_call)]
            }
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

/// A list in a line.
#[derive(Default)]
pub(super) struct List<'t> {
    /// The word before its mark; empty if that is no word.
    pub(super) key: &'t [u8],
    /// The mark after the key, unless the line has several keys with one.
    pub(super) mark: Option<char>,
    /// Whether it is in square or round brackets.
    pub(super) is_in_brackets: bool,
    /// Its items without the blanks around them, each with its offset in the line.
    pub(super) items: Vec<(&'t [u8], usize)>,
    /// The same of a list in brackets if blanks are in items: those between commas and ends of lines.
    pub(super) in_lines: Vec<(&'t [u8], usize)>,
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

/// The items below a line that ends with a key and a colon, each a line that begins with `- `: a list as in YAML. Nothing if there are none.
///
/// They are indented at least as much as the key. Lines that are indented more than the item above them belong to it. Remarks after ` #` are no part
/// of an item.
pub(super) fn list_below(input: &[u8], line: Range<usize>) -> Option<List<'_>> {
    let text = without_remark(&input[line.clone()]);
    let key = text.strip_suffix(b":")?.rsplit(u8::is_ascii_whitespace).next()?;
    let (outer, mut margin) = (indentation_of(text), usize::MAX);
    let (mut spans, mut at): (Vec<Range<usize>>, usize) = (Vec::new(), line.len() + 1);
    // Whether the line before has a key whose value is below it.
    let mut is_key = false;
    for below in input.get(line.end + 1..)?.split(|byte| *byte == b'\n') {
        let (text, start) = (without_remark(below), at);
        let (indentation, end) = (indentation_of(text), start + text.len());
        at += below.len() + 1;
        if text.is_empty() {
            continue;
        }
        let is_inside = indentation > margin;
        let item = match &text[indentation..] {
            b"-" => Some(&b""[..]),
            [b'-', b' ', item @ ..] => Some(item.trim_ascii_start()),
            _ => None,
        };
        match (item.filter(|_| !(is_inside && is_key)), spans.last_mut()) {
            (Some(item), _) if indentation >= outer => {
                spans.push(end - item.len()..end);
                margin = margin.min(indentation);
            }
            (None, Some(last)) if is_inside => last.end = end,
            _ => break,
        }
        let before = text.strip_suffix(b":").and_then(<[u8]>::last);
        is_key = before.is_some_and(u8::is_ascii_alphanumeric);
    }
    let text = |span: &Range<usize>| &input[line.start + span.start..line.start + span.end];
    let items = spans.iter().map(|span| without_quotes((text(span), span.start)));
    let items: Vec<Piece<'_>> = items.collect();
    (!items.is_empty()).then(|| List { key, mark: Some(':'), items, ..List::default() })
}

/// The lists below keys of an input: each key, and the lines of each of its items. A last line without an end is no item's.
pub(in crate::generalize::predicate) fn lists_below(
    input: &[u8],
) -> Vec<(&[u8], Vec<Range<usize>>)> {
    let mut start = 0;
    let lists = input.split(|byte| *byte == b'\n').filter_map(|line| {
        let from = start;
        start += line.len() + 1;
        let list = list_below(input, from..from + line.len())?;
        let lines = list.items.iter().filter_map(|(item, at)| {
            let (at, end) = (from + at, from + at + item.len());
            let begin = input[..at].iter().rposition(|byte| *byte == b'\n')? + 1;
            Some(begin..end + input[end..].iter().position(|byte| *byte == b'\n')? + 1)
        });
        Some((list.key, lines.collect()))
    });
    lists.collect()
}

/// A line without the remark after ` #` and without the blanks before that.
fn without_remark(line: &[u8]) -> &[u8] {
    line[..start_of_remark(line, "#").unwrap_or(line.len())].trim_ascii_end()
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
    let items = items_of(in_brackets(&value[..=close])?, open + 1);
    Some(List { key, mark: Some('('), is_in_brackets: true, items, ..List::default() })
}

/// A piece of a line without the quotation marks around it.
fn without_quotes((text, start): Piece<'_>) -> Piece<'_> {
    match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => (inner, start + 1),
        _ => (text, start),
    }
}

/// Where the bracket is closed that a text begins with; nothing if it is not.
///
/// The other kinds of brackets do not count.
///
/// Brackets in texts between quotation marks count too.
fn closing(text: &[u8], [open, close]: [u8; 2]) -> Option<usize> {
    let mut depth = 0;
    text.iter().position(|byte| {
        depth += i32::from(*byte == open) - i32::from(*byte == close);
        depth == 0
    })
}

/// The text between the brackets that a value is in. Nothing if it is in none.
fn in_brackets(value: &[u8]) -> Option<&[u8]> {
    let value = value.strip_suffix(b";").unwrap_or(value);
    let brackets = LIST_BRACKETS.iter().find(|[open, _]| value.first() == Some(open))?;
    let close = closing(value, *brackets).filter(|close| close + 1 == value.len())?;
    Some(&value[1..close])
}

/// The items of a list in brackets by its text between them, which begins at an offset: between commas, or between blanks and ends of lines if it has no comma.
fn items_of(inner: &[u8], start: usize) -> Vec<Piece<'_>> {
    match inner.contains(&b',') {
        true => items_between(inner, start, |byte| *byte == b','),
        false => items_between(inner, start, u8::is_ascii_whitespace),
    }
}

/// The parts of a text between separators, without blanks and quotation marks around them. A comma may be after the last one.
fn items_between(inner: &[u8], start: usize, separates: fn(&u8) -> bool) -> Vec<Piece<'_>> {
    let mut at = start;
    let items = inner.split(separates).map(|item| {
        let (start, text) = (at + item.len() - item.trim_ascii_start().len(), item.trim_ascii());
        at += item.len() + 1;
        without_quotes((text, start))
    });
    items.filter(|(item, _)| !item.is_empty()).collect()
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
        Some(List { key, items, ..List::default() })
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
    let sign = Some(char::from(line[mark]));
    if let Some(inner) = in_brackets(value) {
        let items = items_of(inner, start + 1);
        let in_lines = items_between(inner, start + 1, |byte| b",\n".contains(byte));
        return Some(List { key, mark: sign, is_in_brackets: true, items, in_lines });
    }
    let (value, start) = without_quotes((value, start));
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
    Some(List { key, mark: sign, items, ..List::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of a list and its items, which have to be where it says.
    fn told(input: &str, list: Option<List<'_>>) -> Option<(String, String)> {
        let List { key, items, .. } = list?;
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let are_there = items.iter().all(|(item, at)| input.as_bytes()[*at..].starts_with(item));
        assert!(are_there, "{input}");
        Some((text(key), items.iter().map(|one| text(one.0)).collect::<Vec<_>>().join("_")))
    }

    fn found(key: &str, items: &str) -> Option<(String, String)> {
        Some((key.to_owned(), items.to_owned()))
    }

    #[test]
    fn lists_have_items_after_the_first_mark_of_a_line() {
        let items = |line: &'static str| told(line, list(line.as_bytes()));
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
        let called =
            |input: &'static str| told(input, list_of_call(input.as_bytes(), 0..input.find('\n')?));
        assert_eq!(called(" add(a b\n  \"c\")\n"), found("add", "a_b_c"));
        assert_eq!([called("add (a)\n"), called("add(a\n")], [None, None]);
    }

    #[test]
    fn lists_below_a_key_have_the_lines_that_begin_with_a_dash() {
        let below =
            |input: &'static str| told(input, list_below(input.as_bytes(), 0..input.find('\n')?));
        let ports =
            " ports: # open\n # 1\n  - \"a\"  # b\n\n  - c: 1\n    d: 2\n  -\n e: 3\n  - f\n";
        assert_eq!(below(ports), found("ports", "a_c: 1\n    d: 2_"));
        assert_eq!(below("a:\n- b:\n  - c\n- d\n"), found("a", "b:\n  - c_d"));
        assert_eq!(below("a:\n- :\n - c"), found("a", ":_c"));
        assert_eq!([below(" a:\n- b"), below("a: 1\n- b"), below("a:\n")], [None, None, None]);
    }
}
