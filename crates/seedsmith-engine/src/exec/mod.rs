//! Ways to run a target on bytes, and their contract.
//!
//! This is the only layer that runs code under test: it starts and forks the processes for that. Nearly
//! all `unsafe` code is here; the tour in `src/lib.rs` names the other places. Three real ways to run a
//! target exist, and one fake:
//!
//! - [`linked`]: a function of this very program, run in forked workers;
//! - [`injected`]: an unmodified libFuzzer executable with a preloaded runtime;
//! - [`command`]: any program, one process a test, started or forked;
//! - [`closure`]: a closure in this thread, for tests and for predicates on text.
//!
//! A caller has a [`Target`] that opens [`Slot`]s, and sleeps on a [`notifier`]. The other folders
//! hold the parts of these: `slot` is the driver's side of a slot with a zygote, `workers` the
//! processes on the other side, [`executable`] the reader of executables, [`counters`] their
//! coverage counters, and `os` the operating system.

use std::time::Duration;

use crate::observation::Observation;
use decided::{DecidedBy, Undecided};

pub(crate) mod closure;
pub(crate) mod command;
pub(crate) mod counters;
mod death;
mod error;
pub(crate) mod executable;
#[cfg(feature = "self-fuzz")]
pub(crate) mod fuzzed;
pub(crate) mod injected;
pub mod linked;
pub(crate) mod notifier;
mod os;
mod slot;
mod workers;

pub(crate) use command::decided;
pub use error::TargetError;
pub(crate) use error::ZygoteLoss;
pub use notifier::Notifier;

/// The limits of a worker for one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Processor time of the worker; a hang is measured in this.
    pub cpu: Duration,
    /// Wall-clock time: the backstop for a target that sleeps.
    pub wall: Duration,
    /// Megabytes (2^20 bytes) of memory; 0 is no limit.
    pub memory_mb: u64,
}

/// How many times the limit of processor time the limit of wall-clock time is: a busy machine lets
/// processes wait. A guess; not measured.
const WALL_TIME_FACTOR: u32 = 6;
/// The shortest limit of wall-clock time: reading a file from a slow disk is no hang.
const MIN_WALL_TIME: Duration = Duration::from_secs(1);

impl Limits {
    /// The same with `cpu` as limit of time, and a wall-clock limit to go with it.
    pub fn with_time(self, cpu: Duration) -> Self {
        Limits { cpu, wall: cpu.saturating_mul(WALL_TIME_FACTOR).max(MIN_WALL_TIME), ..self }
    }
}

impl Default for Limits {
    /// Ten seconds of processor time, a minute of wall time, libFuzzer's 2048 MB.
    fn default() -> Self {
        Limits { cpu: Duration::from_secs(10), wall: Duration::from_secs(60), memory_mb: 2048 }
    }
}

/// Requirements of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Record the stack of a failure even where that costs (a caught panic).
    pub frames: bool,
    /// Run in a worker that has run nothing else.
    pub fresh: bool,
    /// Where features are read: run once, unless the worker has run nothing else.
    ///
    /// The features are an estimate then: code that the process runs only once counts too. With `fresh` it says that
    /// the next candidates run in the same process; without it, no other candidate runs there.
    #[doc(hidden)]
    pub once: bool,
    /// Where features are read: what a target gets by chance depends on the candidate.
    ///
    /// Without it all runs get the same. With it and without `once`, a candidate runs twice, and a third time if a process did
    /// something once; its features say which of them a run with other chance did not have.
    #[doc(hidden)]
    pub varied: bool,
    /// Where a candidate runs with other chance: [`FeatureText::digest`](crate::internal::FeatureText::digest) of an
    /// estimate. If the second run has just these features, there is no third one.
    #[doc(hidden)]
    pub expected: Option<u64>,
}

/// The report of one run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The number under which the candidate was pushed.
    pub ticket: u64,
    /// The observation.
    pub observation: Observation,
    /// Whether the worker had run nothing else before.
    pub was_fresh: bool,
    /// The bytes that the target wrote for the driver (see [`linked::serve_answering`]), or the
    /// features of the run (see `counters::features`); empty for other targets.
    pub answer: Vec<u8>,
}

/// A program under test.
///
/// Duties of an implementation:
/// 1. [`Target::open`] gives a slot that runs candidates independently of every other slot.
/// 2. A slot's processes end when the slot is dropped, and when this process dies.
pub trait Target {
    /// The user's name for it.
    fn name(&self) -> &str;

    /// Starts one slot. Its reports are announced by `notifier`. Costs a process start.
    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot + '_>, TargetError>;

    /// Starts a slot as unlike the others as a newly started program can be: another environment
    /// size (`variation` distinguishes them), and no more stack than the user's own limit. A result
    /// that holds here also holds when the user runs the target.
    fn open_varied(
        &self,
        notifier: &Notifier,
        variation: u32,
    ) -> Result<Box<dyn Slot + '_>, TargetError> {
        let _ = variation;
        self.open(notifier)
    }

    /// Whether a test costs a process, so that running ahead has to be careful.
    fn is_slow(&self) -> bool {
        false
    }

    /// How many slots may be at work at the same time.
    fn max_slots(&self) -> usize {
        usize::MAX
    }

    /// Gets the observations of the first runs of the original input, and decides which failure
    /// counts. A target that can fail in more than one way decides here, once; candidates change
    /// nothing.
    fn settle(&self, first: &[(Observation, u32)]) -> Result<DecidedBy, Undecided> {
        let _ = first;
        Ok(DecidedBy::Anything)
    }

    /// Whether taking a report runs the candidate in this thread.
    fn is_synchronous(&self) -> bool {
        false
    }
}

/// One worker at a time that runs candidate after candidate.
///
/// Duties of an implementation:
/// 1. Candidates run in the order in which they were pushed, and reports come in that order.
/// 2. Every pushed candidate gets exactly one report, unless [`Slot::cancel`] came in between.
/// 3. A candidate that kills the worker, hangs or eats memory gets its report like any other, and
///    the next one runs in a new worker.
/// 4. A death that the candidate did not cause (a SIGKILL from outside) is never a verdict: the
///    candidate is run again, and reported as [`Observation::Lost`] if that keeps happening.
/// 5. After [`Slot::request_notification`], the notifier is called at the latest when more than half
///    of the queued candidates that are not done at that moment are done: with one candidate when its
///    report is ready, with eight when five are. It may be called earlier, and without a report.
///    Candidates done before the request cause no notification, so a caller reads
///    [`Notifier::count`], requests, takes the reports that are ready, and only then waits. A
///    [synchronous](Target::is_synchronous) target never notifies: its reports are always ready.
pub trait Slot {
    /// Queues a candidate; `false` if there is no room now.
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        request: Request,
    ) -> Result<bool, TargetError>;

    /// The next report, if it is ready. Never blocks (the fake runs the candidate here).
    fn take(&mut self) -> Result<Option<RunReport>, TargetError>;

    /// Asks for a notification, by duty 5. There is none for each report: waking the caller costs more
    /// than many tests take, and with room for more in the queue the worker never runs out of work.
    fn request_notification(&mut self);

    /// Drops the queued candidates. Returns the tickets that are being run or are done already, whose
    /// reports still come.
    fn cancel(&mut self) -> Vec<u64>;

    /// Sets the limits of the runs from now on.
    fn set_limits(&mut self, limits: Limits);

    /// Looks after the worker: deaths without a word, hangs, memory. Called every few
    /// milliseconds while reports are awaited.
    fn tend(&mut self) -> Result<(), TargetError>;
}
