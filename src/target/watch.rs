//! Watches a worker for hangs and for memory, and ends it.
//!
//! Time is the worker's own processor time, so that a busy machine makes no hang; wall-clock time
//! is the backstop for targets that sleep. Looked at every few milliseconds, and only while a
//! candidate takes that long.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use super::Limits;

/// What a look at a worker gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    None,
    Time,
    Memory,
}

/// Since when a worker has been at the same candidate.
#[derive(Default)]
pub(crate) struct Watch {
    since: Option<Since>,
}

struct Since {
    pid: i32,
    sequence: u32,
    cpu: Duration,
    wall: Instant,
}

impl Watch {
    /// Looks at the worker `pid`, which is at candidate number `sequence`.
    pub fn look(&mut self, pid: i32, sequence: u32, limits: Limits) -> Alarm {
        let Some(cpu) = cpu_time(pid) else { return Alarm::None };
        let since = match &self.since {
            Some(since) if since.pid == pid && since.sequence == sequence => since,
            _ => {
                self.since = Some(Since { pid, sequence, cpu, wall: Instant::now() });
                return Alarm::None;
            }
        };
        // Memory first: whoever eats it takes time as well.
        if limits.memory_mb > 0 && resident_mb(pid) > limits.memory_mb {
            return Alarm::Memory;
        }
        if cpu.saturating_sub(since.cpu) >= limits.cpu || since.wall.elapsed() >= limits.wall {
            return Alarm::Time;
        }
        Alarm::None
    }
}

fn cpu_time(pid: i32) -> Option<Duration> {
    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(pid)).ok()?;
    let time = clock_gettime(clock).ok()?;
    Some(Duration::from(time))
}

/// Resident memory of a process, in MB.
fn resident_mb(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: u64 =
        text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default();
    // SAFETY: a plain question to the C library.
    let page = unsafe {
        super::sys::getauxval(6 /* AT_PAGESZ */)
    };
    (pages * page) >> 20
}

/// Ends the worker `pid` unless `is_still_it` says that the number may be another's by now.
///
/// The zygote posts a death before it reaps, so a worker whose death is not posted after the
/// descriptor was opened is the one that the descriptor names.
pub(crate) fn end_worker(pid: i32, is_still_it: impl Fn() -> bool) -> bool {
    open_process(pid).is_some_and(|process| is_still_it() && send_kill(&process))
}

fn open_process(pid: i32) -> Option<OwnedFd> {
    // SAFETY: a plain system call; a descriptor that it gives is nobody else's.
    unsafe {
        let file = super::sys::syscall(434 /* pidfd_open */, pid, 0);
        (file >= 0).then(|| OwnedFd::from_raw_fd(file as i32))
    }
}

fn send_kill(process: &OwnedFd) -> bool {
    let file = process.as_raw_fd();
    // SAFETY: a plain system call.
    unsafe {
        super::sys::syscall(424 /* pidfd_send_signal */, file, super::sys::SIGKILL, 0usize, 0) == 0
    }
}

/// The processes below one, held by descriptors so that no number can be mistaken.
pub(crate) struct Descendants {
    held: Vec<OwnedFd>,
}

impl Descendants {
    /// All processes below `pid`, which has to be alive: what leaves its parent is handed to it.
    pub fn of(pid: u32) -> Self {
        let mut held = Vec::new();
        let mut parents = vec![pid];
        // A tree that grows while it is read is read no further than this.
        while let Some(parent) = parents.pop().filter(|_| held.len() < 4096) {
            let tasks = std::fs::read_dir(format!("/proc/{parent}/task"));
            for task in tasks.into_iter().flatten().flatten() {
                let children =
                    std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
                for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
                    held.extend(open_process(child));
                    parents.push(child as u32);
                }
            }
        }
        Descendants { held }
    }

    /// Ends them.
    pub fn end(self) {
        for process in self.held {
            send_kill(&process);
        }
    }
}
