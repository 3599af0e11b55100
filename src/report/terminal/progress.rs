//! How far a search is: one line on a terminal, or, where there is none and continuous integration
//! waits for output, a line of the log every ten seconds.
//!
//! What matters most comes first, and what does not fit a narrow terminal is left out.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Styled, width};
use crate::event::{Counts, Event};
use crate::reduce::registry;
use crate::report::options::ReportOptions;
use crate::report::show;

/// Time between two lines of a log. CI services end jobs that print nothing for minutes; a line
/// every ten seconds is what their users expect and does not fill the log.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two states of a line that moves by itself: it looks alive and costs nothing. A guess; not
/// measured.
const COUNT_INTERVAL: Duration = Duration::from_millis(200);
/// Bytes of the best input that are kept to be shown: more than a line of a wide terminal.
const HEAD_BYTES: usize = 256;
/// With fewer columns the best input is not shown. A guess: a word; not measured.
const MIN_HEAD_COLUMNS: usize = 8;
/// Columns of a terminal that does not say how many it has: those of a VT100, as most programs assume.
const DEFAULT_COLUMNS: usize = 80;
/// The spinner, the blank after it, and the last column, which stays free.
const SPINNER_COLUMNS: usize = 3;

/// The line.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// When the next line of the log is due; `None` if there is no log.
    log_due: Option<Duration>,
    max_time: Option<Duration>,
    state: State,
}

/// The figures of the search.
#[derive(Default)]
struct State {
    reducer: String,
    input_bytes: usize,
    best_bytes: usize,
    head: String,
    counts: Counts,
    elapsed: Duration,
    last_success: Option<Duration>,
    /// Where the rate was measured last.
    measured: (Counts, Duration),
    tests_per_second: f64,
}

impl Progress {
    /// A line that appears with the first event, as `options` want it.
    pub(crate) fn new(options: ReportOptions, max_time: Option<Duration>) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if !options.quiet && is_terminal {
            ProgressBar::new_spinner().with_style(style("{spinner} {wide_msg}"))
        } else {
            ProgressBar::hidden()
        };
        let has_log = options.logs_progress && !options.quiet && !is_terminal;
        Progress {
            bar,
            log_due: has_log.then_some(LOG_INTERVAL),
            max_time,
            state: State::default(),
        }
    }

    /// Follows an event. Returns a line for the log where one is due.
    pub(crate) fn follow(&mut self, event: &Event<'_>) -> Option<String> {
        if !self.state.follow(event) {
            return None;
        }
        if !self.bar.is_hidden() {
            let size = terminal_size::terminal_size_of(std::io::stderr());
            let columns = size.map_or(DEFAULT_COLUMNS, |(columns, _)| usize::from(columns.0));
            let room = columns.saturating_sub(SPINNER_COLUMNS);
            self.bar.set_message(self.state.line(self.max_time, room));
            self.bar.tick();
        }
        let due = self.log_due.as_mut().filter(|due| self.state.elapsed >= **due)?;
        // From now, not from when it was due: a slow test must not be followed by several lines.
        *due = self.state.elapsed + LOG_INTERVAL;
        Some(self.state.log_line())
    }

    /// Shows how many of the inputs are done, and the time since the first call. The line moves by
    /// itself: nothing else happens while an input is at work.
    pub(crate) fn count(&self, done: usize, all: usize) {
        if self.bar.is_hidden() {
            return;
        }
        let text = match all {
            1 => "repairing".to_owned(),
            all => format!(
                "{} of {} done",
                show::number(done as u64),
                show::counted(all as u64, "input", "inputs")
            ),
        };
        self.bar.set_style(style("{spinner} {elapsed}  {wide_msg}"));
        self.bar.set_message(text);
        self.bar.enable_steady_tick(COUNT_INTERVAL);
    }

    /// Prints `line` above the progress.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        if self.bar.message().is_empty() {
            // Nothing is drawn; to suspend would draw the spinner alone.
            return print();
        }
        self.bar.suspend(print);
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// How the line is drawn.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed")
}

