//! Edits of the signs of tags: `<`, `/` and `>` that an end tag has lost, and quotation marks that a value lacks.

use super::{Tag, is_name};
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// The cost of putting a value into quotation marks (a logarithm). Not measured.
const QUOTED_COST: f32 = -1.0;
/// The cost of a sign that an end tag has lost, or of a name in place of what is between `</` and `>` (a logarithm): low,
/// because the fault is reported where an outer element ends, and the distance to it costs up to 15. Not measured.
const LOST_SIGN_COST: f32 = -15.0;
/// Bytes after a start tag in which its end tag is looked for, so that one element of a long text takes no longer.
const MAX_ELEMENT_BYTES: usize = 4 << 10;
/// Bytes between `<` and `/name>` that are dropped: a token, because more are text. Not measured.
const MAX_BYTES_BETWEEN: usize = 12;

/// Mends the end tag of an element that is open, if the text after its start tag has one with another name or without a sign:
/// `x/name>`, `</">`, `<)/name>`. It is looked for up to `until`.
pub(super) fn lost_in_end_tag(proposals: &mut Proposals<'_>, open: &Tag, until: usize) {
    let text = proposals.text;
    let name = &text[open.name.clone()];
    let start = open.span.end.min(until);
    let region = &text[start..until.min(start + MAX_ELEMENT_BYTES)];
    let mut add = |edit: Edit, cost: f32| {
        proposals.add_by_rule(edit, EditKind::Separator, LOST_SIGN_COST + cost);
    };
    // `/name>` after no `<`.
    let end = [b"/", name, b">"].concat();
    for at in memchr::memmem::find_iter(region, &end).take(2).map(|at| start + at) {
        if text[..at].ends_with(b"<") {
            continue;
        }
        let before = &text[at.saturating_sub(MAX_BYTES_BETWEEN)..at];
        if let Some(lower) = memchr::memrchr(b'<', before) {
            add(Edit::delete(at - before.len() + lower + 1..at), 0.0);
            continue;
        }
        // One byte or one word has taken its place.
        let word = before.iter().rev().take_while(|byte| is_word(**byte)).count();
        add(Edit::insert(at, *b"<"), if word > 0 { 0.5 } else { 0.0 });
        add(Edit::new(at - 1..at, *b"<"), if word == 1 { 1.0 } else { 0.0 });
    }
    // `</` without a name.
    for at in memchr::memmem::find_iter(region, b"</").take(2).map(|at| start + at + 2) {
        let after = &text[at..text.len().min(at + MAX_BYTES_BETWEEN)];
        let has_name = after.first().is_some_and(|byte| is_name(*byte));
        let length = memchr::memchr2(b'<', b'>', after).filter(|end| after[*end] == b'>');
        if let Some(length) = length.filter(|_| !has_name) {
            add(Edit::new(at..at + length, name), 0.0);
        }
    }
}

/// Ends a start tag whose name goes on with its text, `<namextext</name>`: a byte has taken the place of its `>`, or it is lost.
///
/// `name` is the name of the end tag that does not fit. Costs no test. Nothing is proposed unless the longer name begins with
/// the shorter one.
pub(super) fn lost_in_start_tag(proposals: &mut Proposals<'_>, open: &Tag, name: &[u8]) {
    let own = &proposals.text[open.name.clone()];
    if own.len() <= name.len() || !own.starts_with(name) || open.is_end {
        return;
    }
    let at = open.name.start + name.len();
    let replaced = Edit::new(at..at + 1, *b">");
    proposals.add_by_rule(replaced, EditKind::Separator, LOST_SIGN_COST);
    proposals.add_by_rule(Edit::insert(at, *b">"), EditKind::Separator, LOST_SIGN_COST + 0.5);
}

/// Makes a start tag of an end tag that no element fits, or gives a start tag its `<` back: `</name>` before another `</name>`
/// was `<name>`, and so was `name>`.
///
/// Costs no test. `end` is the end tag that does not fit. Its start tag is looked for up to `MAX_ELEMENT_BYTES` before it.
pub(super) fn lost_in_pair(proposals: &mut Proposals<'_>, end: &Tag, tags: &[Tag]) {
    let text = proposals.text;
    let name = &text[end.name.clone()];
    let mut later = tags.iter().filter(|tag| tag.span.start > end.span.start);
    if later.find(|tag| text[tag.name.clone()] == *name).is_some_and(|tag| tag.is_end) {
        let slash = Edit::delete(end.name.start - 1..end.name.start);
        proposals.add_by_rule(slash, EditKind::Separator, LOST_SIGN_COST);
    }
    let from = end.span.start.saturating_sub(MAX_ELEMENT_BYTES);
    let start = [name, b">"].concat();
    let found = memchr::memmem::rfind(&text[from..end.span.start], &start).map(|at| from + at);
    let follows_name =
        |at: usize| at > 0 && (is_name(text[at - 1]) || b"</".contains(&text[at - 1]));
    if let Some(at) = found.filter(|at| !follows_name(*at)) {
        proposals.add_by_rule(Edit::insert(at, *b"<"), EditKind::Separator, LOST_SIGN_COST);
    }
}

