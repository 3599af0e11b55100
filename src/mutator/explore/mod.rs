//! The worker's own search: rows of mutants of bytes that are made where they are run.
//!
//! For a lot of libFuzzer's mutants two processes take turns, and all of the lot have the same second input and the
//! compares of the same run. Here each row has another parent and another second input, and the parents are picked by what
//! their mutants reached in the worker. What reaches something new is left with the tester.

mod bytes;
mod compared;
mod inputs;
mod tokens;
mod words;

use std::time::Duration;

use super::job::{More, NO_ORIGIN};
use super::pieces::Pieces;
use super::reached::Tester;
use super::time_limit::TimeLimit;
use bytes::Sources;
pub(super) use inputs::{Brought, Inputs};
use seedsmith_grammar::Random;
pub(super) use words::WordPlaces;

/// Time of a job, long enough that two switches between processes are a small part of it. libFuzzer runs one mutant
/// itself for each job, and most of those reach nothing new. A guess, not measured.
const TIME_PER_JOB: Duration = Duration::from_millis(5);
/// Mutants in a row, each of the one before: 5, because libFuzzer's `-mutate_depth` has that default.
const MUTANTS_PER_ROW: usize = 5;
/// One in this many rows begins with a valid input, because those reach the code after the parser. A guess, not measured.
const ROWS_PER_VALID_ROW: usize = 2;

/// What the worker mutates.
pub(super) struct Known<'i> {
    /// Inputs that reached something new.
    pub all: &'i mut Inputs,
    /// Valid ones.
    pub valid: &'i mut Inputs,
    /// Places where all words of the target are tried.
    pub places: &'i mut WordPlaces,
}

/// Runs mutants of known inputs for `TIME_PER_JOB` and returns how many.
///
/// Ends early when `room` bytes of new ones were found, because the answer has to fit into shared memory. An input is first
/// mutated with the texts that the target compares parts of it with, then in rows.
pub(super) fn explore(
    known: Known<'_>,
    tester: &mut Tester<'_>,
    pieces: &mut Pieces,
    more: More,
    room: usize,
) -> usize {
    let mut random = Random::new(u64::from(more.seed));
    let limit = TimeLimit::new(TIME_PER_JOB);
    let mut runs = 0;
    tester.origin = NO_ORIGIN;
    let found =
        |tester: &Tester<'_>| tester.found.iter().map(|one| one.bytes.len() + 8).sum::<usize>();
    runs += known.places.run(tester, pieces, more.limit, &mut random);
    loop {
        if limit.is_over() || found(tester) > room {
            return runs;
        }
        if random.below(ROWS_PER_VALID_ROW) == 0
            && let Some(number) = next_valid(known.valid, tester, &mut random)
        {
            let limits = (&limit, more.limit);
            let from = (&mut *known.valid, number, Row::Valid);
            runs += row(from, tester, pieces, known.places, limits, &mut random);
            continue;
        }
        let Some(number) = known.all.next(&mut random) else { return runs };
        if known.all.is_fresh(number) {
            let from = (&mut *known.all, number);
            runs += replace_compared(from, tester, pieces, known.places, &limit, &mut random);
        } else {
            let limits = (&limit, more.limit);
            let from = (&mut *known.all, number, Row::Any);
            runs += row(from, tester, pieces, known.places, limits, &mut random);
        }
    }
}

/// The valid input for the next mutants: in half of all cases one that reaches a block which few were made for.
pub(super) fn next_valid(
    valid: &Inputs,
    tester: &mut Tester<'_>,
    random: &mut Random,
) -> Option<usize> {
    let rare = if random.below(2) == 0 {
        tester.rare(random).and_then(|digest| valid.number(digest))
    } else {
        None
    };
    rare.or_else(|| valid.next(random))
}

/// What the mutants of a row are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    /// Each of the one before.
    Any,
    /// Each of the latest valid one. An invalid one has nearly always invalid mutants.
    Valid,
}

