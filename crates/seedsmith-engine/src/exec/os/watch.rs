//! Watches a worker for hangs and for memory, and ends it.
//!
//! Time is the worker's own processor time, so that a busy machine makes no hang; wall-clock time
//! is the backstop for targets that sleep. A worker is checked every few milliseconds, and only if
//! a candidate takes longer than that.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use crate::exec::Limits;
use crate::exec::os::sys::number::{PIDFD_OPEN, PIDFD_SEND_SIGNAL};

/// The result of a look at a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    /// Nothing is wrong.
    None,
    /// It has used up its time.
    Time,
    /// It has used up its memory.
    Memory,
}

/// Since when a worker has been at the same candidate.
#[derive(Default)]
pub(crate) struct Watch {
    since: Option<Since>,
}

struct Since {
    pids: Vec<i32>,
    sequence: u32,
    cpu: Duration,
    wall: Instant,
}

impl Watch {
    /// Looks at the processes `pids`, one of which is the worker at candidate number `sequence`.
    ///
    /// The wall clock continues when the processes change: a target that names another process each
    /// time gets no more time.
    pub(crate) fn look(&mut self, pids: &[i32], sequence: u32, limits: Limits) -> Alarm {
        let cpu = pids.iter().filter_map(|pid| cpu_time(*pid)).sum::<Duration>();
        let since = match &mut self.since {
            Some(since) if since.sequence == sequence => since,
            _ => {
                let pids = pids.to_vec();
                self.since = Some(Since { pids, sequence, cpu, wall: Instant::now() });
                return Alarm::None;
            }
        };
        if since.pids != pids {
            since.pids = pids.to_vec();
            since.cpu = cpu;
        }
        // Memory first: a process that fills memory takes time as well.
        if limits.memory_mb > 0 && pids.iter().any(|pid| resident_mb(*pid) > limits.memory_mb) {
            return Alarm::Memory;
        }
        if cpu.saturating_sub(since.cpu) >= limits.cpu || since.wall.elapsed() >= limits.wall {
            return Alarm::Time;
        }
        Alarm::None
    }
}

/// Processor time of all threads of a process, ended ones included; `None` if it has ended.
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
    let page = unsafe { crate::exec::os::sys::getauxval(crate::exec::os::sys::AT_PAGESZ) };
    (pages * page) >> 20
}

/// Resident memory of a process and its descendants, in MB. Of a few hundred at most: more are a bomb.
pub(crate) fn tree_resident_mb(pid: i32) -> u64 {
    const MAX_PROCESSES: usize = 256;
    let mut all = vec![pid];
    let mut next = 0;
    while next < all.len() && all.len() < MAX_PROCESSES {
        all.extend(children_of(all[next] as u32));
        next += 1;
    }
    all.into_iter().map(resident_mb).sum()
}

/// The processes to look at for the worker of `zygote`: the one that shared memory names, if it is a
/// living child of the zygote, else all such children. A target can write any number there.
pub(crate) fn workers(named: i32, zygote: u32) -> Vec<i32> {
    if named > 0 && is_alive_below(named, zygote) {
        return vec![named];
    }
    let children = children_of(zygote).into_iter();
    children.filter(|child| is_alive_below(*child, zygote)).collect()
}

/// The processes `pids` and their children, which are to be looked at with them.
pub(crate) fn with_children(mut pids: Vec<i32>) -> Vec<i32> {
    let children: Vec<i32> = pids.iter().flat_map(|pid| children_of(*pid as u32)).collect();
    pids.extend(children);
    pids
}

/// Ends the worker `pid` of `zygote` unless `is_still_it` says that the number may be another's by
/// now. A process that is no child of the zygote is never ended.
///
/// The zygote posts a death before it reaps, so a worker whose death is not posted after the
/// descriptor was opened is the one that the descriptor names. That it is a child is asked after
/// that too: who has the number then is who was opened.
pub(crate) fn end_worker(pid: i32, zygote: u32, is_still_it: impl Fn() -> bool) -> bool {
    open_process(pid)
        .is_some_and(|process| is_alive_below(pid, zygote) && is_still_it() && send_kill(&process))
}

/// The process `pid` as a file, which is readable once the process has ended.
pub(crate) fn open_process(pid: i32) -> Option<OwnedFd> {
    // SAFETY: a plain system call; a descriptor that it gives is no one else's.
    unsafe {
        let file = crate::exec::os::sys::syscall(PIDFD_OPEN, pid, 0);
        (file >= 0).then(|| OwnedFd::from_raw_fd(file as i32))
    }
}

