//! Runs of tokens: a few words and signs one after the other, as they are in a text.
//!
//! Where a format has no brackets around its clauses (SQL, and most languages), such a run is what a clause is made of.

use std::ops::Range;

use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_word;

/// Tokens of a run at most. A guess, not measured.
const MAX_TOKENS: usize = 8;

/// Whether a token may begin or end at a place: it is not within a word.
fn is_bound(text: &[u8], at: usize) -> bool {
    at == 0 || at >= text.len() || !(is_word(text[at - 1]) && is_word(text[at]))
}

/// The first bound after a place.
fn bound_after(text: &[u8], at: usize) -> usize {
    (at + 1..text.len()).find(|at| is_bound(text, *at)).unwrap_or(text.len())
}

/// A run of `least` tokens or a few more; blanks count too.
///
/// It begins with the token at a random place.
fn run(text: &[u8], least: usize, random: &mut Random) -> Range<usize> {
    let at = random.below(text.len() + 1);
    let start = (0..=at).rev().find(|at| is_bound(text, *at)).unwrap_or(0);
    let count = least + random.below(MAX_TOKENS);
    start..(0..count).fold(start, |end, _| bound_after(text, end))
}

/// Leaves a run of tokens out; whether that leaves something.
pub(super) fn erase(text: &mut Vec<u8>, random: &mut Random) -> bool {
    let span = run(text, 1, random);
    let fits = !span.is_empty() && span.len() < text.len();
    if fits {
        text.drain(span);
    }
    fits
}

/// Puts a run of tokens of another text in the place of a run, or between two tokens; whether that was possible.
///
/// Words that would become one get a blank between them.
pub(super) fn splice(text: &mut Vec<u8>, from: &[u8], limit: usize, random: &mut Random) -> bool {
    let part = run(from, 1, random);
    let mut place = run(text, 0, random);
    if random.below(2) == 0 {
        place.end = place.start;
    }
    let joins = |left: Option<&u8>, right: Option<&u8>| {
        left.is_some_and(|byte| is_word(*byte)) && right.is_some_and(|byte| is_word(*byte))
    };
    let mut new = Vec::with_capacity(part.len() + 2);
    if joins(text[..place.start].last(), from[part.clone()].first()) {
        new.push(b' ');
    }
    new.extend_from_slice(&from[part.clone()]);
    if joins(from[part.clone()].last(), text[place.end..].first()) {
        new.push(b' ');
    }
    let fits = !part.is_empty() && text.len() - place.len() + new.len() <= limit;
    if fits {
        text.splice(place, new);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_begins_and_ends_between_tokens_and_words_stay_apart() {
        let mut random = Random::new(1);
        let mut all = Vec::new();
        for _ in 0..20_000 {
            let mut text = b"SELECT a, b".to_vec();
            if splice(&mut text, b"LEFT JOIN u", 64, &mut random) {
                all.push(String::from_utf8(text).unwrap());
            }
        }
        for wanted in ["LEFT JOIN u", "SELECT u a, b", "SELECT a, b LEFT JOIN u", "SELECT LEFT, b"]
        {
            assert!(all.iter().any(|one| one == wanted), "{wanted}");
        }
        let is_whole = |one: &String| {
            let known = ["SELECT", "a", "b", "LEFT", "JOIN", "u", ""];
            one.split([' ', ',']).all(|word| known.contains(&word))
        };
        assert!(all.iter().all(is_whole), "{:?}", all.iter().find(|one| !is_whole(one)));
    }

    #[test]
    fn erasing_leaves_something_and_nothing_is_put_where_there_is_no_room() {
        let mut random = Random::new(1);
        for _ in 0..1_000 {
            let mut text = b"a b".to_vec();
            erase(&mut text, &mut random);
            assert!(
                [&b"a b"[..], b"a ", b" b", b"ab", b"a", b"b", b" "].contains(&&*text),
                "{text:?}"
            );
            let mut text = b"ab".to_vec();
            splice(&mut text, b"xyz", 3, &mut random);
            assert!(text == b"ab" || text == b"xyz", "{text:?}");
            assert!(!splice(&mut text, b"", 9, &mut random));
        }
    }
}
