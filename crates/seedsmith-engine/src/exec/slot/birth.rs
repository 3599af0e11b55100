//! A slot's zygote: how it is looked after, replaced and ended.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::plan::launch;
use super::state::{MAX_LOST, ZygoteSlot};
use crate::exec::protocol::{STATE_CLOSING, STATE_READY, STATE_REFUSED};
use crate::exec::{TargetError, sys};

/// How long a zygote may take to initialise.
const START_LIMIT: Duration = Duration::from_secs(60);
/// How long a zygote may take to end.
const CLOSE_LIMIT: Duration = Duration::from_millis(100);

impl ZygoteSlot {
    /// The last line of stderr, to go with an error.
    fn last_words(&self) -> String {
        let text = self.read_stderr();
        let text = String::from_utf8_lossy(&text);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!(": {}", line.trim()),
            None => String::new(),
        }
    }

    /// Looks whether the zygote is up, gone, or can't serve. Nothing waits for a zygote: what is
    /// pushed before it is up runs when it is.
    pub(super) fn look_after_zygote(&mut self) -> Result<(), TargetError> {
        let state = self.shared().header().state.load(Ordering::Acquire);
        if state == STATE_REFUSED {
            return Err(TargetError::Unusable("the preloaded runtime can't serve it".into()));
        }
        let ended = self.zygote.try_wait().ok().flatten();
        match ended {
            Some(status) if state == STATE_READY => self.replace_zygote(&status.to_string()),
            Some(status) => Err(TargetError::ZygoteLost(format!(
                "it ended with {status} while it was starting{}",
                self.last_words()
            ))),
            None if state != STATE_READY && self.born.elapsed() > START_LIMIT => {
                Err(TargetError::ZygoteLost(format!(
                    "it was not ready after {} s{}",
                    START_LIMIT.as_secs(),
                    self.last_words()
                )))
            }
            None => Ok(()),
        }
    }

    /// Lets the zygote, stopped and with nothing alive below it, reap and end; ends it where it
    /// doesn't.
    pub(super) fn close_zygote(&mut self) {
        let shared = self.shared();
        let header = shared.header();
        header.state.store(STATE_CLOSING, Ordering::SeqCst);
        kill(Pid::from_raw(self.zygote.id() as i32), Signal::SIGCONT).ok();
        sys::futex_wake(&header.go.0);
        let begun = Instant::now();
        while begun.elapsed() < CLOSE_LIMIT && matches!(self.zygote.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_micros(50));
        }
        self.zygote.kill().ok();
        self.zygote.wait().ok();
    }

    /// Starts a new zygote where the old one died, and lets its workers go on with the queue.
    fn replace_zygote(&mut self, status: &str) -> Result<(), TargetError> {
        self.lost += 1;
        if self.lost > MAX_LOST {
            return Err(TargetError::ZygoteLost(format!(
                "it ended with {status}, again and again"
            )));
        }
        let shared = self.shared();
        let header = shared.header();
        header.state.store(0, Ordering::SeqCst);
        // The worker died with its zygote, or is about to: what it was running runs again. The
        // numbers of the old spare are passed over, should it still be dying.
        let tail = header.tail.0.load(Ordering::SeqCst);
        header.started.store(tail, Ordering::SeqCst);
        let dead = self.generation.wrapping_add(1);
        header.dead.0.store(dead, Ordering::SeqCst);
        self.modules = None;
        self.born = Instant::now();
        let stderr = self
            .stderr
            .try_clone()
            .map_err(|error| TargetError::system("duplicate a descriptor", error))?
            .into();
        self.zygote = launch(&self.plan, &self.shared_file, &self.bell, &stderr, self.variation)?;
        self.activate(dead.wrapping_add(1));
        Ok(())
    }
}
