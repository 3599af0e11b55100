//! What a run keeps on disk while it goes on: the best, the by-catch, and what resumes it.
//!
//! It hears every event before the report does, so that what is told is on disk.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::by_catch::ByCatchFolder;
use super::keeper::Keeper;
use super::resume::Record;
use crate::event::Event;
use crate::report::Report;

/// The files of one result.
pub struct OnDisk {
    /// The result.
    pub keeper: Keeper,
    /// Other failures.
    pub by_catch: ByCatchFolder,
    /// Journal and observations.
    pub record: Record,
}

impl OnDisk {
    /// The files that belong to the result at `path`.
    pub fn new(path: &Path, record: Record) -> Self {
        OnDisk { keeper: Keeper::new(path), by_catch: ByCatchFolder::beside(path), record }
    }

    /// Keeps what `event` brings and hands it on. Where the best can't be kept, `interrupt` is
    /// set: searching on would find what is lost.
    pub fn hear(&mut self, event: &Event<'_>, interrupt: &AtomicBool, report: &mut Report) {
        match event {
            Event::Reduced { best, .. } => {
                if self.keeper.take(best) {
                    self.record.hear(event);
                    report.hear(event);
                } else if self.keeper.is_in_trouble() {
                    interrupt.store(true, Ordering::Relaxed);
                }
                return;
            }
            Event::Progress { counts, elapsed, .. } => {
                if let Some(best) = self.keeper.catch_up() {
                    let (counts, elapsed) = (*counts, *elapsed);
                    let reduced = Event::Reduced { best: &best, counts, elapsed };
                    self.record.hear(&reduced);
                    report.hear(&reduced);
                }
            }
            Event::ByCatch { signature, input } => {
                self.by_catch.add(signature, input);
            }
            _ => {}
        }
        self.record.hear(event);
        report.hear(event);
    }
}
