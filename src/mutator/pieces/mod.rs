//! Mutants of whole pieces: words, numbers, quoted and bracketed text, items, lines, elements, pairs and calls.
//!
//! libFuzzer changes bytes, which a strict format nearly never survives, and what a repair leaves of
//! such a change is small. Pieces are what the checks after a parser look at: a name instead of
//! another one, an item twice, a part of another input. A mutant made of them is mostly valid or
//! nearly so. Nothing is known of the format: pieces are guessed ([`cut`]), and known ones
//! are learnt from the corpus, from inputs that aren't valid as well ([`known`]), or made
//! of one by a [`variation`].
//!
//! Source: C. Salls, C. Jindal, J. Corina, C. Kruegel, G. Vigna, 'Token-Level Fuzzing', USENIX
//! Security 2021, for exchanging whole tokens without a grammar. C. Aschermann et al., 'NAUTILUS',
//! NDSS 2019, for splicing and recursion of subtrees.

mod blocks;
mod change;
mod cut;
mod cut_text;
mod known;
mod success;
mod variation;

use super::job::Origin;
use change::PieceChange;
use cut::PieceKind;
pub(super) use cut_text::CutText;
use known::KnownPieces;
use seedsmith_grammar::Random;
use success::Success;

/// How often another piece and change are drawn if nothing comes of the first, because many changes do
/// not fit the piece that was drawn. Not measured.
const MAX_DRAWS: usize = 6;

/// Pieces that were seen, and which changes of them came to something.
pub(super) struct Pieces {
    known: KnownPieces,
    success: Success,
}

impl Pieces {
    /// Nothing was seen.
    pub(super) fn new() -> Self {
        Pieces {
            known: KnownPieces::default(),
            success: Success::new(PieceKind::ALL.len() * PieceChange::ALL.len()),
        }
    }

    /// Remembers pieces of a text.
    ///
    /// Inputs that are not valid have pieces too, but fewer of them are remembered.
    pub(super) fn learn(&mut self, text: &[u8], is_valid: bool, random: &mut Random) {
        self.known.learn(text, is_valid, random);
    }

    /// Remembers words of libFuzzer's table of recent compares.
    pub(super) fn learn_compared(&mut self, text: &[u8], random: &mut Random) {
        self.known.learn_compared(text, random);
    }

    /// Begins a mutant: no known word was used for it.
    pub(super) fn begin(&self) {
        self.known.begin();
    }

    /// A word that the target compares with, or one that was seen.
    pub(super) fn word(&self, random: &mut Random) -> Option<Vec<u8>> {
        self.known.word(random)
    }

    /// The word of the target's code that the mutant has which was made last, if it has one.
    pub(super) fn used_word(&self) -> Option<&[u8]> {
        self.known.used_word()
    }

    /// The words of the target's code by number; `None` after the last one.
    pub(super) fn word_of_code(&self, number: usize) -> Option<&[u8]> {
        self.known.word_of_code(number)
    }

    /// Whether the target's code has a word.
    pub(super) fn is_of_code(&self, word: &[u8]) -> bool {
        self.known.is_of_code(word)
    }

    /// Takes the words of the target's code.
    pub(super) fn learn_code(&mut self, words: &[Vec<u8>]) {
        self.known.learn_code(words);
    }

    /// Records that the last mutant reached something new, and how it was made.
    pub(super) fn record_new(&mut self, made: Origin) {
        self.known.record_new();
        self.record_kept(made);
    }

    /// Records whether a mutant was valid.
    ///
    /// `made` is the number of the kind and the change.
    pub(super) fn tell(&mut self, made: Origin, is_valid: bool) {
        self.success.tell(usize::from(made), is_valid);
    }

    /// Records that libFuzzer has kept a mutant.
    pub(super) fn record_kept(&mut self, made: Origin) {
        self.success.record_kept(usize::from(made));
    }

    /// A text of at most `most` bytes that differs in a piece; `None` if nothing came of it.
    ///
    /// `None` after `MAX_DRAWS` draws that gave nothing new or something too long. The number
    /// is that of the kind of piece and the change, for [`Pieces::tell`].
    pub(super) fn mutant(
        &self,
        of: &CutText,
        most: usize,
        random: &mut Random,
    ) -> Option<(Vec<u8>, Origin)> {
        self.known.begin();
        for _ in 0..MAX_DRAWS {
            // First the kind: there are far more words than lists.
            let (kind, spans) = random.choose(&of.alike)?;
            let change = *random.choose(&PieceChange::ALL)?;
            let number = *kind as usize * PieceChange::ALL.len() + change as usize;
            if !self.success.is_worth(number, random) {
                continue;
            }
            let span = random.choose(spans)?.clone();
            let mutant =
                change::changed(&self.known, of, change, (*kind, spans), span, most, random);
            if let Some(mutant) = mutant.filter(|one| *one != of.text && one.len() <= most) {
                return Some((mutant, number as Origin));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(of: &str, learnt: &[&str]) -> Vec<String> {
        let (mut pieces, mut random) = (Pieces::new(), Random::new(1));
        learnt.iter().for_each(|text| pieces.learn(text.as_bytes(), true, &mut random));
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
    fn indented_blocks_are_exchanged_and_nested_at_their_columns() {
        assert_has(
            &mutants("a:\n  b: 1\n  c: 2\nd: 3", &["x:\n  y:\n    z: 4"]),
            &[
                "a:\n  y:\n    z: 4\n  c: 2\nd: 3",
                "a:\n  a:\n    b: 1\n    c: 2\n  c: 2\nd: 3",
                "a:\n  b: 1\nd: 3",
                "b: 1\nd: 3",
                "a:\n  x:\n    y:\n      z: 4\n  b: 1\n  c: 2\nd: 3",
            ],
        );
    }

    #[test]
    fn a_number_with_a_unit_is_changed_in_each_part() {
        let all = mutants("10px M5", &["7em"]);
        assert_has(&all, &["7px M5", "10em M5", "10px M7", "10px px5"]);
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
