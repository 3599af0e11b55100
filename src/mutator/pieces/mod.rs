//! Mutants of whole pieces: words, numbers, quoted and bracketed text, items, lines, elements, pairs and calls.
//!
//! libFuzzer changes bytes, which a strict format nearly never survives, and what a repair leaves of
//! such a change is small. Pieces are what the checks after a parser look at: a name instead of
//! another one, an item twice, a part of another input. A mutant made of them is mostly valid or
//! nearly so. Nothing is known of the format: what is a piece is guessed ([`cut`]), and what pieces
//! there are is learnt from the corpus, from inputs that aren't valid as well ([`known`]), or made
//! of one by a [`twist`].
//!
//! Source: C. Salls, C. Jindal, J. Corina, C. Kruegel, G. Vigna, 'Token-Level Fuzzing', USENIX
//! Security 2021, for exchanging whole tokens without a grammar. C. Aschermann et al., 'NAUTILUS',
//! NDSS 2019, for splicing and recursion of subtrees.

mod cut;
mod known;
mod success;
mod variation;

use std::ops::Range;

use super::job::Origin;
use cut::{Piece, PieceKind, context, is_separator};
use known::KnownPieces;
use seedsmith_grammar::random::Random;
use success::Success;

/// How a mutant differs from its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceChange {
    /// Another piece of the same kind, of another input or of this one.
    Exchange,
    /// A piece of the same kind that was never seen.
    Vary,
    /// A word that the target compared with.
    Compared,
    /// Another piece before this one.
    Insert,
    /// The piece is left out.
    Drop,
    /// The piece several times.
    Repeat,
    /// A part of the piece becomes the whole piece: recursion.
    Nest,
    /// The piece becomes a part of itself.
    Hoist,
    /// A word everywhere becomes another word.
    Rename,
    /// Two pieces change places.
    Swap,
}

impl PieceChange {
    const ALL: [PieceChange; 10] = [
        PieceChange::Exchange,
        PieceChange::Vary,
        PieceChange::Compared,
        PieceChange::Insert,
        PieceChange::Drop,
        PieceChange::Repeat,
        PieceChange::Nest,
        PieceChange::Hoist,
        PieceChange::Rename,
        PieceChange::Swap,
    ];
}

/// A piece is repeated at most so many times.
const MOST_TIMES: usize = 32;
/// How often another piece and way are drawn where nothing comes of the first.
const DRAWS: usize = 6;

/// A text and its pieces.
pub struct CutText {
    text: Vec<u8>,
    /// By kind, the kinds that there are.
    alike: Vec<(PieceKind, Vec<Range<usize>>)>,
}

impl CutText {
    /// Cuts a text. One that is too long has no pieces.
    pub fn new(text: &[u8]) -> Self {
        let mut alike: Vec<(PieceKind, Vec<Range<usize>>)> =
            PieceKind::ALL.iter().map(|kind| (*kind, Vec::new())).collect();
        for Piece { kind, span } in cut::pieces(text) {
            alike[kind as usize].1.push(span);
        }
        alike.retain(|(_, spans)| !spans.is_empty());
        CutText { text: text.to_vec(), alike }
    }

    /// The text itself.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }

    fn with(&self, span: Range<usize>, parts: &[&[u8]]) -> Vec<u8> {
        let length =
            self.text.len() - span.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        let mut text = Vec::with_capacity(length);
        text.extend_from_slice(&self.text[..span.start]);
        parts.iter().for_each(|part| text.extend_from_slice(part));
        text.extend_from_slice(&self.text[span.end..]);
        text
    }
}

/// Pieces that were seen, and which changes of them came to something.
pub struct Pieces {
    known: KnownPieces,
    success: Success,
}

impl Pieces {
    /// Nothing was seen.
    pub fn new() -> Self {
        Pieces {
            known: KnownPieces::default(),
            success: Success::new(PieceKind::ALL.len() * PieceChange::ALL.len()),
        }
    }

    /// Remembers pieces of a text.
    pub fn learn(&mut self, text: &[u8], random: &mut Random) {
        self.known.learn(text, random);
    }

