//! What the view shows, copied from events. It knows no terminal.

use std::time::{Duration, Instant};

use super::reducer_rows::{ReducerRows, Row};
use super::sizes::Sizes;
use crate::event::Event;
use crate::report::figures::Figures;
use crate::report::{note, show};

/// The data of one search that a frame shows.
#[derive(Default)]
pub(super) struct ViewState {
    /// The input's path.
    pub input: String,
    /// The target's name.
    pub target: String,
    /// The failure, on one line.
    pub failure: String,
    /// Sizes, rate and the best.
    pub figures: Figures,
    /// The size over time.
    pub sizes: Sizes,
    /// Other failures that were met.
    pub other_failures: usize,
    /// The last message, or what the last key does.
    pub message: String,
    /// What each reducer has done.
    reducers: ReducerRows,
    /// When the last event came that says what time it is.
    heard: Option<Instant>,
}

impl ViewState {
    /// Takes over what an event says. Costs a copy of at most 16 KiB, for a new best.
    pub(super) fn follow(&mut self, event: &Event<'_>) {
        match event {
            Event::Subject(subject) => {
                let (input, target) = (show::path(subject.input), subject.target.to_owned());
                *self = ViewState { input, target, ..ViewState::default() };
            }
            Event::Started { bytes, signature } => {
                self.failure = show::short_paths(&signature.to_string());
                self.sizes = Sizes::of_input(*bytes);
                self.reducers = ReducerRows::default();
                self.heard = Some(Instant::now());
            }
            Event::Reduced { best, elapsed, .. } => self.sizes.add(*elapsed, best.len()),
            Event::OtherFailure { .. } => self.other_failures += 1,
            Event::Note(kind, text) => self.message = note::note_in_words(*kind, text).into_owned(),
            Event::Message(text) => (*text).clone_into(&mut self.message),
            _ => {}
        }
        if self.figures.follow(event) {
            self.heard = Some(Instant::now());
        }
        match event {
            Event::ReducerStarted { reducer } => {
                let now = self.elapsed();
                let Figures { counts, best_bytes, .. } = &self.figures;
                self.reducers.begin(reducer, *counts, *best_bytes, now);
            }
            Event::ReducerEnded(stats) => self.reducers.end(stats),
            _ => {}
        }
    }

    /// Says what a key does.
    pub(super) fn note_key(&mut self, text: &str) {
        text.clone_into(&mut self.message);
    }

    /// Time since the search began. It increases between events too: a test may take long.
    pub(super) fn elapsed(&self) -> Duration {
        self.figures.elapsed + self.heard.map_or(Duration::ZERO, |heard| heard.elapsed())
    }

    /// What reducers have done until now, the one that runs first.
    pub(super) fn reducers(&self) -> Vec<Row> {
        self.reducers.now(self.figures.counts, self.figures.best_bytes, self.elapsed())
    }
}
