//! The worker's own search: rows of mutants of bytes that are made where they are run.
//!
//! For a lot of libFuzzer's mutants two processes take turns, and all of the lot have the same second input and the
//! compares of the same run. Here each row has another parent and another second input, and the parents are picked by what
//! their mutants reached in the worker. What reaches something new is left with the tester.

mod bytes;
mod compared;
mod inputs;
mod tokens;

use std::time::{Duration, Instant};

use super::job::{More, NO_ORIGIN};
use super::pieces::Pieces;
use super::reached::Tester;
use super::time_limit::TimeLimit;
use bytes::Sources;
pub(super) use inputs::Inputs;
use seedsmith_grammar::Random;

/// Time of a job, so long that two switches between processes are a small part of it. libFuzzer makes one mutant of
/// its own for each job. A guess, not measured.
const TIME_PER_JOB: Duration = Duration::from_millis(2);
/// Mutants in a row, each of the one before: 5, because libFuzzer's `-mutate_depth` has that default.
const MUTANTS_PER_ROW: usize = 5;

/// Runs mutants of `inputs` for `TIME_PER_JOB` and returns how many.
///
/// Ends early when `room` bytes of new ones were found, because the answer has to fit into shared memory. Each input is first
/// mutated by what the target compares parts of it with, then in rows.
pub(super) fn explore(
    inputs: &mut Inputs,
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
    loop {
        if limit.is_over() || found(tester) > room {
            return runs;
        }
        let Some(number) = inputs.next(&mut random) else { return runs };
        if inputs.is_fresh(number) {
            runs += replace_compared(inputs, number, tester, pieces, &limit, &mut random);
        } else {
            runs += row(inputs, number, tester, pieces, (&limit, more.limit), &mut random);
        }
    }
}

/// Runs an input once more to see what the target compares parts of it with, and the mutants that follow from that.
///
/// Returns the number of runs. What was compared and is not in the input is remembered as words.
fn replace_compared(
    inputs: &mut Inputs,
    number: usize,
    tester: &mut Tester<'_>,
    pieces: &mut Pieces,
    limit: &TimeLimit,
    random: &mut Random,
) -> usize {
    let entered = Instant::now();
    let (parent, _) = inputs.text(number);
    let pairs = tester.compared(parent);
    let is_in_parent = |text: &[u8]| parent.windows(text.len()).any(|part| part == text);
    let others = pairs.iter().flatten().filter(|text| !is_in_parent(text));
    others.for_each(|text| pieces.learn_compared(text, random));
    let mutants = compared::replaced(parent, &pairs);
    // The first is that of the input itself, so it is fresh no more.
    let (mut runs, mut new) = (1, 0);
    for mutant in &mutants {
        if limit.is_over() {
            break;
        }
        let shown = tester.test(mutant);
        runs += 1;
        new += usize::from(shown.is_new);
        if shown.is_new && shown.is_valid {
            pieces.learn(mutant, true, random);
        }
    }
    inputs.tell(number, runs, new, entered.elapsed());
    runs
}

/// Runs a row of mutants of one input and returns how many.
///
/// Each is made of the one before, as in libFuzzer. The row ends with the first that reaches something new, which is an
/// input from then on. A shorter mutant that reaches what its parent was the first to reach takes its place.
fn row(
    inputs: &mut Inputs,
    number: usize,
    tester: &mut Tester<'_>,
    pieces: &mut Pieces,
    (limit, max_size): (&TimeLimit, usize),
    random: &mut Random,
) -> usize {
    let entered = Instant::now();
    let (parent, digest) = inputs.text(number);
    tester.watch(parent.len(), digest);
    let mut text = parent.to_vec();
    let partner = inputs.any(random);
    let (mut runs, mut new) = (0, 0);
    while runs < MUTANTS_PER_ROW && new == 0 && !limit.is_over() {
        pieces.begin();
        let word = |random: &mut Random| pieces.word(random);
        bytes::mutate(&mut text, &Sources { partner, word: &word }, max_size, random);
        let shown = tester.test(&text);
        runs += 1;
        if shown.is_new {
            new = 1;
            pieces.record_new(tester.origin);
            if shown.is_valid {
                pieces.learn(&text, true, random);
            }
        }
    }
    if let Some(shorter) = tester.replacement() {
        inputs.shorten(number, &shorter.bytes);
    }
    inputs.tell(number, runs, new, entered.elapsed());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutator::reached::Reached;
    use crate::mutator::reached::tests::Bytes;

    #[test]
    fn mutants_of_mutants_are_found_and_each_reaches_something_new() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let (mut inputs, mut random) = (Inputs::default(), Random::new(1));
        let mut found = Vec::new();
        inputs.put(b"1", &mut random);
        for seed in 0..10_000 {
            let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
            let more = More { count: 0, limit: 16, seed };
            explore(&mut inputs, &mut tester, &mut Pieces::new(), more, 1 << 16);
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

    #[test]
    fn no_more_is_found_than_there_is_room_for() {
        let target = Bytes::default();
        let mut reached = Reached::of(Box::new(target.clone()));
        let is_valid = |input: &[u8]| target.is_valid(input);
        let (mut inputs, mut random) = (Inputs::default(), Random::new(1));
        inputs.put(b"1", &mut random);
        let mut tester = Tester::new(&is_valid, &|_| (), Some(&mut reached));
        let more = More { count: 0, limit: 16, seed: 1 };
        explore(&mut inputs, &mut tester, &mut Pieces::new(), more, 0);
        assert_eq!(tester.found.len(), 1);
    }
}
