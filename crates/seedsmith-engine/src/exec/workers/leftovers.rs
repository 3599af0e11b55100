//! The leftovers of a worker's candidates: threads, open files, memory, a lost stderr.
//!
//! A worker that has run many candidates can give wrong results: descriptors run out, and threads of an
//! earlier candidate crash in a later one. So it retires and a new one continues. Looking costs some 30 µs, so it is done often while a
//! worker is young, when a target that leaves something every time shows it, and rarely later.
//!
//! Compiled twice, see [`super::sys`].

use super::sys;

/// A worker is looked at first after this number of runs: by then a target has made its lasting objects, such as
/// a pool of threads. A guess; not measured.
const FIRST_CHECK_RUNS: u32 = 4;
/// It is looked at when its runs double, and after each of these many runs: at 30 µs a look that is
/// .06 µs a run.
const CHECK_EVERY_RUNS: u32 = 512;
/// Memory is looked at more often, after this number of runs: it runs out first, and the look is one cheap system call.
const CHECK_MEMORY_EVERY_RUNS: u32 = 4;

/// Open files that may pile up: a small part of the usual limit of 1024. A guess; not measured.
const MAX_MORE_FILES: usize = 64;
/// Kilobytes of memory that may pile up: a small part of the usual limit of 2 GB. A guess; not measured.
const MAX_MORE_KILOBYTES: u64 = 64 << 10;
/// The same where AddressSanitizer is linked and the worker is to keep what it has learnt: that keeps 256 MB of freed
/// memory before it uses it again, and its own records of them. A guess beyond these 256 MB; not measured.
const MAX_MORE_KILOBYTES_WITH_QUARANTINE: u64 = 448 << 10;

/// The counts of the first look.
pub(super) struct Leftovers {
    first: Option<Left>,
    /// The most kilobytes that had been resident when it was last looked.
    most: u64,
    /// Kilobytes that may pile up.
    allowed: u64,
}

impl Leftovers {
    /// Nothing was looked at yet. `has_quarantine` is for a worker that keeps its state under a sanitizer.
    pub(super) fn new(has_quarantine: bool) -> Self {
        let allowed =
            if has_quarantine { MAX_MORE_KILOBYTES_WITH_QUARANTINE } else { MAX_MORE_KILOBYTES };
        Leftovers { first: None, most: 0, allowed }
    }

    /// Whether the worker should retire after this number of runs.
    ///
    /// A target's pool of threads is there at the first look; later threads are leftovers.
    pub(super) fn are_too_many_after(&mut self, runs: u32) -> bool {
        let is_due = runs >= FIRST_CHECK_RUNS
            && (runs.is_multiple_of(CHECK_EVERY_RUNS) || runs.is_power_of_two());
        let may_have_grown = || most_resident() > self.most + self.allowed;
        let is_asked = runs > FIRST_CHECK_RUNS && runs.is_multiple_of(CHECK_MEMORY_EVERY_RUNS);
        (is_due || (is_asked && may_have_grown())) && self.are_too_many()
    }

    #[inline(never)]
    fn are_too_many(&mut self) -> bool {
        let now = Left::now();
        wipe_stack();
        self.most = most_resident();
        let Some(first) = &self.first else {
            let has_stderr = now.has_stderr;
            self.first = Some(now);
            return !has_stderr;
        };
        !now.has_stderr
            || now.threads > first.threads
            || now.files > first.files + MAX_MORE_FILES
            || now.kilobytes > first.kilobytes + self.allowed
    }
}

struct Left {
    threads: usize,
    files: usize,
    kilobytes: u64,
    has_stderr: bool,
}

impl Left {
    /// Not inlined: nothing of it may stay in a frame that lives while candidates run.
    #[inline(never)]
    fn now() -> Self {
        let count = |path| std::fs::read_dir(path).map_or(0, Iterator::count);
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages: u64 = statm.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        // SAFETY: plain questions: the size of a page, and the flags of a descriptor.
        let (page, flags) =
            unsafe { (sys::getauxval(sys::AT_PAGESZ), sys::fcntl(2, sys::F_GETFD)) };
        Left {
            threads: count("/proc/self/task"),
            files: count("/proc/self/fd"),
            kilobytes: pages * (page >> 10),
            has_stderr: flags >= 0,
        }
    }
}

fn most_resident() -> u64 {
    let mut usage = sys::Usage::zeroed();
    // SAFETY: the record is ours.
    unsafe { sys::getrusage(sys::RUSAGE_SELF, &mut usage) };
    u64::try_from(usage.most_resident_kb).unwrap_or(0)
}

/// Overwrites the data that returned functions left on the stack. In later frames, old data in
/// uninitialised places would count as pointers, and hide a leak of a block that was freed and
/// given out again.
#[inline(never)]
pub(super) fn wipe_stack() {
    let mut frame = [0u8; 64 * 1024];
    std::hint::black_box(&mut frame);
}
