//! Edits of brackets that nothing closes or opens, by the outline that indentation shows.

mod block_words;
mod code;
mod directives;
mod open_end;
mod outline;

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, closing_places, indent, line, trimmed_end};
pub(crate) use code::{closer, string_end};
use code::{code, opener};
pub(in crate::repair::located) use open_end::closing_all;
use outline::{closed_too_late, left_open, opens_block};

/// How much likelier an edit is that balances brackets (a logarithm), because texts are balanced and few
/// bytes make them so. Tuned on the eight languages of scripts/repair-languages; no table was kept.
const BALANCING_GAIN: f32 = 4.0;
/// How much likelier a closing bracket is at the end of the line of its opening one (a logarithm): a short text that
/// has no other bracket makes dropping it look likely. Not measured.
const OWN_LINE_GAIN: f32 = 2.5;
/// How much likelier a closing bracket is where the indented lines after its opening one end (a logarithm), because
/// the fault is often reported at the end of the text, and the distance to it costs up to 5. Not measured.
const BLOCK_GAIN: f32 = 6.0;
/// How much likelier a closing bracket is directly before the fault, on the line of its opening one (a logarithm),
/// because the fault is the first token that does not fit into the bracket. Not measured.
const BEFORE_FAULT_GAIN: f32 = 5.0;
/// How much likelier a closing bracket is on a blank line that it has probably left (a logarithm). Not measured.
const BLANK_LINE_GAIN: f32 = 2.0;
/// How much likelier a closing bracket is after a blank if a blank follows its opening one (a logarithm). Not measured.
const SPACED_GAIN: f32 = 1.0;
/// The cost of a closing bracket on a line of its own whose opening one has text after it on its line (a logarithm).
/// Not measured.
const ON_ITS_OWN_LINE_COST: f32 = 6.0;
/// Brackets without a partner that are mended: those closest to the fault, because each gives several
/// edits.
const MAX_BRACKETS: usize = 4;

/// Brackets outside strings and comments that have no partner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unmatched {
    /// Opening ones, the outermost first.
    pub openers: Vec<usize>,
    /// Closing ones, and where the bracket was opened that each closes by its place, if it is of
    /// another kind.
    pub closers: Vec<(usize, Option<usize>)>,
}

/// The brackets of a text that have no partner.
///
/// A closer that fits none of the three innermost openers is reported alone: then it is more likely
/// the wrong one than all of them are.
pub(crate) fn unmatched(text: &[u8]) -> Unmatched {
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut found = Unmatched::default();
    code(text, |at, byte| {
        if closer(byte).is_some() {
            open.push((at, byte));
        } else if let Some(wanted) = opener(byte) {
            match open.iter().rposition(|(_, other)| *other == wanted) {
                Some(index) if index + 1 == open.len() => {
                    open.pop();
                }
                // Brackets opened since are not closed, unless this closer is the wrong one.
                Some(index) if open.len() - index <= 3 => {
                    let top = open.last().map(|(at, _)| *at);
                    found.closers.push((at, top));
                    found.openers.extend(open[index + 1..].iter().map(|(at, _)| *at));
                    open.truncate(index);
                }
                _ => found.closers.push((at, open.last().map(|(at, _)| *at))),
            }
        }
    });
    found.openers.extend(open.iter().map(|(at, _)| *at));
    found.openers.sort_unstable();
    found
}

/// The text that closes the brackets that are open at the end of `text`.
///
/// A closer that does not fit the open brackets is passed over, so the result closes them if
/// that closer is dropped.
pub(crate) fn closing(text: &[u8]) -> Vec<u8> {
    let mut open = Vec::new();
    code(text, |_, byte| {
        if let Some(close) = closer(byte) {
            open.push(close);
        } else if opener(byte).is_some() && open.last() == Some(&byte) {
            open.pop();
        }
    });
    open.reverse();
    open
}

/// Adds edits that give a bracket without a partner one, or drop it.
///
/// Costs no test. Both lists are cut to the brackets nearest to the fault. A bracket that the
/// message names is edited too.
pub(crate) fn propose(proposals: &mut Proposals<'_>) {
    directives::propose(proposals);
    block_words::propose(proposals);
    let text = proposals.text;
    let Unmatched { mut openers, mut closers } = unmatched(text);
    let places = proposals.places();
    let far = |at: usize| places.iter().map(|place| place.abs_diff(at)).min().unwrap_or(at);
    let mut suspects = Vec::new();
    if !openers.is_empty() {
        suspects.extend(closed_too_late(text).filter(|at| !openers.contains(at)));
        suspects.extend(left_open(text).filter(|at| !openers.contains(at)));
        openers.extend(suspects.iter().copied());
    }
    openers.sort_by_key(|at| far(*at));
    closers.sort_by_key(|(at, _)| far(*at));
    openers.truncate(MAX_BRACKETS);
    closers.truncate(MAX_BRACKETS);
    // The message may name a bracket that the outline considers matched.
    for place in places {
        if text.get(place).is_some_and(|byte| closer(*byte).is_some()) && !openers.contains(&place)
        {
            openers.push(place);
        }
    }
    for at in openers {
        close(proposals, at);
        if suspects.contains(&at) {
            close_suspect(proposals, at);
        }
    }
    for (at, top) in closers {
        open(proposals, at, top);
    }
}

