//! A target that is any program: one process a test.
//!
//! For oracles that are scripts, for programs that crash, and for executables into which nothing can
//! be injected. Each slot has a thread that lets a supervisor start the program in a new process
//! group and folder, reads both pipes while it waits, and ends every process that the test leaves.
//! Where the program can be stopped before its first look at the input, it is forked there instead
//! of started for each test (`forking` says when). `meaning` turns a run's end into an observation.

pub(crate) mod folder;
mod fork_server;
mod forking;
#[allow(dead_code, reason = "each side uses its half")]
mod handshake;
mod meaning;
mod once;
mod program;
mod run;
mod spawn;
mod supervisor_client;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError, ZygoteLoss};
use crate::observation::Observation;
use decided::{DecidedBy, Undecided};
use folder::input::FolderInput;
use meaning::Meaning;
pub(crate) use meaning::decided;
pub use meaning::{CommandMode, Condition, UNRESOLVED_STATUS};
pub use once::{become_program, run_once};
use program::Program;
pub use program::Workplace;
use run::Runner;

/// A program as target. `{}` among its arguments is the candidate's file, which is in the folder
/// that the program runs in and has the input's name. The candidate is on its standard input too.
pub struct CommandTarget {
    name: String,
    program: Program,
}

impl CommandTarget {
    /// The program `arguments[0]` with its arguments.
    pub fn new(arguments: Vec<OsString>, mode: CommandMode) -> Self {
        let name = arguments.first().map(|name| name.to_string_lossy().into_owned());
        CommandTarget { name: name.unwrap_or_default(), program: Program::new(arguments, mode) }
    }

    /// Lets libFuzzer look for leaks, in an executable that is a fuzz target.
    pub fn finding_leaks(mut self, finds_leaks: bool) -> Self {
        self.program.finds_leaks = finds_leaks;
        self
    }

    /// Whether the program may be forked where it looks at its input for the first time, instead
    /// of being started for each test (it may, where this is not called). Then only requests for a
    /// new process start one: [`Request::fresh`].
    pub fn forking(self, may_fork: bool) -> Self {
        if !may_fork {
            self.program.forks.refuse();
        }
        self
    }

    /// Gives the program a folder instead of a file: `{}` is the folder that is made of a candidate,
    /// and nothing is on standard input. Each test is a start.
    pub fn with_folder(mut self, folder: FolderInput) -> Self {
        self.program.folder = Some(Arc::new(folder));
        self.forking(false)
    }

    /// Calls the candidate's file like `input`, ending included.
    pub fn named_after(mut self, input: &Path) -> Self {
        if let Some(name) = input.file_name() {
            self.program.file_name = name.to_owned();
            self.program.input = Some(input.to_owned());
        }
        self
    }

    /// Runs it there.
    pub fn working_in(mut self, workplace: Workplace) -> Self {
        self.program.workplace = workplace;
        self
    }

    /// A run fails if any of the conditions holds, instead of by its exit status or a crash; where
    /// there are none, nothing changes. Exit status `unresolved` says nothing.
    pub fn failing_if(mut self, conditions: Vec<Condition>, unresolved: i32) -> Self {
        let mode = self.program.meaning.mode;
        self.program.meaning = Arc::new(Meaning::new(mode, conditions, unresolved));
        self
    }

    /// Runs it once on `candidate`: its exit status, none where it had to be ended, and its standard
    /// error, normalised as messages are.
    pub fn end_of(
        &self,
        candidate: &[u8],
        limits: Limits,
    ) -> Result<(Option<std::process::ExitStatus>, String), TargetError> {
        Runner::new(&self.program)?.end_of(candidate, limits)
    }

    /// Whether [`Workplace::PrivateWithPaths`] would give it other arguments.
    pub fn names_files(&self) -> bool {
        self.program.names_files()
    }
}

impl Target for CommandTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn max_slots(&self) -> usize {
        let is_shared = self.program.workplace == Workplace::Shared;
        let is_executable = self.program.meaning.mode == CommandMode::Executable;
        if is_shared && !is_executable { 1 } else { usize::MAX }
    }

    fn settle(&self, first: &[(Observation, u32)]) -> Result<DecidedBy, Undecided> {
        self.program.meaning.settle(first)
    }

    fn open(&self, notifier: &Notifier) -> Result<Box<dyn Slot>, TargetError> {
        let runner = Runner::new(&self.program)?;
        let (jobs, inbox) = channel();
        let (outbox, reports) = channel();
        let cancelled = Arc::new(Cancelled::default());
        let thread = {
            let (cancelled, notifier) = (cancelled.clone(), notifier.clone());
            std::thread::Builder::new()
                .name("seedsmith-command".into())
                .spawn(move || serve(runner, &inbox, &outbox, &cancelled, &notifier))
                .map_err(|error| TargetError::system("start a thread", error))?
        };
        Ok(Box::new(CommandSlot {
            jobs: Some(jobs),
            reports,
            cancelled,
            queue: VecDeque::new(),
            limits: Limits::default(),
            thread: Some(thread),
        }))
    }
}

