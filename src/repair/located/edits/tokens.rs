//! Edits of whole tokens and lines near the fault: drop, swap, join.

use std::collections::HashMap;
use std::ops::Range;

use super::words::keywords::is_keyword;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// Tokens before the fault that are edited, because a fault is mostly reported at the token after it or
/// some tokens later. Not measured.
const TOKENS_BEFORE: usize = 8;
/// Tokens after the fault that are edited: fewer, because messages rarely name a place before the fault.
/// Not measured.
const TOKENS_AFTER: usize = 5;
/// How much likelier it is that a token which is there twice was doubled (a logarithm): more than any
/// cost of dropping a line, so that it comes first.
const DOUBLED_GAIN: f32 = 30.0;
/// How much likelier it is that a token was added than a line (a logarithm), because dropping a token
/// loses less.
const TOKEN_OVER_LINE_GAIN: f32 = 8.0;
/// The cost of dropping zeros at the beginning of a number (a logarithm): less than that of swapping two digits.
/// Not measured.
const LEADING_ZEROS_COST: f32 = -3.0;
/// The cost of a zero before a single digit of a date or a time (a logarithm): low, because the other parts have two
/// digits. Not measured.
const LOST_ZERO_COST: f32 = -8.0;
/// Longer words are not searched for other words within them, because that takes the square of the length.
const MAX_MIXED_BYTES: usize = 40;
/// Lines that are dropped together, because longer spans are dropped by `dropping`. Not measured.
const MAX_LINES: usize = 6;

/// Adds edits that drop and swap tokens and lines.
///
/// Costs no test. Tokens around each place of the fault are edited, then whole lines.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    for (index, place) in proposals.places().into_iter().enumerate() {
        let reach = if index == 0 { (TOKENS_BEFORE, TOKENS_AFTER) } else { (2, 2) };
        let tokens = around(proposals.text, place, reach);
        drop_tokens(proposals, &tokens);
        drop_known(proposals, &tokens);
        leading_zeros(proposals, &tokens);
        lost_zeros(proposals, place);
        swap(proposals, &tokens);
        drop_lines(proposals, place);
    }
}

/// The tokens around a place: words, and other bytes one by one; blanks are between tokens.
///
/// Offsets into the text, in order. `before` and `after` are numbers of tokens.
pub(super) fn around(
    text: &[u8],
    place: usize,
    (before, after): (usize, usize),
) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = place.min(text.len());
    at -= text[..at].iter().rev().take_while(|byte| is_word(**byte)).count();
    let middle = at;
    for _ in 0..before {
        let end = text[..at].trim_ascii_end().len();
        if end == 0 {
            break;
        }
        let word = text[..end].iter().rev().take_while(|byte| is_word(**byte)).count();
        at = end - word.max(1);
        tokens.push(at..end);
    }
    tokens.reverse();
    at = middle;
    for _ in 0..after {
        at += text[at..].len() - text[at..].trim_ascii_start().len();
        if at >= text.len() {
            break;
        }
        let word = text[at..].iter().take_while(|byte| is_word(**byte)).count();
        tokens.push(at..at + word.max(1));
        at += word.max(1);
    }
    tokens
}

/// Adds edits that drop a token, with the blanks after it, or with up to five tokens after it. A
/// token or a pair of tokens that is there twice in a row comes first.
fn drop_tokens(proposals: &mut Proposals<'_>, tokens: &[Range<usize>]) {
    let text = proposals.text;
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        let is_double = next.is_some_and(|next| text[next.clone()] == text[token.clone()]);
        let bonus = if is_double { DOUBLED_GAIN } else { TOKEN_OVER_LINE_GAIN };
        proposals.add(Edit::delete(token.clone()), EditKind::Deletion, bonus);
        if let Some(next) = next {
            // With the blanks after it.
            proposals.add(Edit::delete(token.start..next.start), EditKind::Deletion, bonus);
        }
        // Several tokens, up to the one at which it can be read again.
        for last in tokens.iter().skip(index + 1).take(5) {
            proposals.add(
                Edit::delete(token.start..last.end),
                EditKind::Deletion,
                TOKEN_OVER_LINE_GAIN - 3.0,
            );
        }
        // Two tokens that are there twice, such as `the = the =`.
        if let (Some(third), Some(fourth)) = (tokens.get(index + 2), tokens.get(index + 3)) {
            let next = next.expect("there are two after it");
            if text[token.clone()] == text[third.clone()]
                && text[next.clone()] == text[fourth.clone()]
            {
                proposals.add(
                    Edit::delete(token.start..third.start),
                    EditKind::Deletion,
                    DOUBLED_GAIN,
                );
            }
        }
    }
}

