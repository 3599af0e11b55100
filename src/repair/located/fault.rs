//! Where a text is faulty: by what the validator says, and where it says nothing, by its answers to
//! prefixes that are closed.

use std::collections::HashMap;
use std::ops::Range;

use super::definition::{suspects, suspects_of};
use super::edits::words::whole;
use super::edits::{brackets, tags};
use super::message::{self, Message};
use crate::repair::located::proposals::{Fault, line};
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::is_word;

/// Places of one named word in a region that are compared, because a comma can be there a thousand times.
const MAX_NAMED_PLACES: usize = 64;

/// The answer about a text.
pub(super) enum Look {
    /// It is valid.
    Valid,
    /// It is faulty here.
    Faulty(Box<Fault>),
    /// The validator crashed or took too long.
    Unresolved,
}

/// Asks the validator about a text. `from` is an offset up to which the text is known to be right.
///
/// Costs one test where the validator names a place, and about the logarithm of the number of lines
/// or tags where it doesn't.
pub(super) fn look(
    validator: &mut dyn Validate,
    text: &[u8],
    from: usize,
) -> Result<Look, Stopped> {
    let answer = validator.is_valid_or_says(text)?;
    match &answer {
        Answer::Valid => return Ok(Look::Valid),
        Answer::Unresolved => return Ok(Look::Unresolved),
        Answer::Invalid(_) => {}
    }
    let said = said(&answer, text);
    if let Some(at) = said.at {
        let fault = Fault { at, from: 0, said, is_silent: false };
        return Ok(Look::Faulty(Box::new(fault)));
    }
    let (good, bad) = bisect(validator, text, from)?;
    let (at, said) = within(text, good, bad, said);
    Ok(Look::Faulty(Box::new(Fault { at, from: good, said, is_silent: true })))
}

/// The message of an answer about a text.
///
/// An answer without a message gives an empty one, so that callers need no second case.
pub(super) fn said(answer: &Answer, text: &[u8]) -> Message {
    let Some(complaint) = answer.complaint() else { return Message::default() };
    Message { complaint: Some(complaint.clone()), ..message::read(complaint.text(), text) }
}

/// The place in a region that is known to be faulty: where a word of the message is, or the
/// region's end.
fn within(text: &[u8], good: usize, bad: usize, mut said: Message) -> (usize, Message) {
    let mut places: Vec<usize> =
        said.words.iter().flat_map(|word| rarest_first(text, good..bad, word)).take(4).collect();
    // A name that is missed here may be damaged in its definition.
    let first = |word: &Vec<u8>| whole(text, 0..good, word).next();
    let defined: Vec<usize> = said.words.iter().filter_map(first).take(2).collect();
    let at = if places.is_empty() { text[..bad].trim_ascii_end().len() } else { places.remove(0) };
    let missed = said.words.last().zip(said.owners.first());
    let lost_at = match missed {
        Some((word, owner)) => suspects(text, owner, word, good),
        None => said.words.last().map_or_else(Vec::new, |word| suspects_of(text, word, good..bad)),
    };
    said.others.clone_from(&lost_at);
    said.others.extend(places);
    said.others.extend(defined);
    said.lost_at = lost_at;
    if at.saturating_sub(good) > 200 {
        said.others.push(good);
    }
    (at.max(good), said)
}

/// Where a word that a message names is in a region, places between rare neighbours first: a comma after an opening
/// bracket is the one that is meant, and not one of those in a list.
fn rarest_first(text: &[u8], region: Range<usize>, word: &[u8]) -> Vec<usize> {
    let class = |at: Option<usize>| match at.and_then(|at| text.get(at)) {
        Some(byte) if byte.is_ascii_digit() => b'0',
        Some(byte) if is_word(*byte) => b'a',
        Some(byte) => *byte,
        None => b'\n',
    };
    let around = |at: usize| (class(at.checked_sub(1)), class(Some(at + word.len())));
    let mut places: Vec<usize> = whole(text, region, word).take(MAX_NAMED_PLACES).collect();
    if places.len() > 1 {
        let mut seen: HashMap<(u8, u8), u32> = HashMap::new();
        for at in whole(text, 0..text.len(), word) {
            *seen.entry(around(at)).or_default() += 1;
        }
        places.sort_by_key(|at| seen.get(&around(*at)).copied());
    }
    places
}

/// The last prefix that is valid once it is closed, as far as a bisection finds it, and the first
/// one after it that is not.
pub(super) fn bisect(
    validator: &mut dyn Validate,
    text: &[u8],
    from: usize,
) -> Result<(usize, usize), Stopped> {
    let cuts = cuts(text);
    let mut low = cuts.partition_point(|cut| *cut <= from);
    let mut high = cuts.len();
    let (mut good, mut bad) = (from, text.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if validator.is_valid(&closed(text, cuts[middle]))? {
            good = cuts[middle];
            low = middle + 1;
        } else {
            bad = cuts[middle];
            high = middle;
        }
    }
    Ok((good, bad))
}

