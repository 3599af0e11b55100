//! The one word that a driver sleeps on while its slots work.
//!
//! A futex in memory that every zygote and worker maps. Whoever has something to report
//! increments it and wakes the sleeper; the driver sleeps only if the word has not moved since it
//! last looked, so no ring is ever missed.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use memmap2::{MmapOptions, MmapRaw};

use super::{TargetError, sys};

/// A futex word shared with the processes that report.
#[derive(Clone)]
pub struct Bell {
    shared: Arc<Shared>,
}

struct Shared {
    file: OwnedFd,
    page: MmapRaw,
}

/// What the mapping of a bell is long.
pub(crate) const BELL_BYTES: usize = 4096;

impl Bell {
    /// Makes a bell in an anonymous file. Fails only where the system has no memory files.
    pub fn new() -> Result<Self, TargetError> {
        let file = super::memory::anonymous_file(c"seedsmith-bell", BELL_BYTES as u64)?;
        let page = MmapOptions::new()
            .len(BELL_BYTES)
            .map_raw(&file)
            .map_err(|error| TargetError::system("map the bell", error))?;
        Ok(Bell { shared: Arc::new(Shared { file, page }) })
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: the mapping is page-aligned, longer than a word and lives as long as `self`;
        // other processes change the word only by atomic operations.
        unsafe { &*self.shared.page.as_ptr().cast::<AtomicU32>() }
    }

    /// How often the bell has rung, modulo 2^32.
    pub fn rings(&self) -> u32 {
        self.word().load(Ordering::Acquire)
    }

    /// Rings: wakes whoever waits.
    pub fn ring(&self) {
        self.word().fetch_add(1, Ordering::Release);
        sys::futex_wake(self.word());
    }

    /// Sleeps until the bell has rung more often than `seen`, at most for `limit`.
    pub fn wait(&self, seen: u32, limit: Duration) {
        sys::futex_wait(self.word(), seen, Some(limit));
    }

    /// The file behind the word, for a process that is about to map it.
    pub(crate) fn file(&self) -> BorrowedFd<'_> {
        self.shared.file.as_fd()
    }
}
