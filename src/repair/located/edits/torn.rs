//! Edits of words that another token has torn: one was put into a word, took the place of its end, or
//! changed places with it.
//!
//! Damage rarely begins at the edge of a word. So a damaged word often has its beginning left, followed by
//! a token that the text has elsewhere too.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tokens::around;
use super::words::keywords::is_keyword;
use super::words::{MIN_WORD_BYTES, count};
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// Tokens before and after a place that are looked at, because a fault is mostly reported a token or more
/// after it. Not measured.
const TOKENS_BEFORE_AND_AFTER: (usize, usize) = (8, 4);
/// How much likelier it is that two halves of a known word belong together (a logarithm), because two
/// such halves are hardly side by side by chance. Not measured.
const JOINED_GAIN: f32 = 4.0;

/// Halves of a word of many languages are put together whatever is between them, if it has this many bytes, because
/// shorter ones are there by chance. Not measured.
const MIN_KEYWORD_BYTES: usize = 4;
/// The cost of putting two halves together that are a word which the message names (a logarithm): less than that of
/// another spelling of one half, because both halves are there. Not measured.
const JOINED_NAMED_COST: f32 = -25.0;

/// The cost of putting the two parts of a word together that the text has as a whole elsewhere, wherever they are
/// (a logarithm): low, because neither part is a word of the text. Not measured.
const PARTED_WORD_COST: f32 = -12.0;
/// Shorter words are not looked for in the whole text, because their parts are side by side by chance.
const MIN_PARTED_BYTES: usize = 6;
/// Parted words that are mended, the nearest to the fault, because each costs three tests.
const MAX_PARTED_WORDS: usize = 3;

/// Signs that follow a word or a number directly.
const SIGNS: &[u8] = b",;)(:.=]";

/// Adds edits that put halves of words together.
///
/// Costs no test, and one count of the words of the text.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let known = count(proposals.text);
    parted(proposals, &known);
    for place in proposals.places().into_iter().take(3) {
        let tokens = around(proposals.text, place, TOKENS_BEFORE_AND_AFTER);
        halves(proposals, &tokens, &known);
        overwritten(proposals, &tokens, &known);
    }
}

/// Puts two parts of a known word together that a sign parts, anywhere in the text: `Boundary)NotFound` was
/// `BoundaryNotFound)`. The fault is often reported where the expression begins, some lines before.
fn parted(proposals: &mut Proposals<'_>, known: &BTreeMap<&[u8], u32>) {
    let text = proposals.text;
    let is_only_here = |part: &[u8]| known.get(part).is_none_or(|times| *times == 1);
    let parts = |sign: &usize| {
        let before = text[..*sign].iter().rev().take_while(|byte| is_word(**byte)).count();
        let after = text[sign + 1..].iter().take_while(|byte| is_word(**byte)).count();
        let (first, second) = (&text[sign - before..*sign], &text[sign + 1..sign + 1 + after]);
        let is_word = before + after >= MIN_PARTED_BYTES && before > 0 && after > 0;
        let is_parted = is_word
            && is_only_here(first)
            && is_only_here(second)
            && known.contains_key([first, second].concat().as_slice());
        is_parted.then(|| (sign - before, [first, second].concat()))
    };
    let is_sign = |at: &usize| text[*at].is_ascii_punctuation() && !is_word(text[*at]);
    let mut found: Vec<(usize, usize, Vec<u8>)> = (0..text.len())
        .filter(is_sign)
        .filter_map(|sign| parts(&sign).map(|(start, whole)| (sign, start, whole)))
        .collect();
    found.sort_by_key(|(sign, ..)| sign.abs_diff(proposals.fault.at));
    for (sign, start, whole) in found.into_iter().take(MAX_PARTED_WORDS) {
        let (span, sign) = (start..start + whole.len() + 1, [text[sign]]);
        for (new, cost) in [
            ([whole.as_slice(), &sign].concat(), 0.0),
            (whole.clone(), 0.5),
            ([sign.as_slice(), &whole].concat(), 1.0),
        ] {
            let edit = Edit::new(span.clone(), new);
            proposals.add_by_rule(edit, EditKind::Transposition, PARTED_WORD_COST + cost);
        }
    }
}

/// Puts a sign in place of a known token that is glued to the end of another: `6080first_ 3808` was `6080, 3808`.
fn overwritten(
    proposals: &mut Proposals<'_>,
    tokens: &[Range<usize>],
    known: &BTreeMap<&[u8], u32>,
) {
    let text = proposals.text;
    for token in tokens.iter().filter(|one| is_word(text[one.start])) {
        let own = &text[token.clone()];
        let is_token =
            |part: &[u8]| known.get(part).is_some_and(|times| *times > 1) || is_keyword(part);
        for split in (1..own.len()).filter(|split| is_token(&own[*split..])) {
            for sign in SIGNS {
                let edit = Edit::new(token.start + split..token.end, [*sign]);
                // One edit, whatever the length of the token is.
                proposals.add(edit, EditKind::Copy, 0.0);
            }
        }
    }
}

