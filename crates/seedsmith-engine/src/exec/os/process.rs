//! One run of a program: fed, read and waited for all at once, and ended as a group.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{F_SETFL, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::{Pid, pipe2};

use crate::exec::os::sys;
use crate::exec::os::watch::{open_process, tree_resident_mb};
use crate::exec::{Limits, TargetError};

/// How a program ended; no status if it had to be ended.
pub(crate) struct Ended {
    /// The status; `None` if it was ended because of its time, its memory, or because no one waits.
    pub status: Option<ExitStatus>,
    /// Whether it had to be ended because of its memory.
    pub fills_memory: bool,
    /// The start and the end of its standard output, at most twice
    /// [`MAX_OUTPUT_BYTES`].
    pub stdout: Vec<u8>,
    /// The same of standard error.
    pub stderr: Vec<u8>,
}

/// This program's ends of the pipes to one that runs.
pub(crate) struct Pipes {
    /// The end into which its standard input is written.
    pub stdin: OwnedFd,
    /// The end from which its standard output is read.
    pub stdout: OwnedFd,
    /// The end from which its standard error is read.
    pub stderr: OwnedFd,
}

impl Pipes {
    /// Three new ones: the ends for a program's descriptors 0, 1 and 2, and ours.
    pub(crate) fn new() -> Result<([OwnedFd; 3], Self), TargetError> {
        let pipe =
            || pipe2(OFlag::O_CLOEXEC).map_err(|errno| TargetError::system("make a pipe", errno));
        let ((given, stdin), (stdout, out), (stderr, err)) = (pipe()?, pipe()?, pipe()?);
        Ok(([given, out, err], Pipes { stdin, stdout, stderr }))
    }
}

/// A program that runs, the first of its process group.
///
/// Duties of an implementation:
/// 1. Until [`Process::reap`] returns, the number is not given to another process, so that the group
///    can be ended without hitting another's.
/// 2. [`Process::has_ended`] never blocks.
pub(crate) trait Process {
    /// Its number, which is the group's.
    fn pid(&self) -> Pid;

    /// A descriptor that becomes readable when it has ended; without one, its state is polled.
    fn end(&self) -> Option<BorrowedFd<'_>>;

    /// Whether it has ended. Its number stays its own.
    fn has_ended(&mut self) -> Result<bool, TargetError>;

    /// Waits for its end, and lets its number go.
    fn reap(self) -> Result<ExitStatus, TargetError>;
}

/// A child of this process. Dropped before its end, it is ended with its group.
///
/// The handle is a descriptor of the process (pidfd), where the system gives one: it can be waited
/// for together with pipes.
pub(crate) struct ChildProcess {
    pid: Pid,
    handle: Option<OwnedFd>,
}

impl ChildProcess {
    /// Of a child that no one else waits for.
    pub(crate) fn new(pid: Pid) -> Self {
        ChildProcess { pid, handle: open_process(pid.as_raw()) }
    }

    /// The children of its first thread; `None` if the system does not list them.
    pub(crate) fn children(&self) -> Option<Vec<i32>> {
        let text =
            std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.pid)).ok()?;
        Some(text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect())
    }

    /// Waits until it has ended by itself, for at most `limit`.
    pub(crate) fn await_end(&self, limit: Duration) {
        let begun = Instant::now();
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        while begun.elapsed() < limit {
            match waitid(Id::Pid(self.pid), look) {
                Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => {}
                _ => return,
            }
            wait_for([(self.handle.as_ref().map(AsFd::as_fd), PollFlags::POLLIN)]);
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // A child that is not waited for keeps its number.
        killpg(self.pid, Signal::SIGKILL).ok();
        let mut status = 0;
        // SAFETY: a child of ours that no one else waits for, and a number of ours.
        while Errno::result(unsafe { sys::waitpid(self.pid.as_raw(), &mut status, 0) })
            == Err(Errno::EINTR)
        {}
    }
}

/// Output that is kept of the start, and of the end; the rest is read and dropped, so that the program
/// never blocks. A report comes last, after whatever the program has printed before.
const MAX_OUTPUT_BYTES: usize = 64 * 1024;
/// How often the caller is asked whether it still waits for the outcome.
const CHECK_EVERY: Duration = Duration::from_millis(5);
/// How often memory is looked at, which reads a file for each process. In that time a program fills
/// about 100 MB.
const CHECK_MEMORY_EVERY: Duration = Duration::from_millis(50);

