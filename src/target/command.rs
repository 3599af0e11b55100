//! A target that is any program: one process a test.
//!
//! The slow way, for oracles that are scripts and for executables into which nothing can be
//! injected. Each slot has a thread that starts the program in a process group of its own, reads
//! both pipes while it waits, and ends the whole group afterwards.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use super::death::{ProcessEnd, Record, classify};
use super::launch::quiet_environment;
use super::process::Ended;
use super::{Bell, Limits, Report, Request, Slot, Target, TargetError, sys};
use crate::observation::{Observation, Verdict};
use crate::signature::{Kind, Signature};

/// What a program's end means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandMode {
    /// An oracle: exit status 0 says that the failure shows, as C-Reduce, picire and shrinkray
    /// have it.
    ExitZeroFails,
    /// A validator: exit status 0 says that the input is valid, any other that it is not.
    ExitZeroIsValid,
    /// A fuzz target: how it dies and what it prints tell the failure.
    Executable,
}

/// A program as target. `{}` among its arguments is the candidate's file; without one the file
/// comes last, and the candidate is on its standard input too.
pub struct CommandTarget {
    name: String,
    arguments: Vec<OsString>,
    mode: CommandMode,
    /// How the candidate's file is called, for programs that look at the ending.
    file_name: OsString,
    finds_leaks: bool,
}

impl CommandTarget {
    /// The program `arguments[0]` with its arguments.
    pub fn new(arguments: Vec<OsString>, mode: CommandMode) -> Self {
        let name = arguments.first().map(|name| name.to_string_lossy().into_owned());
        CommandTarget {
            name: name.unwrap_or_default(),
            arguments,
            mode,
            file_name: "candidate".into(),
            finds_leaks: false,
        }
    }

    /// Lets libFuzzer look for leaks, in an executable that is a fuzz target.
    pub fn finding_leaks(mut self, finds_leaks: bool) -> Self {
        self.finds_leaks = finds_leaks;
        self
    }

    /// Calls the candidate's file like `input`, ending included.
    pub fn named_after(mut self, input: &Path) -> Self {
        if let Some(name) = input.file_name() {
            self.file_name = name.to_owned();
        }
        self
    }
}

impl Target for CommandTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn open(&self, bell: &Bell) -> Result<Box<dyn Slot>, TargetError> {
        let folder = tempfile::Builder::new()
            .prefix("seedsmith-")
            .tempdir()
            .map_err(|error| TargetError::system("make a temporary folder", error))?;
        let runner = Runner {
            file: folder.path().join(&self.file_name),
            folder,
            arguments: self.arguments.clone(),
            mode: self.mode,
            finds_leaks: self.finds_leaks,
        };
        runner.command(&mut false)?;
        let (jobs, inbox) = channel();
        let (outbox, reports) = channel();
        let cancelled = Arc::new(Cancelled::default());
        let thread = {
            let (cancelled, bell) = (cancelled.clone(), bell.clone());
            std::thread::Builder::new()
                .name("seedsmith-command".into())
                .spawn(move || serve(runner, &inbox, &outbox, &cancelled, &bell))
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
}

/// What the thread passes over.
#[derive(Default)]
struct Cancelled {
    /// Tickets up to this one (exclusive) are.
    before: AtomicU64,
    /// But this one is not: it was the first in the queue, and its report was promised.
    promised: AtomicU64,
}

impl Cancelled {
    /// The order matters on both sides: whoever sees the bound sees what was promised with it.
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

    /// Nobody waits for anything any more: not even for what is running.
    fn end(&self) {
        self.cancel(Some(u64::MAX), u64::MAX);
    }

    fn is_ended(&self) -> bool {
        self.before.load(Ordering::SeqCst) == u64::MAX
    }
}

type Outcome = Result<Report, TargetError>;

struct CommandSlot {
    jobs: Option<Sender<Job>>,
    reports: Receiver<Option<Outcome>>,
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
        _request: Request,
    ) -> Result<bool, TargetError> {
        let job = Job { ticket, candidate: candidate.to_vec(), limits: self.limits };
        let jobs = self.jobs.as_ref().expect("it is taken only when the slot is dropped");
        if jobs.send(job).is_err() {
            return Err(TargetError::ZygoteLost("the thread that runs commands ended".into()));
        }
        self.queue.push_back((ticket, true));
        Ok(true)
    }

