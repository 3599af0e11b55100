//! Which spans around a fault may be dropped: items, lines, statements, blocks, elements. It asks no
//! validator.
//!
//! Spans are found by looks alone, so that they work for any language: separators, indentation,
//! brackets of one kind, and tags. A span may well cut a string; the validator judges every
//! candidate.

use std::ops::Range;

use crate::repair::located::edit::Edit;
use crate::repair::located::edits::{brackets, tags};
use crate::repair::located::proposals::{Fault, indent, line};

/// Spans that are tried for one fault, in tests, so that passing a fault costs no more than 48 with the
/// likely edits. Not measured.
const MAX_SPANS: usize = 36;
/// Lines before and after the fault's own that are dropped with it, the smallest spans first. They grow
/// by factors of three and four, so that a fault which spoils a hundred lines is passed in 14 tests. Not
/// measured.
const LINES_BEFORE_AND_AFTER: [(usize, usize); 14] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (1, 1),
    (0, 3),
    (3, 0),
    (3, 3),
    (0, 10),
    (10, 0),
    (10, 10),
    (0, 40),
    (40, 0),
    (40, 40),
    (160, 160),
];
/// Elements around the fault that are dropped as wholes, because the fifth around it is mostly the
/// document. Not measured.
const MAX_ELEMENTS: usize = 4;
/// Bytes before and after a fault in which the ends of its item are looked for, so that a text without
/// separators is not read as a whole for each fault.
const MAX_ITEM_BYTES: usize = 4 << 10;

/// Edits that drop the text around a fault, the smallest first, at most `MAX_SPANS` of spans. The
/// last ones drop all from the fault, from its line, or from where the text is known to be right,
/// and close the brackets or tags that are open there. Places that the message names besides count too, two of them.
///
/// None of them is empty. Sorted by length, so that the first one that helps loses least.
pub(super) fn drops(text: &[u8], fault: &Fault) -> Vec<Edit> {
    let mut spans = Vec::new();
    let mut places = vec![fault.at.min(text.len())];
    places.extend(fault.said.others.iter().copied().filter(|at| *at <= text.len()).take(2));
    for place in places {
        by_lines(text, place, &mut spans);
        items(text, place, &mut spans);
        blocks(text, place, &mut spans);
        if tags::has_tags(text) {
            elements(text, place, &mut spans);
        }
    }
    if fault.is_silent {
        spans.push(fault.from.min(fault.at)..fault.at);
    }
    let starts = [fault.at.min(text.len()), line(text, fault.at).start, fault.from];
    smallest_first(text, spans, &starts)
}

/// Edits that drop whole lines and elements around a fault, the smallest first, and at last all from its line on.
///
/// Fewer than `drops` has, and one of the first mostly passes the fault.
pub(super) fn whole_lines(text: &[u8], fault: &Fault) -> Vec<Edit> {
    let place = fault.at.min(text.len());
    let mut spans = Vec::new();
    by_lines(text, place, &mut spans);
    if tags::has_tags(text) {
        elements(text, place, &mut spans);
    }
    if fault.is_silent {
        spans.push(fault.from.min(place)..place);
    }
    let own = line(text, place);
    spans.retain(|span| span.len() >= own.len());
    smallest_first(text, spans, &[own.start])
}

/// Edits that drop the spans, the smallest first, and at last all from each of `starts` on. None of them is empty.
fn smallest_first(text: &[u8], mut spans: Vec<Range<usize>>, starts: &[usize]) -> Vec<Edit> {
    spans.retain(|span| !span.is_empty() && span.end <= text.len());
    spans.sort_by_key(|span| (span.len(), span.start));
    spans.dedup();
    spans.truncate(MAX_SPANS);
    let rests = starts.iter().map(|start| Edit::new(*start..text.len(), closing(text, *start)));
    let mut edits: Vec<Edit> = spans.into_iter().map(Edit::delete).chain(rests).collect();
    edits.retain(|edit| edit.at < edit.end || !edit.new.is_empty());
    edits
}

/// What closes the first `until` bytes of a text: tags if it has tags, else brackets.
///
/// Used where all after an offset is dropped, so that open brackets or tags are closed again.
fn closing(text: &[u8], until: usize) -> Vec<u8> {
    let prefix = &text[..until.min(text.len())];
    if tags::has_tags(text) { tags::closing(prefix) } else { brackets::closing_all(prefix) }
}

/// Adds spans of whole lines around the place, with the numbers of lines before and after it that
/// `LINES_BEFORE_AND_AFTER` has.
///
/// At the first and the last line of the text spans get shorter, and some of them are the same.
fn by_lines(text: &[u8], place: usize, spans: &mut Vec<Range<usize>>) {
    let own = line(text, place);
    for (before, after) in LINES_BEFORE_AND_AFTER {
        let (mut start, mut end) = (own.start, own.end);
        for _ in 0..before {
            if start > 0 {
                start = line(text, start - 1).start;
            }
        }
        for _ in 0..after {
            if end < text.len() {
                end = line(text, end + 1).end;
            }
        }
        spans.push(start..text.len().min(end + 1));
    }
}