/// The offset up to which a candidate has to be right to count as better, where the validator is
/// silent: the next cut after `bad`. Further on there may be another fault.
pub(super) fn probe(text: &[u8], bad: usize) -> usize {
    let cuts = cuts(text);
    let next = cuts.partition_point(|cut| *cut <= bad);
    cuts.get(next).copied().unwrap_or(text.len())
}

/// A prefix with all closed that it leaves open: tags in a text of tags, in any other brackets, comments
/// and strings of several lines, and conditions of the C preprocessor, after a comma at the end is dropped. With a `cut` at or after
/// the end the result is the text itself.
pub(super) fn closed(text: &[u8], cut: usize) -> Vec<u8> {
    let prefix = &text[..cut.min(text.len())];
    if cut >= text.len() {
        return prefix.to_vec();
    }
    if tags::has_tags(text) {
        return [prefix, &tags::closing(prefix)].concat();
    }
    let closing = brackets::closing_all(prefix);
    let kept = prefix.trim_ascii_end();
    // What follows a comma is cut off.
    let kept = if closing.is_empty() { prefix } else { kept.strip_suffix(b",").unwrap_or(kept) };
    [kept, &closing].concat()
}

/// Where a text may be cut, as ascending offsets before its end: before and after tags, or at the
/// ends of lines. If lines are parts of statements (many end in `;` and braces are few), only the
/// ends of statements count.
fn cuts(text: &[u8]) -> Vec<usize> {
    if tags::has_tags(text) {
        let (tags, stray) = tags::tags(text);
        let mut cuts: Vec<usize> =
            tags.iter().flat_map(|tag| [tag.span.start, tag.span.end]).collect();
        cuts.extend(stray);
        cuts.sort_unstable();
        cuts.dedup();
        cuts.retain(|cut| *cut > 0 && *cut < text.len());
        return cuts;
    }
    let ends_statement = |line: &[u8]| line.trim_ascii_end().ends_with(b";");
    let mut ends = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let row = line(text, at);
        ends.push((row.end, ends_statement(&text[row.clone()])));
        at = row.end + 1;
    }
    // Lines are parts of statements where many of them end in one.
    let statements = ends.iter().filter(|(_, ends)| *ends).count();
    let of_statements = statements > 2 && brackets_are_flat(text, &ends);
    ends.iter()
        .filter(|(end, ends)| (*ends || !of_statements) && *end < text.len())
        .map(|(end, _)| *end)
        .collect()
}

/// Whether statements are not nested in blocks: one brace in ten lines at most. Then a prefix that
/// ends with a statement is a whole text.
fn brackets_are_flat(text: &[u8], lines: &[(usize, bool)]) -> bool {
    text.iter().filter(|byte| **byte == b'{').count() * 10 <= lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    #[test]
    fn a_silent_validator_shows_the_place_by_its_answers_to_closed_prefixes() {
        let text = b"<r>\n<a>one</a>\n<b>two & x</b>\n<c>three</c>\n</r>";
        // A text is valid if it has no `&` and as many end tags as start tags.
        let is_valid = |bytes: &[u8]| {
            let (tags, stray) = tags::tags(bytes);
            let ends = tags.iter().filter(|tag| tag.is_end).count();
            !bytes.contains(&b'&') && stray.is_empty() && ends * 2 == tags.len()
        };
        let mut validator = InPlace::new(is_valid, Budget::default());
        let Look::Faulty(fault) = look(&mut validator, text, 0).unwrap() else { panic!() };
        assert_eq!(&text[fault.from..fault.at], b"two & x");
    }

    #[test]
    fn of_several_places_of_a_named_sign_the_one_with_rare_neighbours_is_first() {
        let text =
            b"put (a, b, c) (1, 2, 3);\nput (a, b, c) (4, 5, 6);\nput (a, b, c) (,7 8, 9);\n";
        let last = text.len() - 25..text.len();
        let first = rarest_first(text, last, b",")[0];
        assert!(text[first..].starts_with(b",7 8"));
    }

    #[test]
    fn a_word_of_a_message_without_a_place_is_looked_for_in_the_faulty_statement() {
        let text = b"SELECT a FROM b;\nSELECT c FROM d;\nSELECT e FORM f;\nSELECT g FROM h;\n";
        let is_valid = |bytes: &[u8]| match memchr::memmem::find(bytes, b"FORM") {
            Some(_) => Err("near \"FORM\": syntax error".to_owned()),
            None => Ok(()),
        };
        let mut validator = InPlace::new(is_valid, Budget::default());
        let Look::Faulty(fault) = look(&mut validator, text, 0).unwrap() else { panic!() };
        assert!(text[fault.at..].starts_with(b"FORM"));
    }
}