    /// Remembers words of libFuzzer's table of recent compares.
    pub fn learn_compared(&mut self, text: &[u8], random: &mut Random) {
        self.known.learn_compared(text, random);
    }

    /// Takes the words of the target's code.
    pub fn learn_code(&mut self, words: &[Vec<u8>]) {
        self.known.learn_code(words);
    }

    /// Takes note that the last mutant reached something new, and how it was made.
    pub fn record_new(&mut self, made: Origin) {
        self.known.record_new();
        self.record_kept(made);
    }

    /// Takes note of whether a mutant was valid.
    pub fn tell(&mut self, made: Origin, is_valid: bool) {
        self.success.tell(usize::from(made), is_valid);
    }

    /// Takes note that libFuzzer has kept a mutant.
    pub fn record_kept(&mut self, made: Origin) {
        self.success.record_kept(usize::from(made));
    }

    /// A text of at most `most` bytes that differs in a piece; `None` if nothing came of it.
    pub fn mutant(
        &self,
        of: &CutText,
        most: usize,
        random: &mut Random,
    ) -> Option<(Vec<u8>, Origin)> {
        self.known.begin();
        for _ in 0..DRAWS {
            // First the kind: there are far more words than lists.
            let (kind, spans) = random.choose(&of.alike)?;
            let change = *random.choose(&PieceChange::ALL)?;
            let number = *kind as usize * PieceChange::ALL.len() + change as usize;
            if !self.success.is_worth(number, random) {
                continue;
            }
            let span = random.choose(spans)?.clone();
            let mutant = self.changed(of, change, (*kind, spans), span, most, random);
            if let Some(mutant) = mutant.filter(|one| *one != of.text && one.len() <= most) {
                return Some((mutant, number as Origin));
            }
        }
        None
    }

    fn changed(
        &self,
        of: &CutText,
        change: PieceChange,
        (kind, spans): (PieceKind, &[Range<usize>]),
        span: Range<usize>,
        most: usize,
        random: &mut Random,
    ) -> Option<Vec<u8>> {
        let text = &of.text;
        let own = &text[span.clone()];
        match change {
            PieceChange::Exchange => {
                let other = self.other(of, kind, spans, &span, random)?;
                Some(of.with(span, &[other]))
            }
            PieceChange::Vary => {
                let varied = match kind {
                    PieceKind::Number => variation::number(own, random),
                    PieceKind::Word => variation::word(own, random),
                    PieceKind::Quoted => variation::quoted(own, random),
                    _ => return None,
                };
                Some(of.with(span, &[&varied]))
            }
            PieceChange::Compared => {
                let word = self.known.compared(kind, random)?;
                Some(of.with(span, &[&word]))
            }
            PieceChange::Insert => {
                let gap = gap(text, kind, &span, spans)?;
                let other = self.other(of, kind, spans, &span, random)?;
                Some(of.with(span.start..span.start, &[other, gap]))
            }
            PieceChange::Drop => {
                let gap = gap(text, kind, &span, spans).unwrap_or_default();
                let is_behind = !gap.is_empty() && text[span.end..].starts_with(gap);
                let is_before = !is_behind && text[..span.start].ends_with(gap);
                let start = span.start - if is_before { gap.len() } else { 0 };
                Some(of.with(start..span.end + if is_behind { gap.len() } else { 0 }, &[]))
            }
            PieceChange::Repeat => {
                let gap = gap(text, kind, &span, spans)?;
                let room = most.saturating_sub(text.len()) / (own.len() + gap.len());
                let times = 1 << random.below(MOST_TIMES.ilog2() as usize + 1);
                let copies = [own, gap].concat().repeat(times.min(room));
                Some(of.with(span.start..span.start, &[&copies]))
            }
            PieceChange::Nest => {
                let inner = inner_of(kind, &span, spans, of, random)?;
                let whole = own.to_vec();
                Some(of.with(inner, &[&whole]))
            }
            PieceChange::Hoist => {
                let is_inner = |one: &&Range<usize>| {
                    one.start >= span.start && one.end <= span.end && **one != span
                };
                let inner: Vec<&Range<usize>> = spans.iter().filter(is_inner).collect();
                let inner = (*random.choose(&inner)?).clone();
                Some(of.with(span, &[&text[inner]]))
            }
            PieceChange::Rename => {
                if kind != PieceKind::Word {
                    return None;
                }
                let other = self.other(of, kind, spans, &span, random)?;
                let mut renamed = Vec::with_capacity(text.len());
                let mut at = 0;
                for place in spans.iter().filter(|place| text[(*place).clone()] == *own) {
                    renamed.extend_from_slice(&text[at..place.start]);
                    renamed.extend_from_slice(other);
                    at = place.end;
                }
                renamed.extend_from_slice(&text[at..]);
                Some(renamed)
            }
            PieceChange::Swap => {
                let other = random.choose(spans)?;
                let (left, right) =
                    if other.start < span.start { (other, &span) } else { (&span, other) };
                if left.end > right.start {
                    return None;
                }
                let between = &text[left.end..right.start];
                Some(of.with(
                    left.start..right.end,
                    &[&text[right.clone()], between, &text[left.clone()]],
                ))
            }
        }
    }

