//! Inputs that the worker knows, and which of them is mutated next.
//!
//! The one is preferred whose mutants have reached something new lately, or of which few mutants were made, and a short one
//! before a long one. libFuzzer picks a thousand inputs in a second where the worker makes hundreds of thousands of mutants, so the worker picks for itself.

use seedsmith_grammar::Digest;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::NumberMap;

/// Inputs at most, and bytes of all: a bound on memory. If there are more, one that has brought little makes room.
const MAX_INPUTS: usize = 16_384;
/// As above.
const MAX_BYTES: usize = 16 << 20;
/// A longer input is not remembered, because libFuzzer prefers short ones and a run takes time by the length.
const MAX_INPUT_BYTES: usize = 16 << 10;
/// Inputs that are drawn, of which the best is taken. More would leave the others out for too long. A guess, not measured.
const DRAWS: usize = 4;
/// Mutants in which the rate of an input forgets. A guess, not measured.
const MEMORY_RUNS: f32 = 256.0;
/// An input is as good as one whose mutants bring something new in one of this many, before any was made, and by
/// its own mutants less so. A guess, not measured.
const PRIOR_RUNS: f32 = 32.0;
/// A run takes as long as this many bytes of an input do, and then time by the length. A guess, not measured. The time on the
/// wall was worse on `svg`, as far as two runs show it: docs/notes/2026-11-23-mutator-hangs-and-valid-rows.md.
const BYTES_OF_A_RUN: f32 = 64.0;
/// A slow run counts as this many, because it takes the time of thousands. A guess, not measured.
const RUNS_OF_A_SLOW_ONE: usize = 1_000;

/// An input.
#[derive(Debug)]
struct Input {
    text: Vec<u8>,
    digest: u128,
    /// Mutants that were made of it.
    runs: f32,
    /// Which part of the latest of them reached something new.
    rate: f32,
}

impl Input {
    /// What a mutant of it promises for the time that it takes.
    ///
    /// The time follows from the length. The clock would make the search another one each time.
    fn worth(&self) -> f32 {
        let promise = self.rate + 1.0 / (self.runs + PRIOR_RUNS);
        promise / (BYTES_OF_A_RUN + self.text.len() as f32)
    }
}

/// What came of some mutants of one input.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::mutator) struct Brought {
    /// Runs.
    pub runs: usize,
    /// Those that reached something new.
    pub new: usize,
    /// Those that were slow.
    pub slow: usize,
}

/// Inputs, each once.
#[derive(Debug, Default)]
pub(in crate::mutator) struct Inputs {
    all: Vec<Input>,
    numbers: NumberMap<u128, usize>,
    bytes: usize,
}

impl Inputs {
    /// Remembers an input, unless it is known, empty or too long.
    ///
    /// Where there are too many, one of those that promise least is forgotten.
    pub(in crate::mutator) fn put(&mut self, text: &[u8], random: &mut Random) {
        let digest = Digest::of(text).0;
        let is_long = text.is_empty() || text.len() > MAX_INPUT_BYTES;
        if is_long || self.numbers.contains_key(&digest) {
            return;
        }
        let input = Input { text: text.to_vec(), digest, runs: 0.0, rate: 0.0 };
        if self.all.len() >= MAX_INPUTS || self.bytes + text.len() > MAX_BYTES {
            if let Some(worst) = self.drawn(random, |left, right| left < right) {
                self.set(worst, input);
            }
            return;
        }
        self.bytes += text.len();
        self.numbers.insert(digest, self.all.len());
        self.all.push(input);
    }

    /// Puts a shorter text in the place of an input, unless it is known.
    pub(in crate::mutator) fn shorten(&mut self, number: usize, text: &[u8]) {
        let digest = Digest::of(text).0;
        if !self.numbers.contains_key(&digest) {
            let Input { runs, rate, .. } = self.all[number];
            self.set(number, Input { text: text.to_vec(), digest, runs, rate });
        }
    }

    fn set(&mut self, number: usize, input: Input) {
        self.numbers.remove(&self.all[number].digest);
        self.numbers.insert(input.digest, number);
        self.bytes += input.text.len();
        self.bytes -= self.all[number].text.len();
        self.all[number] = input;
    }

    /// Of a few drawn inputs the one whose worth comes first.
    fn drawn(&self, random: &mut Random, comes_first: fn(f32, f32) -> bool) -> Option<usize> {
        if self.all.is_empty() {
            return None;
        }
        let mut best = random.below(self.all.len());
        for _ in 1..DRAWS {
            let other = random.below(self.all.len());
            if comes_first(self.all[other].worth(), self.all[best].worth()) {
                best = other;
            }
        }
        Some(best)
    }