struct Job {
    ticket: u64,
    candidate: Vec<u8>,
    limits: Limits,
    /// Whether it has to be a new process.
    is_fresh: bool,
}

/// The candidates that the thread skips.
#[derive(Default)]
struct Cancelled {
    /// Tickets up to this one (exclusive) are.
    before: AtomicU64,
    /// But this one is not: it was the first in the queue, and its report was promised.
    promised: AtomicU64,
}

impl Cancelled {
    /// The order matters on both sides: a thread that sees the bound sees the promised ticket, too.
    fn cancel(&self, promised: Option<u64>, before: u64) {
        if let Some(ticket) = promised {
            self.promised.store(ticket, Ordering::SeqCst);
        }
        self.before.store(before, Ordering::SeqCst);
    }

    fn passes_over(&self, ticket: u64) -> bool {
        ticket < self.before.load(Ordering::SeqCst)
            && ticket != self.promised.load(Ordering::SeqCst)
    }

    /// No one waits for any report, not even for that of the candidate that is running.
    fn end(&self) {
        self.cancel(Some(u64::MAX), u64::MAX);
    }

    fn is_ended(&self) -> bool {
        self.before.load(Ordering::SeqCst) == u64::MAX
    }
}

type RunResult = Result<RunReport, TargetError>;

struct CommandSlot {
    jobs: Option<Sender<Job>>,
    reports: Receiver<Option<RunResult>>,
    cancelled: Arc<Cancelled>,
    /// Tickets under way, and whether anybody still wants them.
    queue: VecDeque<(u64, bool)>,
    limits: Limits,
    thread: Option<JoinHandle<()>>,
}

impl Slot for CommandSlot {
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        request: Request,
    ) -> Result<bool, TargetError> {
        let candidate = candidate.to_vec();
        let job = Job { ticket, candidate, limits: self.limits, is_fresh: request.fresh };
        let jobs = self.jobs.as_ref().expect("it is taken only when the slot is dropped");
        if jobs.send(job).is_err() {
            return Err(TargetError::ZygoteLost(ZygoteLoss::ThreadEnded));
        }
        self.queue.push_back((ticket, true));
        Ok(true)
    }

    fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
        while let Ok(outcome) = self.reports.try_recv() {
            let (_, is_wanted) = self.queue.pop_front().expect("every job was queued");
            match outcome {
                Some(Ok(report)) if is_wanted => return Ok(Some(report)),
                Some(Err(error)) => return Err(error),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Nothing to do: the thread notifies for every report.
    fn request_notification(&mut self) {}

    fn cancel(&mut self) -> Vec<u64> {
        let (Some((first, is_wanted)), Some((last, _))) = (self.queue.front(), self.queue.back())
        else {
            return Vec::new();
        };
        self.cancelled.cancel(is_wanted.then_some(*first), last + 1);
        // The first one may be running; it is left to end, and its report is still wanted.
        let mut running = Vec::new();
        for (index, (ticket, is_wanted)) in self.queue.iter_mut().enumerate() {
            if index == 0 && *is_wanted {
                running.push(*ticket);
            } else {
                *is_wanted = false;
            }
        }
        running
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn tend(&mut self) -> Result<(), TargetError> {
        Ok(())
    }
}

impl Drop for CommandSlot {
    fn drop(&mut self) {
        self.cancelled.end();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

fn serve(
    mut runner: Runner,
    inbox: &Receiver<Job>,
    outbox: &Sender<Option<RunResult>>,
    cancelled: &Cancelled,
    notifier: &Notifier,
) {
    while let Ok(job) = inbox.recv() {
        let outcome = if cancelled.passes_over(job.ticket) {
            None
        } else {
            let is_unwanted = || cancelled.is_ended();
            let seen = runner.run(&job.candidate, job.limits, job.is_fresh, is_unwanted);
            // A fork has run nothing else either.
            Some(seen.map(|observation| RunReport {
                ticket: job.ticket,
                observation,
                was_fresh: true,
                answer: Vec::new(),
            }))
        };
        if outbox.send(outcome).is_err() {
            return;
        }
        notifier.notify();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_promised_report_comes_however_early_it_was_cancelled() {
        let target = CommandTarget::new(vec!["true".into()], CommandMode::ExitZeroFails);
        let notifier = Notifier::new().unwrap();
        let mut slot = target.open(&notifier).unwrap();
        for ticket in 0..20 {
            assert!(slot.push(ticket, b"x", Request::default()).unwrap());
            assert_eq!(slot.cancel(), [ticket]);
            let report = loop {
                let seen_count = notifier.count();
                match slot.take().unwrap() {
                    Some(report) => break report,
                    None => notifier.wait(seen_count, Duration::from_secs(1)),
                }
            };
            assert_eq!(report.ticket, ticket);
        }
    }
}
