//! Some items of the given inputs, such as half of the lines of a file.
//!
//! The minimized input has little besides the cause, and inputs made of it are small too. Some items of a given input are an input as
//! users write it; about half of those with one item less pass.

use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::inputs::edits::with_some_items;

/// Passing inputs that are wanted of all given ones: a few, because others are made of each. Not measured.
const MAX_PASSING: usize = 4;
/// Tests at most: few, because a search of a small input has 2,000 in all.
const MAX_TESTS: usize = 12;
/// Draws for each test, because many repeat an input. They cost no test.
const DRAWS_PER_TEST: usize = 4;

/// Inputs with some items of these, each with whether it fails: what others are made of, and what a condition is learnt from.
///
/// Rejected ones are left out. The given inputs take turns. Cost: at most 12 tests, and drawing 48 inputs.
pub(in crate::generalize::predicate) fn subsets(
    prober: &mut Prober<'_, '_>,
    given: &[Subject],
    seed: u64,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let mut dice = Random::new(seed ^ 0x73_7562_7365_7473);
    let mut known: Vec<Vec<u8>> = Vec::new();
    let mut found: Vec<(Vec<u8>, bool)> = Vec::new();
    for number in 0..MAX_TESTS * DRAWS_PER_TEST {
        let Some(base) = given.get(number % given.len().max(1)) else { break };
        let input = with_some_items(base, &mut dice);
        let is_known = given.iter().any(|one| one.input == input) || known.contains(&input);
        if input.is_empty() || is_known {
            continue;
        }
        if known.len() == MAX_TESTS || found.iter().filter(|one| !one.1).count() == MAX_PASSING {
            break;
        }
        prober.check_time()?;
        known.push(input.clone());
        let fails = prober.fails(&input)?;
        found.extend(fails.map(|fails| (input, fails)));
    }
    Ok(found)
}