    /// Another piece of that kind: of this text, whose names are known here, or of another one.
    fn other<'o>(
        &'o self,
        of: &'o CutText,
        kind: PieceKind,
        spans: &[Range<usize>],
        span: &Range<usize>,
        random: &mut Random,
    ) -> Option<&'o [u8]> {
        if random.below(3) == 0 {
            return Some(&of.text[random.choose(spans)?.clone()]);
        }
        self.known.like(kind, context(&of.text, span), random)
    }
}

/// What stands between a piece and another one of its kind beside it.
fn gap<'t>(
    text: &'t [u8],
    kind: PieceKind,
    span: &Range<usize>,
    spans: &[Range<usize>],
) -> Option<&'t [u8]> {
    let behind = text[span.end..].first();
    let before = text[..span.start].last();
    match kind {
        PieceKind::Item => {
            let is_behind = behind.is_some_and(|byte| is_separator(*byte));
            if is_behind {
                Some(&text[span.end..span.end + 1])
            } else {
                before
                    .filter(|byte| is_separator(**byte))
                    .map(|_| &text[span.start - 1..span.start])
            }
        }
        PieceKind::Line => Some(b"\n"),
        PieceKind::Element => Some(b""),
        _ => {
            // A list without separators, or pairs: what stands between this piece and the next or the one before.
            let is_gap = |gap: &&[u8]| {
                gap.len() <= 3
                    && gap.iter().all(|byte| byte.is_ascii_whitespace() || is_separator(*byte))
            };
            let next = spans.iter().filter(|one| one.start >= span.end).min_by_key(|one| one.start);
            let last = spans.iter().filter(|one| one.end <= span.start).max_by_key(|one| one.end);
            let next = next.map(|one| &text[span.end..one.start]).filter(is_gap);
            let found = next.or_else(|| last.map(|one| &text[one.end..span.start]).filter(is_gap));
            found.filter(|gap| !gap.is_empty()).or(Some(b" "))
        }
    }
}

