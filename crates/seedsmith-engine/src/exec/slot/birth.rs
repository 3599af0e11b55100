//! A slot's zygote: how it is started, looked after, and replaced.

use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::ZygoteSlot;
use super::burial::MAX_LOST;
use crate::exec::executable::{Executable, Functions, LeakFunctions};
use crate::exec::launch::{Inheritance, start};
use crate::exec::protocol::{
    MAGIC, MODE_SANITIZER, STATE_CLOSING, STATE_READY, STATE_REFUSED, Shared,
};
use crate::exec::{Bell, Slot, TargetError, sys};

/// What a slot has to know to start its zygote.
pub(crate) struct Plan {
    /// The program and its arguments.
    pub command: Box<dyn Fn() -> Command>,
    /// The runtime to preload, for an injected target.
    pub runtime: Option<Arc<OwnedFd>>,
    /// `MODE_*` bits.
    pub mode: u32,
    /// Link-time addresses of libFuzzer's interface, for the runtime; 0 where there is none.
    pub test_one_input: u64,
    /// See [`Plan::test_one_input`].
    pub initialize: u64,
    /// Link-time addresses of counters that say what is valid.
    pub watched: Vec<Range<u64>>,
    /// What finds leaks, if somebody looks for them.
    pub leak_functions: Option<LeakFunctions>,
    /// Whether the executable is linked to one address.
    pub has_fixed_address: bool,
    /// Names of the executable's functions.
    pub functions: Rc<Functions>,
}

/// What is injected into an executable.
pub(crate) struct Injection {
    /// The runtime's library.
    pub runtime: OwnedFd,
    /// Whether it looks for leaks.
    pub finds_leaks: bool,
    /// Link-time addresses of counters that say what is valid.
    pub watched: Vec<Range<u64>>,
}

impl Plan {
    /// How to start an executable by `command`, with the runtime where that is injected.
    pub fn new(
        functions: Functions,
        executable: &Executable,
        injection: Option<Injection>,
        command: impl Fn() -> Command + 'static,
    ) -> Rc<Self> {
        Rc::new(Plan {
            command: Box::new(command),
            leak_functions: injection
                .as_ref()
                .and_then(|one| one.finds_leaks.then_some(executable.leak_functions)),
            watched: injection.as_ref().map_or_else(Vec::new, |one| one.watched.clone()),
            runtime: injection.map(|one| Arc::new(one.runtime)),
            mode: if executable.sanitizer.is_some() { MODE_SANITIZER } else { 0 },
            test_one_input: executable.test_one_input,
            initialize: executable.initialize,
            has_fixed_address: executable.has_fixed_address,
            functions: Rc::new(functions),
        })
    }

    /// A slot, as [`Target::open`](crate::exec::Target::open) gives it or, with a variation, as
    /// [`Target::open_elsewhere`](crate::exec::Target::open_elsewhere) does.
    pub fn open(
        self: &Rc<Self>,
        bell: &Bell,
        variation: Option<u32>,
    ) -> Result<Box<dyn Slot>, TargetError> {
        Ok(Box::new(ZygoteSlot::start(self.clone(), bell, variation)?))
    }
}

/// How long a zygote may take to initialise.
const START_LIMIT: Duration = Duration::from_secs(60);
/// How long a zygote may take to end.
const CLOSE_LIMIT: Duration = Duration::from_millis(100);
/// Candidates that a worker runs before it makes room for a new one.
const RECYCLE_AFTER: u32 = 20_000;

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

/// Writes what the zygote has to know into a new mapping.
pub(super) fn prepare(shared: &Shared, plan: &Plan) {
    let header = shared.header();
    header.mode.store(plan.mode, Ordering::Relaxed);
    header.test_one_input.store(plan.test_one_input, Ordering::Relaxed);
    header.initialize.store(plan.initialize, Ordering::Relaxed);
    for (word, address) in header.leak_functions.iter().zip(plan.leak_functions.unwrap_or_default())
    {
        word.store(address, Ordering::Relaxed);
    }
    for (word, range) in header.watched.iter().zip(&plan.watched) {
        word[0].store(range.start, Ordering::Relaxed);
        word[1].store(range.end, Ordering::Relaxed);
    }
    let watched = plan.watched.len().min(header.watched.len());
    header.watched_count.store(watched as u32, Ordering::Relaxed);
    header.recycle_after.store(RECYCLE_AFTER, Ordering::Relaxed);
    header.magic.store(MAGIC, Ordering::Release);
}

/// How long a worker spins for work while the driver prepares it: not at all where every core is
/// wanted, as by two drivers with a worker each on two cores.
pub(super) fn spin() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    if *cores >= 2 * Bell::drivers() { 2000 } else { 0 }
}

/// Starts the zygote of a slot.
pub(super) fn launch(
    plan: &Plan,
    shared_file: &OwnedFd,
    bell: &Bell,
    stderr: &OwnedFd,
    variation: Option<u32>,
) -> Result<Child, TargetError> {
    start(
        (plan.command)(),
        variation,
        Inheritance {
            shared: shared_file.as_fd(),
            bell: bell.file(),
            stderr,
            runtime: plan.runtime.as_ref().map(|file| file.as_fd()),
            finds_leaks: plan.leak_functions.is_some(),
        },
    )
}
