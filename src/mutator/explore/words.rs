//! Places where all words of the target's code are tried: where one of them is in a valid input, or reached something new.
//!
//! A program that looks at a name mostly knows several: operations, colours, types. A random word at a random place rarely
//! reaches something new. Where the program knows one word, the others often do.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::time::Duration;

use super::super::job::NO_ORIGIN;
use super::super::pieces::Pieces;
use super::super::reached::Tester;
use super::super::time_limit::TimeLimit;
use seedsmith_grammar::Digest;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_word;

/// Bytes before and after a place by which it is known. A guess, not measured: enough for the name of a key or the first
/// argument.
const CONTEXT_BYTES: usize = 8;
/// Places of one input that are looked for, so that a long input does not push out all others. A guess, not measured.
const MAX_PLACES_OF_AN_INPUT: usize = 16;
/// Places that wait, because new ones are found faster than words are tried. The oldest is forgotten. A
/// guess, not measured.
const MAX_PLACES: usize = 64;
/// Places that are remembered as done: a bound on memory. Then all are forgotten.
const MAX_DONE: usize = 65_536;
/// Time for that in one job: a quarter of the job, so that the other mutants are made too. A guess, not measured. No number of
/// words, because that many tests of a slow target would take longer than the rest of the job.
const TIME_PER_JOB: Duration = Duration::from_micros(1_250);

/// A text with a gap.
#[derive(Debug)]
struct Place {
    before: Vec<u8>,
    after: Vec<u8>,
    /// The number of the next word.
    next: usize,
}

impl Place {
    fn new(text: &[u8], gap: Range<usize>) -> Self {
        Place { before: text[..gap.start].to_vec(), after: text[gap.end..].to_vec(), next: 0 }
    }
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|byte| is_word(*byte))?;
        let length = text[start..].iter().take_while(|byte| is_word(**byte)).count();
        at = start + length;
        Some(start..at)
    })
}

/// Places that wait.
#[derive(Debug, Default)]
pub(in crate::mutator) struct WordPlaces {
    waiting: VecDeque<Place>,
    done: HashSet<u128>,
}

impl WordPlaces {
    /// Remembers where `mutant`, which reached something new, has a word of the target that its parent has not, unless such
    /// a place was met.
    pub(in crate::mutator) fn put(&mut self, parent: &[u8], mutant: &[u8], word: &[u8]) {
        let equal = parent.iter().zip(mutant).take_while(|(left, right)| left == right).count();
        let first = equal.saturating_sub(word.len());
        let at = mutant[first..].windows(word.len()).position(|part| part == word);
        let Some(at) = at.map(|at| first + at).filter(|at| *at <= equal) else { return };
        let (before, after) = (&mutant[..at], &mutant[at + word.len()..]);
        let context = [
            &before[before.len().saturating_sub(CONTEXT_BYTES)..],
            b"\0",
            &after[..after.len().min(CONTEXT_BYTES)],
        ];
        if !self.is_first(&context.concat()) {
            return;
        }
        if self.waiting.len() >= MAX_PLACES {
            self.waiting.pop_front();
        }
        self.waiting.push_back(Place::new(mutant, at..at + word.len()));
    }

    /// Remembers where a valid input has words of the target, unless a place with the same word before it and the same bytes
    /// around it was met. Such places wait until there are none where a word was new.
    pub(in crate::mutator) fn look(&mut self, text: &[u8], pieces: &Pieces) {
        let (mut word_before, mut found) = (0..0, 0);
        for span in words(text) {
            let is_word_of_code = pieces.is_of_code(&text[span.clone()]);
            let around = [text[..span.start].last(), text.get(span.end)];
            let around = around.map(|byte| byte.copied().unwrap_or_default());
            let context = [&text[word_before], b"\0\0", &around].concat();
            word_before = span.clone();
            if is_word_of_code && self.is_first(&context) {
                self.waiting.push_front(Place::new(text, span));
                found += 1;
            }
            if found >= MAX_PLACES_OF_AN_INPUT {
                break;
            }
        }
        while self.waiting.len() > MAX_PLACES {
            self.waiting.pop_front();
        }
    }

    /// Whether a context was not met.
    fn is_first(&mut self, context: &[u8]) -> bool {
        if self.done.len() >= MAX_DONE {
            self.done.clear();
        }
        self.done.insert(Digest::of(context).0)
    }

