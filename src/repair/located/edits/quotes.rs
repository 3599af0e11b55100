//! Edits of quotation marks that have no partner on their line, and of longer delimiters that lack
//! a byte.

mod comments;

use std::ops::Range;

use super::brackets::{closing, string_end};
use super::tags::has_tags;
use super::words::is_near;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, closing_places, trimmed_end};
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
/// The cost of putting a value into quotation marks (a logarithm). Not measured.
const QUOTED_VALUE_COST: f32 = -1.0;
/// The same for a value that is nearly `true`, a date or another literal: more than that of mending the literal. Not
/// measured.
const QUOTED_LITERAL_COST: f32 = 8.0;
/// The cost of making two different quotation marks the usual ones of the text (a logarithm): low, because a line
/// has hardly one of each otherwise. Not measured.
const MIXED_PAIR_COST: f32 = -12.0;
/// Lines with an odd number of quotation marks that a text may have so that each of them is closed wherever the fault
/// is: more are apostrophes, or strings of several lines.
const MAX_ODD_LINES: usize = 2;
/// The cost of closing one of them (a logarithm): low, because the distance to the report costs up to 15. Not measured.
const FAR_LINE_COST: f32 = -10.0;
/// Strings of several lines that are closed, the nearest before the fault. Not measured.
const MAX_BLOCKS: usize = 8;
/// Marks of longer lines are not paired, because such lines are data.
const MAX_LINE_BYTES: usize = 400;
/// Values without quotation marks in many formats.
const LITERALS: [&[u8]; 7] = [b"true", b"false", b"null", b"True", b"False", b"None", b"nil"];
/// Delimiters of several bytes that end comments and strings of many lines.
const LONG: [&[u8]; 6] = [b"*/", b"-->", b"\"\"\"", b"'''", b"]]>", b"?>"];
/// Bytes after a fault in which a damaged delimiter is looked for, because a comment that does not end is
/// reported where it begins.
const REGION_BYTES_AFTER: usize = 16_000;
/// The same before it: less, because the next delimiter of the same kind ends the string. Not measured.
const REGION_BYTES_BEFORE: usize = 6_000;
/// Remnants of one delimiter that are made whole, on either side of a place. Not measured.
const MAX_REMNANTS: usize = 12;

/// Adds, replaces and drops quotation marks on lines that have an odd number of them, and makes
/// longer delimiters (`"""`, `-->`) whole. Costs no test.
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
        quoted_value(proposals);
        quoted_word(proposals);
        far_lines(proposals);
    }
    comments::propose(proposals);
    mixed_pair(proposals);
    typographic(proposals);
    backslash(proposals);
    for row in proposals.lines().into_iter().filter(|row| row.len() <= MAX_LINE_BYTES) {
        within_string(proposals, &row);
    }
    for delimiter in [b"\"\"\"", b"'''"] {
        unclosed_block(proposals, delimiter);
    }
    for place in proposals.places() {
        for delimiter in LONG {
            nearly(proposals, place, delimiter);
        }
    }
}

/// Closes strings on lines far from the fault, if few lines of the text have an odd number of quotation marks: a
/// string of several lines is often reported at the end of the text.
fn far_lines(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let near = proposals.lines();
    for quote in [b'"', b'\''] {
        let (mut odd, mut start) = (Vec::new(), 0);
        for own in text.split(|byte| *byte == b'\n') {
            let row = start..start + own.len();
            start = row.end + 1;
            let marks = row.clone().filter(|at| text[*at] == quote);
            let (count, last) = marks.fold((0, 0), |(count, _), at| (count + 1, at));
            if count % 2 == 1 && row.len() <= MAX_LINE_BYTES {
                odd.push((row, last));
            }
            if odd.len() > MAX_ODD_LINES {
                break;
            }
        }
        if odd.len() > MAX_ODD_LINES {
            continue;
        }
        let is_far = |row: &Range<usize>| !near.contains(row);
        for (row, _) in odd.into_iter().filter(|(row, last)| is_far(row) && opens(text, *last)) {
            for place in closing_places(text, &row) {
                let edit = Edit::insert(place, [quote]);
                proposals.add_by_rule(edit, EditKind::Separator, FAR_LINE_COST);
            }
        }
    }
}

