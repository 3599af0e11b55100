//! One line on a terminal that tells how far a search is.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::show;
use crate::event::{Counts, Event};

/// The line. Where stderr is no terminal it never appears.
pub struct Progress {
    bar: ProgressBar,
    max_time: Option<Duration>,
    reducer: String,
    input_bytes: usize,
    best_bytes: usize,
    last: (Counts, Duration),
    rate: f64,
}

impl Progress {
    /// A line that appears with the first event. `is_wanted` says whether it does at all.
    pub fn new(is_wanted: bool, max_time: Option<Duration>) -> Self {
        let bar = if is_wanted && std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}")
                .expect("the template is well-formed");
            ProgressBar::new_spinner().with_style(style)
        } else {
            ProgressBar::hidden()
        };
        Progress {
            bar,
            max_time,
            reducer: String::new(),
            input_bytes: 0,
            best_bytes: 0,
            last: (Counts::default(), Duration::ZERO),
            rate: 0.0,
        }
    }

    /// Follows an event.
    pub fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { bytes, .. } => {
                self.input_bytes = *bytes;
                self.best_bytes = *bytes;
            }
            Event::ReducerStarted { reducer } => self.reducer = (*reducer).to_owned(),
            Event::Reduced { best, counts, elapsed } => {
                self.best_bytes = best.len();
                self.tell(*counts, *elapsed);
            }
            Event::Progress { counts, elapsed, .. } => self.tell(*counts, *elapsed),
            _ => {}
        }
    }

    /// Prints `line` above the progress.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the line.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&mut self, counts: Counts, elapsed: Duration) {
        if self.bar.is_hidden() {
            return;
        }
        let (last_counts, last_elapsed) = self.last;
        let since = elapsed.saturating_sub(last_elapsed).as_secs_f64();
        if since >= 0.1 {
            let now = (counts.tests - last_counts.tests) as f64 / since;
            self.rate = if self.rate == 0.0 { now } else { self.rate * 0.7 + now * 0.3 };
            self.last = (counts, elapsed);
        }
        let mut line = format!(
            "{} → {}  {}  {} tests",
            show::number(self.input_bytes as u64),
            show::bytes(self.best_bytes),
            self.reducer,
            show::number(counts.tests),
        );
        if self.rate > 0.0 {
            line += &format!(", {} a second", show::number(self.rate.round() as u64));
        }
        if let Some(limit) = self.max_time {
            line += &format!("  {} left", show::time(limit.saturating_sub(elapsed)));
        }
        self.bar.set_message(line);
        self.bar.tick();
    }
}
