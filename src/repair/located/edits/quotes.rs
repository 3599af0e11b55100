//! Edits of quotation marks that have no partner on their line. Values without marks, attributes, comments and longer
//! delimiters are in the files of the folder.

mod attributes;
mod comments;
mod long;
mod values;

use std::ops::Range;

use super::brackets::{closing, string_end};
use super::tags::has_tags;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, closing_places};
use seedsmith_grammar::internal::is_word;

/// How much likelier an edit is that pairs a quotation mark (a logarithm): a little less than balancing
/// brackets, because an apostrophe has no partner. Not measured.
const PAIRING_GAIN: f32 = 3.0;
/// How much likelier it is that the last mark of a line lacks its partner if it looks like one that opens (a
/// logarithm): more than what the model says against a mark that a short text has nowhere else. Not measured.
const OPENING_GAIN: f32 = 3.0;
/// The cost of escaping a quotation mark within a word, or of making typographic ones straight (a logarithm):
/// both are likely whatever the model says. Not measured.
const ESCAPED_COST: f32 = -3.0;
/// The cost of making two different quotation marks the usual ones of the text (a logarithm): low, because a line
/// has hardly one of each otherwise. Not measured.
const MIXED_PAIR_COST: f32 = -12.0;
/// Marks of longer lines are not paired, because such lines are data.
const MAX_LINE_BYTES: usize = 400;
/// Adds, replaces and drops quotation marks on lines that have an odd number of them. Costs no test.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for row in proposals.lines() {
        if row.len() > MAX_LINE_BYTES {
            continue;
        }
        for quote in [b'"', b'\'', b'`'] {
            let marks: Vec<usize> = row.clone().filter(|at| text[*at] == quote).collect();
            if marks.len().is_multiple_of(2) {
                continue;
            }
            let inner = marks.last().map_or_else(Vec::new, |mark| closing(&text[row.start..*mark]));
            let is_opening = marks.last().is_some_and(|mark| opens(text, *mark));
            let gain = PAIRING_GAIN + if is_opening { OPENING_GAIN } else { 0.0 };
            for place in closing_places(text, &row) {
                proposals.add_closing(Edit::insert(place, [quote]), gain);
                // A bracket before the string is open too, unless it is closed there.
                if !inner.is_empty() && !text[place..row.end].starts_with(&inner) {
                    let both = [&[quote], inner.as_slice()].concat();
                    proposals.add_closing(Edit::insert(place, both), gain);
                }
            }
            // The first word that ends after the mark is as likely the end of its string as the line is.
            let mut is_first = is_opening;
            for place in ends_of_words(text, &row) {
                let is_after = marks.last().is_some_and(|mark| *mark < place);
                let gain = if is_after && is_first { gain } else { PAIRING_GAIN };
                is_first &= !is_after;
                proposals.add_closing(Edit::insert(place, [quote]), gain);
            }
            within_words(proposals, &marks, quote);
            for place in row.start..=row.end {
                proposals.add(Edit::insert(place, [quote]), EditKind::Separator, PAIRING_GAIN);
            }
            for place in row.clone().filter(|at| text[*at] != quote) {
                let is_letter = text[place].is_ascii_alphanumeric();
                let bonus = if is_letter { 0.0 } else { PAIRING_GAIN };
                let edit = Edit::new(place..place + 1, [quote]);
                proposals.add(edit, EditKind::Separator, bonus);
            }
            let last = marks.last().copied().filter(|_| is_opening);
            for mark in marks {
                // One that looks like the beginning of a string is hardly too much.
                let gain = PAIRING_GAIN - if last == Some(mark) { OPENING_GAIN } else { 0.0 };
                proposals.add(Edit::delete(mark..mark + 1), EditKind::Separator, gain);
            }
        }
    }
    if !has_tags(text) {
        values::propose(proposals);
        long::close_far_lines(proposals);
    }
    attributes::propose(proposals);
    comments::propose(proposals);
    mixed_pair(proposals);
    typographic(proposals);
    backslash(proposals);
    for row in proposals.lines().into_iter().filter(|row| row.len() <= MAX_LINE_BYTES) {
        within_string(proposals, &row);
    }
    long::propose(proposals);
}