    /// The input for the next mutants.
    pub(in crate::mutator) fn next(&self, random: &mut Random) -> Option<usize> {
        self.drawn(random, |left, right| left > right)
    }

    /// The text of an input and its digest.
    pub(in crate::mutator) fn text(&self, number: usize) -> (&[u8], u128) {
        let Input { text, digest, .. } = &self.all[number];
        (text, *digest)
    }

    /// The input of a digest, if it is known.
    pub(in crate::mutator) fn number(&self, digest: u128) -> Option<usize> {
        self.numbers.get(&digest).copied()
    }

    /// Whether no mutant of an input was made.
    pub(in crate::mutator) fn is_fresh(&self, number: usize) -> bool {
        self.all[number].runs == 0.0
    }

    /// Any input; nothing if there is none.
    pub(in crate::mutator) fn any(&self, random: &mut Random) -> &[u8] {
        random.choose(&self.all).map_or(&[], |input| &input.text)
    }

    /// Records what came of mutants of an input.
    pub(in crate::mutator) fn tell(&mut self, number: usize, brought: Brought) {
        let Brought { runs, new, slow } = brought;
        if runs == 0 {
            return;
        }
        let input = &mut self.all[number];
        let (runs, new) = ((runs + slow * RUNS_OF_A_SLOW_ONE) as f32, new as f32);
        input.rate += (new / runs - input.rate) * (runs / MEMORY_RUNS).min(1.0);
        input.runs += runs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(count: usize) -> (Inputs, Random) {
        let (mut inputs, mut random) = (Inputs::default(), Random::new(1));
        (0..count).for_each(|number| inputs.put(format!("{number:06}").as_bytes(), &mut random));
        (inputs, random)
    }

    /// How often each is mutated.
    fn shares(
        inputs: &mut Inputs,
        random: &mut Random,
        brings: fn(usize) -> bool,
        is_slow: fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut runs = vec![0_usize; inputs.all.len()];
        for _ in 0..20_000 {
            let number = inputs.next(random).unwrap();
            runs[number] += 1;
            let new = usize::from(brings(number) && runs[number].is_multiple_of(4));
            inputs.tell(number, Brought { runs: 5, new, slow: usize::from(is_slow(number)) });
        }
        runs
    }

    #[test]
    fn an_input_whose_mutants_bring_something_is_mutated_most_often() {
        let (mut inputs, mut random) = with(16);
        let runs = shares(&mut inputs, &mut random, |number| number == 3, |_| false);
        assert!(runs.iter().enumerate().all(|(number, count)| number == 3 || 2 * count < runs[3]));
        assert!(runs.iter().all(|count| *count > 50), "{runs:?}");
    }

    #[test]
    fn an_input_that_is_long_or_whose_mutants_are_slow_is_mutated_less_often() {
        let (mut inputs, mut random) = with(16);
        let runs = shares(&mut inputs, &mut random, |_| false, |number| number == 3);
        assert!(runs.iter().enumerate().all(|(number, count)| number == 3 || *count > 2 * runs[3]));
        let (mut inputs, mut random) = with(16);
        inputs.shorten(3, &[b'3'; 1_000]);
        let runs = shares(&mut inputs, &mut random, |_| false, |_| false);
        assert!(runs.iter().enumerate().all(|(number, count)| number == 3 || *count > 2 * runs[3]));
        assert!(runs[3] > 0, "{runs:?}");
    }

    #[test]
    fn an_input_that_is_new_is_mutated_before_those_that_brought_nothing() {
        let (mut inputs, mut random) = with(16);
        shares(&mut inputs, &mut random, |_| false, |_| false);
        inputs.put(b"newest", &mut random);
        let number = inputs.all.len() - 1;
        let times = (0..1_000).filter(|_| inputs.next(&mut random) == Some(number)).count();
        // At least one of four draws is it in 21 of 100 cases.
        assert!(times > 150, "{times}");
    }

    #[test]
    fn inputs_are_bounded_and_each_is_there_once() {
        let (mut inputs, mut random) = with(MAX_INPUTS + 100);
        inputs.put(&vec![b'a'; MAX_INPUT_BYTES + 1], &mut random);
        inputs.put(b"", &mut random);
        assert_eq!(inputs.all.len(), MAX_INPUTS);
        assert_eq!(inputs.numbers.len(), MAX_INPUTS);
        assert_eq!(inputs.bytes, 6 * MAX_INPUTS);
        inputs.put(b"000000", &mut random);
        inputs.shorten(5, b"5");
        inputs.shorten(6, b"5");
        assert_eq!(inputs.bytes, 6 * MAX_INPUTS - 5);
        assert_eq!((inputs.text(5).0, inputs.numbers.len()), (&b"5"[..], MAX_INPUTS));
    }
}
