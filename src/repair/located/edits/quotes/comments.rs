//! Edits of comments that have lost their end or their beginning.
//!
//! The fault is often reported far from there: a comment that is not closed holds all text up to the end of the next one, and
//! the validator misses the definitions in it. So the places are found by the text alone: the beginning of a comment within
//! another one, and an end without a beginning.

use std::ops::Range;

use memchr::memmem::{find, find_iter};

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, line, trimmed_end};

/// How comments of several lines begin and end.
const PAIRS: [(&[u8], &[u8]); 2] = [(b"/*", b"*/"), (b"<!--", b"-->")];
/// Comments that are mended, because each gives up to four edits.
const MAX_COMMENTS: usize = 3;
/// The cost of mending one (a logarithm): low, because a comment within a comment is rare, and the distance to the report
/// costs up to 15. Not measured.
const MENDED_COMMENT_COST: f32 = -14.0;
/// Lines after the beginning of a comment that are searched for a part of its end. A guess, not measured.
const MAX_REMNANT_LINES: usize = 64;
/// Bytes between the two parts of an end that was torn.
const MAX_TORN_BYTES: usize = 12;

/// Adds edits of the comments nearest to the fault that have lost a delimiter.
///
/// Costs no test, and one pass for each kind of comment. A text with whole comments alone gets no edit.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    for (open, close) in PAIRS {
        let (unclosed, unopened) = lone(proposals.text, open, close);
        let at = proposals.fault.at;
        let nearest = |places: Vec<usize>| {
            let mut places = places;
            places.sort_by_key(|place| place.abs_diff(at));
            places.into_iter().take(MAX_COMMENTS)
        };
        for start in nearest(unclosed) {
            end(proposals, start, open, close);
        }
        for end in nearest(unopened) {
            begin(proposals, end, open);
        }
    }
}

/// Where comments begin that have another beginning before their end, and where ends are that nothing begins.
///
/// Both in ascending order. A comment of one line may name the beginning of one, and counts as whole. Strings are not
/// looked at, because the damage may be a quotation mark too.
fn lone(text: &[u8], open: &[u8], close: &[u8]) -> (Vec<usize>, Vec<usize>) {
    let (mut unclosed, mut unopened) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(start) = find(&text[at..], open).map(|start| at + start) {
        unopened.extend(find_iter(&text[at..start], close).map(|end| at + end));
        let inside = start + open.len();
        let end = find(&text[inside..], close).map(|end| inside + end);
        // Comments that end on their line may name the beginning of one.
        let until = end.unwrap_or(text.len());
        let is_of_one_line = !text[start..until].contains(&b'\n');
        let has_other = find(&text[inside..until], open).is_some();
        if !is_of_one_line && (has_other || end.is_none()) {
            unclosed.push(start);
            // What follows may be a comment that is closed.
            at = inside;
        } else {
            at = until + close.len().min(text.len() - until);
        }
    }
    unopened.extend(find_iter(&text[at..], close).map(|end| at + end));
    (unclosed, unopened)
}

/// Ends the comment that begins at `start`: by the remnant of its end, at the end of its line, and at the end of
/// the lines that begin with an asterisk.
///
/// The later place comes first, because a comment that has such lines mostly ends after them.
fn end(proposals: &mut Proposals<'_>, start: usize, open: &[u8], close: &[u8]) {
    let text = proposals.text;
    let row = line(text, start);
    let mut rows = vec![row.clone()];
    let mut last = row;
    while last.end < text.len() {
        let next = line(text, last.end + 1);
        if !text[next.clone()].trim_ascii_start().starts_with(b"*") {
            break;
        }
        last = next;
    }
    if let Some(remnant) = remnant(text, last.end, close) {
        let edit = Edit::new(remnant, close);
        proposals.add_by_rule(edit, EditKind::Separator, MENDED_COMMENT_COST - 1.0);
    }
    if last != rows[0] {
        rows.push(last);
    }
    for row in rows.into_iter().rev() {
        let from = row.start.max(start + open.len());
        torn(proposals, from.min(row.end)..row.end, close);
        let end = trimmed_end(text, &row);
        if end >= from {
            let spaced = [b" ", close].concat();
            proposals.add_by_rule(
                Edit::insert(end, spaced),
                EditKind::Separator,
                MENDED_COMMENT_COST,
            );
        }
    }
}

/// The first line after `from` that has nothing but a part of the end of a comment, without blanks. A lone asterisk
/// is none: comments have such lines.
fn remnant(text: &[u8], from: usize, close: &[u8]) -> Option<Range<usize>> {
    let mut end = from;
    for _ in 0..MAX_REMNANT_LINES {
        if end >= text.len() {
            break;
        }
        let row = line(text, end + 1);
        let own = text[row.clone()].trim_ascii();
        if !own.is_empty() && own != b"*" && own.len() < close.len() && find(close, own).is_some() {
            let start = row.end - text[row.clone()].trim_ascii_start().len();
            return Some(start..start + own.len());
        }
        end = row.end;
    }
    None
}