impl Ended {
    /// Feeds, reads and waits, all at once; ends the group when it is over or takes too long.
    ///
    /// `is_dropped` says that no one waits for the outcome any more. The memory of `limits` is that of
    /// the program and its children, and is looked at now and then.
    pub(crate) fn of(
        mut process: impl Process,
        pipes: Pipes,
        candidate: &[u8],
        limits: Limits,
        is_dropped: impl Fn() -> bool,
    ) -> Result<Self, TargetError> {
        let begun = Instant::now();
        let (mut next_look, mut fills_memory) = (CHECK_MEMORY_EVERY, false);
        let wall = limits.wall.min(limits.cpu.saturating_mul(4));
        let mut stdin = Feed::new(pipes.stdin, candidate)?;
        let mut stdout = Drain::new(pipes.stdout)?;
        let mut stderr = Drain::new(pipes.stderr)?;
        let is_over = loop {
            stdin.write();
            stdout.read();
            stderr.read();
            if process.has_ended()? {
                break true;
            }
            if begun.elapsed() >= wall || is_dropped() {
                break false;
            }
            if limits.memory_mb > 0 && begun.elapsed() >= next_look {
                fills_memory = tree_resident_mb(process.pid().as_raw()) > limits.memory_mb;
                if fills_memory {
                    break false;
                }
                next_look = begun.elapsed() + CHECK_MEMORY_EVERY;
            }
            wait_for([
                (process.end(), PollFlags::POLLIN),
                (stdin.pipe.as_ref().map(AsFd::as_fd), PollFlags::POLLOUT),
                (stdout.pipe.as_ref().map(AsFd::as_fd), PollFlags::POLLIN),
                (stderr.pipe.as_ref().map(AsFd::as_fd), PollFlags::POLLIN),
            ]);
        };
        // Its end was looked at and not taken: its number, which is the group's, is still its own.
        killpg(process.pid(), Signal::SIGKILL).ok();
        let status = process.reap();
        stdout.read();
        stderr.read();
        let status = is_over.then_some(status?);
        let (stdout, stderr) = (stdout.into_kept(), stderr.into_kept());
        Ok(Ended { status, fills_memory, stdout, stderr })
    }
}

/// Waits for a moment, or until one of the files has something.
fn wait_for<const N: usize>(files: [(Option<BorrowedFd<'_>>, PollFlags); N]) {
    let mut files: Vec<PollFd<'_>> =
        files.into_iter().filter_map(|(file, events)| Some(PollFd::new(file?, events))).collect();
    let tick = PollTimeout::try_from(CHECK_EVERY).unwrap_or(PollTimeout::ZERO);
    // An interrupted wait is a short one.
    poll(&mut files, tick).ok();
}

/// Makes reading or writing return at once where there is nothing to read or no room.
fn unblock(pipe: &impl AsFd) -> Result<(), TargetError> {
    fcntl(pipe, F_SETFL(OFlag::O_NONBLOCK))
        .map_err(|errno| TargetError::system("prepare a pipe", errno))?;
    Ok(())
}

/// A pipe that is written to as far as there is room, and closed when all is written or no one
/// reads it: a program that doesn't read its input is no error.
///
/// Writing to a pipe that no one reads raises SIGPIPE; Rust programs ignore it, so the write fails
/// instead.
struct Feed<'a> {
    pipe: Option<File>,
    left: &'a [u8],
}

impl<'a> Feed<'a> {
    fn new(pipe: OwnedFd, left: &'a [u8]) -> Result<Self, TargetError> {
        unblock(&pipe)?;
        Ok(Feed { pipe: Some(pipe.into()), left })
    }

    /// Writes as much as there is room for.
    fn write(&mut self) {
        while let (Some(pipe), false) = (&mut self.pipe, self.left.is_empty()) {
            match pipe.write(self.left) {
                Ok(count) => self.left = &self.left[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        self.pipe = None;
    }
}

/// A pipe that is read as far as there is something.
///
/// Reading continues after [`MAX_OUTPUT_BYTES`], so that the program never blocks on a full pipe.
struct Drain {
    pipe: Option<File>,
    kept: Vec<u8>,
    /// The output after that, at most twice the part of it that is kept.
    last: Vec<u8>,
}

impl Drain {
    fn new(pipe: OwnedFd) -> Result<Self, TargetError> {
        unblock(&pipe)?;
        Ok(Drain { pipe: Some(pipe.into()), kept: Vec::new(), last: Vec::new() })
    }

    /// Reads the output that is available now.
    fn read(&mut self) {
        let mut buffer = [0; 16 * 1024];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer) {
                Ok(count) if count > 0 => {
                    let room = MAX_OUTPUT_BYTES - self.kept.len().min(MAX_OUTPUT_BYTES);
                    let (first, last) = buffer[..count].split_at(count.min(room));
                    self.kept.extend_from_slice(first);
                    self.last.extend_from_slice(last);
                    if self.last.len() > 2 * MAX_OUTPUT_BYTES {
                        self.last.drain(..self.last.len() - MAX_OUTPUT_BYTES);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => self.pipe = None,
            }
        }
    }

    /// The start and the end of the output.
    fn into_kept(mut self) -> Vec<u8> {
        let skipped = self.last.len().saturating_sub(MAX_OUTPUT_BYTES);
        self.kept.extend_from_slice(&self.last[skipped..]);
        self.kept
    }
}
