//! Reads inputs of a search and takes none of them in, so that several threads can read at once.
//!
//! Most inputs that are made against a condition are read, found to say nothing, and never tested. Reading them takes most
//! of a search's time.

use std::borrow::Cow;
use std::ops::Range;

use seedsmith_engine::Stopped;
use seedsmith_grammar::{Digest, Random, Tree};

use super::samples::Samples;
use crate::corpus::in_parts;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use crate::generalize::predicate::feature::{Features, Words};
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::predicate::read::{Wanted, features_for};

/// Inputs that are read at once, by all processors: few, because the answers decide which inputs are made next.
pub(super) const INPUTS_READ_AT_ONCE: usize = 16;
/// Inputs for which a thread is started: two, because that takes as long as reading a small part of one.
const MIN_INPUTS_OF_THREAD: usize = 2;

/// The tree of an input, and the text that was parsed: the input without the texts that say nothing.
pub(super) type Text<'i> = (Tree, Cow<'i, [u8]>);

/// A condition with the words that it is read by.
pub(super) struct Hypothesis<'p> {
    pub(super) predicate: &'p Predicate,
    pub(super) words: Words,
    pub(super) wanted: Wanted<'p>,
}

impl<'p> Hypothesis<'p> {
    /// The condition, with the words and the features that are read for it.
    pub(super) fn of(predicate: &'p Predicate) -> Self {
        let (words, wanted) = (predicate.words(), Wanted::by(predicate.conditions()));
        Hypothesis { predicate, words, wanted }
    }
}

/// An input that was read, and what a condition says of it.
pub(super) struct Judged {
    pub(super) input: Vec<u8>,
    pub(super) tree: Tree,
    pub(super) holds: bool,
}

/// Reads inputs as some samples were read. Each thread has one, because a parser changes while it parses.
pub(super) struct Reader<'s> {
    /// The usual inputs, and those that were read before.
    pub samples: &'s Samples,
    /// The language.
    pub language: Sampler,
}