/// Puts halves of a known word together that another token parts. That token is glued to the first
/// half (`IGNORINTO E`), or a single byte between the halves (`VAL( UES`); it comes after the
/// joined word.
fn halves(proposals: &mut Proposals<'_>, tokens: &[Range<usize>], known: &BTreeMap<&[u8], u32>) {
    let text = proposals.text;
    let keywords = proposals.keywords.clone();
    let is_known = |first: &[u8], second: &[u8]| {
        let word = [first, second].concat();
        let is_whole = known.contains_key(word.as_slice()) || keywords.has(&word);
        word.len() >= MIN_WORD_BYTES && is_whole
    };
    for (index, left) in tokens.iter().enumerate().filter(|(_, one)| is_word(text[one.start])) {
        let own = &text[left.clone()];
        // The other token is glued to the first half: `IGNORINTO E`.
        let next = tokens.get(index + 1).filter(|next| is_word(text[next.start]));
        if let Some(right) = next {
            let second = &text[right.clone()];
            let blanks = &text[left.end..right.start];
            for split in 1..own.len() {
                let (first, other) = own.split_at(split);
                let is_token = known.contains_key(other) || is_keyword(other);
                let joined = [first, second].concat();
                let is_halved = joined.len() >= MIN_KEYWORD_BYTES && keywords.has(&joined);
                if is_halved || is_token && is_known(first, second) {
                    let new = [first, second, blanks, other].concat();
                    let edit = Edit::new(left.start..right.end, new);
                    if proposals.fault.said.words.contains(&joined) {
                        let cost = JOINED_NAMED_COST;
                        proposals.add_by_rule(edit.clone(), EditKind::Transposition, cost);
                    }
                    proposals.add(edit, EditKind::Transposition, JOINED_GAIN);
                }
            }
        }
        // A sign has changed places with the second of two words: `first_VALUES )` was `first_) VALUES`.
        let next = tokens.get(index + 1).filter(|next| !is_word(text[next.start]));
        if let Some(sign) = next {
            let has = |part: &[u8]| known.contains_key(part) || is_keyword(part);
            for split in (1..own.len()).filter(|split| has(&own[..*split]) && has(&own[*split..])) {
                let (first, second) = own.split_at(split);
                let blanks = &text[left.end..sign.start];
                let new = [first, &text[sign.clone()], blanks, second].concat();
                let edit = Edit::new(left.start..sign.end, new);
                proposals.add(edit, EditKind::Transposition, JOINED_GAIN);
            }
        }
        // The other token is a single byte: `V(ARCHAR40`, `VAL( UES`.
        let Some(other) = tokens.get(index + 1).filter(|other| other.start == left.end) else {
            continue;
        };
        let Some(right) = tokens.get(index + 2).filter(|right| is_word(text[right.start])) else {
            continue;
        };
        let (separator, second) = (&text[other.clone()], &text[right.clone()]);
        let blanks = &text[other.end..right.start];
        for split in 1..=second.len() {
            let (end, rest) = second.split_at(split);
            if is_known(own, end) {
                let new = [own, end, blanks, separator, rest].concat();
                proposals.add(
                    Edit::new(left.start..right.end, new),
                    EditKind::Transposition,
                    JOINED_GAIN,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "INSERT OR IGNORE INTO t (owner_, weight_) VALUES (1, 2);\n";

    /// The texts that the edits of a text with its fault at `shows` make, the likeliest first.
    fn edited(text: &str, shows: &str) -> Vec<String> {
        super::super::testing::edited(text, text.rfind(shows).unwrap(), propose, 40)
    }

    #[test]
    fn a_sign_that_a_known_token_has_overwritten_comes_back() {
        let whole = ROWS.repeat(5);
        let rows = ROWS.repeat(4);
        let text = format!("{rows}{}", ROWS.replacen("(1, 2)", "(1owner_ 2)", 1));
        assert!(edited(&text, "1owner_").contains(&whole));
    }

    #[test]
    fn a_word_that_a_sign_parts_is_put_together_wherever_the_fault_shows() {
        let whole = "use NotFoundError\n\nfound = [\n  (NotFoundError)\n]\n";
        let text = whole.replace("Error)", ")Error");
        let found = super::super::testing::edited(&text, text.find('[').unwrap(), propose, 40);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn halves_of_a_known_word_are_put_together_again() {
        let rows = ROWS.repeat(4);
        for (damaged, shows) in
            [("IGNORINTO E t", "IGNORINTO"), ("IGNORE INTO t (owner_, weight_) VAL( UES1", "VAL")]
        {
            let whole = if shows == "VAL" {
                "IGNORE INTO t (owner_, weight_) VALUES (1"
            } else {
                "IGNORE INTO t"
            };
            let text = format!("{rows}{}", ROWS.replacen(whole, damaged, 1));
            assert!(edited(&text, shows).contains(&ROWS.repeat(5)), "{damaged}");
        }
    }
}
