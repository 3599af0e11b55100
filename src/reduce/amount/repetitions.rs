//! Shortens repetitions: `[[[[…]]]]`, `{"":[{"":[…`, a thousand equal lines.
//!
//! The number of repetitions is searched by bisection, for each run on its own and for two runs
//! together, as an opener and its closer need it. One at a time would take a test and an accepted
//! step for each.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::bisect::{EXACT, least};
use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;

/// Shortens repetitions, one run or two together, by bisection.
///
/// Only runs that cover a sixteenth of the best. Two runs together, because an opener needs its closer.
/// Cost: the logarithm of the repetitions for each run and each two runs.
pub(crate) static REPETITIONS: Reducer = Reducer {
    name: Cow::Borrowed("repetitions"),
    description: Cow::Borrowed("shortens what repeats, one run or two together, by bisection"),
    activity: "shortening repetitions",
    needs: &[Need::Bytes],
    cost: Cost::Logarithmic,
    source: HERE,
    function: Function::Flat(|search, _| shorten_runs(search)),
};

/// The longest period that is looked for: each is a look at the input. Periods everywhere were
/// tried and dropped, at 64 readings a step (note of 2026-11-21 on flat reducers).
const MAX_PERIOD_BYTES: usize = 64;
/// Repetitions that make a run worth a search, because fewer go one by one in as many tests.
const MIN_REPETITIONS: usize = 4;

/// A stretch in which something repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// Offset of its first byte.
    start: usize,
    /// Bytes of one repetition.
    period: usize,
    /// How often it is there.
    count: usize,
}

impl Run {
    /// The bytes of the last `count` repetitions. The last ones are deleted, because the beginning
    /// of an input determines how the rest is read.
    fn tail(&self, count: usize) -> Range<usize> {
        let end = self.start + self.period * self.count;
        end - self.period * count..end
    }
}

/// Runs that cover a sixteenth of `bytes` or more, disjoint, in order; of several that overlap
/// the one with the shortest period.
///
/// Such a run covers one of 32 evenly spaced places, so only the surroundings of these are read.
fn runs(bytes: &[u8]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let length = bytes.len();
    let step = (length / 32).max(1);
    for period in 1..=MAX_PERIOD_BYTES.min(length / MIN_REPETITIONS) {
        for place in (0..length - period).step_by(step) {
            let is_taken = |at: usize| {
                found
                    .iter()
                    .any(|run| (run.start..run.start + run.period * run.count).contains(&at))
            };
            if is_taken(place) || bytes[place] != bytes[place + period] {
                continue;
            }
            let mut start = place;
            while start > 0 && bytes[start - 1] == bytes[start - 1 + period] && !is_taken(start - 1)
            {
                start -= 1;
            }
            let mut end = place + period;
            while end < length && bytes[end] == bytes[end - period] && !is_taken(end) {
                end += 1;
            }
            let count = (end - start) / period;
            if count >= MIN_REPETITIONS && count * period >= (length / 16).max(MIN_REPETITIONS) {
                found.push(Run { start, period, count });
            }
        }
    }
    found.sort_by_key(|run| run.start);
    found
}

/// Shortens every run that covers a sixteenth of the best, and every two of them together. Cost:
/// `log2` of the repetitions for each run and each two.
pub(crate) fn shorten_runs(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let count = runs(search.best()).len();
    for first in 0..count {
        shorten(search, &[first])?;
    }
    // An opener's run and its closer's: the outermost two first, as they are in nests.
    for first in 0..count {
        for second in (first + 1..count).rev() {
            shorten(search, &[first, second])?;
        }
    }
    Ok(())
}

/// Takes the same number of repetitions from each of the chosen runs, as many as bisection finds. Cost:
/// the logarithm of the repetitions, and as much again after each success.
fn shorten(search: &mut Search<'_, '_>, chosen: &[usize]) -> Result<(), Stopped> {
    let base = search.best().to_vec();
    let all = runs(&base);
    // A success may have shortened a run until it is none any more.
    let chosen: Option<Vec<&Run>> = chosen.iter().map(|index| all.get(*index)).collect();
    let Some(chosen) = chosen else { return Ok(()) };
    let most = chosen.iter().map(|run| run.count).min().unwrap_or(0);
    // Leaving -1 repetitions is taken not to fail, so that leaving none is tried too.
    least(search, -1..most as i64, EXACT, |left, buffer| {
        let gone = most - left as usize;
        let cuts: Vec<Range<usize>> = chosen.iter().map(|run| run.tail(gone)).collect();
        edit::without(&base, &cuts, buffer);
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn runs_have_their_shortest_period() {
        let found = runs(b"x[[[[[ab.ab.ab.ab.z");
        assert_eq!(
            found,
            [Run { start: 1, period: 1, count: 5 }, Run { start: 6, period: 3, count: 4 }]
        );
    }

    #[test]
    fn two_runs_are_shortened_together() {
        let depth = |bytes: &[u8]| {
            let opened = bytes.chunks(2).take_while(|pair| *pair == b"{[").count();
            let closed = bytes.iter().rev().take_while(|byte| **byte == b'}').count();
            (opened == closed && bytes.len() == opened * 2 + closed).then_some(opened)
        };
        let fails = move |bytes: &[u8]| depth(bytes).is_some_and(|depth| depth >= 100);
        let input = ["{[".repeat(1000), "}".repeat(1000)].concat();
        let found = reduce_by(input.as_bytes(), fails, shorten_runs);
        assert_eq!(found.best.len(), 300);
        assert!(found.tests < 60 && found.accepted < 12, "{} tests", found.tests);
    }
}
