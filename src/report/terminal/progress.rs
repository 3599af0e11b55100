//! How far a search is: one line on a terminal, or, where there is none and continuous integration
//! waits for output, a line of the log every ten seconds.
//!
//! What matters most comes first, and what does not fit a narrow terminal is left out.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Styled, width};
use crate::event::Event;
use crate::reduce::registry;
use crate::report::figures::{Figures, seconds};
use crate::report::options::ReportOptions;
use crate::report::show;

/// Time between two lines of a log. CI services end jobs that print nothing for minutes; a line
/// every ten seconds is what their users expect and does not fill the log.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two states of a line that moves by itself: it looks alive and costs nothing. A guess; not
/// measured.
const COUNT_INTERVAL: Duration = Duration::from_millis(200);
/// Bytes of the best input that are shown: more than a line of a wide terminal.
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
    figures: Figures,
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
            figures: Figures::default(),
        }
    }

    /// No line and no log.
    #[cfg(feature = "view")]
    pub(crate) fn hidden() -> Self {
        let (bar, figures) = (ProgressBar::hidden(), Figures::default());
        Progress { bar, log_due: None, max_time: None, figures }
    }

    /// Follows an event. Returns a line for the log where one is due.
    pub(crate) fn follow(&mut self, event: &Event<'_>) -> Option<String> {
        if !self.figures.follow(event) {
            return None;
        }
        if !self.bar.is_hidden() {
            let size = terminal_size::terminal_size_of(std::io::stderr());
            let columns = size.map_or(DEFAULT_COLUMNS, |(columns, _)| usize::from(columns.0));
            let room = columns.saturating_sub(SPINNER_COLUMNS);
            self.bar.set_message(self.figures.line(self.max_time, room));
            self.bar.tick();
        }
        let due = self.log_due.as_mut().filter(|due| self.figures.elapsed >= **due)?;
        // From now, not from when it was due: a slow test must not be followed by several lines.
        *due = self.figures.elapsed + LOG_INTERVAL;
        Some(self.figures.log_line())
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

impl Figures {
    /// The line on a terminal with `room` columns left.
    fn line(&self, max_time: Option<Duration>, room: usize) -> String {
        let mut line = match max_time {
            None => seconds(self.elapsed),
            Some(limit) => format!("{} of {}", seconds(self.elapsed), seconds(limit)),
        };
        let fields = [
            self.sizes(),
            self.rate(),
            self.since_success(self.elapsed),
            in_words(&self.reducer).to_owned(),
        ];
        for field in fields.iter().filter(|field| !field.is_empty()) {
            if width(&line) + FIELD_GAP.len() + width(field) > room {
                return line;
            }
            line += FIELD_GAP;
            line += field;
        }
        let left = room.saturating_sub(width(&line) + FIELD_GAP.len());
        let head = head(&self.best);
        if !head.is_empty() && left >= MIN_HEAD_COLUMNS {
            line += FIELD_GAP;
            line += &Styled::plain(&head).cut(left).text();
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
            self.since_success(self.elapsed)
        )
    }
}

/// The beginning of an input, escaped.
fn head(best: &[u8]) -> String {
    let shown = show::plain(&best[..best.len().min(HEAD_BYTES)]);
    if best.len() > HEAD_BYTES { shown + "…" } else { shown }
}

/// Between two fields of the line.
const FIELD_GAP: &str = "  ";

/// What a reducer does, in words that need no manual; nothing before the first one runs.
pub(in crate::report) fn in_words(reducer: &str) -> &'static str {
    match (reducer, registry::find(reducer)) {
        ("", _) => "",
        (_, Some(reducer)) => reducer.activity(),
        (_, None) => "deleting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Counts;
    use seedsmith_engine::{Kind, Signature};

    fn at(tests: u64, seconds: u64) -> (Counts, Duration) {
        (Counts { tests, ..Counts::default() }, Duration::from_secs(seconds))
    }

    fn searching() -> Figures {
        let mut figures = Figures::default();
        let signature = Signature::of_kind(Kind::Abort);
        figures.follow(&Event::Started { bytes: 11_045, signature: &signature });
        figures.follow(&Event::ReducerStarted { reducer: "lines" });
        let (counts, elapsed) = at(1_000, 2);
        figures.follow(&Event::Reduced { best: b"[a]\nb = \"\x1b[31m", counts, elapsed });
        let (counts, elapsed) = at(4_000, 8);
        figures.follow(&Event::Progress { counts, bytes: 14, elapsed });
        figures
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
            figures: searching(),
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