/// Makes an end tag of a start tag in an element of the same name, if both are open where another element ends.
///
/// Costs no test. `open` are the open elements, the outermost first. An element with attributes is left alone.
pub(super) fn doubled_start(proposals: &mut Proposals<'_>, open: &[&Tag]) {
    let text = proposals.text;
    if let [.., outer, inner] = open
        && text[outer.name.clone()] == text[inner.name.clone()]
        && inner.name.end + 1 == inner.span.end
    {
        let slash = Edit::insert(inner.name.start, *b"/");
        proposals.add_by_rule(slash, EditKind::Separator, LOST_SIGN_COST);
    }
}

/// Drops or escapes the `<` of a tag that another tag interrupts, as in `one<two</name>`, if the text has no other tag of its name: it is
/// hardly a tag.
///
/// Costs no test. To drop the sign comes first, because it is one byte; a text that was meant to have it is escaped.
pub(super) fn interrupted(proposals: &mut Proposals<'_>, tag: &Tag, tags: &[Tag]) {
    let text = proposals.text;
    let is_interrupted = tag.name.end == tag.span.end && text.get(tag.span.end) == Some(&b'<');
    if !is_interrupted || has_namesake(text, tag, tags) {
        return;
    }
    let sign = tag.span.start..tag.span.start + 1;
    proposals.add_by_rule(Edit::delete(sign.clone()), EditKind::BadByte, LOST_SIGN_COST + 1.0);
    proposals.add_by_rule(Edit::new(sign, *b"&lt;"), EditKind::BadByte, LOST_SIGN_COST + 3.0);
}

/// Ends a start tag after its last value if text follows that directly, as in `<a b="1"otwo</a>`: a byte has taken the place of its `>`,
/// or it is lost.
///
/// Costs no test. A letter that follows an equals sign and a mark is in a value, so it is left alone. At most two places
/// are proposed.
pub(super) fn lost_after_value(proposals: &mut Proposals<'_>, tag: &Tag) {
    let text = proposals.text;
    let is_interrupted = text.get(tag.span.end) == Some(&b'<') && !tag.is_end;
    let values = (tag.name.end + 2..tag.span.end).filter(|at| {
        let is_mark = matches!(text[at - 1], b'"' | b'\'') && text[at - 2] != b'=';
        is_interrupted && is_mark && is_word(text[*at])
    });
    for at in values.take(2) {
        let replaced = Edit::new(at..at + 1, *b">");
        proposals.add_by_rule(replaced, EditKind::Separator, LOST_SIGN_COST);
        proposals.add_by_rule(Edit::insert(at, *b">"), EditKind::Separator, LOST_SIGN_COST + 0.5);
    }
}

/// Gives the beginning of a comment its `!` back, near a place of the fault: `<--` and `<r--` become `<!--`.
///
/// Costs no test. The fault is reported at that place, because no tag has such a name, so only its line is looked at.
pub(super) fn comment(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for place in proposals.places() {
        let row = proposals.line(place);
        for at in memchr::memmem::find_iter(&text[row.clone()], b"--").map(|at| row.start + at) {
            let edit = match text[..at] {
                [.., b'<'] => Edit::insert(at, *b"!"),
                [.., b'<', byte] if byte != b'!' => Edit::new(at - 1..at, *b"!"),
                _ => continue,
            };
            proposals.add_by_rule(edit, EditKind::Separator, LOST_SIGN_COST);
        }
    }
}

/// Puts the end tag of an element that begins on a line in place of the last tag of that line, if that is none: `<:nam>e` at the end
/// of the line becomes `</name>`.
///
/// Costs no test. A tag whose name the text has elsewhere too is left alone, and so is a longer rest of the line: it is text.
pub(super) fn torn_end_tag(proposals: &mut Proposals<'_>, open: &Tag, tags: &[Tag]) {
    let text = proposals.text;
    let name = &text[open.name.clone()];
    let row = proposals.line(open.span.start);
    let Some(at) = memchr::memrchr(b'<', &text[open.span.end.min(row.end)..row.end]) else {
        return;
    };
    let at = open.span.end + at;
    let own = &text[at..row.end];
    let is_tag = tags.iter().any(|tag| tag.span.start == at && has_namesake(text, tag, tags));
    if !is_tag && own.len() <= name.len() + 3 + MAX_BYTES_BETWEEN / 4 {
        let end = [b"</", name, b">"].concat();
        let edit = Edit::new(at..row.end, end);
        proposals.add_by_rule(edit, EditKind::Separator, LOST_SIGN_COST + 1.0);
    }
}