/// Adds closers for the opener at `at`.
///
/// It is proposed after each token of the opener's own line, where the indentation returns to that
/// of its line, at the end of the text, and at the fault. An opener that is too much, or of the
/// wrong kind, is dropped or replaced.
fn close(proposals: &mut Proposals<'_>, at: usize) {
    let text = proposals.text;
    let byte = text[at];
    let close = closer(byte).expect("only openers come here");
    proposals.add(Edit::delete(at..at + 1), EditKind::Separator, BALANCING_GAIN - 1.0);
    for other in [b'(', b'[', b'{'] {
        proposals.add(Edit::new(at..at + 1, [other]), EditKind::Separator, BALANCING_GAIN - 2.0);
    }
    let own = line(text, at);
    // On its own line, after each token.
    for place in at + 1..=trimmed_end(text, &own) {
        let is_edge = place == text.len() || !text[place].is_ascii_alphanumeric();
        if is_edge {
            proposals.add(Edit::insert(place, [close]), EditKind::Separator, BALANCING_GAIN);
        }
    }
    let is_block = opens_block(text, at, &own);
    for place in closing_places(text, &own).into_iter().filter(|place| *place > at && !is_block) {
        proposals.add_closing(Edit::insert(place, [close]), BALANCING_GAIN + OWN_LINE_GAIN);
        // `{ a: 1 ;` is closed after the blank, as it is opened before one.
        if text[place..].starts_with(b" ") && text[at + 1..].starts_with(b" ") {
            let gain = BALANCING_GAIN + OWN_LINE_GAIN + SPACED_GAIN;
            proposals.add_closing(Edit::insert(place + 1, [close]), gain);
        }
    }
    // Before the fault, which is the first token that does not fit.
    let before = text[..proposals.fault.at.min(text.len())].trim_ascii_end().len();
    if own.start <= before && before <= own.end && before > at {
        let is_spaced = text[before..].starts_with(b" ") && text[at + 1..].starts_with(b" ");
        let before = before + usize::from(is_spaced);
        proposals.add_closing(Edit::insert(before, [close]), BALANCING_GAIN + BEFORE_FAULT_GAIN);
    }
    let depth = indent(text, &own);
    let margin = text[own.start..own.start + depth].to_vec();
    let mut next = own.end + 1;
    let mut last_end = trimmed_end(text, &own);
    for _ in 0..2000 {
        if next >= text.len() {
            break;
        }
        let row = line(text, next);
        let is_blank = text[row.clone()].trim_ascii().is_empty();
        if is_blank && indent(text, &row) > 0 {
            // A line that has lost all but its indentation.
            proposals.add(Edit::insert(row.end, [close]), EditKind::Separator, BALANCING_GAIN);
        }
        if !is_blank && indent(text, &row) <= depth {
            let ends_line = trimmed_end(text, &own) == at + 1;
            // A bracket at its own indentation closes the block already.
            let first = text[row.start + indent(text, &row)];
            let is_closed = first == close && indent(text, &row) == depth;
            let are_blank = text[last_end..row.start].iter().filter(|b| **b == b'\n').count() > 1;
            let is_here = is_block && !is_closed && !are_blank;
            on_new_line(proposals, row.start, &margin, close, ends_line, is_here);
            if is_block && !is_closed && are_blank {
                // Directly after its last line, and not after the blank ones.
                let new = [b"\n", &margin[..], &[close]].concat();
                let gain = BALANCING_GAIN + BLOCK_GAIN;
                proposals.add_closing(Edit::insert(last_end, new), gain);
                // Of two blank lines, or one before a closing bracket, one has lost it.
                let blanks = &text[last_end..row.start];
                let lines = blanks.iter().filter(|byte| **byte == b'\n').count() - 1;
                let first = text[row.start + indent(text, &row)];
                if let Some(end) = memchr::memchr(b'\n', blanks)
                    && blanks[end + 1..].starts_with(b"\n")
                    && (lines > 1 || opener(first).is_some())
                {
                    let new = [&margin[..], &[close]].concat();
                    let edit = Edit::insert(last_end + end + 1, new);
                    proposals.add_closing(edit, gain + BLANK_LINE_GAIN);
                }
            }
            proposals.add(Edit::insert(last_end, [close]), EditKind::Separator, BALANCING_GAIN);
            let start = row.start + indent(text, &row);
            proposals.add(Edit::insert(start, [close]), EditKind::Separator, BALANCING_GAIN);
            let end = trimmed_end(text, &row);
            proposals.add(Edit::insert(end, [close]), EditKind::Separator, BALANCING_GAIN - 1.0);
            break;
        }
        if !is_blank {
            last_end = trimmed_end(text, &row);
        }
        next = row.end + 1;
    }
    let end = text.trim_ascii_end().len();
    proposals.add(Edit::insert(end, [close]), EditKind::Separator, BALANCING_GAIN);
    proposals.add(Edit::insert(end, [b'\n', close]), EditKind::Separator, BALANCING_GAIN);
    proposals.add(Edit::insert(proposals.fault.at, [close]), EditKind::Separator, BALANCING_GAIN);
}