impl Samples {
    /// A reader of further inputs. Costs a copy of the parser, a tenth of a millisecond.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { samples: self, language: self.language.clone() }
    }

    /// Calls `read` with each number of a range and a reader, by as many threads as inputs are read by, and gives the answers in order.
    ///
    /// The threads end before this returns: no worker is forked meanwhile. An answer may not depend on what the reader has read before.
    pub(super) fn in_threads<T: Send>(
        &self,
        numbers: Range<usize>,
        read: impl Fn(usize, &mut Reader<'_>) -> T + Sync,
    ) -> Vec<T> {
        let parts = in_parts(self.jobs, numbers.len(), MIN_INPUTS_OF_THREAD, |part| {
            let mut reader = self.reader();
            part.map(|at| read(numbers.start + at, &mut reader)).collect::<Vec<T>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// The features of several inputs that are new, as far as they are wanted, without taking note of the inputs.
    ///
    /// Costs parsing, and no test.
    pub(super) fn peek_all<I: AsRef<[u8]> + Sync>(
        &self,
        inputs: &[I],
        wanted: &Wanted<'_>,
    ) -> Vec<Option<Features>> {
        self.in_threads(0..inputs.len(), |at, reader| {
            let input = inputs[at].as_ref();
            if self.is_new(input) { reader.features(input, wanted) } else { None }
        })
    }

    /// Whether an input was not read before. Costs a digest.
    pub(super) fn is_new(&self, input: &[u8]) -> bool {
        !self.seen.contains(&Digest::of(input))
    }

    /// What a condition says of some inputs; nothing of one that is not in the language or not written as usual ones are.
    ///
    /// Costs no test.
    pub(super) fn judge_all(
        &self,
        hypothesis: &Hypothesis<'_>,
        inputs: &[Vec<u8>],
    ) -> Vec<Option<Judged>> {
        self.in_threads(0..inputs.len(), |at, reader| reader.judged(hypothesis, &inputs[at]))
    }
}

/// Calls `make` with each number of a range, in several threads. Each number has its dice, which follow from the seed, so that the answers do not
/// depend on how many threads there are.
pub(super) fn made<T: Send>(
    samples: &Samples,
    (numbers, seed): (Range<usize>, u64),
    make: impl Fn(usize, &mut Random, &mut Reader<'_>) -> T + Sync,
) -> Vec<T> {
    samples.in_threads(numbers, |number, reader| {
        make(number, &mut Random::new(seed.wrapping_add(number as u64)), reader)
    })
}

/// The first of some inputs of which a condition says that it holds, or that it does not, at most `most` of them.
///
/// Costs no test, and parses inputs until there are enough.
pub(super) fn such(
    prober: &Prober<'_, '_>,
    samples: &Samples,
    hypothesis: &Hypothesis<'_>,
    inputs: Vec<Vec<u8>>,
    (holds, most): (bool, usize),
) -> Result<Vec<Vec<u8>>, Stopped> {
    let (mut found, mut inputs) = (Vec::new(), inputs.into_iter());
    while found.len() < most {
        prober.check_time()?;
        // Where most are such, as many are read as are wanted.
        let at_once = INPUTS_READ_AT_ONCE.min(2 * (most - found.len()));
        let some: Vec<Vec<u8>> = inputs.by_ref().take(at_once).collect();
        if some.is_empty() {
            break;
        }
        let judged = samples.judge_all(hypothesis, &some).into_iter().flatten();
        found.extend(judged.filter(|one| one.holds == holds).map(|one| one.input));
    }
    found.truncate(most);
    Ok(found)
}

impl Reader<'_> {
    /// The text and the tree of an input that is in the language and written as usual ones are. Costs parsing.
    fn text<'i>(&mut self, input: &'i [u8]) -> Option<Text<'i>> {
        let (words, alphabet) = (&self.samples.words, &self.samples.alphabet);
        let input = words.left_out.of(input);
        if !alphabet.is_usual(&input) {
            return None;
        }
        let Ok((tree, None)) = self.language.read(&input) else { return None };
        let is_usual = alphabet.has_usual_tokens((&tree, &input), &self.language);
        is_usual.then_some((tree, input))
    }

    /// The features of an input with a tree, as far as its keys are usual.
    fn of_text(&self, (tree, text): (&Tree, &[u8]), by: (&Words, &Wanted<'_>)) -> Option<Features> {
        let features = features_for(tree, text, &self.language, by);
        self.samples.alphabet.has_usual_keys(&features).then_some(features)
    }

    /// The features of an input that is in the language and usual.
    pub(super) fn features(&mut self, input: &[u8], wanted: &Wanted<'_>) -> Option<Features> {
        let (tree, text) = self.text(input)?;
        self.of_text((&tree, &text), (&self.samples.words, wanted))
    }

    /// The text and the tree of an input that is in the language and usual, with its features as far as some words name them.
    ///
    /// Costs parsing, and no test.
    pub(super) fn look<'i>(
        &mut self,
        input: &'i [u8],
        by: (&Words, &Wanted<'_>),
    ) -> Option<(Text<'i>, Features)> {
        let text = self.text(input)?;
        // The words of a condition do not say whether the case of letters counts.
        let left_out = &self.samples.words.left_out;
        let read = left_out.in_one_case((&text.0, &text.1), &self.language);
        let features = self.of_text((&text.0, &read), by)?;
        Some((text, features))
    }

    /// What a condition says of an input, if it is in the language and written as usual ones are. Costs no test.
    pub(super) fn judged(&mut self, hypothesis: &Hypothesis<'_>, input: &[u8]) -> Option<Judged> {
        let (read, features) = self.look(input, (&hypothesis.words, &hypothesis.wanted))?;
        let (tree, input) = (read.0, read.1.into_owned());
        Some(Judged { input, tree, holds: hypothesis.predicate.holds(&features) })
    }
}
