//! Some items of the given inputs, such as half of the lines of a file.
//!
//! The minimized input has little besides the cause, and inputs made of it are small too. Some items of a given input are an input as
//! users write it; about half of those with one item less pass.

use std::ops::RangeInclusive;

use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use super::tested;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::inputs::edits::with_some_items;
use crate::generalize::predicate::read::indentation_of;

/// Passing inputs that are wanted of all given ones: a few, because others are made of each. Not measured.
const MAX_PASSING: usize = 4;
/// Tests at most: few, because a search of a small input has 2,000 in all.
const MAX_TESTS: usize = 12;
/// The same of blocks, because a text of settings or of records has half a dozen blocks, and ten lines with others below them.
const MAX_TESTS_OF_BLOCKS: usize = 18;
/// Lines of a passing input of which each is left out once: a search has tests for so many, and a file that is longer rarely passes without one part.
const LINES_LEFT_OUT: RangeInclusive<usize> = 4..=20;
/// Draws for each test, because many repeat an input. They cost no test.
const DRAWS_PER_TEST: usize = 4;

/// Inputs with some items of these, each with whether it fails: what others are made of, and what a condition is learnt from. Of one with empty
/// lines each block alone, and all blocks but one.
///
/// Without a grammar a line with those below it that are indented more is left out too, and of the longest input that passes then each line once: which of
/// them it has to have. Rejected ones are left out. The given inputs take turns. Cost: at most 50 tests, and drawing 48 inputs.
pub(in crate::generalize::predicate) fn subsets(
    prober: &mut Prober<'_, '_>,
    (given, is_plain): (&[Subject], bool),
    seed: u64,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut dice = Random::new(seed ^ 0x73_7562_7365_7473);
    let mut known: Vec<Vec<u8>> = Vec::new();
    let blocks = given.iter().flat_map(|one| {
        let mut language = one.language.clone();
        let is_read = move |made: &Vec<u8>| language.as_mut().is_some_and(|own| own.accepts(made));
        let groups = if is_plain { without_groups(&one.input) } else { Vec::new() };
        some_blocks(&one.input).into_iter().chain(groups).filter(is_read)
    });
    let blocks: Vec<Vec<u8>> = blocks.take(MAX_TESTS_OF_BLOCKS).collect();
    let mut found = tested(prober, blocks)?;
    for number in 0..MAX_TESTS * DRAWS_PER_TEST {
        let Some(base) = given.get(number % given.len().max(1)) else { break };
        let input = with_some_items(base, &mut dice);
        let is_known = given.iter().any(|one| one.input == input) || known.contains(&input);
        if input.is_empty() || is_known {
            continue;
        }
        let is_enough = found.iter().filter(|one| !one.1).count() >= MAX_PASSING;
        if known.len() == MAX_TESTS || is_enough {
            break;
        }
        prober.check_time()?;
        known.push(input.clone());
        let fails = prober.fails(&input)?;
        found.extend(fails.map(|fails| (input, fails)));
    }
    let passing = found.iter().filter(|(_, fails)| is_plain && !fails).map(|(input, _)| input);
    if let Some(longest) = passing.max_by_key(|input| input.len()) {
        let shorter = without_lines(longest, LINES_LEFT_OUT);
        found.extend(tested(prober, shorter)?);
    }
    Ok(found)
}

/// The lines of a text with their ends.
fn lines(input: &[u8]) -> Vec<&[u8]> {
    input.split_inclusive(|byte| *byte == b'\n').collect()
}

/// A text without each of its lines in turn; none for one with fewer or more lines than these.
pub(in crate::generalize::predicate::inputs) fn without_lines(
    input: &[u8],
    counts: RangeInclusive<usize>,
) -> Vec<Vec<u8>> {
    let lines = lines(input);
    let filled = |at: &usize| !lines[*at].trim_ascii().is_empty();
    let all: Vec<usize> = (0..lines.len()).filter(filled).collect();
    if !counts.contains(&all.len()) {
        return Vec::new();
    }
    all.into_iter().map(|at| [&lines[..at], &lines[at + 1..]].concat().concat()).collect()
}

/// A text without each line that has lines below it which are indented more, and without these.
fn without_groups(input: &[u8]) -> Vec<Vec<u8>> {
    let lines = lines(input);
    let below = |at: usize| {
        let rest = lines[at + 1..].iter();
        let is_inside = |line: &&&[u8]| {
            line.trim_ascii().is_empty() || indentation_of(line) > indentation_of(lines[at])
        };
        rest.take_while(is_inside).count()
    };
    let groups = (0..lines.len()).map(|at| (at, below(at)));
    let groups = groups.filter(|(at, below)| *below > 0 && !lines[*at].trim_ascii().is_empty());
    groups.map(|(at, below)| [&lines[..at], &lines[at + 1 + below..]].concat().concat()).collect()
}

/// The blocks of a text each alone, then all but each: what empty lines separate. None of a text with one block.
fn some_blocks(input: &[u8]) -> Vec<Vec<u8>> {
    let (mut blocks, mut start): (Vec<&[u8]>, usize) = (Vec::new(), 0);
    for gap in memchr::memmem::find_iter(input, b"\n\n") {
        blocks.extend((gap > start).then(|| &input[start..gap + 2]));
        start = gap + 2;
    }
    blocks.extend((start < input.len()).then(|| &input[start..]));
    if blocks.len() < 2 {
        return Vec::new();
    }
    let alone = blocks.iter().map(|block| block.to_vec());
    let others = (0..blocks.len()).map(|at| [&blocks[..at], &blocks[at + 1..]].concat().concat());
    let mut found: Vec<Vec<u8>> = Vec::new();
    for made in alone.chain(others) {
        if !found.contains(&made) {
            found.push(made);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_alone_and_left_out_once() {
        let some = |text: &str| -> Vec<String> {
            let made = some_blocks(text.as_bytes()).into_iter();
            made.map(|one| String::from_utf8(one).unwrap()).collect()
        };
        let expected = ["a\nb\n\n", "c\n\n", "d\n", "c\n\nd\n", "a\nb\n\nd\n", "a\nb\n\nc\n\n"];
        assert_eq!(some("a\nb\n\nc\n\nd\n"), expected);
        assert_eq!(some("a\n\nb"), ["a\n\n", "b"]);
        assert_eq!(some("a\nb\n"), [""; 0]);
    }
}
