//! How much every reducer removed and at which cost, as a table and as lines.

use std::time::Duration;

use crate::event::{Counts, ReducerStats};
use crate::report::show;
use crate::report::terminal::table::{Align, aligned};

/// One run of a reducer in one line: `lines: 900 → 100 bytes, 1,000 tests, 20 cache hits, 2 ms`. The console
/// prints it with `--verbose` when the reducer ends, unless it made no test.
pub(crate) fn line(stats: &ReducerStats) -> String {
    format!(
        "{}: {} → {} bytes, {}, {}, {}",
        stats.reducer,
        show::number(stats.bytes_before as u64),
        show::number(stats.bytes_after as u64),
        show::counted(stats.counts.tests, "test", "tests"),
        show::counted(stats.counts.cache_hits, "cache hit", "cache hits"),
        show::time(stats.elapsed)
    )
}

/// All runs of one reducer, added up.
#[derive(Clone, Debug)]
pub(crate) struct ReducerTotals<'s> {
    /// Its name.
    pub reducer: &'s str,
    /// How often it was started.
    pub runs: usize,
    /// Its tests, cache hits and runs of the target.
    pub counts: Counts,
    /// What the best lost, in bytes. A run after which the best is larger removed nothing.
    pub bytes_removed: u64,
    /// Wall time.
    pub elapsed: Duration,
}

/// All reducers, those of one name added up, in the order of their first run.
pub(crate) fn by_reducer(stats: &[ReducerStats]) -> Vec<ReducerTotals<'_>> {
    let mut all: Vec<ReducerTotals<'_>> = Vec::new();
    for one in stats {
        let reducer = one.reducer.as_str();
        let at = all.iter().position(|totals| totals.reducer == reducer).unwrap_or_else(|| {
            let (counts, elapsed) = (Counts::default(), Duration::ZERO);
            all.push(ReducerTotals { reducer, runs: 0, counts, bytes_removed: 0, elapsed });
            all.len() - 1
        });
        let totals = &mut all[at];
        totals.runs += 1;
        totals.counts.calls += one.counts.calls;
        totals.counts.tests += one.counts.tests;
        totals.counts.cache_hits += one.counts.cache_hits;
        totals.counts.executions += one.counts.executions;
        totals.bytes_removed += one.bytes_before.saturating_sub(one.bytes_after) as u64;
        totals.elapsed += one.elapsed;
    }
    all
}

/// All reducers as a table, those of one name added up, in the order of their first run.
///
/// `runs` counts how often a reducer was started, `executed` how often the target ran for it. Only `--stats`
/// prints the table, on stderr.
pub(crate) fn table(stats: &[ReducerStats]) -> String {
    let mut rows = vec![
        ["reducer", "runs", "tests", "cached", "executed", "bytes gone", "time"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for totals in by_reducer(stats) {
        rows.push(vec![
            totals.reducer.to_owned(),
            totals.runs.to_string(),
            show::number(totals.counts.tests),
            show::number(totals.counts.cache_hits),
            show::number(totals.counts.executions),
            show::number(totals.bytes_removed),
            show::time(totals.elapsed),
        ]);
    }
    let mut aligns = [Align::Right; 7];
    aligns[0] = Align::Left;
    aligned(&rows, &aligns)
}

#[cfg(test)]
mod tests {
    use crate::report::summary::reducers::*;

    #[test]
    fn runs_of_one_reducer_are_added_up() {
        let ran = |reducer: &str, tests, bytes_before, bytes_after| ReducerStats {
            reducer: reducer.to_owned(),
            counts: Counts { calls: tests, tests, cache_hits: 0, executions: tests },
            bytes_before,
            bytes_after,
            elapsed: Duration::from_millis(2),
        };
        let stats =
            [ran("lines", 1000, 900, 100), ran("bytes", 5, 100, 90), ran("lines", 1, 90, 90)];
        assert_eq!(
            table(&stats),
            "  reducer  runs  tests  cached  executed  bytes gone  time\n  \
               lines       2  1,001       0     1,001         800  4 ms\n  \
               bytes       1      5       0         5          10  2 ms\n"
        );
    }
}
