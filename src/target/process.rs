//! One run of a program: fed, read and waited for all at once, and ended as a group.

use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use super::{Limits, TargetError, sys};

/// How a program ended; no status if it had to be ended.
pub(super) struct Ended {
    pub status: Option<ExitStatus>,
    pub stderr: Vec<u8>,
}

/// Output that is kept; the rest is read and dropped, so that the program never blocks.
const MAX_OUTPUT: usize = 64 * 1024;

impl Ended {
    /// Feeds, reads and waits, all at once; ends the group when it is over or takes too long.
    ///
    /// `is_dropped` says that nobody waits for the outcome any more.
    pub fn of(
        mut child: Child,
        candidate: &[u8],
        limits: Limits,
        is_dropped: impl Fn() -> bool,
    ) -> Result<Self, TargetError> {
        let begun = Instant::now();
        let wall = limits.wall.min(limits.cpu.saturating_mul(4));
        let stdin = child.stdin.take();
        let candidate = candidate.to_vec();
        let feeder = std::thread::spawn(move || {
            if let Some(mut stdin) = stdin {
                // A program that doesn't read its input closes the pipe: no error.
                stdin.write_all(&candidate).ok();
            }
        });
        let mut stdout = NonBlocking::new(child.stdout.take())?;
        let mut stderr = NonBlocking::new(child.stderr.take())?;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            stdout.read();
            stderr.read();
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) => {}
                Err(error) => return Err(TargetError::system("wait for a command", error)),
            }
            if begun.elapsed() >= wall || is_dropped() {
                break None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        };
        // The group's number is its leader's. A leader that was waited for has given it back
        // unless others of the group live, so the group can only be ours or nobody's.
        // SAFETY: a plain system call.
        unsafe { sys::kill(-(child.id() as i32), sys::SIGKILL) };
        if status.is_none() {
            child.wait().ok();
        }
        stderr.read();
        feeder.join().ok();
        Ok(Ended { status, stderr: stderr.kept })
    }
}

/// A pipe that is read as far as there is something.
struct NonBlocking<R> {
    pipe: Option<R>,
    kept: Vec<u8>,
}

impl<R: Read + std::os::fd::AsFd> NonBlocking<R> {
    fn new(pipe: Option<R>) -> Result<Self, TargetError> {
        if let Some(pipe) = &pipe {
            nix::fcntl::fcntl(pipe, nix::fcntl::F_SETFL(nix::fcntl::OFlag::O_NONBLOCK))
                .map_err(|errno| TargetError::system("prepare a pipe", errno))?;
        }
        Ok(NonBlocking { pipe, kept: Vec::new() })
    }

    fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let mut buffer = [0; 16 * 1024];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    let room = MAX_OUTPUT - self.kept.len().min(MAX_OUTPUT);
                    self.kept.extend_from_slice(&buffer[..count.min(room)]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
}