/// A part of a piece for which the whole piece may stand: one of its kind, or a value in it.
fn inner_of(
    kind: PieceKind,
    span: &Range<usize>,
    spans: &[Range<usize>],
    of: &CutText,
    random: &mut Random,
) -> Option<Range<usize>> {
    if matches!(kind, PieceKind::Number | PieceKind::Word | PieceKind::Quoted | PieceKind::Line) {
        return None;
    }
    let is_inner =
        |one: &&Range<usize>| one.start >= span.start && one.end <= span.end && *one != span;
    let mut inner: Vec<&Range<usize>> = spans.iter().filter(is_inner).collect();
    if inner.is_empty() || random.below(4) == 0 {
        let values = of
            .alike
            .iter()
            .filter(|(other, _)| *other != PieceKind::Line && *other != PieceKind::Pair);
        inner.extend(values.flat_map(|(_, spans)| spans).filter(is_inner));
    }
    random.choose(&inner).map(|one| (*one).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(of: &str, learnt: &[&str]) -> Vec<String> {
        let (mut pieces, mut random) = (Pieces::new(), Random::new(1));
        learnt.iter().for_each(|text| pieces.learn(text.as_bytes(), &mut random));
        let cut = CutText::new(of.as_bytes());
        let one = |_| pieces.mutant(&cut, 100, &mut random);
        let mut all: Vec<String> = (0..3000)
            .filter_map(one)
            .map(|(text, _)| String::from_utf8_lossy(&text).into_owned())
            .collect();
        all.sort();
        all.dedup();
        all
    }

    #[track_caller]
    fn assert_has(all: &[String], wanted: &[&str]) {
        for one in wanted {
            assert!(all.iter().any(|other| other == one), "{one}: {all:?}");
        }
    }

    #[test]
    fn like_is_exchanged_for_like_of_this_text_and_of_others() {
        let all = mutants("f(ab, 7)", &["g(\"x\", 12)"]);
        assert_has(
            &all,
            &["ab(ab, 7)", "f(ab, 12)", "g(ab, 7)", "f(ab, 7, 7)", "f( 7)", "f(\"x\", 12)"],
        );
        assert!(!all.iter().any(|one| one == "12(ab, 7)"), "{all:?}");
    }

    #[test]
    fn pieces_are_repeated_and_nested_in_themselves() {
        let all = mutants("[f(1, [2])]", &[]);
        assert_has(&all, &["[f(1, [f(1, [2])])]", "[2]", "[f(1,1, [2])]", "[f(1,1,1,1,1, [2])]"]);
        assert_has(
            &mutants("<a><b></b></a>", &[]),
            &["<a><b></b><b></b></a>", "<a><a><b></b></a></a>", "<b></b>"],
        );
    }

    #[test]
    fn a_name_is_changed_wherever_it_is_used() {
        assert_has(
            &mutants("let x = 1; f(x, y)", &[]),
            &["let y = 1; f(y, y)", "let x = 1; f(x, x)"],
        );
    }

    #[test]
    fn lines_pairs_and_calls_of_other_texts_are_brought_in() {
        let all = mutants("a x=1\nb", &["c y=2\n  d(3)\n"]);
        assert_has(&all, &["c y=2\na x=1\nb", "a y=2 x=1\nb", "b\na x=1", "a x=1"]);
    }

    #[test]
    fn words_that_the_target_compared_take_the_place_of_words() {
        let (mut pieces, mut random) = (Pieces::new(), Random::new(1));
        pieces.learn_compared(b"stroke", &mut random);
        let cut = CutText::new(b"fill=\"a\"");
        let all: Vec<_> = (0..1000).filter_map(|_| pieces.mutant(&cut, 100, &mut random)).collect();
        assert!(all.iter().any(|(text, _)| text == b"stroke=\"a\""));
        assert!(all.iter().any(|(text, _)| text == b"fill=\"stroke\""));
    }

    #[test]
    fn changes_that_are_never_valid_are_tried_less_often() {
        let (mut pieces, mut random) = (Pieces::new(), Random::new(1));
        let cut = CutText::new(b"[1, 2, 3]");
        let is_valid = |text: &[u8]| text.iter().filter(|byte| **byte == b',').count() == 2;
        let mut valid = [0, 0];
        for round in 0..20_000 {
            let Some((text, made)) = pieces.mutant(&cut, 100, &mut random) else { continue };
            valid[round / 10_000] += usize::from(is_valid(&text));
            pieces.tell(made, is_valid(&text));
        }
        assert!(valid[1] > valid[0], "{valid:?}");
    }

    #[test]
    fn a_text_without_pieces_and_one_that_would_be_too_long_come_to_nothing() {
        assert!(mutants("--", &["a"]).is_empty());
        let (pieces, mut random, cut) = (Pieces::new(), Random::new(1), CutText::new(b"a,b"));
        let is_short =
            |made: Option<(Vec<u8>, Origin)>| made.is_none_or(|(text, _)| text.len() < 3);
        assert!((0..100).all(|_| is_short(pieces.mutant(&cut, 2, &mut random))));
    }
}
