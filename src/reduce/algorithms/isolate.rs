//! dd: the minimal difference between a passing and a failing input.
//!
//! Source: Zeller & Hildebrandt 2002, section 4 ("isolating"), the general dd algorithm. It is no
//! reduction: two configurations move towards each other until the difference between them is
//! 1-minimal.

use std::ops::Range;

use crate::reduce::algorithms::ddmin::split;
use crate::search::Search;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;

/// Two configurations, as sorted indices into the failing input's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Isolation {
    /// The larger one that still passes.
    pub passing: Vec<usize>,
    /// The smaller one that still fails.
    pub failing: Vec<usize>,
}

impl Isolation {
    /// The elements of the failing configuration that the passing one lacks: the difference.
    pub(crate) fn difference(&self) -> Vec<usize> {
        self.failing.iter().copied().filter(|i| self.passing.binary_search(i).is_err()).collect()
    }
}

/// Isolates the failure-inducing difference.
///
/// `isolation` gives the two configurations to start from: `passing ⊂ failing`, the first
/// rendered passes, the second fails. They move towards each other in place, so that the result so
/// far is there when the search has to stop. `render` writes a configuration into an empty buffer.
/// In the end every single element of the difference matters: adding it to the passing
/// configuration no longer passes *and* removing it from the failing one no longer fails. Cost: at
/// most `|d|² + 7|d|` tests for a difference `d`, `log2 |d|` when every test resolves.
pub(crate) fn isolate(
    search: &mut Search<'_, '_>,
    isolation: &mut Isolation,
    render: impl Fn(&[usize], &mut Vec<u8>),
) -> Result<(), Stopped> {
    let mut n = 2;
    loop {
        let difference = isolation.difference();
        let Isolation { passing, failing } = &mut *isolation;
        if difference.len() < 2 {
            break;
        }
        let parts: Vec<Range<usize>> = split(difference.len(), n.min(difference.len())).collect();
        let added: Vec<Vec<usize>> =
            parts.iter().map(|part| union(passing, &difference[part.clone()])).collect();
        let removed: Vec<Vec<usize>> =
            parts.iter().map(|part| without(failing, &difference[part.clone()])).collect();
        let mut first = |wanted, candidates: &[Vec<usize>]| {
            let mut index = 0;
            let answer = search.first_with(wanted, |buffer| {
                render(candidates.get(index)?, buffer);
                index += 1;
                Some(index - 1)
            })?;
            Ok::<_, Stopped>(answer.map(|(index, _)| candidates[index].clone()))
        };
        if let Some(smaller) = first(Outcome::Fail, &added)? {
            *failing = smaller;
            n = 2;
        } else if let Some(larger) = first(Outcome::Pass, &removed)? {
            *passing = larger;
            n = 2;
        } else if let Some(larger) = first(Outcome::Pass, &added)? {
            *passing = larger;
            n = (n - 1).max(2);
        } else if let Some(smaller) = first(Outcome::Fail, &removed)? {
            *failing = smaller;
            n = (n - 1).max(2);
        } else if n < difference.len() {
            n = (n * 2).min(difference.len());
        } else {
            break;
        }
    }
    Ok(())
}

/// The elements of two sorted lists that have none in common, sorted.
fn union(left: &[usize], right: &[usize]) -> Vec<usize> {
    let mut all = [left, right].concat();
    all.sort_unstable();
    all
}

/// The elements of a sorted list that are not in another sorted list.
fn without(all: &[usize], gone: &[usize]) -> Vec<usize> {
    all.iter().copied().filter(|i| gone.binary_search(i).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn the_difference_between_nothing_and_a_failing_text_is_one_character() {
        let input = b"12345678";
        let fails = |bytes: &[u8]| b"178".iter().all(|b| bytes.contains(b));
        reduce_by(input, fails, |search| {
            let mut found = Isolation { passing: vec![], failing: (0..8).collect() };
            let render =
                |kept: &[usize], out: &mut Vec<u8>| out.extend(kept.iter().map(|i| input[*i]));
            isolate(search, &mut found, render)?;
            assert_eq!(found.difference().len(), 1);
            assert!(found.failing.len() == found.passing.len() + 1);
            Ok(())
        });
    }
}
