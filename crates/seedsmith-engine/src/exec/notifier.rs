//! The word of memory that a driver sleeps on while its slots work.
//!
//! A futex in memory that every zygote and worker maps. A process that has something to report
//! increments it and wakes the sleeper. The driver sleeps only if the word has not changed since it
//! last read it, so no notification is missed.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use memmap2::{MmapOptions, MmapRaw};

use crate::exec::TargetError;
use crate::exec::os::memory::anonymous_file;
use crate::exec::workers::protocol::NotifierPage;

/// A futex word shared with the processes that report. Cloning gives the same notifier.
#[derive(Clone)]
pub struct Notifier {
    shared: Arc<Shared>,
}

struct Shared {
    file: OwnedFd,
    page: MmapRaw,
    /// Slots that have used it.
    slots: AtomicUsize,
}

const PAGE_BYTES: usize = 4096;

/// Notifiers of this process that are in use.
static NOTIFIERS: AtomicUsize = AtomicUsize::new(0);

impl Drop for Shared {
    fn drop(&mut self) {
        NOTIFIERS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Notifier {
    /// Makes a notifier in an anonymous file. Fails only where the system has no memory files.
    pub fn new() -> Result<Self, TargetError> {
        let file = anonymous_file(c"seedsmith-notifier", PAGE_BYTES as u64)?;
        let page = MmapOptions::new()
            .len(PAGE_BYTES)
            .map_raw(&file)
            .map_err(|error| TargetError::system("map the notifier", error))?;
        NOTIFIERS.fetch_add(1, Ordering::Relaxed);
        Ok(Notifier { shared: Arc::new(Shared { file, page, slots: AtomicUsize::new(0) }) })
    }

    fn page(&self) -> &NotifierPage {
        // SAFETY: the mapping is page-aligned, longer than the page's fields and lives as long as
        // `self`; other processes change the fields only by atomic operations.
        unsafe { &*self.shared.page.as_ptr().cast::<NotifierPage>() }
    }

    /// The number of a slot that begins to use it, from 0.
    pub(crate) fn number_slot(&self) -> usize {
        self.shared.slots.fetch_add(1, Ordering::Relaxed)
    }

    /// How many slots have used it.
    pub(crate) fn slots(&self) -> usize {
        self.shared.slots.load(Ordering::Relaxed)
    }

    /// How many drivers of this process work side by side: each has a notifier.
    pub(crate) fn drivers() -> usize {
        NOTIFIERS.load(Ordering::Relaxed)
    }

    /// How many notifications there have been, modulo 2^32.
    pub fn count(&self) -> u32 {
        self.page().count.load(Ordering::Acquire)
    }

    /// Wakes the thread that waits, if one does.
    pub fn notify(&self) {
        self.page().notify();
    }

    /// Sleeps until there have been more notifications than `seen`, at most for `limit`. One thread at
    /// a time.
    pub fn wait(&self, seen: u32, limit: Duration) {
        self.page().wait(seen, limit);
    }

    /// The file behind the word, for a process that will map it.
    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.shared.file.as_fd()
    }
}