/// Whether a quotation mark looks like one that opens: after a blank or what parts or opens, and before a
/// word. A letter or two that say what kind of string it is may be between: `r'a'`.
fn opens(text: &[u8], mark: usize) -> bool {
    let prefix = text[..mark].iter().rev().take_while(|byte| is_word(**byte)).count();
    let is_kind = prefix <= 2 && text[mark - prefix..mark].iter().all(|b| b"rRbBfFuU".contains(b));
    let mark_or_prefix = mark - if is_kind { prefix } else { 0 };
    let before = mark_or_prefix.checked_sub(1).map(|at| text[at]);
    before.is_none_or(|byte| byte.is_ascii_whitespace() || b"=(,:[{".contains(&byte))
        && text.get(mark + 1).copied().is_some_and(is_word)
}

/// Where a word of the line ends before what parts or closes: a quotation mark is often lost there.
fn ends_of_words<'t>(text: &'t [u8], row: &Range<usize>) -> impl Iterator<Item = usize> + use<'t> {
    let is_end = |at: &usize| {
        is_word(text[at - 1]) && matches!(text[*at], b',' | b':' | b';' | b')' | b']' | b'}')
    };
    (row.start + 1..row.end).filter(is_end)
}

/// Doubles and escapes quotation marks that are within a word, as in `'it's'`.
///
/// Costs no test. `marks` are the places of `quote` on one line.
fn within_words(proposals: &mut Proposals<'_>, marks: &[usize], quote: u8) {
    let text = proposals.text;
    let is_word_at = |at: usize| text.get(at).copied().is_some_and(is_word);
    for at in marks.iter().copied().filter(|at| *at > 0 && is_word_at(at - 1) && is_word_at(at + 1))
    {
        // Two marks side by side are two strings in some languages, so that is the second choice.
        for (escape, cost) in [(b'\\', ESCAPED_COST - 1.0), (quote, ESCAPED_COST)] {
            let edit = Edit::insert(at, [escape]);
            proposals.add_by_rule(edit, EditKind::BadByte, cost);
        }
    }
}

/// Doubles the backslash at the fault: it was meant as itself.
///
/// Costs no test. Two bytes before the fault are looked at, because some validators report the byte after it.
fn backslash(proposals: &mut Proposals<'_>) {
    let at = proposals.fault.at;
    for at in at.saturating_sub(2)..proposals.text.len().min(at + 2) {
        if proposals.text[at] == b'\\' {
            let edit = Edit::insert(at, *b"\\");
            proposals.add_by_rule(edit, EditKind::BadByte, ESCAPED_COST);
        }
    }
}

/// Escapes the quotation marks within a string, as in `"he said "hi" to me"`: those after the first, up to one
/// that is followed by what parts or closes. A mark before or within the last word is put after it too.
///
/// Costs no test. `row` is a line; a string of several lines is left alone, because its marks are on other lines.
fn within_string(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let is_end = |at: usize| {
        let rest = text[at + 1..row.end].trim_ascii_start();
        rest.first().is_none_or(|byte| b",:;)]}>".contains(byte))
    };
    let mut at = row.start;
    while at < row.end {
        let quote = text[at];
        let end = matches!(quote, b'"' | b'\'').then(|| string_end(text, at)).flatten();
        let Some(end) = end else {
            at += 1;
            continue;
        };
        // A word right after a string: the quotation mark is hardly its end, unless it begins the next item.
        let before = text[at + 1..end - 1].trim_ascii_end().last();
        let begins_item = before.is_some_and(|byte| b",:=([{".contains(byte));
        if begins_item || !text.get(end).copied().is_some_and(is_word) {
            at = end;
            continue;
        }
        // A mark that was swapped with the word or the letter after it.
        let word = text[end..row.end].iter().take_while(|byte| is_word(**byte)).count();
        if is_end(end + word - 1) {
            let swapped = [&text[end..end + word], &[quote]].concat();
            let edit = Edit::new(end - 1..end + word, swapped);
            proposals.add_by_rule(edit, EditKind::Transposition, ESCAPED_COST);
        }
        let marks = || (end - 1..row.end).filter(|at| text[*at] == quote);
        let Some(last) = marks().find(|at| is_end(*at)) else { return };
        for escape in [b'\\', quote] {
            let mut new = Vec::new();
            for (byte, at) in text[end - 1..last].iter().zip(end - 1..) {
                new.extend((text[at] == quote).then_some(escape));
                new.push(*byte);
            }
            proposals.add_by_rule(Edit::new(end - 1..last, new), EditKind::BadByte, ESCAPED_COST);
        }
        at = last + 1;
    }
}

