//! The files that a run keeps on disk while it is under way: the best, the other failures, and the
//! record from which it can be resumed.
//!
//! It gets every event before the caller does, so that everything announced is on disk.

use std::sync::atomic::{AtomicBool, Ordering};

use super::keeper::Keeper;
use super::output::Output;
use super::record::Record;
use crate::event::{Event, Reporter};
use crate::session::saved::other_failures::OtherFailuresFolder;
use crate::wishes::Wishes;

/// The files of one result.
pub(crate) struct OnDisk {
    /// The result.
    pub keeper: Keeper,
    /// Other failures; `None` if there is no output.
    pub other_failures: Option<OtherFailuresFolder>,
    /// Journal and observations.
    pub record: Record,
    wishes: Wishes,
}

impl OnDisk {
    /// The files that belong to the result at `output`; none are written without one.
    pub(crate) fn new(output: Option<&Output>, record: Record, wishes: Wishes) -> Self {
        let path = output.map(|output| output.path.as_path());
        let other_failures = output.map(|output| {
            OtherFailuresFolder::beside(&output.path).sparing(output.originals.clone())
        });
        OnDisk { keeper: Keeper::new(path), other_failures, record, wishes }
    }

    /// Writes the inputs in `event` to disk and passes the event on. If the best can't be written,
    /// `interrupt` is set: anything found later would be lost.
    pub(crate) fn hear(
        &mut self,
        event: &Event<'_>,
        interrupt: &AtomicBool,
        reporter: &mut dyn Reporter,
    ) {
        if self.wishes.takes_write() {
            self.keeper.write_soon();
        }
        match event {
            Event::Reduced { best, .. } => {
                if self.keeper.take(best) {
                    self.record.report(event);
                    reporter.report(event);
                } else if self.keeper.is_in_trouble() {
                    interrupt.store(true, Ordering::Relaxed);
                }
                return;
            }
            Event::Progress { counts, elapsed, .. } => {
                if let Some(best) = self.keeper.catch_up() {
                    let (counts, elapsed) = (*counts, *elapsed);
                    let reduced = Event::Reduced { best: &best, counts, elapsed };
                    self.record.report(&reduced);
                    reporter.report(&reduced);
                }
            }
            Event::OtherFailure { signature, input } => {
                if let Some(folder) = &mut self.other_failures {
                    folder.add(signature, input);
                }
            }
            _ => {}
        }
        self.record.report(event);
        reporter.report(event);
    }
}
