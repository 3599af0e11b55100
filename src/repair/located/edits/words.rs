//! Edits of words: one that is nowhere else in the text and nearly the same as another word was
//! probably that word.

pub(in crate::repair::located) mod keywords;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use keywords::{Keywords, is_keyword};
use seedsmith_grammar::internal::is_word;

/// How much likelier a known word is than what the model makes of its bytes (a logarithm), because the
/// model sees six bytes and not the word. Not measured.
const KNOWN_WORD_GAIN: f32 = 2.0;
/// The same for a word that is nowhere else in the text, on the fault's line, and nearly a word of many languages: more,
/// because few words are so. Not measured.
const STRANGE_WORD_GAIN: f32 = 8.0;
/// How much likelier it is where the message names the damaged word (a logarithm), because the validator
/// names it for a reason. As much as for what a message asks for; not measured.
const NAMED_WORD_GAIN: f32 = 4.0;
/// The cost of giving a rare word the spelling that the message names, besides its distance (a
/// logarithm, negative because such a word is likely wherever it is).
const MISSPELT_COST: f32 = -6.0;
/// The cost of a named word that a definition may have lost (a logarithm): low, because its line is unlike all other
/// lines. Not measured.
const LOST_WORD_COST: f32 = -6.0;
/// Words that a damaged one may have been, because the nearest come first. Not measured.
const MAX_NEAR_WORDS: usize = 6;
/// Places of a named word that are tried: those closest to the fault, because each gives all edits of a
/// word.
const MAX_PLACES: usize = 4;
/// Shorter words are no sign of what a word was, because a word of two bytes is one edit from hundreds.
pub(super) const MIN_WORD_BYTES: usize = 3;
/// Bytes around the fault whose rare words are tried: some lines. Not measured, a guess.
const REGION_BYTES: usize = 160;

/// Adds words that the words near the fault may have been.
///
/// Costs no test, and one pass over the words of the text. Words that the message names come with a
/// bonus, wherever they are; of the words near the fault only those that the text has at most twice
/// are edited.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let known = count(text);
    let mut spans: Vec<(Range<usize>, f32)> = Vec::new();
    for named in &proposals.fault.said.words {
        let named = named.as_slice().trim_ascii();
        let inner = named.iter().position(|byte| is_word(*byte)).unwrap_or(0);
        let named = &named[inner..];
        let length = named.iter().take_while(|byte| is_word(**byte)).count();
        if length < 2 {
            continue;
        }
        misspelt(proposals, &known, &named[..length]);
        let mut places: Vec<usize> = memchr::memmem::find_iter(text, &named[..length])
            .filter(|at| is_whole(text, *at..at + length))
            .collect();
        places.sort_by_key(|at| at.abs_diff(proposals.fault.at));
        let places = places.into_iter().take(MAX_PLACES);
        spans.extend(places.map(|at| (at..at + length, NAMED_WORD_GAIN)));
    }
    lost(proposals);
    made(proposals);
    let own_line = proposals.line(proposals.fault.at);
    for place in proposals.places() {
        let from = place.saturating_sub(REGION_BYTES);
        let until = text.len().min(place + REGION_BYTES / 2);
        spans.extend(words(text, from..until).map(|span| (span, 0.0)));
    }
    for (span, bonus) in spans {
        let word = &text[span.clone()];
        let times = known.get(word).copied().unwrap_or(0);
        if times > 2 && bonus == 0.0 {
            continue;
        }
        let is_only_here = times <= 1 && word.len() > 1 && own_line.contains(&span.start);
        let is_strange = is_only_here && !is_keyword(word);
        let all = near(word, &known, &proposals.keywords);
        // A word that the text has elsewhere is as likely as a keyword.
        let has_known = all.iter().any(|near| known.get(near).is_some_and(|times| *times > 1));
        for near in all {
            let is_keyword = proposals.keywords.has(near);
            let is_likely = is_keyword || has_known && known.contains_key(near);
            let gain = if is_strange && is_likely { STRANGE_WORD_GAIN } else { KNOWN_WORD_GAIN };
            let (edit, bonus) = (Edit::new(span.clone(), near), gain + bonus);
            if bonus > KNOWN_WORD_GAIN || is_keyword {
                proposals.add_known_word(edit, bonus);
            } else {
                proposals.add(edit, EditKind::Copy, bonus);
            }
        }
        for (whole, cost) in torn_from(word, &known, &proposals.keywords) {
            // A sign has taken the place of its end: `__u"` was `__u64`.
            let is_sign = |byte: &&u8| !is_word(**byte) && !byte.is_ascii_whitespace();
            if text.get(span.end).filter(is_sign).is_some() && whole.starts_with(word) {
                let edit = Edit::new(span.start..span.end + 1, whole);
                proposals.add(edit, EditKind::Copy, KNOWN_WORD_GAIN + bonus - cost);
            }
            proposals.add(
                Edit::new(span.clone(), whole),
                EditKind::Copy,
                KNOWN_WORD_GAIN + bonus - cost,
            );
        }
    }
}