/// Runs an input once more to see which texts the target compares parts of it with, and the mutants that follow from that.
///
/// Returns the number of runs. Compared texts that are not in the input are remembered as words.
fn replace_compared(
    (inputs, number): (&mut Inputs, usize),
    tester: &mut Tester<'_>,
    pieces: &mut Pieces,
    places: &mut WordPlaces,
    limit: &TimeLimit,
    random: &mut Random,
) -> usize {
    let (parent, _) = inputs.text(number);
    let pairs = tester.compared(parent);
    let is_in_parent = |text: &[u8]| parent.windows(text.len()).any(|part| part == text);
    let others = pairs.iter().flatten().filter(|text| !is_in_parent(text));
    others.for_each(|text| pieces.learn_compared(text, random));
    let mutants = compared::replaced(parent, &pairs);
    // The first is that of the input itself, so it is fresh no more.
    let (mut runs, mut new) = (1, 0);
    for (mutant, word) in &mutants {
        if limit.is_over() {
            break;
        }
        let shown = tester.test(mutant);
        runs += 1;
        new += usize::from(shown.is_new);
        if shown.is_new {
            places.put(parent, mutant, word);
        }
        if shown.is_new && shown.is_valid {
            pieces.learn(mutant, true, random);
        }
    }
    let slow = std::mem::take(&mut tester.slow);
    inputs.tell(number, Brought { runs, new, slow });
    runs
}