/// Adds the closer of an opener that the outline shows to be open, where its line ends or its block does.
fn close_suspect(proposals: &mut Proposals<'_>, at: usize) {
    let text = proposals.text;
    let close = closer(text[at]).expect("only openers come here");
    let own = line(text, at);
    if opens_block(text, at, &own) {
        return;
    }
    let end = trimmed_end(text, &own);
    // `{ name` is closed as ` }`.
    let new = if text.get(at + 1) == Some(&b' ') { vec![b' ', close] } else { vec![close] };
    proposals
        .add_closing(Edit::insert(end, new), BALANCING_GAIN + OWN_LINE_GAIN + BEFORE_FAULT_GAIN);
}

/// Adds a closer on a line of its own before the line at `at`, indented by `margin`. That is likely if its opener
/// ends a line.
fn on_new_line(
    proposals: &mut Proposals<'_>,
    at: usize,
    margin: &[u8],
    close: u8,
    ends_line: bool,
    is_block: bool,
) {
    let new = [margin, &[close, b'\n']].concat();
    let gain = match (is_block, ends_line) {
        (true, _) => BALANCING_GAIN + BLOCK_GAIN,
        (_, true) => BALANCING_GAIN,
        _ => BALANCING_GAIN - ON_ITS_OWN_LINE_COST,
    };
    proposals.add_closing(Edit::insert(at, new), gain);
}

/// Adds openers for the closer at `at`, or makes it the closer of the innermost open bracket.
///
/// `top` is the offset of the innermost open bracket there. Openers are proposed at the tokens of
/// the closer's own line, and at the end of the line that the block belongs to by its indentation.
fn open(proposals: &mut Proposals<'_>, at: usize, top: Option<usize>) {
    let text = proposals.text;
    let wanted = opener(text[at]).expect("only closers come here");
    proposals.add(Edit::delete(at..at + 1), EditKind::Separator, BALANCING_GAIN - 1.0);
    if let Some(close) = top.and_then(|top| closer(text[top])) {
        // A bracket that is open inside lacks its end before this one.
        let before = text[..at].trim_ascii_end().len();
        proposals.add_closing(Edit::insert(before, [close]), BALANCING_GAIN + OWN_LINE_GAIN);
        proposals.add(Edit::new(at..at + 1, [close]), EditKind::Separator, BALANCING_GAIN);
    }
    let own = line(text, at);
    edges(text, own.start..at, |place| {
        proposals.add(Edit::insert(place, [wanted]), EditKind::Separator, BALANCING_GAIN);
    });
    // The block that it closes begins after a line that is indented as its own.
    let depth = indent(text, &own);
    let mut row = own;
    for _ in 0..2000 {
        let before = text[..row.start].trim_ascii_end().len();
        if before == 0 {
            break;
        }
        row = line(text, before - 1);
        if indent(text, &row) <= depth {
            let end = trimmed_end(text, &row);
            proposals.add(Edit::insert(end, [wanted]), EditKind::Separator, BALANCING_GAIN);
            proposals.add(Edit::insert(end, [b' ', wanted]), EditKind::Separator, BALANCING_GAIN);
            edges(text, row.start..end, |place| {
                proposals.add(
                    Edit::insert(place, [wanted]),
                    EditKind::Separator,
                    BALANCING_GAIN - 1.0,
                );
            });
            break;
        }
    }
}

/// The places of a span at which a token begins or ends.
///
/// Both ends of the span are among them. Bytes outside of ASCII count as tokens of their own.
fn edges(text: &[u8], span: Range<usize>, mut visit: impl FnMut(usize)) {
    for place in span.clone() {
        let is_inside = place > span.start
            && text[place].is_ascii_alphanumeric()
            && text[place - 1].is_ascii_alphanumeric();
        if !is_inside {
            visit(place);
        }
    }
    visit(span.end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_without_a_partner_are_found_outside_strings_and_comments() {
        let text = b"f(a, [b, c) # (\ng(\")\", '(')\nh)\n";
        let found = unmatched(text);
        assert_eq!(found.openers, [5]);
        assert_eq!(found.closers, [(10, Some(5)), (text.len() - 2, None)]);
    }

    #[test]
    fn what_is_open_is_closed_from_the_inside() {
        assert_eq!(closing(b"{\"a\": [1, (2"), b")]}");
        assert_eq!(closing(b"{\"a\": \"[\"}"), b"");
    }
}
