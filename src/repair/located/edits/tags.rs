//! Edits of tags, for XML, HTML and what looks like them: elements that are not closed or closed by
//! another name.

mod signs;

use std::ops::Range;

use super::words::is_near;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line};

/// How much likelier an edit is that keeps the tree's shape (a logarithm), because a wrong name is one
/// damaged byte and a lost tag several. Not measured.
const SHAPE_GAIN: f32 = 7.0;
/// How much likelier an edit is that adds or drops a tag (a logarithm), because tags come in pairs. Less
/// than keeping the shape, so that `</lb>` becomes `</b>` before a tag is added
/// (docs/notes/2026-11-22-repair-by-messages.md).
const BALANCING_GAIN: f32 = 3.0;
/// The cost of an end tag on a line of its own (a logarithm): less than that of one directly before the next end tag,
/// because the start tag begins a line too. Not measured.
const OWN_LINE_COST: f32 = -14.0;
/// How much likelier the name of a start tag is wrong if the fault is reported there (a logarithm), because the
/// validator does not know that name. Not measured.
const REPORTED_TAG_GAIN: f32 = 4.0;
/// Problems that are mended: those closest to the fault, because each gives several edits.
const MAX_PROBLEMS: usize = 4;
/// Elements of HTML that have no end tag.
const VOID: [&[u8]; 15] = [
    b"br", b"hr", b"img", b"input", b"meta", b"link", b"area", b"base", b"col", b"embed", b"param",
    b"source", b"track", b"wbr", b"frame",
];
/// Elements of HTML whose end tag may be left out.
const OPTIONAL: [&[u8]; 12] = [
    b"p",
    b"li",
    b"dt",
    b"dd",
    b"tr",
    b"td",
    b"th",
    b"option",
    b"thead",
    b"tbody",
    b"tfoot",
    b"colgroup",
];

/// One tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// From `<` to after `>`.
    pub span: Range<usize>,
    /// Its name.
    pub name: Range<usize>,
    /// Whether it begins with `</`.
    pub is_end: bool,
    /// Whether it ends with `/>`.
    pub is_empty: bool,
}

/// An end tag or the end of the text where other elements are open, and these, the outermost first.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    end: Option<usize>,
    open: Vec<usize>,
}

/// Whether a text is made of tags.
///
/// Looks at the first 2,000 bytes after blanks and a byte order mark: a text that begins with `<`
/// and has an end tag or a declaration, or any text with three end tags.
pub(crate) fn has_tags(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let head = &text[..text.len().min(2000)];
    let ends = memchr::memmem::find_iter(text, b"</").take(3).count();
    (head.starts_with(b"<") && (ends > 0 || head.starts_with(b"<?"))) || ends > 2
}

/// Whether a text says in its first 1,000 bytes that it is HTML. Its names have no case, some of
/// its elements have no end tag, and scripts are not read as tags.
fn is_html(text: &[u8]) -> bool {
    let head = text[..text.len().min(1000)].to_ascii_lowercase();
    memchr::memmem::find(&head, b"<html").is_some()
        || memchr::memmem::find(&head, b"doctype html").is_some()
}

/// Whether a byte may be in the name of a tag or attribute. Bytes outside of ASCII may, so that
/// names in any script are whole.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-' | b'.') || byte >= 0x80
}

/// The tags of a text, and the offsets of `<` that begin none. Comments, declarations and sections
/// of data are passed over.
///
/// Cost: one pass over the text, and in HTML one more over each script and style.
pub(crate) fn tags(text: &[u8]) -> (Vec<Tag>, Vec<usize>) {
    let (mut tags, mut stray) = (Vec::new(), Vec::new());
    let is_html = is_html(text);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text[at..]) {
        at += found;
        let rest = &text[at..];
        let after = |end: &[u8]| {
            memchr::memmem::find(rest, end).map_or(text.len(), |found| at + found + end.len())
        };
        if rest.starts_with(b"<!--") {
            at = after(b"-->");
        } else if rest.starts_with(b"<![CDATA[") {
            at = after(b"]]>");
        } else if rest.starts_with(b"<?") {
            at = after(b"?>");
        } else if rest.starts_with(b"<!") {
            let subset = memchr::memchr(b'[', &rest[..rest.len().min(after(b">") - at)]);
            at = after(if subset.is_some() { b"]>" } else { b">" });
        } else if let Some(tag) = tag(text, at) {
            at = tag.span.end;
            let name = text[tag.name.clone()].to_ascii_lowercase();
            if is_html && !tag.is_end && matches!(name.as_slice(), b"script" | b"style") {
                let end = [b"</", name.as_slice()].concat();
                let found = memchr::memmem::find(&text[at..].to_ascii_lowercase(), &end);
                at = found.map_or(at, |found| at + found);
            }
            tags.push(tag);
        } else {
            stray.push(at);
            at += 1;
        }
    }
    (tags, stray)
}