/// Makes a pair of the two kinds of quotation marks, of which the fault's line has one each: `'a"` becomes `"a"`.
///
/// Costs no test. A line with more of either kind has strings of its own, so it is left alone.
fn mixed_pair(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for row in proposals.lines().into_iter().filter(|row| row.len() <= MAX_LINE_BYTES) {
        let only = |quote: u8| {
            let mut marks = row.clone().filter(|at| text[*at] == quote);
            marks.next().filter(|_| marks.next().is_none())
        };
        let (Some(double), Some(single)) = (only(b'"'), only(b'\'')) else { continue };
        // The kind that the text has more often is the likelier one.
        let count = |quote: u8| text.iter().filter(|byte| **byte == quote).count();
        let doubles_are_usual = count(b'"') >= count(b'\'');
        for (at, quote, is_usual) in
            [(single, b'"', doubles_are_usual), (double, b'\'', !doubles_are_usual)]
        {
            let cost = if is_usual { MIXED_PAIR_COST } else { 0.0 };
            proposals.add_by_rule(Edit::new(at..at + 1, [quote]), EditKind::Separator, cost);
        }
    }
}

/// Puts straight quotation marks in place of all typographic ones, if the fault's line has one: a word
/// processor has replaced all of them.
fn typographic(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let row = proposals.line(proposals.fault.at.min(text.len()));
    let places = |span: Range<usize>| {
        span.filter(|at| matches!(text.get(*at..at + 3), Some([0xe2, 0x80, 0x98..=0x9f])))
    };
    if places(row).next().is_none() {
        return;
    }
    let (mut new, mut done) = (Vec::new(), usize::MAX);
    let mut end = 0;
    for at in places(0..text.len()) {
        done = done.min(at);
        new.extend_from_slice(&text[end.max(done)..at]);
        new.push(if text[at + 2] < 0x9c { b'\'' } else { b'"' });
        end = at + 3;
    }
    proposals.add_by_rule(Edit::new(done..end, new), EditKind::Copy, ESCAPED_COST);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that the first edits of a text with its fault at `shows` make.
    fn edited(text: &str, shows: &str) -> Vec<String> {
        super::super::testing::edited(text, text.find(shows).unwrap(), propose, 12)
    }

    #[test]
    fn quotation_marks_within_a_string_are_escaped_together() {
        let text = "{\"a\": \"he said \"hi\" to me\", \"b\": 2}";
        let wanted = text.replace("\"hi\"", "\\\"hi\\\"");
        assert!(edited(text, "hi").contains(&wanted));
    }

    #[test]
    fn a_mark_that_begins_the_next_item_is_not_within_the_string() {
        let whole = "{'one': (1, 2), 'two': 3}";
        let found = edited(&whole.replacen("'one'", "'one", 1), "one");
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
        assert!(!found.iter().any(|one| one.contains('\\')), "{found:#?}");
    }

    #[test]
    fn a_mark_that_was_swapped_with_the_last_word_of_its_string_is_swapped_again() {
        let whole = "all = [('one', 'a b'), ('two', 'it is fully compliant')]";
        let found = edited(&whole.replacen("compliant'", "'compliant", 1), "'two");
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn two_kinds_of_marks_become_the_kind_that_the_text_has_more_often() {
        let whole = "a = \"one\"\nb = \"two\"\nc = \"three\"\n";
        let text = whole.replacen("\"two\"", "'two\"", 1);
        assert_eq!(edited(&text, "'two")[0], whole);
    }

    #[test]
    fn a_string_and_the_bracket_around_it_are_closed_together() {
        let wanted = "print(\"one\")\nprint(\"two\")\n".to_owned();
        assert!(edited("print(\"one\nprint(\"two\")\n", "\"one").contains(&wanted));
    }
}
