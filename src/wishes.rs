//! Requests of a person to a running search, besides ending it.
//!
//! A key of the view sets a wish; the search and what keeps its result look at it. Without keys nothing is
//! ever set, and a run is the same as without a view.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The wishes of one run. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    /// The reducer that runs is to end.
    skips: Arc<AtomicBool>,
    /// The best is to be written.
    writes: Arc<AtomicBool>,
}

impl Wishes {
    /// Asks for an end of the reducer that runs.
    pub(crate) fn skip_reducer(&self) {
        self.skips.store(true, Ordering::Relaxed);
    }

    /// Asks for the best to be written now.
    pub(crate) fn write_best(&self) {
        self.writes.store(true, Ordering::Relaxed);
    }

    /// Whether the reducer that runs is to end.
    pub(crate) fn wants_skip(&self) -> bool {
        self.skips.load(Ordering::Relaxed)
    }

    /// Forgets a wish to end a reducer: it was fulfilled, or the reducer has ended by itself.
    pub(crate) fn forget_skip(&self) {
        self.skips.store(false, Ordering::Relaxed);
    }

    /// Whether the best is to be written now. The wish is taken: the next call says no.
    pub(crate) fn takes_write(&self) -> bool {
        self.writes.load(Ordering::Relaxed) && self.writes.swap(false, Ordering::Relaxed)
    }
}