/// Puts the two parts of an end together again, whatever is between them: it comes before them.
///
/// `span` is a part of one line. Of an end of which one byte is left the other bytes are added.
fn torn(proposals: &mut Proposals<'_>, span: Range<usize>, close: &[u8]) {
    let text = proposals.text;
    let (first, last) = (&close[..close.len() - 1], close[close.len() - 1]);
    let end = trimmed_end(text, &span).max(span.start);
    let Some(at) = memchr::memmem::rfind(&text[span.start..end], first) else {
        // Only its last byte is left.
        if text[span.start..end].last() == Some(&last) {
            let edit = Edit::new(end - 1..end, close);
            proposals.add_by_rule(edit, EditKind::Separator, MENDED_COMMENT_COST - 1.0);
        }
        return;
    };
    let at = span.start + at;
    let between = at + first.len();
    match text[between..end].iter().rposition(|byte| *byte == last) {
        Some(length) if length <= MAX_TORN_BYTES => {
            let words = text[between..between + length].trim_ascii();
            let mut new = words.to_vec();
            new.extend(if words.is_empty() { &b""[..] } else { b" " });
            new.extend_from_slice(close);
            let edit = Edit::new(at..between + length + 1, new);
            proposals.add_by_rule(edit, EditKind::Transposition, MENDED_COMMENT_COST - 1.0);
        }
        // Its last byte is lost or another one.
        _ if end - between <= 1 && at > span.start => {
            let edit = Edit::new(at..end, close);
            proposals.add_by_rule(edit, EditKind::Separator, MENDED_COMMENT_COST - 1.0);
        }
        _ => {}
    }
}

/// Begins the comment that ends at `end`: on its line, or before the lines above that begin with an asterisk.
///
/// A byte of the delimiter that is there is not added again.
fn begin(proposals: &mut Proposals<'_>, end: usize, open: &[u8]) {
    let text = proposals.text;
    let mut first = line(text, end);
    let is_inner = |row: &Range<usize>| text[row.clone()].trim_ascii_start().starts_with(b"*");
    while is_inner(&first) && first.start > 0 {
        first = line(text, first.start - 1);
    }
    let indent = text[first.clone()].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = first.start + indent;
    let rest = &text[start..first.end];
    // One of its bytes may be there.
    let left = usize::from(rest.first().is_some_and(|byte| open.contains(byte)));
    let edit = Edit::new(start..start + left, open);
    proposals.add_by_rule(edit, EditKind::Separator, MENDED_COMMENT_COST);
    if left == 0 && !rest.is_empty() {
        let edit = Edit::insert(start, [open, b" "].concat());
        proposals.add_by_rule(edit, EditKind::Separator, MENDED_COMMENT_COST + 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that the edits of a text make whose fault shows at its end.
    fn edited(text: &str) -> Vec<String> {
        super::super::super::testing::edited(text, text.len(), propose, 12)
    }

    const WHOLE: &str =
        "/* one two */\nint a;\n/*\n * three\n * four\n */\nint b;\n/* five */\nint c;\n";

    #[test]
    fn a_comment_with_another_one_in_it_is_closed_where_it_was() {
        for (old, new) in [
            ("one two */", "one * two/"),
            ("one two */", "one two * /"),
            ("one two */", "one two *"),
            ("one two */", "one two */".strip_suffix(" */").unwrap()),
            ("one two */", "one two /"),
            ("four\n */", "four\n *"),
            ("four\n */", "four\n * /"),
        ] {
            let text = WHOLE.replacen(old, new, 1);
            let found = edited(&text);
            assert!(found.contains(&WHOLE.to_owned()), "{new}: {found:#?}");
        }
    }

    #[test]
    fn an_end_without_a_beginning_gets_one() {
        for (old, new) in [("/* one", "* one"), ("/*\n", "/\n"), ("/* five", "five")] {
            let text = WHOLE.replacen(old, new, 1);
            let found = edited(&text);
            assert!(found.contains(&WHOLE.to_owned()), "{new}: {found:#?}");
        }
    }

    #[test]
    fn a_line_with_a_part_of_an_end_becomes_the_end() {
        let whole = "<!--\n * x\n y\n-->\n<r/>\n";
        for part in ["--", "->", "-"] {
            let text = whole.replacen("-->", part, 1);
            let found = edited(&text);
            assert!(found.contains(&whole.to_owned()), "{part}: {found:#?}");
        }
    }

    #[test]
    fn whole_comments_are_left_alone() {
        assert!(edited(WHOLE).is_empty());
        assert!(edited("a = \"/* no */\" /* of /* one line */ + 1\n").is_empty());
        assert!(edited("<r><!-- x --><a/></r>").is_empty());
    }
}
