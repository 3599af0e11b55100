//! Which word or mark begins a group of lines in a text without a grammar: `station` before its readings, `#` before the items of a list.
//!
//! Nothing in such a text says so. A word that begins several lines, with lines of another kind after each of them, counts as one.

use std::collections::BTreeSet;

use crate::generalize::predicate::term::GROUP;

/// Lines that have to begin with it in a given input, because one alone is any line.
const MIN_GROUPS: usize = 2;
/// Marks that no group begins with: they open something, or begin a text or an item.
const NO_HEADS: &[u8] = b"[](){}<\"'`-";

/// Marks that items of lists begin with.
pub(super) const ITEM_MARKS: &[u8] = b"-*+[";

/// What a line begins with that may begin a group: a word with a blank, a colon or nothing after it, or some equal marks before a text or a word.
pub(super) fn head(line: &[u8]) -> Option<&[u8]> {
    let first = *line.first()?;
    let end = match first {
        _ if first.is_ascii_alphabetic() => line
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
            .unwrap_or(line.len()),
        _ if first.is_ascii_punctuation() && !NO_HEADS.contains(&first) => {
            line.iter().position(|byte| *byte != first).unwrap_or(line.len())
        }
        _ => return None,
    };
    let is_whole = match line.get(end) {
        Some(byte) if byte.is_ascii_alphanumeric() => first.is_ascii_punctuation(),
        Some(b':') => first.is_ascii_alphabetic(),
        Some(byte) => byte.is_ascii_whitespace(),
        None => first.is_ascii_alphabetic(),
    };
    is_whole.then_some(&line[..end])
}

/// The word or mark that begins groups of lines in the given inputs. The first one is minimized, and has a line with it; nothing if no word
/// begins several lines of one of them that have other lines after them, and some line right before them.
///
/// Where an empty line is before each of them, the lines between empty ones are the groups, unless lists follow them: items are of the last line
/// that is none. A line that always comes right after another one of a kind is the second of its group. Keys with a colon begin groups if lists
/// follow them. Where each group ends with the same line, as a reference with `ER  -`, the first line begins them, whatever empty lines there are, and that
/// line does not.
///
/// Cost: a pass over the inputs for each line of the first one.
pub(in crate::generalize::predicate::read) fn head_of_groups(inputs: &[&[u8]]) -> Option<String> {
    let lines = inputs.iter().map(|input| input.split(|byte| *byte == b'\n'));
    let all: Vec<Vec<&[u8]>> =
        lines.map(|lines| lines.map(<[u8]>::trim_ascii_end).collect()).collect();
    let begins = |head: &[u8], text: &[&[u8]]| {
        let is_head = |line: &[u8]| self::head(line) == Some(head);
        let filled: Vec<&[u8]> = text.iter().copied().filter(|line| !line.is_empty()).collect();
        let count = filled.iter().filter(|line| is_head(line)).count();
        let pairs = || filled.windows(2).filter(|two| is_head(two[0]) != is_head(two[1]));
        let followed = || pairs().filter(|two| is_head(two[0]));
        let is_item = |line: &[u8]| line.first().is_some_and(|mark| ITEM_MARKS.contains(mark));
        let has_lists = followed().next().is_some() && followed().all(|two| is_item(two[1]));
        let is_key = filled.iter().any(|line| is_head(line) && line.get(head.len()) == Some(&b':'));
        let is_inside = text.windows(2).any(|two| !two[0].is_empty() && is_head(two[1]));
        // A line that always comes after another one is the second of its group.
        let before: BTreeSet<_> =
            pairs().filter(|two| is_head(two[1])).map(|two| self::head(two[0])).collect();
        let is_first = filled.first().is_some_and(|line| is_head(line));
        let is_second =
            before.len() == 1 && is_inside && !is_first && before.iter().all(Option::is_some);
        let is_often = count >= MIN_GROUPS && count * 2 <= filled.len();
        let is_followed = followed().count() * 3 >= count * 2;
        let end = end_of_groups(&filled);
        let is_delimited = is_first && end.is_some();
        let is_end = end.is_some_and(is_head);
        let is_one = has_lists || is_inside && !is_key && !is_second;
        is_often && is_followed && !is_end && (is_delimited || is_one)
    };
    let found = all.first()?.iter().filter_map(|line| head(line));
    let mut found = found.filter(|head| all.iter().any(|text| begins(head, text)));
    found.next().map(|head| String::from_utf8_lossy(head).into_owned())
}