/// Whether a quotation mark looks like one that opens: after a blank or what parts or opens, and before a
/// word.
fn opens(text: &[u8], mark: usize) -> bool {
    let before = mark.checked_sub(1).map(|at| text[at]);
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
/// that is followed by what parts or closes.
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

/// Closes a string of several lines at the end of the line on which it begins, where the text has an odd number
/// of its delimiters: those nearest before the fault.
fn unclosed_block(proposals: &mut Proposals<'_>, delimiter: &[u8]) {
    let text = proposals.text;
    let all: Vec<usize> = memchr::memmem::find_iter(text, delimiter).collect();
    if all.len().is_multiple_of(2) {
        return;
    }
    let until = proposals.line(proposals.fault.at.min(text.len())).end;
    for start in all.iter().rev().copied().filter(|at| *at <= until).take(MAX_BLOCKS) {
        let row = proposals.line(start);
        let end = trimmed_end(text, &row);
        let has_other = all.iter().any(|at| row.contains(at) && *at != start);
        if !has_other && end > start + delimiter.len() {
            proposals.add_closing(Edit::insert(end, delimiter), PAIRING_GAIN);
        }
    }
}

/// Puts the value on the fault's line into quotation marks: what comes after the first `=` or `: `, up to the
/// end of the line, if it has no quotation mark.
fn quoted_value(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let row = proposals.line(proposals.fault.at.min(text.len()));
    let own = &text[row.clone()];
    let ends_key = |at: &usize| own[*at] == b'=' || own[*at..].starts_with(b": ");
    let Some(key) = (0..own.len()).find(ends_key) else { return };
    let value = own[key + 1..].trim_ascii();
    let value = value.strip_suffix(b",").unwrap_or(value);
    let has_mark =
        value.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'{' | b'[' | b'('));
    if value.is_empty() || has_mark || row.len() > MAX_LINE_BYTES {
        return;
    }
    let start =
        row.start + key + 1 + own[key + 1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let edit = Edit::new(start..start + value.len(), [b"\"", value, b"\""].concat());
    let is_literal = value[0].is_ascii_digit() || LITERALS.iter().any(|one| is_near(value, one));
    let cost = if is_literal { QUOTED_LITERAL_COST } else { QUOTED_VALUE_COST };
    proposals.add_by_rule(edit, EditKind::Separator, cost);
}

/// Puts the word at the fault into quotation marks, if a value in such marks begins after the same two bytes elsewhere:
/// `"user": cat,` among `"user": "ann",`.
fn quoted_word(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let at = proposals.fault.at.min(text.len());
    for place in [at, at.saturating_sub(1)] {
        let before = text[..place].iter().rev().take_while(|byte| is_word(**byte)).count();
        let start = place - before;
        let end = start + text[start..].iter().take_while(|byte| is_word(**byte)).count();
        let word = &text[start..end];
        let is_literal = LITERALS.iter().any(|one| is_near(word, one));
        if start < 2 || word.is_empty() || word[0].is_ascii_digit() || is_literal {
            continue;
        }
        for quote in [b'"', b'\''] {
            let beginning = [&text[start - 2..start], &[quote]].concat();
            let is_separated = b":=,([".contains(&beginning[0]) && beginning[1] == b' ';
            if is_separated && memchr::memmem::find(text, &beginning).is_some() {
                let edit = Edit::new(start..end, [&[quote], word, &[quote]].concat());
                proposals.add_by_rule(edit, EditKind::Separator, QUOTED_VALUE_COST - 5.0);
            }
        }
    }
}

/// Makes a pair of the two kinds of quotation marks, of which the fault's line has one each: `'a"` becomes `"a"`.
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

/// Adds edits that make a delimiter whole which has lost a byte. Its remnant is looked for
/// on both sides of `place`; only delimiters that the text has elsewhere are tried, and the end of a comment
/// that begins at `place`.
fn nearly(proposals: &mut Proposals<'_>, place: usize, delimiter: &[u8]) {
    let text = proposals.text;
    if memchr::memmem::find(text, delimiter).is_none() && !text[place..].starts_with(b"/*") {
        return;
    }
    let until = text.len().min(place + REGION_BYTES_AFTER);
    let from = place.saturating_sub(REGION_BYTES_BEFORE);
    for lost in 0..delimiter.len() {
        let rest: Vec<u8> = [&delimiter[..lost], &delimiter[lost + 1..]].concat();
        let after = memchr::memmem::find_iter(&text[place..until], &rest).take(MAX_REMNANTS);
        // The end of a string that does not end is before the place: another one has ended it.
        let before = memchr::memmem::rfind_iter(&text[from..place], &rest).take(MAX_REMNANTS);
        for at in after.map(|at| place + at).chain(before.map(|at| from + at)) {
            // A whole one is no damaged one.
            let around = &text[at.saturating_sub(1)..text.len().min(at + delimiter.len() + 1)];
            if memchr::memmem::find(around, delimiter).is_some() {
                continue;
            }
            let edit = Edit::new(at..at + rest.len(), delimiter);
            let is_long = rest.len() > 1;
            proposals.add(
                edit,
                EditKind::Separator,
                PAIRING_GAIN + if is_long { 6.0 } else { 2.0 },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_line_with_an_odd_number_of_marks_is_closed_wherever_the_fault_is() {
        let whole = "a \"one\"\nb \"two\"\n}\nc \"three\"\nd\ne\nf\ng\n";
        let text = whole.replace("two\"", "two");
        let found = super::super::testing::edited(&text, text.len() - 2, propose, 3);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

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

    #[test]
    fn a_string_of_several_lines_is_closed_on_its_first_line() {
        let whole = "def f():\n    \"\"\"One.\"\"\"\n    return 1\n\ndef g():\n    \"\"\"Two.\"\"\"\n    return 2\n";
        let text = whole.replacen("One.\"\"\"", "One.", 1);
        assert!(edited(&text, "Two").contains(&whole.to_owned()));
    }
}