/// Ends a process by its descriptor: another process that was given the number since is not hit.
fn send_kill(process: &OwnedFd) -> bool {
    let file = process.as_raw_fd();
    // SAFETY: a plain system call.
    unsafe {
        crate::exec::os::sys::syscall(
            PIDFD_SEND_SIGNAL,
            file,
            crate::exec::os::sys::SIGKILL,
            0usize,
            0,
        ) == 0
    }
}

/// How many rounds [`end_below`] makes: processes that fork faster than they are ended would
/// continue for ever.
const MAX_ROUNDS: u32 = 10_000;

/// How often the state of a child is read after it was sent a stop signal. A target that traces the child keeps it from
/// stopping until the target is ended, so it is not waited for longer.
const MAX_STOP_CHECKS: u32 = 1_000;

/// Ends all processes below the child `pid` and leaves that one stopped: the caller ends it and reaps
/// it, or lets it continue.
///
/// The child is stopped first. As it is a subreaper, whatever loses its parent is handed to it
/// instead of getting away, so that looking until nothing lives finds all.
pub(crate) fn end_below(pid: u32) {
    let child = Pid::from_raw(pid as i32);
    if kill(child, Signal::SIGSTOP).is_err() {
        return;
    }
    let is_stopped = WaitPidFlag::WSTOPPED | WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    for _ in 0..MAX_STOP_CHECKS {
        match waitid(Id::Pid(child), is_stopped | WaitPidFlag::WNOHANG) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_micros(50)),
            Ok(_) => break,
            Err(_) => return,
        }
    }
    for _ in 0..MAX_ROUNDS {
        let living = living_below(pid);
        if living.is_empty() {
            return;
        }
        for process in living {
            send_kill(&process);
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// The processes below `pid` that are not dead yet, held by descriptors so that no number can be
/// mistaken.
fn living_below(pid: u32) -> Vec<OwnedFd> {
    let mut held = Vec::new();
    let mut parents = vec![pid];
    // A tree that grows while it is read is read no further than this.
    while let Some(parent) = parents.pop().filter(|_| held.len() < 512) {
        for child in children_of(parent) {
            let process = open_process(child);
            // Only now: who has the number after it was opened is who was opened.
            if is_alive_below(child, parent) {
                held.extend(process);
                parents.push(child as u32);
            }
        }
    }
    held
}

/// The children of all threads of a process, dead ones too.
fn children_of(parent: u32) -> Vec<i32> {
    let mut found = Vec::new();
    let tasks = std::fs::read_dir(format!("/proc/{parent}/task"));
    for task in tasks.into_iter().flatten().flatten() {
        let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().filter_map(|child| child.parse::<i32>().ok()));
    }
    found
}

/// Whether `pid` is a child of `parent` that has not ended.
fn is_alive_below(pid: i32, parent: u32) -> bool {
    let Some((state, above)) = state_and_parent(pid) else { return false };
    // The first thread of a process may end before the others.
    let threads = || std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    above == parent && (!is_end(state) || threads() > 1)
}

/// The system's letter for the state of a process, and its parent.
fn state_and_parent(pid: i32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name, in brackets, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Whether a state is the end: a zombie, or one that is just being removed.
fn is_end(state: char) -> bool {
    matches!(state, 'Z' | 'X')
}

/// Whether a child of ours has ended or is about to: its memory is given back before it can be waited
/// for.
pub(crate) fn has_ended(pid: u32) -> bool {
    let is_without_program = || std::fs::read_link(format!("/proc/{pid}/exe")).is_err();
    state_and_parent(pid as i32).is_none_or(|(state, _)| is_end(state) || is_without_program())
}

/// Why a process does not continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standstill {
    None,
    Stopped,
    /// By the process with that number.
    Traced(i32),
}

/// Whether a process is stopped, and by which tracer.
pub(crate) fn standstill(pid: u32) -> Standstill {
    match state_and_parent(pid as i32) {
        Some(('T', _)) => Standstill::Stopped,
        Some(('t', _)) => {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
            let tracer = tracer.and_then(|number| number.trim().parse().ok());
            tracer.map_or(Standstill::None, Standstill::Traced)
        }
        _ => Standstill::None,
    }
}

/// How far up a process' parents are followed, so that a number that is given again meanwhile cannot
/// make a circle. Deeper trees are not met.
const MAX_GENERATIONS: usize = 64;

/// Whether `pid` descends from `ancestor`.
pub(crate) fn is_below(pid: i32, ancestor: u32) -> bool {
    let parent = |pid: &u32| state_and_parent(*pid as i32).map(|(_, parent)| parent);
    let parents = std::iter::successors(parent(&(pid as u32)), parent);
    parents.take(MAX_GENERATIONS).any(|parent| parent == ancestor)
}