/// Puts the named word in place of words that earlier edits have made: if a column gets the name of another one, the
/// validator misses its name later.
fn made(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for at in proposals.fault.said.made_at.iter().copied().filter(|at| *at < text.len()) {
        let own = at..at + text[at..].iter().take_while(|byte| is_word(**byte)).count();
        let is_name = |word: &&Vec<u8>| word.iter().all(|byte| is_word(*byte));
        for word in proposals.fault.said.words.iter().filter(is_name).filter(|_| !own.is_empty()) {
            let edit = Edit::new(own.clone(), word.clone());
            proposals.add_by_rule(edit, EditKind::Copy, LOST_WORD_COST - 4.0);
        }
    }
}

/// Adds the named word at the places where a definition may have lost it: before the first token there, in place of one
/// of two blanks if it has two.
fn lost(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for word in
        proposals.fault.said.words.iter().filter(|word| word.iter().all(|byte| is_word(*byte)))
    {
        for at in proposals.fault.said.lost_at.iter().copied().filter(|at| *at <= text.len()) {
            let is_spaced = text[..at].ends_with(b" ") && at >= 2;
            let indent = text[..at].iter().rev().take_while(|byte| **byte == b' ').count();
            // An indentation of one blank too many remains where a word was lost.
            if is_spaced && indent % 2 == 1 {
                proposals.add_by_rule(
                    Edit::insert(at - 1, word.clone()),
                    EditKind::Copy,
                    LOST_WORD_COST - 1.0,
                );
            }
            let own = at..at + text[at..].iter().take_while(|byte| is_word(**byte)).count();
            if is_near(&text[own.clone()], word) {
                let edit = Edit::new(own, word.clone());
                proposals.add_by_rule(edit, EditKind::Copy, LOST_WORD_COST - 2.0);
            }
            let spaced = [word.as_slice(), b" "].concat();
            proposals.add_by_rule(Edit::insert(at, spaced), EditKind::Copy, LOST_WORD_COST);
        }
    }
}

/// Adds the named word wherever the text has a rare word that is nearly the same: where it should have
/// been defined, for example, however far that is from where it is missed.
fn misspelt(proposals: &mut Proposals<'_>, known: &BTreeMap<&[u8], u32>, named: &[u8]) {
    let text = proposals.text;
    let cost =
        |other: &[u8]| if is_near(named, other) { Some(0.0) } else { torn(other, named, known) };
    let mut rare: Vec<(&[u8], f32)> = known
        .iter()
        .filter(|(_, times)| **times <= 2)
        .filter_map(|(other, _)| Some((*other, cost(other)?)))
        .collect();
    rare.sort_by(|left, right| left.1.total_cmp(&right.1));
    for (other, cost) in rare.into_iter().take(MAX_NEAR_WORDS) {
        let places = memchr::memmem::find_iter(text, other);
        for at in places.filter(|at| is_whole(text, *at..at + other.len())).take(2) {
            proposals.add_by_rule(
                Edit::new(at..at + other.len(), named),
                EditKind::Copy,
                MISSPELT_COST + cost,
            );
        }
    }
}

/// The words of a text that `word` may have been before a token tore it, the likeliest first, and how
/// unlikely each is.
fn torn_from<'w>(
    word: &[u8],
    known: &BTreeMap<&'w [u8], u32>,
    keywords: &Keywords,
) -> Vec<(&'w [u8], f32)> {
    let mut found: Vec<(&[u8], f32, u32)> = known
        .iter()
        .filter(|(whole, times)| **times > 1 && !is_near(word, whole))
        .filter_map(|(whole, times)| Some((*whole, torn(word, whole, known)?, *times)))
        .collect();
    // A word that most texts of its language have may be here alone.
    let is_rest = |whole: &[u8]| word.len() >= MIN_WORD_BYTES && whole.starts_with(word);
    let whole_again =
        |whole: &[u8]| torn(word, whole, known).filter(|cost| *cost == 0.0 || is_rest(whole));
    found.extend(keywords.all().filter_map(|whole| Some((whole, whole_again(whole)?, 1))));
    found.sort_by(|left, right| left.1.total_cmp(&right.1).then(right.2.cmp(&left.2)));
    found.dedup_by_key(|(whole, ..)| *whole);
    found.truncate(MAX_NEAR_WORDS);
    found.into_iter().map(|(whole, cost, _)| (whole, cost)).collect()
}

/// How unlikely it is that `word` was `whole` before a token tore it, as a logarithm; `None` if it cannot
/// have been.
fn torn(word: &[u8], whole: &[u8], known: &BTreeMap<&[u8], u32>) -> Option<f32> {
    if whole.len() < MIN_WORD_BYTES || word == whole {
        return None;
    }
    let is_token = |part: &[u8]| {
        part.iter().all(u8::is_ascii_digit)
            || part.len() > 1 && (known.contains_key(part) || is_keyword(part))
    };
    let prefix = word.iter().zip(whole).take_while(|(a, b)| a == b).count();
    let suffix = word.iter().rev().zip(whole.iter().rev()).take_while(|(a, b)| a == b).count();
    // A token was put into it.
    if word.len() > whole.len() && prefix + suffix >= whole.len() {
        let more = word.len() - whole.len();
        let places = whole.len() - suffix.min(whole.len())..=prefix;
        let is_whole = places.clone().any(|at| is_token(&word[at..at + more]));
        return Some(if is_whole { 0.0 } else { 3.0 });
    }
    // Its end is another token, or lost.
    if (2..=prefix).any(|at| at < word.len() && is_token(&word[at..])) {
        return Some(if prefix >= MIN_WORD_BYTES { 1.0 } else { 2.5 });
    }
    // Two bytes are left of many words.
    match prefix {
        _ if prefix < word.len() => None,
        2 => Some(3.0),
        _ => (prefix >= MIN_WORD_BYTES).then_some(2.0),
    }
}