/// Adds the text between two commas, semicolons or blanks around the place, with the one before it
/// or the one after it; and the text in the brackets around the place, with the brackets, and with
/// their lines.
///
/// Offsets further away than `MAX_ITEM_BYTES` are not looked at.
fn items(text: &[u8], place: usize, spans: &mut Vec<Range<usize>>) {
    let from = place.saturating_sub(MAX_ITEM_BYTES);
    let until = text.len().min(place + MAX_ITEM_BYTES);
    for separator in [b',', b';', b' '] {
        let before = text[from..place].iter().rposition(|byte| *byte == separator);
        let after = text[place..until].iter().position(|byte| *byte == separator);
        let start = before.map(|at| from + at + 1);
        if let (Some(start), Some(after)) = (start, after) {
            spans.push(start..place + after + 1);
            spans.push(start - 1..place + after);
        }
    }
    // The text in the brackets around the place, and the lines of the brackets.
    let mut depth = 0usize;
    for at in (from..place).rev() {
        match text[at] {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            open @ (b'(' | b'[' | b'{') => {
                let Some(end) = partner(text, at, open, until) else { break };
                spans.push(at + 1..end);
                spans.push(at..end + 1);
                spans.push(line(text, at).start..text.len().min(line(text, end).end + 1));
                break;
            }
            _ => {}
        }
    }
}

/// Where the bracket at `at` is closed. Only brackets of its kind are counted, in strings too.
/// `None` if it is not closed before `until`.
///
/// Brackets that nothing opens before `at` do not count, because the search begins there.
fn partner(text: &[u8], at: usize, open: u8, until: usize) -> Option<usize> {
    let close = brackets::closer(open)?;
    let mut depth = 0usize;
    for (index, byte) in text[at..until].iter().enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + index);
            }
        }
    }
    None
}

/// Adds the lines of blocks around a place, as indentation shows them: a line, the lines indented
/// more after it, and the line that closes it; then the same of the line that the block belongs to,
/// up to `MAX_ELEMENTS` times.
///
/// A blank line belongs to the block that it is in.
fn blocks(text: &[u8], place: usize, spans: &mut Vec<Range<usize>>) {
    let mut head = line(text, place);
    for _ in 0..MAX_ELEMENTS {
        let depth = indent(text, &head);
        let mut end = head.end;
        while end < text.len() {
            let next = line(text, end + 1);
            let rest = text[next.clone()].trim_ascii();
            let is_deeper = rest.is_empty() || indent(text, &next) > depth;
            let closes = rest.first().is_some_and(|byte| matches!(byte, b'}' | b')' | b']'));
            if !is_deeper && !closes {
                break;
            }
            end = next.end;
            if !is_deeper {
                break;
            }
        }
        spans.push(head.start..text.len().min(end + 1));
        // The line that the block belongs to.
        let mut start = head.start;
        loop {
            if start == 0 {
                return;
            }
            let above = line(text, start - 1);
            start = above.start;
            if indent(text, &above) < depth && !text[above.clone()].trim_ascii().is_empty() {
                head = above;
                break;
            }
        }
    }
}

/// Adds the tag at the place, and the elements around the place, the innermost first. Elements that
/// are not closed are left out.
fn elements(text: &[u8], place: usize, spans: &mut Vec<Range<usize>>) {
    let (tags, _) = tags::tags(text);
    let mut open: Vec<&tags::Tag> = Vec::new();
    let mut around = Vec::new();
    for tag in &tags {
        if tag.span.start <= place && place < tag.span.end {
            spans.push(tag.span.clone());
        }
        if tag.is_empty {
            continue;
        }
        if !tag.is_end {
            open.push(tag);
            continue;
        }
        let name = &text[tag.name.clone()];
        let start = open.iter().rposition(|one| text[one.name.clone()] == *name);
        if let Some(start) = start {
            let span = open[start].span.start..tag.span.end;
            if span.start <= place && place <= span.end {
                around.push(span);
            }
            open.truncate(start);
        }
    }
    around.sort_by_key(Range::len);
    spans.extend(around.into_iter().take(MAX_ELEMENTS));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::located::message::Message;

    fn dropped(text: &str, at: usize) -> Vec<String> {
        let fault = Fault { at, from: 0, said: Message::default(), is_silent: false };
        let edits = drops(text.as_bytes(), &fault);
        edits.iter().map(|edit| text[edit.at..edit.end].to_owned()).collect()
    }

    #[test]
    fn items_lines_blocks_and_elements_around_a_fault_are_dropped() {
        let found = dropped("f(a, b?, c);\ng();\n", 6);
        for wanted in [" b?,", "a, b?, c", "f(a, b?, c);\n", "f(a, b?, c);\ng();\n"] {
            assert!(found.iter().any(|one| one == wanted), "{wanted:?} of {found:?}");
        }
        let found = dropped("a:\n  b: 1\n  c: ?\nd: 2\n", 15);
        assert!(found.iter().any(|one| one == "a:\n  b: 1\n  c: ?\n"), "{found:?}");
        let found = dropped("<r><a><b>x&</b></a><c>y</c></r>", 10);
        for wanted in ["<b>x&</b>", "<a><b>x&</b></a>"] {
            assert!(found.iter().any(|one| one == wanted), "{wanted:?} of {found:?}");
        }
    }

    #[test]
    fn what_is_open_where_the_rest_is_dropped_is_closed() {
        let text = b"{\"a\": [1, ?";
        let fault = Fault { at: 8, from: 0, said: Message::default(), is_silent: false };
        let last = drops(text, &fault).into_iter().find(|edit| edit.new == b"]}").unwrap();
        assert_eq!(last.apply(text), b"{\"a\": [1]}");
    }
}