/// Whether another one of `tags`, which has `tag`, has the same name.
fn has_namesake(text: &[u8], tag: &Tag, tags: &[Tag]) -> bool {
    let is_same = |other: &&Tag| text[other.name.clone()] == text[tag.name.clone()];
    tags.iter().filter(is_same).count() > 1
}

/// Quotes values of attributes that have no quotation marks.
///
/// Only values that end before a blank, `>` or a quotation mark, because others cannot be distinguished from
/// the text after them.
pub(super) fn unquoted(proposals: &mut Proposals<'_>, tag: &Tag) {
    let text = proposals.text;
    for at in tag.name.end..tag.span.end.saturating_sub(1) {
        if text[at] != b'=' || matches!(text[at + 1], b'"' | b'\'' | b' ') {
            continue;
        }
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'"' | b'\'');
        let length = text[at + 1..tag.span.end].iter().position(ends).unwrap_or(0);
        if length > 0 {
            // The slash of an empty element is no part of it.
            let ends_tag = text[at + 1..tag.span.end].get(length) == Some(&b'>');
            let is_slash = ends_tag && text[at + length] == b'/' && length > 1;
            let length = length - usize::from(is_slash);
            let value = &text[at + 1..at + 1 + length];
            let quoted = [b"\"", value, b"\""].concat();
            // Two bytes more around the value.
            let edit = Edit::new(at + 1..at + 1 + length, quoted);
            proposals.add_by_rule(edit, EditKind::Separator, QUOTED_COST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::super::propose;

    #[test]
    fn an_end_tag_gets_the_sign_or_the_name_back_that_it_has_lost() {
        let whole = "<r>\n <com a='1'>one two</com>\n <com a='2'>three</com>\n</r>\n";
        for damaged in ["twolang/com>", "two/com>", "two</\">", "two<)/com>", "twof/com>"] {
            let text = whole.replacen("two</com>", damaged, 1);
            let found = edited(&text, text.len() - 5, propose, 3);
            let is_close = |one: &String| {
                one == whole || damaged.starts_with("twol") && one.contains("twolang</com>")
            };
            assert!(found.iter().any(is_close), "{damaged}: {found:#?}");
        }
    }

    #[test]
    fn a_sign_in_the_text_that_begins_no_tag_is_dropped() {
        let whole = "<r>\n <a>one two</a>\n <a>three-four</a>\n</r>\n";
        let text = whole.replacen("one two", "one <two", 1);
        let found = edited(&text, text.find("</a").unwrap(), propose, 3);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn signs_are_given_back_to_a_comment_a_start_tag_with_values_and_a_torn_end_tag() {
        let whole = "<r>\n <!--note-->\n <com a='1'>one</com>\n <com a='2'>two</com>\n</r>\n";
        for (right, wrong, shows) in [
            ("<!--", "<r--", "<r--"),
            ("<!--", "<--", "<--"),
            ("'1'>one", "'1'sone", "</com"),
            ("'1'>one", "'1'one", "</com"),
            ("one</com>", "one<:co>m", "</r"),
        ] {
            let text = whole.replacen(right, wrong, 1);
            let found = edited(&text, text.find(shows).unwrap(), propose, 4);
            assert!(found.contains(&whole.to_owned()), "{wrong}: {found:#?}");
        }
    }

    #[test]
    fn the_tags_of_an_element_with_others_in_it_are_a_pair_again() {
        let whole =
            "<r>\n <k>x</k>\n <list>\n  <s>one</s>\n  <s>two</s>\n </list>\n <k>y</k>\n</r>\n";
        for (right, wrong, shows) in [
            ("<list>", "list>", "</list"),
            ("<list>", "</list>", "</list"),
            ("</list>", "<list>", "</r"),
        ] {
            let text = whole.replacen(right, wrong, 1);
            let found = edited(&text, text.find(shows).unwrap(), propose, 4);
            assert!(found.contains(&whole.to_owned()), "{wrong}: {found:#?}");
        }
    }

    #[test]
    fn a_start_tag_whose_end_became_a_letter_ends_before_its_text() {
        let whole = "<r>\n <group>org.one</group>\n <name>two</name>\n</r>\n";
        let text = whole.replacen("group>org", "groupcorg", 1);
        assert!(
            edited(&text, text.find("</group").unwrap(), propose, 2).contains(&whole.to_owned())
        );
    }
}
