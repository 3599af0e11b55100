//! Pieces that were seen in other texts, and words that the target compares with: those that libFuzzer took down, and
//! those that are in its code.

use std::cell::Cell;

use super::blocks::{column, moved};
use super::cut::{Context, PieceKind, context, pieces};
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_word;

/// Pieces of one kind that are remembered; later ones replace earlier ones at random, so that 12 kinds
/// stay below a megabyte.
const MAX_PIECES_OF_A_KIND: usize = 256;
/// Pieces of texts that are not valid are remembered up to this number, because most of their words have an error in them: enough
/// to begin with where no input is valid. A guess, not measured.
const MAX_PIECES_OF_INVALID_TEXTS: usize = 64;
/// Longer pieces are not remembered, because a mutant with one is long and takes longer to run. Not
/// measured.
const MAX_PIECE_BYTES: usize = 256;
/// Draws for a piece with the same neighbours, because such a piece fits best; then any piece of the kind
/// is taken. Not measured.
const NEIGHBOUR_DRAWS: usize = 6;
/// Words of the target's code that are drawn, of which the one that has brought most is taken. Few, because
/// words which have brought nothing yet should get a chance. Not measured.
const WORD_DRAWS: usize = 3;
/// Words of recent compares that are remembered, of each kind, because libFuzzer's table changes all the
/// time and old words are stale. Not measured.
const MAX_COMPARED_WORDS: usize = 256;
/// Lengths of words of compares. Shorter ones are in every text, longer ones are mostly no words. Not
/// measured.
const COMPARED_WORD_BYTES: std::ops::RangeInclusive<usize> = 2..=32;

/// Pieces and words that were seen.
#[derive(Debug, Default)]
pub(super) struct KnownPieces {
    seen: [Vec<(Context, Vec<u8>)>; PieceKind::ALL.len()],
    /// Words and numbers that the target compared with.
    compared: [Vec<Vec<u8>>; 2],
    /// Words of the target's code.
    of_code: Vec<Word>,
    /// The number of the one that was used last.
    used: Cell<Option<usize>>,
}

/// A word of the target's code.
#[derive(Debug)]
struct Word {
    bytes: Vec<u8>,
    /// Mutants that have it instead of another word, and those of them that reached something new.
    tried: Cell<f32>,
    found: Cell<f32>,
}

impl Word {
    /// Words that were not tried yet come first.
    ///
    /// A word that was never tried has the rate 1.
    fn rate(&self) -> f32 {
        (self.found.get() + 1.0) / (self.tried.get() + 1.0)
    }
}

impl KnownPieces {
    /// Remembers pieces of a text; where there are many already, instead of others.
    ///
    /// A block is remembered as it would be at the first column. A piece that is known already is not counted again. With `MAX_PIECES_OF_A_KIND` a new one
    /// takes the place of a random one. Of texts that are not valid only the first ones are remembered.
    pub(super) fn learn(&mut self, text: &[u8], is_valid: bool, random: &mut Random) {
        for piece in pieces(text) {
            let (seen, bytes) = (&mut self.seen[piece.kind as usize], &text[piece.span.clone()]);
            let has_room = is_valid || seen.len() < MAX_PIECES_OF_INVALID_TEXTS;
            if bytes.len() > MAX_PIECE_BYTES || !has_room {
                continue;
            }
            let at =
                if piece.kind == PieceKind::Block { column(text, piece.span.start) } else { 0 };
            let bytes = moved(bytes, at, 0);
            if seen.iter().any(|(_, one)| **one == *bytes) {
                continue;
            }
            let entry = (context(text, &piece.span), bytes.into_owned());
            if seen.len() < MAX_PIECES_OF_A_KIND {
                seen.push(entry);
            } else {
                seen[random.below(MAX_PIECES_OF_A_KIND)] = entry;
            }
        }
    }