impl State {
    /// Whether there is something new to show.
    fn follow(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Started { bytes, .. } => {
                *self = State { input_bytes: *bytes, best_bytes: *bytes, ..State::default() };
                return false;
            }
            Event::ReducerStarted { reducer } => {
                (*reducer).clone_into(&mut self.reducer);
                return false;
            }
            Event::Reduced { best, counts, elapsed } => {
                self.best_bytes = best.len();
                self.head = head(best);
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
        let since = elapsed.saturating_sub(last_elapsed).as_secs_f64();
        if since >= 0.1 {
            let now = counts.tests.saturating_sub(last_counts.tests) as f64 / since;
            let before = self.tests_per_second;
            self.tests_per_second = if before == 0.0 { now } else { before * 0.7 + now * 0.3 };
            self.measured = (counts, elapsed);
        }
    }

    /// The line on a terminal with `room` columns left.
    fn line(&self, max_time: Option<Duration>, room: usize) -> String {
        let mut line = match max_time {
            None => seconds(self.elapsed),
            Some(limit) => format!("{} of {}", seconds(self.elapsed), seconds(limit)),
        };
        let rate = match self.tests_per_second {
            rate if rate > 0.0 => {
                format!("{}/s", show::counted(rate.round().max(1.0) as u64, "test", "tests"))
            }
            _ => String::new(),
        };
        let fields = [self.sizes(), rate, self.since_success(), in_words(&self.reducer).to_owned()];
        for field in fields.iter().filter(|field| !field.is_empty()) {
            if width(&line) + FIELD_GAP.len() + width(field) > room {
                return line;
            }
            line += FIELD_GAP;
            line += field;
        }
        let left = room.saturating_sub(width(&line) + FIELD_GAP.len());
        if !self.head.is_empty() && left >= MIN_HEAD_COLUMNS {
            line += FIELD_GAP;
            line += &Styled::plain(&self.head).cut(left).text();
        }
        line
    }

    /// A line of a log.
    fn log_line(&self) -> String {
        format!(
            "after {}: {}, {}, {}",
            seconds(self.elapsed),
            self.sizes(),
            show::counted(self.counts.tests, "test", "tests"),
            self.since_success()
        )
    }

    /// `last success 45 s ago`.
    fn since_success(&self) -> String {
        match self.last_success {
            Some(at) => format!("last success {} ago", seconds(self.elapsed.saturating_sub(at))),
            None => "nothing smaller yet".to_owned(),
        }
    }

    /// `11,045 → 14 bytes`; one size before anything was removed.
    fn sizes(&self) -> String {
        if self.best_bytes == self.input_bytes {
            return show::bytes(self.best_bytes);
        }
        let input = show::number(self.input_bytes as u64);
        format!("{input} → {}", show::bytes(self.best_bytes))
    }
}

/// The beginning of an input, escaped.
fn head(best: &[u8]) -> String {
    let shown = show::plain(&best[..best.len().min(HEAD_BYTES)]);
    if best.len() > HEAD_BYTES { shown + "…" } else { shown }
}

/// Between two fields of the line.
const FIELD_GAP: &str = "  ";

/// Whole seconds, or minutes and seconds: a line that changes ten times a second needs no more.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// What a reducer does, in words that need no manual; nothing before the first one runs.
fn in_words(reducer: &str) -> &'static str {
    match (reducer, registry::find(reducer)) {
        ("", _) => "",
        (_, Some(reducer)) => reducer.activity(),
        (_, None) => "deleting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::{Kind, Signature};

    fn at(tests: u64, seconds: u64) -> (Counts, Duration) {
        (Counts { tests, ..Counts::default() }, Duration::from_secs(seconds))
    }

    fn searching() -> State {
        let mut state = State::default();
        let signature = Signature::of_kind(Kind::Abort);
        state.follow(&Event::Started { bytes: 11_045, signature: &signature });
        state.follow(&Event::ReducerStarted { reducer: "lines" });
        let (counts, elapsed) = at(1_000, 2);
        state.follow(&Event::Reduced { best: b"[a]\nb = \"\x1b[31m", counts, elapsed });
        let (counts, elapsed) = at(4_000, 8);
        state.follow(&Event::Progress { counts, bytes: 14, elapsed });
        state
    }

    #[test]
    fn the_line_begins_with_what_matters_most_and_shows_no_control_character() {
        assert_eq!(
            searching().line(Some(Duration::from_secs(90)), 200),
            "8 s of 1 min 30 s  11,045 → 14 bytes  500 tests/s  last success 6 s ago  \
             deleting lines  [a]\\nb = \"\\x1b[31m"
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_the_input_takes_the_rest() {
        let line = |columns| searching().line(None, columns);
        assert_eq!(line(37), "8 s  11,045 → 14 bytes  500 tests/s");
        assert_eq!(line(20), "8 s");
        let all = "8 s  11,045 → 14 bytes  500 tests/s  last success 6 s ago  deleting lines";
        assert_eq!(line(77), all);
        assert_eq!(line(85), format!("{all}  [a]\\nb =…"));
        assert!((0..120).all(|columns| width(&line(columns)) <= columns.max(3)));
    }

    #[test]
    fn a_log_gets_a_line_every_ten_seconds_however_slow_the_tests_are() {
        let mut progress = Progress {
            bar: ProgressBar::hidden(),
            log_due: Some(LOG_INTERVAL),
            max_time: None,
            state: searching(),
        };
        let mut after = |tests, seconds| {
            let (counts, elapsed) = at(tests, seconds);
            progress.follow(&Event::Progress { counts, bytes: 14, elapsed })
        };
        assert_eq!(after(4_500, 9), None);
        let line = "after 47 s: 11,045 → 14 bytes, 5,000 tests, last success 45 s ago";
        assert_eq!(after(5_000, 47).as_deref(), Some(line));
        assert_eq!(after(5_001, 48), None);
        assert!(after(5_002, 57).is_some());
    }
}
