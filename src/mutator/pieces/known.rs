//! Pieces that were seen in other texts, and words that libFuzzer made of what the target compared.

use super::cut::{Context, Kind, context, pieces};
use seedsmith_grammar::random::Random;
use seedsmith_grammar::structure::tokens::is_word;

/// Pieces of one kind that are remembered.
const MOST: usize = 256;
/// Longer pieces are not.
const LONGEST: usize = 256;
/// So many draws look for a piece with the same neighbours.
const DRAWS: usize = 6;
/// Words of compares that are remembered, of each kind.
const MOST_COMPARED: usize = 64;
/// Shorter ones are in every text, longer ones are rubbish.
const LENGTHS_OF_COMPARED: std::ops::RangeInclusive<usize> = 2..=32;

/// What was seen.
#[derive(Debug, Default)]
pub struct Known {
    seen: [Vec<(Context, Vec<u8>)>; Kind::ALL.len()],
    /// Words and numbers that the target compared with.
    compared: [Vec<Vec<u8>>; 2],
}

impl Known {
    /// Remembers pieces of a text; where there are many already, instead of others.
    pub fn learn(&mut self, text: &[u8], random: &mut Random) {
        for piece in pieces(text) {
            let (seen, bytes) = (&mut self.seen[piece.kind as usize], &text[piece.span.clone()]);
            if bytes.len() > LONGEST || seen.iter().any(|(_, one)| one == bytes) {
                continue;
            }
            let entry = (context(text, &piece.span), bytes.to_vec());
            if seen.len() < MOST {
                seen.push(entry);
            } else {
                seen[random.below(MOST)] = entry;
            }
        }
    }

    /// Remembers what libFuzzer has put into a text of nothing: mostly values of its table of recent compares.
    pub fn learn_compared(&mut self, text: &[u8], random: &mut Random) {
        for word in text.split(|byte| !is_word(*byte)) {
            if !LENGTHS_OF_COMPARED.contains(&word.len()) {
                continue;
            }
            let is_number = word[0].is_ascii_digit();
            let compared = &mut self.compared[usize::from(is_number)];
            if compared.iter().any(|one| one == word) {
                continue;
            }
            if compared.len() < MOST_COMPARED {
                compared.push(word.to_vec());
            } else {
                compared[random.below(MOST_COMPARED)] = word.to_vec();
            }
        }
    }

    /// A piece of that kind, if there is one that has the same neighbours if possible.
    pub fn like(&self, kind: Kind, around: Context, random: &mut Random) -> Option<&[u8]> {
        let seen = &self.seen[kind as usize];
        let mut found = random.choose(seen)?;
        for _ in 0..DRAWS {
            if found.0 == around {
                break;
            }
            found = random.choose(seen)?;
        }
        Some(&found.1)
    }

    /// A word that the target compared with, in the form of that kind.
    pub fn compared(&self, kind: Kind, random: &mut Random) -> Option<Vec<u8>> {
        let [words, numbers] = &self.compared;
        match kind {
            Kind::Number => random.choose(numbers).cloned(),
            Kind::Word => random.choose(words).cloned(),
            Kind::Quoted => {
                let from = if random.below(4) == 0 { numbers } else { words };
                let word = random.choose(from)?;
                Some([b"\"", word.as_slice(), b"\""].concat())
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
        let (mut known, mut random) = (Known::default(), Random::new(1));
        for number in 0..1000 {
            known.learn(format!("{number} {number}").as_bytes(), &mut random);
            known.learn_compared(format!("word{number} {number}").as_bytes(), &mut random);
        }
        assert_eq!(known.seen[Kind::Number as usize].len(), MOST);
        assert!(known.compared.iter().all(|words| words.len() == MOST_COMPARED));
    }

    #[test]
    fn words_of_compares_take_the_form_of_the_place() {
        let (mut known, mut random) = (Known::default(), Random::new(1));
        known.learn_compared(b"\0stroke\xff\x01 77", &mut random);
        assert_eq!(known.compared(Kind::Word, &mut random), Some(b"stroke".to_vec()));
        assert_eq!(known.compared(Kind::Number, &mut random), Some(b"77".to_vec()));
        let quoted = known.compared(Kind::Quoted, &mut random).unwrap();
        assert!(quoted == b"\"stroke\"" || quoted == b"\"77\"");
        assert_eq!(known.compared(Kind::Round, &mut random), None);
    }

    #[test]
    fn a_piece_with_the_same_neighbours_is_preferred() {
        let (mut known, mut random) = (Known::default(), Random::new(1));
        known.learn(b"(a) b [c] d", &mut random);
        let draws = 200;
        let fitting = (0..draws)
            .filter(|_| known.like(Kind::Word, *b"[]", &mut random) == Some(b"c"))
            .count();
        assert!(fitting > draws / 2, "{fitting} of {draws}");
    }
}