/// Adds edits that swap two neighbouring tokens, or two with one between them. The blanks stay
/// where they are.
fn swap(proposals: &mut Proposals<'_>, tokens: &[Range<usize>]) {
    let text = proposals.text;
    for pair in tokens.windows(2) {
        let (left, right) = (pair[0].clone(), pair[1].clone());
        let between = &text[left.end..right.start];
        let swapped = [&text[right.clone()], between, &text[left.clone()]].concat();
        proposals.add(Edit::new(left.start..right.end, swapped), EditKind::Transposition, 1.0);
    }
    for three in tokens.windows(3) {
        let (left, right) = (three[0].clone(), three[2].clone());
        let between = &text[left.end..right.start];
        let swapped = [&text[right.clone()], between, &text[left.clone()]].concat();
        proposals.add(Edit::new(left.start..right.end, swapped), EditKind::Transposition, 0.0);
    }
}

/// Adds edits that drop the zeros at the beginning of a number, which many languages do not allow.
fn leading_zeros(proposals: &mut Proposals<'_>, tokens: &[Range<usize>]) {
    let text = proposals.text;
    for token in tokens {
        let own = &text[token.clone()];
        let zeros = own.iter().take_while(|byte| **byte == b'0').count();
        if zeros > 0 && zeros < own.len() && own.iter().all(u8::is_ascii_digit) {
            let edit = Edit::delete(token.start..token.start + zeros);
            proposals.add_by_rule(edit, EditKind::BadByte, LEADING_ZEROS_COST);
        }
    }
}

/// Adds zeros before single digits of dates and times near the place, as in `1979-5-27`: parts of two digits are the
/// rule there.
fn lost_zeros(proposals: &mut Proposals<'_>, place: usize) {
    let text = proposals.text;
    let row = proposals.line(place);
    let is_part = |at: usize| matches!(text[at], b'-' | b':' | b'T');
    let is_digit = |at: usize| at < row.end && text[at].is_ascii_digit();
    for at in row.clone().filter(|at| is_digit(*at)) {
        let is_alone = at > row.start && is_part(at - 1) && !is_digit(at + 1);
        let follows_digit = at > row.start + 1 && text[at - 2].is_ascii_digit();
        let parts = row.clone().filter(|at| is_part(*at)).count();
        if is_alone && follows_digit && parts > 1 {
            proposals.add_by_rule(Edit::insert(at, *b"0"), EditKind::Letter, LOST_ZERO_COST);
        }
    }
}

/// Adds edits that drop tokens which the text has elsewhere too, whole ones and ones that are glued
/// to another: damage puts known tokens into a text rather than unknown ones.
fn drop_known(proposals: &mut Proposals<'_>, tokens: &[Range<usize>]) {
    let text = proposals.text;
    let mut known: HashMap<&[u8], u32> = HashMap::new();
    for token in text.split(|byte| !is_word(*byte)).filter(|token| !token.is_empty()) {
        *known.entry(token).or_default() += 1;
    }
    let count = known.len();
    for token in tokens {
        let own = &text[token.clone()];
        if !is_word(own[0]) {
            continue;
        }
        if known.get(own).copied().unwrap_or(0) > 1 {
            proposals.add_drop_of_known(Edit::delete(token.clone()), count);
        }
        // A token within another one that is no word of the text: `9INTO5`.
        let is_mixed = known.get(own) == Some(&1) && own.len() <= MAX_MIXED_BYTES;
        for start in (1..own.len()).filter(|_| is_mixed) {
            for end in start + 2..own.len() {
                if known.contains_key(&own[start..end]) || is_keyword(&own[start..end]) {
                    let inner = token.start + start..token.start + end;
                    proposals.add_drop_of_known(Edit::delete(inner), count);
                }
            }
        }
        for split in 1..own.len() {
            let (first, second) = own.split_at(split);
            let has = |part: &[u8]| part.len() > 1 && known.contains_key(part) || is_keyword(part);
            if has(first) {
                proposals.add_drop_of_known(Edit::delete(token.start..token.start + split), count);
            }
            if has(second) {
                proposals.add_drop_of_known(Edit::delete(token.start + split..token.end), count);
            }
        }
    }
}

/// Drops the line of a place, alone and with lines before and after it, and what follows the place
/// on it.
fn drop_lines(proposals: &mut Proposals<'_>, place: usize) {
    let text = proposals.text;
    let own = proposals.line(place);
    proposals.add(Edit::delete(place.min(own.end)..own.end), EditKind::Deletion, 2.0);
    let mut end = own.end;
    for _ in 0..MAX_LINES {
        proposals.add(Edit::delete(own.start..text.len().min(end + 1)), EditKind::Deletion, 0.0);
        if end >= text.len() {
            break;
        }
        end = proposals.line(end + 1).end;
    }
    let mut start = own.start;
    for _ in 0..MAX_LINES {
        if start == 0 {
            break;
        }
        start = proposals.line(start - 1).start;
        proposals.add(Edit::delete(start..text.len().min(own.end + 1)), EditKind::Deletion, -0.5);
        proposals.add(Edit::delete(start..own.start), EditKind::Deletion, -0.5);
    }
}