/// Where a word that a message names is in a region, so that no other word touches it. Offsets in
/// ascending order.
pub(in crate::repair::located) fn whole<'t>(
    text: &'t [u8],
    region: Range<usize>,
    word: &'t [u8],
) -> impl Iterator<Item = usize> + 't {
    let start = region.start;
    let touches =
        move |at: usize, inner: u8| is_word(inner) && text.get(at).copied().is_some_and(is_word);
    memchr::memmem::find_iter(&text[region], word).map(move |at| start + at).filter(move |at| {
        let (Some(first), Some(last)) = (word.first(), word.last()) else { return false };
        let is_after_word = *at > 0 && touches(at - 1, *first);
        !is_after_word && !touches(at + word.len(), *last)
    })
}

/// How often each word is in a text.
///
/// Words of one byte are left out, because they say nothing about what a word was.
pub(super) fn count(text: &[u8]) -> BTreeMap<&[u8], u32> {
    let mut known: BTreeMap<&[u8], u32> = BTreeMap::new();
    for word in text.split(|byte| !is_word(*byte)).filter(|word| word.len() > 1) {
        *known.entry(word).or_default() += 1;
    }
    known
}

/// Whether a span is a word that no word byte touches.
///
/// Used for words that are found as bytes, which may be a part of a longer word.
pub(super) fn is_whole(text: &[u8], span: Range<usize>) -> bool {
    let before = span.start.checked_sub(1).map(|at| text[at]);
    let touches = |byte: Option<u8>| byte.is_some_and(is_word);
    !touches(before) && !touches(text.get(span.end).copied())
}

/// The words that begin in a region.
///
/// A word begins with a letter of ASCII, so numbers are none.
fn words(text: &[u8], region: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let begins = move |at: &usize| {
        is_word(text[*at]) && !(*at > 0 && is_word(text[at - 1])) && text[*at].is_ascii_alphabetic()
    };
    region
        .filter(begins)
        .map(move |at| at..at + text[at..].iter().take_while(|byte| is_word(**byte)).count())
}

/// Words one edit or one transposition away: those of the text by how often it has them, then
/// keywords.
fn near<'w>(word: &[u8], known: &BTreeMap<&'w [u8], u32>, keywords: &Keywords) -> Vec<&'w [u8]> {
    let mut found: Vec<(&[u8], u32)> = known
        .iter()
        .filter(|(other, _)| is_near(word, other))
        .map(|(other, times)| (*other, *times))
        .collect();
    found.sort_by_key(|(other, times)| (std::cmp::Reverse(*times), *other));
    found.truncate(MAX_NEAR_WORDS);
    let mut near: Vec<&[u8]> = found.into_iter().map(|(other, _)| other).collect();
    for other in keywords.all() {
        if is_near(word, other) && !near.contains(&other) {
            near.push(other);
        }
    }
    near
}

/// Whether two different words are one edit or one transposition apart. The edit adds, drops or
/// replaces a byte.
pub(in crate::repair::located) fn is_near(left: &[u8], right: &[u8]) -> bool {
    if left.len().abs_diff(right.len()) > 1 || left == right {
        return false;
    }
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[head..], &right[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&left[..left.len() - tail], &right[..right.len() - tail]) {
        ([_], [_] | []) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_near_by_one_edit_or_one_transposition() {
        for (left, right, expected) in [
            ("flase", "false", true),
            ("lnk", "link", true),
            ("lonk", "link", true),
            ("linkk", "link", true),
            ("link", "link", false),
            ("lni", "link", false),
            ("abcd", "badc", false),
        ] {
            assert_eq!(is_near(left.as_bytes(), right.as_bytes()), expected, "{left} {right}");
        }
    }

    #[test]
    fn a_word_that_a_token_has_torn_is_known_by_its_beginning() {
        let text = b"owner_ weight_ VALUES email_ quantity_ INTO";
        let known = count(text);
        for (word, whole, expected) in [
            ("weighVALUES", "weight_", Some(1.0)),
            ("quaemail_ntity_", "quantity_", Some(0.0)),
            ("owne9807", "owner_", Some(1.0)),
            ("paren43t_", "parent_", Some(0.0)),
            ("quanti", "quantity_", Some(2.0)),
            ("qu", "quantity_", Some(3.0)),
            ("email_", "owner_", None),
            ("owner_", "owner_", None),
        ] {
            assert_eq!(torn(word.as_bytes(), whole.as_bytes(), &known), expected, "{word}");
        }
    }
}
