//! Mutants of whole pieces: words, numbers, quoted and bracketed text, items of a list.
//!
//! libFuzzer changes bytes, which a strict format nearly never survives, and what a repair leaves of
//! such a change is small. Pieces are what the checks behind a parser look at: a name instead of
//! another one, an item twice, a part of another input. A mutant made of them is mostly valid or
//! nearly so. Nothing is known of the format: what is a piece is guessed, and what pieces there are
//! is learnt from the corpus, from inputs that aren't valid as well, or made of one by a [`twist`].
//!
//! Source: C. Salls, C. Jindal, J. Corina, C. Kruegel, G. Vigna, 'Token-Level Fuzzing', USENIX
//! Security 2021, for exchanging whole tokens without a grammar.

use std::ops::Range;

use super::twist;
use seedsmith_grammar::random::Random;
use seedsmith_grammar::structure::items::{Separator, items};
use seedsmith_grammar::structure::pairs::{brackets, quotes};
use seedsmith_grammar::structure::tokens::{is_word, tokens};

/// What kinds of pieces are told apart: only like is exchanged for like.
const KINDS: usize = 7;
const NUMBER: usize = 0;
const WORD: usize = 1;
const QUOTED: usize = 2;
const BRACKETED: [(u8, usize); 3] = [(b'(', 3), (b'[', 4), (b'{', 5)];
const ITEM: usize = 6;
/// Pieces of one kind that are remembered.
const MOST: usize = 256;
/// Longer pieces are not.
const LONGEST: usize = 256;
/// Longer texts are not looked into.
const LONGEST_TEXT: usize = 16 << 10;

/// A piece of a text.
struct Piece {
    kind: usize,
    span: Range<usize>,
}

/// A text and its pieces.
pub struct Cut<'t> {
    text: &'t [u8],
    /// By kind, the kinds that there are.
    alike: Vec<(usize, Vec<Range<usize>>)>,
}

impl<'t> Cut<'t> {
    /// Cuts a text. One that is too long has no pieces.
    pub fn new(text: &'t [u8]) -> Self {
        let mut alike: Vec<(usize, Vec<Range<usize>>)> =
            (0..KINDS).map(|kind| (kind, Vec::new())).collect();
        if text.len() <= LONGEST_TEXT {
            pieces(text).into_iter().for_each(|piece| alike[piece.kind].1.push(piece.span));
        }
        alike.retain(|(_, spans)| !spans.is_empty());
        Cut { text, alike }
    }
}

/// Pieces that were seen.
pub struct Pieces {
    known: [Vec<Vec<u8>>; KINDS],
}

fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut push = |kind, span: Range<usize>| {
        if !span.is_empty() {
            found.push(Piece { kind, span });
        }
    };
    let units = tokens(text);
    for index in 0..units.len() {
        let first = text[units.start(index)];
        if is_word(first) {
            push(if first.is_ascii_digit() { NUMBER } else { WORD }, units.span(index..index + 1));
        }
    }
    quotes(text).iter().for_each(|pair| push(QUOTED, pair.whole()));
    for pair in brackets(text) {
        let opener = text[pair.open.start as usize];
        if let Some((_, kind)) = BRACKETED.iter().find(|(of, _)| *of == opener) {
            push(*kind, pair.whole());
        }
    }
    for item in items(text, Separator::Behind) {
        push(ITEM, without_separator(text, item.span));
    }
    found
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|')
}

fn without_separator(text: &[u8], span: Range<usize>) -> Range<usize> {
    let ends_so = text[span.clone()].last().is_some_and(|byte| is_separator(*byte));
    span.start..span.end - usize::from(ends_so)
}

impl Pieces {
    /// Nothing was seen.
    pub fn new() -> Self {
        Pieces { known: Default::default() }
    }