    /// Tries words at the place that was found last, and then at others, for `TIME_PER_JOB`. Returns the number of tests.
    pub(super) fn run(
        &mut self,
        tester: &mut Tester<'_>,
        pieces: &mut Pieces,
        most: usize,
        random: &mut Random,
    ) -> usize {
        let limit = TimeLimit::new(TIME_PER_JOB);
        let mut runs = 0;
        tester.origin = NO_ORIGIN;
        while !limit.is_over() {
            let Some(place) = self.waiting.back_mut() else { break };
            let Some(word) = pieces.word_of_code(place.next) else {
                self.waiting.pop_back();
                continue;
            };
            place.next += 1;
            let text = [&place.before, word, &place.after].concat();
            if text.len() > most {
                continue;
            }
            let shown = tester.test(&text);
            runs += 1;
            if shown.is_new && shown.is_valid {
                pieces.learn(&text, true, random);
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutator::reached::Reached;
    use crate::mutator::reached::tests::Bytes;
    use crate::mutator::time_limit::tests::use_processor;

    fn tried(places: &mut WordPlaces, words: &[Vec<u8>]) -> Vec<String> {
        let mut reached = Reached::of(Box::new(Bytes::default()));
        let is_valid = |_: &[u8]| true;
        let mut pieces = Pieces::new();
        pieces.learn_code(words);
        let mut found = Vec::new();
        loop {
            let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
            if places.run(&mut tester, &mut pieces, 16, &mut Random::new(1)) == 0 {
                return found;
            }
            found.extend(tester.found.drain(..).map(|one| String::from_utf8(one.bytes).unwrap()));
        }
    }

    #[test]
    fn all_words_are_tried_where_one_was_new_and_once_in_each_context() {
        let words: Vec<Vec<u8>> =
            ["cd", "ef", "gh", "far too long for this"].map(|word| word.into()).into();
        let mut places = WordPlaces::default();
        places.put(b"x = ab;", b"x = cd;", b"cd");
        assert_eq!(tried(&mut places, &words), ["x = cd;", "x = ef;", "x = gh;"]);
        places.put(b"x = ab;", b"x = ef;", b"ef");
        assert!(places.waiting.is_empty());
        // The word is elsewhere, and was not put there.
        places.put(b"cd = ab;", b"cd = q;", b"cd");
        assert!(places.waiting.is_empty());
    }

    #[test]
    fn places_of_words_of_the_target_in_a_valid_input_come_after_those_where_a_word_was_new() {
        let mut pieces = Pieces::new();
        pieces.learn_code(&[b"int".to_vec(), b"real".to_vec()]);
        let mut places = WordPlaces::default();
        places.look(b"f (int)7 (int)8 (no)9", &pieces);
        places.look(b"f (real)7", &pieces);
        let gaps = |places: &WordPlaces| -> Vec<String> {
            let text = |place: &Place| [&place.before[..], b"_", &place.after].concat();
            places.waiting.iter().map(|one| String::from_utf8(text(one)).unwrap()).collect()
        };
        assert_eq!(gaps(&places), ["f (int)7 (_)8 (no)9", "f (_)7 (int)8 (no)9"]);
        places.put(b"x = ab;", b"x = cd;", b"cd");
        assert_eq!(gaps(&places).last().unwrap(), "x = _;");
    }

    #[test]
    fn places_that_wait_are_bounded() {
        let mut pieces = Pieces::new();
        pieces.learn_code(&[b"int".to_vec()]);
        let mut places = WordPlaces::default();
        for number in 0..200 {
            places.look(format!("a{number} int ").repeat(30).as_bytes(), &pieces);
            assert!(places.waiting.len() <= MAX_PLACES);
        }
        assert_eq!(places.waiting.len(), MAX_PLACES);
    }

    #[test]
    fn where_tests_are_slow_few_words_are_tried_in_one_job() {
        let mut reached = Reached::of(Box::new(Bytes::default()));
        let is_valid = |_: &[u8]| {
            use_processor(2 * TIME_PER_JOB);
            true
        };
        let mut pieces = Pieces::new();
        pieces.learn_code(&[b"cd".to_vec(), b"ef".to_vec(), b"gh".to_vec()]);
        let mut places = WordPlaces::default();
        places.put(b"x = ab;", b"x = cd;", b"cd");
        for runs in [1, 1, 1, 0] {
            let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
            let run = places.run(&mut tester, &mut pieces, 16, &mut Random::new(1));
            assert_eq!(run, runs);
        }
    }

    #[test]
    fn a_word_that_begins_as_what_it_replaces_is_found() {
        let mut places = WordPlaces::default();
        places.put(b"(cat)", b"(card)", b"card");
        assert_eq!(places.waiting[0].before, b"(");
        assert_eq!(places.waiting[0].after, b")");
    }
}