    /// Remembers what libFuzzer has put into a text of nothing: mostly values of its table of recent compares.
    ///
    /// Numbers and words are kept apart, since they are for different kinds of pieces.
    pub(super) fn learn_compared(&mut self, text: &[u8], random: &mut Random) {
        for word in text.split(|byte| !is_word(*byte)) {
            if !COMPARED_WORD_BYTES.contains(&word.len()) {
                continue;
            }
            let is_number = word[0].is_ascii_digit();
            let compared = &mut self.compared[usize::from(is_number)];
            if compared.iter().any(|one| one == word) {
                continue;
            }
            if compared.len() < MAX_COMPARED_WORDS {
                compared.push(word.to_vec());
            } else {
                compared[random.below(MAX_COMPARED_WORDS)] = word.to_vec();
            }
        }
    }

    /// A piece of that kind, if there is one that has the same neighbours if possible.
    ///
    /// After `NEIGHBOUR_DRAWS` draws any piece of the kind is taken. `None` if none was seen.
    pub(super) fn like(
        &self,
        kind: PieceKind,
        around: Context,
        random: &mut Random,
    ) -> Option<&[u8]> {
        let seen = &self.seen[kind as usize];
        let mut found = random.choose(seen)?;
        for _ in 0..NEIGHBOUR_DRAWS {
            if found.0 == around {
                break;
            }
            found = random.choose(seen)?;
        }
        Some(&found.1)
    }

    /// Takes the words of the target's code.
    ///
    /// They replace those that were known; the code of a target does not change.
    pub(super) fn learn_code(&mut self, words: &[Vec<u8>]) {
        let word = |bytes: &Vec<u8>| Word {
            bytes: bytes.clone(),
            tried: Cell::new(0.0),
            found: Cell::new(0.0),
        };
        self.of_code = words.iter().map(word).collect();
        self.of_code.sort_by(|left, right| left.bytes.cmp(&right.bytes));
    }

    /// A word of the target's code: of a few the one that has brought most for its tests.
    ///
    /// Of `WORD_DRAWS` drawn words the one with the highest rate. It is remembered as the word of
    /// the mutant that is being made.
    fn of_code(&self, random: &mut Random) -> Option<&[u8]> {
        let mut best = random.below(self.of_code.len().max(1));
        for _ in 1..WORD_DRAWS {
            let other = random.below(self.of_code.len().max(1));
            if self.of_code.get(other)?.rate() > self.of_code[best].rate() {
                best = other;
            }
        }
        let word = self.of_code.get(best)?;
        word.tried.set(word.tried.get() + 1.0);
        self.used.set(Some(best));
        Some(&word.bytes)
    }

    /// Records that the last mutant reached something new.
    ///
    /// Counts for the target's word that the mutant has, if it has one.
    pub(super) fn record_new(&self) {
        if let Some(number) = self.used.get() {
            let found = &self.of_code[number].found;
            found.set(found.get() + 1.0);
        }
    }

    /// Begins a mutant: no word was used for it.
    pub(super) fn begin(&self) {
        self.used.set(None);
    }

    /// The word of the target's code that the mutant has which is being made, if it has one.
    pub(super) fn used_word(&self) -> Option<&[u8]> {
        Some(&self.of_code.get(self.used.get()?)?.bytes)
    }

    /// The words of the target's code by number.
    pub(super) fn word_of_code(&self, number: usize) -> Option<&[u8]> {
        Some(&self.of_code.get(number)?.bytes)
    }

    /// Whether the target's code has a word.
    pub(super) fn is_of_code(&self, word: &[u8]) -> bool {
        self.of_code.binary_search_by(|one| (*one.bytes).cmp(word)).is_ok()
    }

    /// A word that the target compares with, or as often one of another text.
    pub(super) fn word(&self, random: &mut Random) -> Option<Vec<u8>> {
        let of_texts = &self.seen[PieceKind::Word as usize];
        if random.below(2) == 0
            && let Some((_, word)) = random.choose(of_texts)
        {
            return Some(word.clone());
        }
        self.compared(PieceKind::Word, random)
    }