/// The tag that begins at `at`. One that another `<` interrupts ends there.
///
/// Returns `None` if no name begins there. The quotation marks of attributes are followed, so a `>`
/// in a value does not end the tag.
fn tag(text: &[u8], at: usize) -> Option<Tag> {
    let is_end = text.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(is_end);
    let first = *text.get(start)?;
    if !is_name(first) || first.is_ascii_digit() || matches!(first, b'-' | b'.') {
        return None;
    }
    let length = text[start..].iter().take_while(|byte| is_name(**byte)).count();
    let name = start..start + length;
    let (mut end, mut quote) = (name.end, None);
    while end < text.len() {
        let byte = text[end];
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (_, b'<') => return Some(Tag { span: at..end, name, is_end, is_empty: false }),
            (None, b'>') => {
                let is_empty = text[end - 1] == b'/';
                return Some(Tag { span: at..end + 1, name, is_end, is_empty });
            }
            _ => {}
        }
        end += 1;
    }
    Some(Tag { span: at..end, name, is_end, is_empty: false })
}

/// The elements that are open at the end of `text`, and what does not fit on the way.
///
/// The first are indices of `tags`, the outermost first. In HTML an element whose end tag is
/// optional is no problem when an outer one ends. An end tag of a name that is not open closes the
/// innermost element if the two names are nearly the same, and always outside of HTML.
fn nest(text: &[u8], tags: &[Tag]) -> (Vec<usize>, Vec<Problem>) {
    let is_html = is_html(text);
    let name = |index: usize| {
        let name = text[tags[index].name.clone()].to_vec();
        if is_html { name.to_ascii_lowercase() } else { name }
    };
    let (mut open, mut problems): (Vec<usize>, Vec<Problem>) = (Vec::new(), Vec::new());
    for (index, tag) in tags.iter().enumerate() {
        let own = name(index);
        if tag.is_empty || (is_html && VOID.contains(&own.as_slice())) {
            continue;
        }
        if !tag.is_end {
            open.push(index);
            continue;
        }
        let is_optional = |index: &usize| is_html && OPTIONAL.contains(&name(*index).as_slice());
        match open.iter().rposition(|other| name(*other) == own) {
            Some(found) => {
                let mut inner = open.split_off(found);
                inner.remove(0);
                if inner.iter().any(|index| !is_optional(index)) {
                    problems.push(Problem { end: Some(index), open: inner });
                }
            }
            // A name that nothing has which is open: it closes the innermost one.
            None => {
                let innermost = open.last().copied();
                let is_misspelt =
                    innermost.is_some_and(|top| is_near(&name(top), &own) || !is_html);
                problems.push(Problem { end: Some(index), open: innermost.into_iter().collect() });
                if is_misspelt {
                    open.pop();
                }
            }
        }
    }
    let left: Vec<usize> = open.iter().copied().filter(|_| !is_html).collect();
    if !left.is_empty() {
        problems.push(Problem { end: None, open: left });
    }
    (open, problems)
}

/// The end tags of the elements that are open at the end of `text`, the innermost first. Elements of HTML that
/// never have an end tag get none.
pub(crate) fn closing(text: &[u8]) -> Vec<u8> {
    let (tags, _) = tags(text);
    let (open, _) = nest(text, &tags);
    let ends = open.iter().rev();
    ends.flat_map(|index| [b"</", &text[tags[*index].name.clone()], b">"].concat()).collect()
}

