//! Tests, bytes and time of each reducer, with those of its current run.

use std::time::Duration;

use crate::event::{Counts, ReducerStats};

/// A reducer in all of its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// Its name.
    pub name: String,
    /// Its tests.
    pub tests: u64,
    /// The bytes by which it made the best smaller.
    pub removed: usize,
    /// The time that it took.
    pub elapsed: Duration,
    /// Whether it runs.
    pub is_running: bool,
}

/// The reducer that runs, and where the search was when it began.
#[derive(Clone, Debug)]
struct Running {
    /// Tests of the search until then.
    tests: u64,
    /// The size of the best.
    bytes: usize,
    /// The time since the search began.
    since: Duration,
}

/// All reducers that ran, the last one first.
#[derive(Clone, Debug, Default)]
pub(super) struct ReducerRows {
    /// Without the tests of the current run.
    rows: Vec<Row>,
    /// The current run; it belongs to the first row.
    running: Option<Running>,
}

impl ReducerRows {
    /// A reducer begins. Its row becomes the first one.
    pub(super) fn begin(&mut self, name: &str, counts: Counts, bytes: usize, since: Duration) {
        let row = match self.rows.iter().position(|row| row.name == name) {
            Some(at) => self.rows.remove(at),
            None => Row { name: name.to_owned(), ..Row::default() },
        };
        self.rows.insert(0, Row { is_running: true, ..row });
        self.running = Some(Running { tests: counts.tests, bytes, since });
    }

    /// A reducer ended. One that made no test is not shown.
    pub(super) fn end(&mut self, stats: &ReducerStats) {
        self.running = None;
        if let Some(row) = self.rows.iter_mut().find(|row| row.name == stats.reducer) {
            row.tests += stats.counts.tests;
            row.removed += stats.bytes_before.saturating_sub(stats.bytes_after);
            row.elapsed += stats.elapsed;
            row.is_running = false;
        }
        self.rows.retain(|row| row.tests > 0);
    }

    /// The rows, with what the one that runs has done up to now.
    pub(super) fn now(&self, counts: Counts, bytes: usize, elapsed: Duration) -> Vec<Row> {
        let mut rows = self.rows.clone();
        if let (Some(running), Some(row)) = (&self.running, rows.first_mut()) {
            row.tests += counts.tests.saturating_sub(running.tests);
            row.removed += running.bytes.saturating_sub(bytes);
            row.elapsed += elapsed.saturating_sub(running.since);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(tests: u64) -> Counts {
        Counts { tests, ..Counts::default() }
    }

    fn ended(name: &str, tests: u64, bytes: (usize, usize)) -> ReducerStats {
        ReducerStats {
            reducer: name.to_owned(),
            counts: counts(tests),
            bytes_before: bytes.0,
            bytes_after: bytes.1,
            elapsed: Duration::from_secs(1),
        }
    }

    #[test]
    fn runs_of_a_reducer_are_one_row_and_the_one_that_runs_comes_first() {
        let mut rows = ReducerRows::default();
        let second = Duration::from_secs(1);
        rows.begin("lines", counts(0), 100, Duration::ZERO);
        rows.end(&ended("lines", 10, (100, 60)));
        rows.begin("tokens", counts(10), 60, second);
        rows.end(&ended("tokens", 0, (60, 60)));
        rows.begin("bytes", counts(10), 60, second);
        rows.end(&ended("bytes", 5, (60, 50)));
        rows.begin("lines", counts(15), 50, 2 * second);
        let now = rows.now(counts(18), 45, 3 * second);
        let shown: Vec<(&str, u64, usize, u64, bool)> = now
            .iter()
            .map(|row| {
                (row.name.as_str(), row.tests, row.removed, row.elapsed.as_secs(), row.is_running)
            })
            .collect();
        assert_eq!(shown, [("lines", 13, 45, 2, true), ("bytes", 5, 10, 1, false)]);
    }
}
