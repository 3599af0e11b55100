//! Edits of values in quotation marks that follow an equals sign directly, as attributes do: `a="1" b="2"`. If one of the
//! marks is lost, the beginning of the next attribute shows where it was.

use std::ops::Range;

use super::super::tags::is_name;
use super::MAX_LINE_BYTES;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;

/// The cost of the lost mark (a logarithm): low, because such a text is hardly a value. A swap of two tokens before it
/// came first, and a validator may accept that (2026-11-24).
const LOST_MARK_COST: f32 = -14.0;
/// Bytes before and after the fault in which attributes are looked at, because lines may be long.
const REGION_BYTES: usize = 2 * MAX_LINE_BYTES;

/// Adds the mark that a value of an attribute has lost, before it or after it.
///
/// Costs no test. The lines of all places of the fault are looked at, up to `REGION_BYTES` on either side.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let mut spans: Vec<Range<usize>> = Vec::new();
    for place in proposals.places() {
        let row = proposals.line(place);
        let from = row.start.max(place.saturating_sub(REGION_BYTES));
        let span = from..row.end.min(place + REGION_BYTES);
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
    let mut lost: Vec<(usize, u8)> = Vec::new();
    for span in spans {
        lost.extend(lost_equals(&text[..span.end], span.start).map(|at| (at, b'=')));
        let equals = (span.start..span.end.saturating_sub(1)).filter(|at| text[*at] == b'=');
        for equals in equals {
            lost.extend(lost_mark(&text[..span.end], equals));
        }
    }
    for (at, quote) in lost {
        let edit = Edit::insert(at, [quote]);
        proposals.add_by_rule(edit, EditKind::Separator, LOST_MARK_COST);
    }
}

/// Where an attribute lacks its equals sign: a name directly before a value in quotation marks, `a"1"`.
///
/// Offsets from `from` on. The value has to end before a blank or the end of the tag, so that text between tags is left alone.
fn lost_equals(line: &[u8], from: usize) -> impl Iterator<Item = usize> + '_ {
    let is_in_tag = |at: usize| {
        memchr::memrchr2(b'<', b'>', &line[..at]).is_some_and(|sign| line[sign] == b'<')
    };
    (from + 1..line.len()).filter(move |at| {
        let name = line[..*at].iter().rev().take_while(|byte| is_name(**byte)).count();
        let is_mark = matches!(line[*at], b'"' | b'\'');
        if !is_mark || name == 0 || !line[..at - name].ends_with(b" ") {
            return false;
        }
        let end = line[at + 1..].iter().position(|byte| *byte == line[*at]);
        let next = end.and_then(|length| line.get(at + 1 + length + 1));
        end.is_some() && next.is_none_or(|byte| b" \t>/?".contains(byte)) && is_in_tag(*at)
    })
}

/// Where the value after an equals sign lacks a quotation mark, and which one.
///
/// `line` ends where the line ends or is cut off, and `equals` is an offset in it. `None` if the value has both marks or
/// none, or if nothing shows where the other one was.
fn lost_mark(line: &[u8], equals: usize) -> Option<(usize, u8)> {
    let start = equals + 1;
    let is_mark = |byte: u8| matches!(byte, b'"' | b'\'');
    if equals == 0 || !is_name(line[equals - 1]) {
        return None;
    }
    if !is_mark(line[start]) {
        // `a=1" b="2"`: the value ends with a mark before what parts attributes or ends a tag.
        let length = line[start..].iter().take_while(|byte| is_in_bare_value(**byte)).count();
        let quote = line.get(start + length).copied().filter(|byte| is_mark(*byte))?;
        let next = line.get(start + length + 1).copied();
        let is_end = next.is_none_or(|byte| b" \t/>?".contains(&byte));
        return (length > 0 && is_end).then_some((start, quote));
    }
    let quote = line[start];
    let length = line[start + 1..].iter().position(|byte| *byte == quote);
    // `<a b="1>`: the value holds the end of its tag.
    let value = &line[start + 1..length.map_or(line.len(), |length| start + 1 + length)];
    let is_in_tag =
        memchr::memrchr2(b'<', b'>', &line[..equals]).is_some_and(|at| line[at] == b'<');
    if let Some(end) = memchr::memchr(b'>', value).filter(|_| is_in_tag) {
        let inner = value[..end].strip_suffix(b"/").or(value[..end].strip_suffix(b"?"));
        return Some((start + 1 + inner.unwrap_or(&value[..end]).len(), quote));
    }
    // `a="1 b="2"`: the value ends with a name and an equals sign, and more than a blank follows.
    let length = length?;
    let inner = value.strip_suffix(b"=")?;
    let name = inner.iter().rev().take_while(|byte| is_name(**byte)).count();
    let before = inner[..inner.len() - name].trim_ascii_end();
    let is_next = name > 0 && before.len() + name < inner.len();
    let follows = line.get(start + 1 + length + 1).is_some_and(|byte| !b" \t>/?".contains(byte));
    (is_next && follows).then_some((start + 1 + before.len(), quote))
}

/// Whether a byte may be in a value without quotation marks: neither a blank nor a sign that ends a value or a tag.
fn is_in_bare_value(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"\"'<>=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::propose;

    #[test]
    fn the_mark_that_an_attribute_has_lost_comes_back() {
        let whole = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>\n";
        for damaged in [
            "<?xml version=\"1.0 encoding=\"UTF-8\"?>\n<a/>\n",
            "<?xml version=1.0\" encoding=\"UTF-8\"?>\n<a/>\n",
            "<?xml version=\"1.0\" encoding=UTF-8\"?>\n<a/>\n",
            "<?xml version=\"1.0\" encoding=\"UTF-8?>\n<a/>\n",
        ] {
            assert_eq!(edited(damaged, 8, propose, 1), [whole], "{damaged}");
        }
        let tags = "<a b=\"1>x</a><c d=\"2\"/>";
        assert_eq!(edited(tags, 5, propose, 1), ["<a b=\"1\">x</a><c d=\"2\"/>"]);
        assert!(edited(whole, 8, propose, 9).is_empty());
    }
}