/// Adds edits of tags.
///
/// Costs no test. The problems of the outline come first, those nearest to the fault, then the tags
/// at the fault whatever the outline makes of them.
pub(crate) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let (tags, _) = tags(text);
    let (_, mut problems) = nest(text, &tags);
    let (places, fault) = (proposals.places(), proposals.fault.at);
    problems.sort_by_key(|problem| {
        let at = problem.end.map_or(text.len(), |index| tags[index].span.start);
        places.iter().map(|place| place.abs_diff(at)).min().unwrap_or(at.abs_diff(fault))
    });
    for problem in problems.into_iter().take(MAX_PROBLEMS) {
        if let Some(end) = problem.end {
            signs::lost_in_pair(proposals, &tags[end], &tags);
            at_end_tag(proposals, &tags[end], problem.open.last().map(|index| &tags[*index]));
        }
        let open: Vec<&Tag> = problem.open.iter().map(|index| &tags[*index]).collect();
        signs::doubled_start(proposals, &open);
        for index in problem.open.iter().rev().take(MAX_PROBLEMS) {
            let end = problem.end.map_or(text.len(), |end| tags[end].span.end);
            signs::lost_in_end_tag(proposals, &tags[*index], end);
            signs::torn_end_tag(proposals, &tags[*index], &tags);
            unclosed(proposals, &tags[*index], problem.end.map(|end| &tags[end]));
        }
    }
    signs::comment(proposals);
    // Tags at the fault, whatever the outline makes of them.
    for place in places {
        let near =
            tags.iter().filter(|tag| tag.span.start <= place + 2 && place <= tag.span.end + 2);
        for tag in near {
            proposals.add(Edit::delete(tag.span.clone()), EditKind::Deletion, 8.0);
            signs::unquoted(proposals, tag);
            signs::interrupted(proposals, tag, &tags);
            signs::lost_after_value(proposals, tag);
        }
    }
}

/// Mends an end tag that does not fit the open elements.
///
/// `open` is the innermost open element. Either name may be the damaged one, either tag may be too
/// much, and the start tag of `end` may be lost.
fn at_end_tag(proposals: &mut Proposals<'_>, end: &Tag, open: Option<&Tag>) {
    let text = proposals.text;
    let own = &text[end.name.clone()];
    proposals.add(Edit::delete(end.span.clone()), EditKind::Deletion, 16.0);
    // An end tag that was a start tag, or an empty element.
    proposals.add(
        Edit::delete(end.name.start - 1..end.name.start),
        EditKind::Separator,
        BALANCING_GAIN,
    );
    let Some(open) = open else {
        let row = line(text, end.span.start);
        for at in [row.start + indent(text, &row), end.span.start] {
            let start = [b"<", own, b">"].concat();
            proposals.add(Edit::insert(at, start), EditKind::Separator, BALANCING_GAIN + 12.0);
        }
        return;
    };
    let name = &text[open.name.clone()];
    let bonus = if is_near(own, name) { SHAPE_GAIN + 8.0 } else { SHAPE_GAIN };
    if own != name {
        signs::lost_in_start_tag(proposals, open, own);
        proposals.add(Edit::new(end.name.clone(), name), EditKind::Copy, bonus);
        let is_reported = is_near(own, name) && open.span.contains(&proposals.fault.at);
        let other = bonus + if is_reported { REPORTED_TAG_GAIN } else { -2.0 };
        proposals.add(Edit::new(open.name.clone(), own), EditKind::Copy, other);
        // The start tag may be lost: it was after the one that is open.
        let row = line(text, end.span.start);
        for at in [row.start + indent(text, &row), open.span.end] {
            let start = [b"<", own, b">"].concat();
            proposals.add(Edit::insert(at, start), EditKind::Separator, BALANCING_GAIN + 8.0);
        }
    }
}