    /// Remembers pieces of a text; where there are many already, instead of others.
    pub fn learn(&mut self, text: &[u8], random: &mut Random) {
        if text.len() > LONGEST_TEXT {
            return;
        }
        for Piece { kind, span } in pieces(text) {
            let (known, bytes) = (&mut self.known[kind], &text[span]);
            if bytes.len() > LONGEST || known.iter().any(|one| one == bytes) {
                continue;
            }
            if known.len() < MOST {
                known.push(bytes.to_vec());
            } else {
                known[random.below(MOST)] = bytes.to_vec();
            }
        }
    }

    /// A text of at most `most` bytes that differs in a piece; `None` if nothing came of it.
    pub fn mutant(&self, of: &Cut<'_>, most: usize, random: &mut Random) -> Option<Vec<u8>> {
        let text = of.text;
        // First the kind: there are far more words than lists.
        let alike = random.choose(&of.alike)?;
        let (kind, spans) = (alike.0, &alike.1);
        let span = random.choose(spans)?.clone();
        // From this text as often as from others, since names that are known here are valid here; and as
        // often one that was never seen.
        let twisted;
        let other = match (random.below(3), kind) {
            (0, _) => &text[random.choose(spans)?.clone()],
            (1, NUMBER | WORD | QUOTED) => {
                let twist = match kind {
                    NUMBER => twist::number,
                    WORD => twist::word,
                    _ => twist::quoted,
                };
                twisted = twist(&text[span.clone()], random);
                &twisted
            }
            _ => random.choose(&self.known[kind])?,
        };
        let (before, behind) = (&text[..span.start], &text[span.end..]);
        let separator_behind = behind.first().copied().filter(|byte| is_separator(*byte));
        let separator_before = before.last().copied().filter(|byte| is_separator(*byte));
        let mutant = match (kind, random.below(4), separator_behind) {
            (ITEM, 0, Some(_)) => [before, &behind[1..]].concat(),
            (ITEM, 1 | 2, _) => {
                let separator = separator_behind.or(separator_before)?;
                [before, other, &[separator], &text[span.start..]].concat()
            }
            _ => [before, other, behind].concat(),
        };
        (mutant != text && mutant.len() <= most).then_some(mutant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(of: &str, learnt: &[&str]) -> Vec<String> {
        let (mut known, mut random) = (Pieces::new(), Random::new(1));
        learnt.iter().for_each(|text| known.learn(text.as_bytes(), &mut random));
        let cut = Cut::new(of.as_bytes());
        let one = |_| known.mutant(&cut, 100, &mut random);
        let mut all: Vec<String> =
            (0..500).filter_map(one).map(|text| String::from_utf8(text).unwrap()).collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn like_is_exchanged_for_like_of_this_text_and_of_others() {
        let all = mutants("f(ab, 7)", &["g(\"x\", 12)"]);
        for wanted in ["ab(ab, 7)", "f(ab, 12)", "g(ab, 7)", "f(ab, 7, 7)", "f( 7)", "f(\"x\", 12)"]
        {
            assert!(all.iter().any(|one| one == wanted), "{wanted}: {all:?}");
        }
        assert!(!all.iter().any(|one| one == "f(7, 7)" || one == "12(ab, 7)"), "{all:?}");
    }

    #[test]
    fn a_text_without_pieces_and_one_that_would_be_too_long_come_to_nothing() {
        assert!(mutants("--", &["a"]).is_empty());
        let (known, mut random, cut) = (Pieces::new(), Random::new(1), Cut::new(b"a,b"));
        assert!((0..100).all(|_| known.mutant(&cut, 2, &mut random).is_none_or(|m| m.len() < 3)));
    }

    #[test]
    fn what_is_remembered_is_bounded_and_each_once() {
        let (mut known, mut random) = (Pieces::new(), Random::new(1));
        for number in 0..1000 {
            known.learn(format!("{number} {number}").as_bytes(), &mut random);
        }
        assert_eq!(known.known[NUMBER].len(), MOST);
    }
}