    fn take(&mut self) -> Result<Option<Report>, TargetError> {
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

    fn arm(&mut self) {}

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
    runner: Runner,
    inbox: &Receiver<Job>,
    outbox: &Sender<Option<Outcome>>,
    cancelled: &Cancelled,
    bell: &Bell,
) {
    while let Ok(job) = inbox.recv() {
        let outcome = if cancelled.passes_over(job.ticket) {
            None
        } else {
            Some(runner.run(&job, cancelled).map(|observation| Report {
                ticket: job.ticket,
                observation,
                was_fresh: true,
                said: Vec::new(),
            }))
        };
        if outbox.send(outcome).is_err() {
            return;
        }
        bell.ring();
    }
}

struct Runner {
    file: PathBuf,
    folder: tempfile::TempDir,
    arguments: Vec<OsString>,
    mode: CommandMode,
    finds_leaks: bool,
}

impl Runner {
    /// The command with the candidate's file in its place. `takes_file` says whether `{}` was
    /// among the arguments.
    fn command(&self, takes_file: &mut bool) -> Result<Command, TargetError> {
        let mut arguments = self.arguments.iter().map(|argument| {
            let (argument, was_replaced) = replace_braces(argument, &self.file);
            *takes_file |= was_replaced;
            argument
        });
        let Some(program) = arguments.next() else {
            return Err(TargetError::Unusable("the command is empty".into()));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        Ok(command)
    }

    /// Writes the candidate's file, whatever the program made of the one before, or of its folder.
    fn write(&self, candidate: &[u8]) -> std::io::Result<()> {
        if self.write_anew(candidate).is_ok() {
            return Ok(());
        }
        let usable = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(self.folder.path(), usable).ok();
        std::fs::remove_dir_all(&self.file).ok();
        std::fs::create_dir_all(self.folder.path())?;
        self.write_anew(candidate)
    }

    /// A new file in the old one's place. An old one that is truncated costs 2 ms more on ext4,
    /// which brings it to disk when it is closed (`auto_da_alloc`).
    fn write_anew(&self, candidate: &[u8]) -> std::io::Result<()> {
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => File::create_new(&self.file)?.write_all(candidate),
        }
    }

    fn run(&self, job: &Job, cancelled: &Cancelled) -> Result<Observation, TargetError> {
        self.write(&job.candidate)
            .map_err(|error| TargetError::system("write a candidate", error))?;
        let mut takes_file = false;
        let mut command = self.command(&mut takes_file)?;
        if !takes_file {
            command.arg(&self.file);
        }
        if self.mode == CommandMode::Executable {
            quiet_environment(&mut command, self.finds_leaks);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        let memory_mb = job.limits.memory_mb;
        let mode = self.mode;
        // SAFETY: only system calls that are safe between fork and exec.
        unsafe {
            command.pre_exec(move || {
                sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
                sys::setrlimit(sys::RLIMIT_CORE, &sys::Rlimit { current: 0, maximum: 0 });
                if memory_mb > 0 && mode != CommandMode::Executable {
                    let bytes = memory_mb << 20;
                    let limit = sys::Rlimit { current: bytes, maximum: bytes };
                    sys::setrlimit(sys::RLIMIT_DATA, &limit);
                }
                Ok(())
            });
        }
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command
            .spawn()
            .map_err(|error| TargetError::system(format!("start {program}"), error))?;
        let ended = Ended::of(child, &job.candidate, job.limits, || cancelled.is_ended())?;
        Ok(self.judge(&ended))
    }

    fn judge(&self, ended: &Ended) -> Observation {
        let Some(status) = ended.status else {
            return Observation::Failed(Arc::new(Signature::of_kind(Kind::Timeout)));
        };
        match self.mode {
            CommandMode::ExitZeroFails if status.success() => {
                Observation::Failed(Arc::new(Signature::of_kind(Kind::Command)))
            }
            CommandMode::ExitZeroFails => Observation::Returned(Verdict::Keep),
            CommandMode::ExitZeroIsValid if status.success() => {
                Observation::Returned(Verdict::Keep)
            }
            CommandMode::ExitZeroIsValid => match status.signal() {
                None => Observation::Returned(Verdict::Reject),
                Some(_) => Observation::Failed(Arc::new(death_of(status, &ended.stderr))),
            },
            CommandMode::Executable if status.success() => Observation::Returned(Verdict::Keep),
            CommandMode::Executable => {
                Observation::Failed(Arc::new(death_of(status, &ended.stderr)))
            }
        }
    }
}

fn death_of(status: ExitStatus, stderr: &[u8]) -> Signature {
    let end = match (status.code(), status.signal()) {
        (_, Some(signal)) => ProcessEnd::Signalled(signal),
        (code, None) => ProcessEnd::Exited(code.unwrap_or_default()),
    };
    classify(end, Record::default(), stderr).0
}

/// `argument` with every `{}` replaced by the file's path.
fn replace_braces(argument: &OsStr, file: &Path) -> (OsString, bool) {
    let bytes = argument.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let mut was_replaced = false;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"{}") {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(file.as_os_str().as_bytes());
        rest = &rest[at + 2..];
        was_replaced = true;
    }
    out.extend_from_slice(rest);
    (OsStr::from_bytes(&out).to_owned(), was_replaced)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_promised_report_comes_however_early_it_was_cancelled() {
        let target = CommandTarget::new(vec!["true".into()], CommandMode::ExitZeroFails);
        let bell = Bell::new().unwrap();
        let mut slot = target.open(&bell).unwrap();
        for ticket in 0..20 {
            assert!(slot.push(ticket, b"x", Request::default()).unwrap());
            assert_eq!(slot.cancel(), [ticket]);
            let report = loop {
                let rings = bell.rings();
                match slot.take().unwrap() {
                    Some(report) => break report,
                    None => bell.wait(rings, Duration::from_secs(1)),
                }
            };
            assert_eq!(report.ticket, ticket);
        }
    }
}
