//! How much every reducer removed and at which cost, as a table and as lines.

use std::time::Duration;

use crate::event::ReducerStats;
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
    let mut names: Vec<&str> = Vec::new();
    for one in stats {
        if !names.contains(&one.reducer.as_str()) {
            names.push(&one.reducer);
        }
    }
    for name in names {
        let own: Vec<&ReducerStats> = stats.iter().filter(|one| one.reducer == name).collect();
        let sum = |part: fn(&ReducerStats) -> u64| {
            show::number(own.iter().map(|one| part(one)).sum::<u64>())
        };
        rows.push(vec![
            name.to_owned(),
            own.len().to_string(),
            sum(|one| one.counts.tests),
            sum(|one| one.counts.cache_hits),
            sum(|one| one.counts.executions),
            sum(|one| one.bytes_before.saturating_sub(one.bytes_after) as u64),
            show::time(own.iter().map(|one| one.elapsed).sum::<Duration>()),
        ]);
    }
    let mut aligns = [Align::Right; 7];
    aligns[0] = Align::Left;
    aligned(&rows, &aligns)
}

#[cfg(test)]
mod tests {
    use crate::event::Counts;
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