    /// A word that the target compares with, in the form of that kind.
    ///
    /// Quoted text gets a word in quotation marks. Other kinds than numbers, words and quoted text
    /// have no such form.
    pub(super) fn compared(&self, kind: PieceKind, random: &mut Random) -> Option<Vec<u8>> {
        let [words, numbers] = &self.compared;
        let word = |from: &[Vec<u8>], random: &mut Random| -> Option<Vec<u8>> {
            // A few words of libFuzzer's table are of a few compares of the last run; the code has all words.
            if random.below(4) == 0
                && let Some(word) = random.choose(from)
            {
                return Some(word.clone());
            }
            self.of_code(random).map(<[u8]>::to_vec).or_else(|| random.choose(from).cloned())
        };
        match kind {
            PieceKind::Number => random.choose(numbers).cloned(),
            PieceKind::Word => word(words, random),
            PieceKind::Quoted => {
                let from = if random.below(4) == 0 { numbers } else { words };
                Some([&b"\""[..], &word(from, random)?, b"\""].concat())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_bounded_and_each_once() {
        let (mut known, mut random) = (KnownPieces::default(), Random::new(1));
        for number in 0..1000 {
            known.learn(format!("{number} {number}").as_bytes(), true, &mut random);
            known.learn_compared(format!("word{number} {number}").as_bytes(), &mut random);
        }
        assert_eq!(known.seen[PieceKind::Number as usize].len(), MAX_PIECES_OF_A_KIND);
        assert!(known.compared.iter().all(|words| words.len() == MAX_COMPARED_WORDS));
        let mut known = KnownPieces::default();
        (0..1000).for_each(|number| {
            known.learn(format!("{number}").as_bytes(), false, &mut random);
        });
        assert_eq!(known.seen[PieceKind::Number as usize].len(), MAX_PIECES_OF_INVALID_TEXTS);
    }

    #[test]
    fn words_of_compares_take_the_form_of_the_place() {
        let (mut known, mut random) = (KnownPieces::default(), Random::new(1));
        known.learn_compared(b"\0stroke\xff\x01 77", &mut random);
        assert_eq!(known.compared(PieceKind::Word, &mut random), Some(b"stroke".to_vec()));
        assert_eq!(known.compared(PieceKind::Number, &mut random), Some(b"77".to_vec()));
        let quoted = known.compared(PieceKind::Quoted, &mut random).unwrap();
        assert!(quoted == b"\"stroke\"" || quoted == b"\"77\"");
        assert_eq!(known.compared(PieceKind::Round, &mut random), None);
    }

    #[test]
    fn words_of_the_code_are_all_tried_and_those_that_bring_something_most_often() {
        let (mut known, mut random) = (KnownPieces::default(), Random::new(1));
        let words: Vec<Vec<u8>> = (0..20).map(|number| format!("w{number}").into()).collect();
        known.learn_code(&words);
        let mut drawn = vec![0; words.len()];
        for _ in 0..4_000 {
            known.begin();
            let word = known.compared(PieceKind::Word, &mut random).unwrap();
            if word == b"w7" {
                known.record_new();
            }
            drawn[words.iter().position(|one| *one == word).unwrap()] += 1;
        }
        assert!(drawn.iter().all(|count| *count > 0), "{drawn:?}");
        assert!(drawn.iter().all(|count| 2 * count < drawn[7] || *count == drawn[7]), "{drawn:?}");
    }

    #[test]
    fn a_piece_with_the_same_neighbours_is_preferred() {
        let (mut known, mut random) = (KnownPieces::default(), Random::new(1));
        known.learn(b"(a) b [c] d", true, &mut random);
        let draws = 200;
        let fitting = (0..draws)
            .filter(|_| known.like(PieceKind::Word, *b"[]", &mut random) == Some(b"c"))
            .count();
        assert!(fitting > draws / 2, "{fitting} of {draws}");
    }
}
