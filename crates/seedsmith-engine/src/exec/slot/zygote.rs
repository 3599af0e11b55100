//! A slot's zygote: how it is looked after, replaced and ended.

use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::exec::os::sys;
use crate::exec::os::watch::end_below;
use crate::exec::slot::plan::{launch, prepare};
use crate::exec::slot::state::{MAX_LOST, MAX_REPLACED, ZygoteSlot};
use crate::exec::workers::protocol::{STATE_NO_FORK, STATE_READY, STATE_REFUSED};
use crate::exec::{TargetError, ZygoteLoss};
use crate::observation::Observation;

/// How long a zygote may take to initialise: `LLVMFuzzerInitialize` of a large target loads files.
/// A guess, far above the time of any target tried here; not measured.
const MAX_START_TIME: Duration = Duration::from_secs(60);
/// How long a zygote may take to end when nothing lives below it: it only reaps. Then it is killed, so
/// a value that is too small costs nothing but an unreaped child of the zygote.
const MAX_CLOSE_TIME: Duration = Duration::from_millis(100);

impl ZygoteSlot {
    /// The last line of stderr that is not blank, to go with an error.
    fn last_line_of_stderr(&self) -> Option<String> {
        let text = self.read_stderr();
        let text = String::from_utf8_lossy(&text);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
        Some(line.to_owned())
    }

    /// Looks whether the zygote is ready, has ended, or can't serve. Nothing waits for a zygote:
    /// candidates that are pushed before it is ready run when it is.
    pub(super) fn look_after_zygote(&mut self) -> Result<(), TargetError> {
        let shared = self.shared();
        let zygote_page = shared.zygote_page();
        let state = zygote_page.state.load(Ordering::Acquire);
        match state {
            STATE_REFUSED => {
                return Err(TargetError::RuntimeRefused);
            }
            STATE_NO_FORK => {
                let trouble = Errno::from_raw(zygote_page.trouble.load(Ordering::Relaxed));
                return Err(TargetError::system("fork a worker", trouble));
            }
            _ => {}
        }
        // The word says that it has to close, and we did not write it: a target did.
        let is_written_over = shared.driver().closing.load(Ordering::Relaxed) != 0;
        self.is_ready |= state == STATE_READY || is_written_over;
        match self.zygote.try_wait().ok().flatten() {
            Some(status) if self.is_ready || status.signal() == Some(sys::SIGKILL) => {
                // Whatever its workers were at was cut short: it is run again.
                self.lose_oldest();
                self.replace_zygote(ZygoteLoss::KeepsEnding(status))
            }
            Some(status) => {
                let last_line = self.last_line_of_stderr();
                Err(TargetError::ZygoteLost(ZygoteLoss::EndedWhileStarting { status, last_line }))
            }
            None if !self.is_ready && self.started.elapsed() > MAX_START_TIME => {
                let last_line = self.last_line_of_stderr();
                Err(TargetError::ZygoteLost(ZygoteLoss::NotReady {
                    after: MAX_START_TIME,
                    last_line,
                }))
            }
            None if !self.is_ready => {
                self.free_zygote();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Counts a run that was cut short; a candidate to which that happens again and again is
    /// answered without a verdict.
    ///
    /// At most [`MAX_LOST`] times in a row for one candidate.
    fn lose_oldest(&mut self) {
        self.lost += 1;
        if self.lost >= MAX_LOST && self.is_ready {
            self.lost = 0;
            self.give_up(Observation::Lost);
        }
    }

    /// Lets the zygote, stopped and with nothing alive below it, reap and end; ends it where it
    /// doesn't.
    pub(super) fn close_zygote(&mut self) {
        let shared = self.shared();
        let driver = shared.driver();
        driver.closing.store(1, Ordering::SeqCst);
        kill(Pid::from_raw(self.zygote.id() as i32), Signal::SIGCONT).ok();
        sys::futex_wake(&driver.go.0);
        let begun = Instant::now();
        while begun.elapsed() < MAX_CLOSE_TIME && matches!(self.zygote.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_micros(50));
        }
        self.zygote.kill().ok();
        self.zygote.wait().ok();
    }

    /// Starts a new zygote in the place of one that ended or does not answer, and lets its workers
    /// continue with the queue. Fails with `loss` where that has been done too often.
    pub(super) fn replace_zygote(&mut self, loss: ZygoteLoss) -> Result<(), TargetError> {
        self.replaced += 1;
        if self.replaced > MAX_REPLACED || self.lost > MAX_LOST {
            return Err(TargetError::ZygoteLost(loss));
        }
        if let Ok(None) = self.zygote.try_wait() {
            end_below(self.zygote.id());
            self.zygote.kill().ok();
            self.zygote.wait().ok();
        }
        let shared = self.shared();
        let zygote_page = shared.zygote_page();
        zygote_page.state.store(0, Ordering::SeqCst);
        // The worker died with its zygote, or is about to: its candidate runs again. The
        // numbers of the old spare are passed over, should it still be dying.
        let dead = self.generation.wrapping_add(1);
        zygote_page.dead.0.store(dead, Ordering::SeqCst);
        prepare(&shared, &self.plan);
        let driver = shared.driver();
        driver.last_dead.store(dead, Ordering::SeqCst);
        driver.closing.store(0, Ordering::SeqCst);
        driver.memory_bytes.store(self.limits.memory_mb << 20, Ordering::SeqCst);
        self.modules = None;
        self.is_ready = false;
        self.started = Instant::now();
        let stderr = self
            .stderr
            .try_clone()
            .map_err(|error| TargetError::system("duplicate a descriptor", error))?
            .into();
        self.zygote =
            launch(&self.plan, &self.shared_file, &self.notifier, &stderr, self.variation)?;
        self.activate(dead.wrapping_add(1));
        Ok(())
    }
}
