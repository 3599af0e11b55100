//! The figures of a running search, as the line of progress and the view show them: sizes, rate, and what
//! runs.

use std::time::Duration;

use super::show;
use crate::event::{Counts, Event};

/// Bytes of the best input that are kept to be shown: more than a large terminal has places for.
const MAX_KEPT_BYTES: usize = 16 << 10;
/// Time between two measurements of the rate: shorter ones cannot be read; not measured.
const RATE_INTERVAL: Duration = Duration::from_millis(100);

/// The figures of one search.
#[derive(Default)]
pub(super) struct Figures {
    /// The reducer that runs.
    pub reducer: String,
    /// Size of the input.
    pub input_bytes: usize,
    /// Size of the best.
    pub best_bytes: usize,
    /// The beginning of the best, at most 16 KiB; empty before anything was removed.
    pub best: Vec<u8>,
    /// Counts until now.
    pub counts: Counts,
    /// Time since the search began.
    pub elapsed: Duration,
    /// When the best was found.
    pub last_success: Option<Duration>,
    /// Where the rate was measured last.
    measured: (Counts, Duration),
    /// A moving average.
    pub tests_per_second: f64,
}

impl Figures {
    /// Whether there is something new to show.
    pub(super) fn follow(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Started { bytes, .. } => {
                *self = Figures { input_bytes: *bytes, best_bytes: *bytes, ..Figures::default() };
                return false;
            }
            Event::ReducerStarted { reducer } => {
                (*reducer).clone_into(&mut self.reducer);
                return false;
            }
            Event::Reduced { best, counts, elapsed } => {
                self.best_bytes = best.len();
                self.best.clear();
                self.best.extend_from_slice(&best[..best.len().min(MAX_KEPT_BYTES)]);
                self.last_success = Some(*elapsed);
                self.count(*counts, *elapsed);
            }
            Event::Progress { counts, elapsed, .. } => self.count(*counts, *elapsed),
            _ => return false,
        }
        true
    }

    /// Takes new counts, and measures the rate at most ten times a second: it is a moving average, so that the number
    /// can be read.
    fn count(&mut self, counts: Counts, elapsed: Duration) {
        (self.counts, self.elapsed) = (counts, elapsed);
        let (last_counts, last_elapsed) = self.measured;
        let since = elapsed.saturating_sub(last_elapsed);
        if since >= RATE_INTERVAL {
            let tests = counts.tests.saturating_sub(last_counts.tests) as f64;
            let now = tests / since.as_secs_f64();
            let before = self.tests_per_second;
            self.tests_per_second = if before == 0.0 { now } else { before * 0.7 + now * 0.3 };
            self.measured = (counts, elapsed);
        }
    }

    /// `500 tests/s`; nothing before the first measurement.
    pub(super) fn rate(&self) -> String {
        match self.tests_per_second {
            rate if rate > 0.0 => {
                format!("{}/s", show::counted(rate.round().max(1.0) as u64, "test", "tests"))
            }
            _ => String::new(),
        }
    }

    /// `last success 45 s ago`, where `now` is the time since the search began.
    pub(super) fn since_success(&self, now: Duration) -> String {
        match self.last_success {
            Some(at) => format!("last success {} ago", seconds(now.saturating_sub(at))),
            None => "nothing smaller yet".to_owned(),
        }
    }

    /// `11,045 → 14 bytes`; one size before anything was removed.
    pub(super) fn sizes(&self) -> String {
        if self.best_bytes == self.input_bytes {
            return show::bytes(self.best_bytes);
        }
        let input = show::number(self.input_bytes as u64);
        format!("{input} → {}", show::bytes(self.best_bytes))
    }
}

/// Whole seconds, or minutes and seconds: a line that changes ten times a second needs no more.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}