/// Closes an element that is open where `end` ends another one.
///
/// The end tag is proposed where an end tag usually is: before `end`, at the end of the line, after
/// the start tag, where the indentation returns to that of the start tag, and before the next tag.
/// The start tag may have been an end tag or an empty element too.
fn unclosed(proposals: &mut Proposals<'_>, open: &Tag, end: Option<&Tag>) {
    let text = proposals.text;
    let close = [b"</", &text[open.name.clone()], b">"].concat();
    let at = end.map_or(text.trim_ascii_end().len(), |end| end.span.start);
    let bonus = BALANCING_GAIN + 8.0;
    proposals.add(Edit::insert(at, close.clone()), EditKind::Separator, bonus);
    proposals.add(Edit::insert(at, [&close[..], b"\n"].concat()), EditKind::Separator, bonus);
    let row = line(text, open.span.start);
    on_own_line(proposals, &row, open, at, &close);
    let own_end = row.end.max(open.span.end);
    proposals.add(Edit::insert(own_end, close.clone()), EditKind::Separator, bonus);
    proposals.add(Edit::insert(open.span.end, close.clone()), EditKind::Separator, bonus - 1.0);
    // Where the outline returns to its indentation.
    let depth = indent(text, &row);
    let mut next = row.end + 1;
    for _ in 0..500 {
        if next >= at {
            break;
        }
        let row = line(text, next);
        if !text[row.clone()].trim_ascii().is_empty() && indent(text, &row) <= depth {
            let before = text[..row.start].trim_ascii_end().len();
            proposals.add(Edit::insert(before, close.clone()), EditKind::Separator, bonus);
            let margin = &text[next..next + indent(text, &row).min(depth)];
            let whole = [margin, &close[..], b"\n"].concat();
            proposals.add(Edit::insert(row.start, whole), EditKind::Separator, bonus);
            break;
        }
        next = row.end + 1;
    }
    // Before the next start tag: it was its end tag once, or is empty.
    let next = memchr::memchr(b'<', &text[open.span.end..]).map(|at| open.span.end + at);
    if let Some(next) = next {
        proposals.add(Edit::insert(next, close.clone()), EditKind::Separator, bonus - 1.0);
        if text.get(next + 1) != Some(&b'/') {
            proposals.add(Edit::insert(next + 1, *b"/"), EditKind::Separator, SHAPE_GAIN);
        }
    }
    proposals.add(Edit::insert(open.name.start, *b"/"), EditKind::Separator, SHAPE_GAIN);
    if text[open.span.end - 1] == b'>' {
        proposals.add(Edit::insert(open.span.end - 1, *b"/"), EditKind::Separator, SHAPE_GAIN);
    } else {
        proposals.add(Edit::insert(open.span.end, *b">"), EditKind::Separator, SHAPE_GAIN);
        let last = text[..open.span.end].trim_ascii_end().len();
        proposals.add(Edit::insert(last, *b">"), EditKind::Separator, SHAPE_GAIN);
        proposals.add(Edit::insert(last, *b"/>"), EditKind::Separator, SHAPE_GAIN);
    }
    // A text that looks like a tag.
    proposals.add(
        Edit::new(open.span.start..open.span.start + 1, *b"&lt;"),
        EditKind::BadByte,
        4.0,
    );
    proposals.add(Edit::delete(open.span.clone()), EditKind::Deletion, 14.0);
}

/// Closes an element on a line of its own before the line at `at`, if its start tag begins a line and the end
/// tag there does. `row` is the line of the start tag.
fn on_own_line(
    proposals: &mut Proposals<'_>,
    row: &Range<usize>,
    open: &Tag,
    at: usize,
    close: &[u8],
) {
    let text = proposals.text;
    let next = line(text, at);
    let begins_line = row.start + indent(text, row) == open.span.start;
    let after = &text[row.end.min(at)..at];
    let inner = line(text, row.end + after.len() - after.trim_ascii_start().len());
    let has_inner_lines = inner.start < next.start && indent(text, &inner) > indent(text, row);
    if begins_line && has_inner_lines && at > row.end && next.start + indent(text, &next) >= at {
        let whole = [&text[row.start..open.span.start], close, b"\n"].concat();
        let start = if next.start == at && at == text.len() { at } else { next.start };
        proposals.add_by_rule(Edit::insert(start, whole), EditKind::Separator, OWN_LINE_COST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed_and_what_is_no_element_is_passed_over() {
        assert_eq!(closing(b"<?xml?><!-- <x> --><a b='>'><c/><d>te"), b"</d></a>");
        assert_eq!(closing(b"<a><![CDATA[<b>]]><b>x</b>"), b"</a>");
        assert_eq!(closing(b"<html><body><br><p>x"), b"</p></body></html>");
    }

    #[test]
    fn an_end_tag_of_another_name_is_a_problem_of_the_innermost_element() {
        let text = b"<a><link>x</lnk></a>";
        let (tags, _) = tags(text);
        let (open, problems) = nest(text, &tags);
        assert!(open.is_empty());
        assert_eq!(problems, [Problem { end: Some(2), open: vec![1] }]);
    }

    #[test]
    fn a_lesser_than_that_begins_no_tag_is_stray() {
        assert_eq!(tags(b"<a>1 < 2</a>").1, [5]);
    }
}