/// Runs a row of mutants of one input and returns how many.
///
/// The row ends with the first that reaches something new, which is an input from then on. A shorter mutant that reaches what
/// its parent was the first to reach takes its place, if it need not be valid.
fn row(
    (inputs, number, row): (&mut Inputs, usize, Row),
    tester: &mut Tester<'_>,
    pieces: &mut Pieces,
    places: &mut WordPlaces,
    (limit, max_size): (&TimeLimit, usize),
    random: &mut Random,
) -> usize {
    let (parent, digest) = inputs.text(number);
    if row == Row::Any {
        tester.watch(parent.len(), digest);
    }
    let mut text = parent.to_vec();
    let mut valid = text.clone();
    let mut before = Vec::new();
    let partner = inputs.any(random);
    let (mut runs, mut new) = (0, 0);
    while runs < MUTANTS_PER_ROW && new == 0 && !limit.is_over() {
        pieces.begin();
        before.clone_from(&text);
        let word = |random: &mut Random| pieces.word(random);
        bytes::mutate(&mut text, &Sources { partner, word: &word }, max_size, random);
        let shown = tester.test(&text);
        runs += 1;
        if row == Row::Valid && shown.is_valid {
            valid.clone_from(&text);
        } else if row == Row::Valid && !shown.is_new {
            text.clone_from(&valid);
        }
        if shown.is_new {
            new = 1;
            pieces.record_new(tester.origin);
            if let Some(word) = pieces.used_word() {
                places.put(&before, &text, word);
            }
            if shown.is_valid {
                pieces.learn(&text, true, random);
            }
        }
    }
    if let Some(shorter) = tester.replacement() {
        inputs.shorten(number, &shorter.bytes);
    }
    let slow = std::mem::take(&mut tester.slow);
    inputs.tell(number, Brought { runs, new, slow });
    runs
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use super::*;
    use crate::mutator::reached::tests::Bytes;
    use crate::mutator::reached::{Counted, Reached};
    use crate::mutator::time_limit::tests::use_processor;

    #[test]
    fn mutants_of_mutants_are_found_and_each_reaches_something_new() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let (mut inputs, mut valid) = (Inputs::default(), Inputs::default());
        let mut random = Random::new(1);
        let mut found = Vec::new();
        inputs.put(b"1", &mut random);
        for seed in 0..10_000 {
            let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
            let more = More { count: 0, limit: 16, seed };
            let known =
                Known { all: &mut inputs, valid: &mut valid, places: &mut WordPlaces::default() };
            explore(known, &mut tester, &mut Pieces::new(), more, 1 << 16);
            assert!(tester.found.iter().all(|one| one.is_new && one.bytes.len() <= 16));
            for one in std::mem::take(&mut tester.found) {
                inputs.put(&one.bytes, &mut random);
                found.push(one.bytes);
            }
            if found.len() > 300 {
                break;
            }
        }
        assert!(found.len() > 300, "{}", found.len());
        let count = found.len();
        found.sort();
        found.dedup();
        assert_eq!(found.len(), count);
    }

    /// A parser whose time doubles with each bracket, as that of some real ones does: it parses an operand a second time if
    /// what follows is missing. Each depth is a block.
    #[derive(Clone, Default)]
    struct Doubling(Rc<RefCell<(Vec<u8>, Vec<usize>)>>);

    impl Doubling {
        /// A run with this many brackets takes 262 ms, five times the 50 ms from which on a run may be slow. One with more takes
        /// no longer: a mutator that makes deeper and deeper inputs should fail here and not take a year.
        const SLOW_DEPTH: usize = 20;

        fn depth(input: &[u8]) -> usize {
            let mut depth = [0_usize; 2];
            for byte in input {
                match byte {
                    b'[' => depth[0] += 1,
                    b']' => depth[0] = depth[0].saturating_sub(1),
                    _ => {}
                }
                depth[1] = depth[1].max(depth[0]);
            }
            depth[1]
        }
    }

    impl Counted for Doubling {
        fn clear(&self) {
            self.0.borrow_mut().0.fill(0);
        }

        fn run(&self, input: &[u8]) -> bool {
            let depth = Doubling::depth(input);
            use_processor(Duration::from_nanos(250) * (1 << depth.min(Self::SLOW_DEPTH)));
            let (counts, depths) = &mut *self.0.borrow_mut();
            counts.resize(256, 0);
            counts[depth.min(255)] = 1;
            depths.push(depth);
            true
        }

        fn read(&self, counts: &mut Vec<u8>) {
            counts.clone_from(&self.0.borrow().0);
        }

        fn words(&self) -> &[Vec<u8>] {
            &[]
        }

        fn compared(&self, _: &[u8]) -> Vec<[Vec<u8>; 2]> {
            Vec::new()
        }
    }

    #[test]
    fn where_the_time_doubles_with_each_bracket_no_slow_input_is_found_and_few_are_run() {
        let target = Doubling::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let (mut inputs, mut valid) = (Inputs::default(), Inputs::default());
        let mut random = Random::new(1);
        for depth in 0..10 {
            inputs.put(&[&b"[".repeat(depth)[..], b"1"].concat(), &mut random);
        }
        let mut deepest = 0;
        for seed in 0.. {
            let mut tester = Tester::new(&|_| true, &|_| (), Some(&mut reached));
            let more = More { count: 0, limit: 64, seed };
            let known =
                Known { all: &mut inputs, valid: &mut valid, places: &mut WordPlaces::default() };
            explore(known, &mut tester, &mut Pieces::new(), more, 1 << 16);
            for one in std::mem::take(&mut tester.found) {
                deepest = deepest.max(Doubling::depth(&one.bytes));
                inputs.put(&one.bytes, &mut random);
            }
            if target.0.borrow().1.len() > 300 || deepest >= Doubling::SLOW_DEPTH {
                break;
            }
        }
        let runs = target.0.borrow().1.clone();
        let slow = runs.iter().filter(|depth| **depth >= Doubling::SLOW_DEPTH).count();
        assert!(deepest < Doubling::SLOW_DEPTH, "{deepest}");
        // Few of them, but it was tried.
        assert!((1..=runs.len() / 10).contains(&slow), "{slow} of {}", runs.len());
    }

    /// Which part of the tested mutants is valid, where the inputs are one invalid and these valid ones.
    fn valid_part(of_valid: &[&[u8]]) -> f64 {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let tests = Cell::new([0.0; 2]);
        let is_valid = |input: &[u8]| {
            let is_valid = target.is_valid(input);
            let [all, valid] = tests.get();
            tests.set([all + 1.0, valid + f64::from(u8::from(is_valid))]);
            is_valid
        };
        let (mut inputs, mut valid) = (Inputs::default(), Inputs::default());
        let mut random = Random::new(1);
        inputs.put(b"!!!!!!!!", &mut random);
        of_valid.iter().for_each(|text| valid.put(text, &mut random));
        for seed in 0.. {
            let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
            let more = More { count: 0, limit: 16, seed };
            let known =
                Known { all: &mut inputs, valid: &mut valid, places: &mut WordPlaces::default() };
            explore(known, &mut tester, &mut Pieces::new(), more, 1 << 16);
            if tests.get()[0] > 4_000.0 {
                break;
            }
        }
        tests.get()[1] / tests.get()[0]
    }

    #[test]
    fn some_rows_begin_with_a_valid_input_and_continue_from_the_latest_valid_mutant() {
        let (without, with) = (valid_part(&[]), valid_part(&[b"12345678"]));
        assert!(without < 0.05 && with > 0.1, "{without} {with}");
    }

    #[test]
    fn no_more_is_found_than_there_is_room_for() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let (mut inputs, mut valid) = (Inputs::default(), Inputs::default());
        let mut random = Random::new(1);
        inputs.put(b"1", &mut random);
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        let more = More { count: 0, limit: 16, seed: 1 };
        let known =
            Known { all: &mut inputs, valid: &mut valid, places: &mut WordPlaces::default() };
        explore(known, &mut tester, &mut Pieces::new(), more, 0);
        assert_eq!(tester.found.len(), 1);
    }
}