/// The line that a text ends with and that is before each line with the head of the first one; nothing if these are of several kinds, or if that is the
/// first line of its group.
fn end_of_groups<'t>(filled: &[&'t [u8]]) -> Option<&'t [u8]> {
    let (first, last) = (head(filled.first()?)?, *filled.last()?);
    let is_begin = |line: &[u8]| head(line) == Some(first);
    let mut before = filled.windows(2).filter(|two| is_begin(two[1])).map(|two| two[0]);
    let is_end = head(last).is_some_and(|last| last != first)
        && filled.iter().filter(|line| **line == last).count() >= MIN_GROUPS
        && before.all(|line| line == last);
    is_end.then_some(last)
}

/// Whether the lines below each line with a head are indented, in inputs that have any. Their indentation says where a group ends.
///
/// Empty lines and further heads right below are passed over. False where no line is below any head.
pub(in crate::generalize::predicate::read) fn has_indented(head: &str, inputs: &[&[u8]]) -> bool {
    let is_head = |line: &[u8]| self::head(line) == Some(head.as_bytes());
    let below = inputs.iter().flat_map(|input| {
        let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
        let two = lines.windows(2).filter(|two| is_head(two[0]) && !two[1].trim_ascii().is_empty());
        two.map(|two| two[1]).filter(|line| !is_head(line)).collect::<Vec<_>>()
    });
    let below: Vec<bool> = below.map(|line| b" \t".contains(&line[0])).collect();
    !below.is_empty() && below.iter().all(|is_indented| *is_indented)
}

/// The word or mark in the name of a group of lines.
pub(in crate::generalize::predicate::read) fn head_in(name: &str) -> Option<String> {
    let (_, rest) = name.split_once(GROUP)?;
    // The mark may be the one that ends the name.
    let end = rest.char_indices().skip(1).find(|(_, c)| *c == '>')?.0;
    let more = rest[end..].bytes().take_while(|byte| *byte == b'>').count();
    Some(rest[..end + more - 1].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_begins_several_lines_with_others_between_begins_groups() {
        let heads = |inputs: &[&str]| {
            let inputs: Vec<&[u8]> = inputs.iter().map(|input| input.as_bytes()).collect();
            head_of_groups(&inputs)
        };
        let stations = "year 1\nstation a\n1 2\n3\nstation b\n12\n";
        assert_eq!(heads(&[stations]).as_deref(), Some("station"));
        assert_eq!(heads(&["station a\n1\n", stations]).as_deref(), Some("station"));
        assert_eq!(heads(&["1\n", stations]), None);
        assert_eq!(heads(&["# a (1)\n[ ] b\n# c\n[x] d\n"]).as_deref(), Some("#"));
        // Lines of one kind, and groups between empty lines.
        assert_eq!(heads(&["add 1\nadd 2\nmul 3\n"]), None);
        assert_eq!(heads(&["id 1\nat 2\n\nid 3\nat 4\n"]), None);
        assert_eq!(heads(&["key: 1\nat 2\nkey: 3\nat 4\n"]), None);
        assert_eq!(heads(&["Poll: a\n- b\n- c\n\nPoll: d\n- e\n"]).as_deref(), Some("Poll"));
        assert_eq!(heads(&["in a\nid 1\nout\n\nin b\nat 2\nid 3\nout\n"]).as_deref(), Some("in"));
    }
}
