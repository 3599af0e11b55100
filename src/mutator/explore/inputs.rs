//! Inputs that the worker knows, and which of them is mutated next.
//!
//! The one is preferred whose mutants have reached something new lately for the time they took, or of which few mutants were
//! made. libFuzzer
//! picks a thousand inputs in a second where the worker makes hundreds of thousands of mutants, so the worker picks for itself.

use std::time::Duration;

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
/// A run counts as at most this many usual ones, because in a longer one another program had the core.
const MAX_USUAL_TIMES: f32 = 32.0;
/// By which part of the difference the usual time of a run follows one row. A guess, not measured.
const USUAL_STEP: f32 = 1.0 / 256.0;
/// The same for the time of the mutants of one input.
const TIME_STEP: f32 = 1.0 / 8.0;

/// An input.
#[derive(Debug)]
struct Input {
    text: Vec<u8>,
    digest: u128,
    /// Mutants that were made of it.
    runs: f32,
    /// Which part of the latest of them reached something new.
    rate: f32,
    /// What one of them takes, in seconds.
    seconds: f32,
}

impl Input {
    /// What a mutant of it promises for the time that it takes.
    fn worth(&self) -> f32 {
        let promise = self.rate + 1.0 / (self.runs + PRIOR_RUNS);
        promise / self.seconds
    }
}

/// Inputs, each once.
#[derive(Debug)]
pub(in crate::mutator) struct Inputs {
    all: Vec<Input>,
    numbers: NumberMap<u128, usize>,
    bytes: usize,
    /// What a run usually takes, in seconds.
    usual: f32,
}

impl Default for Inputs {
    /// Nothing is known. A run takes some microseconds with most parsers.
    fn default() -> Self {
        Inputs { all: Vec::new(), numbers: NumberMap::default(), bytes: 0, usual: 5e-6 }
    }
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
        let input =
            Input { text: text.to_vec(), digest, runs: 0.0, rate: 0.0, seconds: self.usual };
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
            let Input { runs, rate, seconds, .. } = self.all[number];
            self.set(number, Input { text: text.to_vec(), digest, runs, rate, seconds });
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

    /// The input that is to be mutated next.
    pub(in crate::mutator) fn next(&self, random: &mut Random) -> Option<usize> {
        self.drawn(random, |left, right| left > right)
    }

    /// The text of an input and its digest.
    pub(in crate::mutator) fn text(&self, number: usize) -> (&[u8], u128) {
        let Input { text, digest, .. } = &self.all[number];
        (text, *digest)
    }

    /// Whether no mutant of an input was made.
    pub(in crate::mutator) fn is_fresh(&self, number: usize) -> bool {
        self.all[number].runs == 0.0
    }

    /// Any input; nothing if there is none.
    pub(in crate::mutator) fn any(&self, random: &mut Random) -> &[u8] {
        random.choose(&self.all).map_or(&[], |input| &input.text)
    }

    /// Records how many mutants of an input were run, how many of them reached something new, and how long that took.
    pub(in crate::mutator) fn tell(
        &mut self,
        number: usize,
        runs: usize,
        new: usize,
        took: Duration,
    ) {
        if runs == 0 {
            return;
        }
        let input = &mut self.all[number];
        let (runs, new) = (runs as f32, new as f32);
        let seconds = (took.as_secs_f32() / runs).min(MAX_USUAL_TIMES * self.usual);
        self.usual += (seconds - self.usual) * USUAL_STEP;
        self.usual = self.usual.max(1e-9);
        input.seconds += (seconds - input.seconds) * TIME_STEP;
        input.seconds = input.seconds.max(1e-9);
        input.rate += (new / runs - input.rate) * (runs / MEMORY_RUNS).min(1.0);
        input.runs += runs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_micros(25);

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
        took: fn(usize) -> Duration,
    ) -> Vec<usize> {
        let mut runs = vec![0; inputs.all.len()];
        for _ in 0..20_000 {
            let number = inputs.next(random).unwrap();
            runs[number] += 1;
            let new = usize::from(brings(number) && runs[number].is_multiple_of(4));
            inputs.tell(number, 5, new, took(number));
        }
        runs
    }

    #[test]
    fn an_input_whose_mutants_bring_something_is_mutated_most_often() {
        let (mut inputs, mut random) = with(16);
        let runs = shares(&mut inputs, &mut random, |number| number == 3, |_| LONG);
        assert!(runs.iter().enumerate().all(|(number, count)| number == 3 || 2 * count < runs[3]));
        assert!(runs.iter().all(|count| *count > 50), "{runs:?}");
    }

    #[test]
    fn an_input_whose_mutants_take_long_is_mutated_less_often() {
        let (mut inputs, mut random) = with(16);
        let took = |number| if number == 3 { 10 * LONG } else { LONG };
        let runs = shares(&mut inputs, &mut random, |_| false, took);
        assert!(runs.iter().enumerate().all(|(number, count)| number == 3 || *count > 2 * runs[3]));
        assert!(runs[3] > 0, "{runs:?}");
    }

    #[test]
    fn an_input_that_is_new_is_mutated_before_those_that_brought_nothing() {
        let (mut inputs, mut random) = with(16);
        shares(&mut inputs, &mut random, |_| false, |_| LONG);
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
