//! The one word that a driver sleeps on while its slots work.
//!
//! A futex in memory that every zygote and worker maps. Whoever has something to report
//! increments it and wakes the sleeper; the driver sleeps only if the word has not moved since it
//! last looked, so no ring is ever missed.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use memmap2::{MmapOptions, MmapRaw};

use crate::exec::TargetError;
use crate::exec::os::memory::anonymous_file;
use crate::exec::workers::protocol::BellPage;

/// A futex word shared with the processes that report. Cloning gives the same bell.
#[derive(Clone)]
pub struct Bell {
    shared: Arc<Shared>,
}

struct Shared {
    file: OwnedFd,
    page: MmapRaw,
}

const BELL_BYTES: usize = 4096;

/// Bells of this process that anybody holds.
static BELLS: AtomicUsize = AtomicUsize::new(0);

impl Drop for Shared {
    fn drop(&mut self) {
        BELLS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Bell {
    /// Makes a bell in an anonymous file. Fails only where the system has no memory files.
    pub fn new() -> Result<Self, TargetError> {
        let file = anonymous_file(c"seedsmith-bell", BELL_BYTES as u64)?;
        let page = MmapOptions::new()
            .len(BELL_BYTES)
            .map_raw(&file)
            .map_err(|error| TargetError::system("map the bell", error))?;
        BELLS.fetch_add(1, Ordering::Relaxed);
        Ok(Bell { shared: Arc::new(Shared { file, page }) })
    }

    fn page(&self) -> &BellPage {
        // SAFETY: the mapping is page-aligned, longer than the page's fields and lives as long as
        // `self`; other processes change the fields only by atomic operations.
        unsafe { &*self.shared.page.as_ptr().cast::<BellPage>() }
    }

    /// How many drivers of this process work side by side: each has a bell.
    pub(crate) fn drivers() -> usize {
        BELLS.load(Ordering::Relaxed)
    }

    /// How often the bell has rung, modulo 2^32.
    pub fn rings(&self) -> u32 {
        self.page().rings.load(Ordering::Acquire)
    }

    /// Rings: wakes whoever waits.
    pub fn ring(&self) {
        self.page().ring();
    }

    /// Sleeps until the bell has rung more often than `seen`, at most for `limit`. One thread at
    /// a time.
    pub fn wait(&self, seen: u32, limit: Duration) {
        self.page().wait(seen, limit);
    }

    /// The file behind the word, for a process that is about to map it.
    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.shared.file.as_fd()
    }
}
