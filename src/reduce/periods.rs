//! Shortens what repeats: `[[[[…]]]]`, `{"":[{"":[…`, a thousand equal lines.
//!
//! The number of repetitions is searched by bisection, for each run on its own and for two runs
//! together, as an opener and its closer need it. One at a time would take a test and an accepted
//! step for each.

use std::ops::Range;

use super::edit;
use crate::oracle::Stopped;
use crate::search::Search;

/// The longest period that is looked for.
const LONGEST: usize = 64;
/// Repetitions that make a run worth a search.
const FEWEST: usize = 4;
/// Runs that are looked at, the longest first.
const RUNS: usize = 24;

/// A stretch in which something repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    start: usize,
    period: usize,
    count: usize,
}

impl Run {
    /// The last `count` repetitions.
    fn tail(&self, count: usize) -> Range<usize> {
        let end = self.start + self.period * self.count;
        end - self.period * count..end
    }
}

/// The runs of `bytes`, disjoint, in order; each with its shortest period.
fn runs(bytes: &[u8]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    for period in 1..=LONGEST.min(bytes.len() / FEWEST) {
        let mut equal = 0;
        for at in period..=bytes.len() {
            if at < bytes.len() && bytes[at] == bytes[at - period] {
                equal += 1;
                continue;
            }
            let count = equal / period + 1;
            if count >= FEWEST {
                let run = Run { start: at - equal - period, period, count };
                let span = run.tail(count);
                let is_free = found.iter().all(|other| {
                    let taken = other.tail(other.count);
                    span.end <= taken.start || taken.end <= span.start
                });
                if is_free {
                    found.push(run);
                }
            }
            equal = 0;
        }
        // Enough is known to be busy with; the rest shows in the next round.
        if found.len() > 8 * RUNS {
            break;
        }
    }
    found.sort_by_key(|run| std::cmp::Reverse(run.period * run.count));
    found.truncate(RUNS);
    found.sort_by_key(|run| run.start);
    found
}

/// Shortens every run, and every two runs together. Cost: `log2` of the repetitions a run or two.
pub fn shorten_runs(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let count = runs(search.best()).len();
    for first in 0..count {
        shorten(search, &[first])?;
    }
    for first in 0..count {
        for second in (first + 1..count).rev() {
            shorten(search, &[first, second])?;
        }
    }
    Ok(())
}

/// Takes the same number of repetitions from each of the chosen runs, as many as bisection finds.
fn shorten(search: &mut Search<'_, '_>, chosen: &[usize]) -> Result<(), Stopped> {
    // Leaving `too_few` repetitions in the shortest is known, or taken, not to fail; -1 is none.
    let mut too_few = -1;
    loop {
        let base = search.best().to_vec();
        let all = runs(&base);
        // A success may have shortened a run until it is none any more.
        let Some(chosen) = chosen.iter().map(|index| all.get(*index)).collect::<Option<Vec<_>>>()
        else {
            return Ok(());
        };
        let most = chosen.iter().map(|run| run.count).min().unwrap_or(0);
        let high = most as i64;
        let mut low = too_few;
        let accepted = search.first(|buffer| {
            if high - low < 2 {
                return None;
            }
            let before = low;
            low += (high - low) / 2;
            let gone = (high - low) as usize;
            let cuts: Vec<Range<usize>> = chosen.iter().map(|run| run.tail(gone)).collect();
            edit::without(&base, &cuts, buffer);
            Some(before)
        })?;
        match accepted {
            Some(before) => too_few = before,
            None => return Ok(()),
        }
    }
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
