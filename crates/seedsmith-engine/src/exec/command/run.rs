//! One run of a program on a candidate: its folder, its process, and the meaning of its end.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::folder::TestFolder;
use super::folder::input::FolderInput;
use super::fork_server::ForkServer;
use super::forking::{Attempt, ForkStage, Knowledge, KnownEnd, Rejection, TRIAL_FORKS};
use super::meaning::{CommandMode, Meaning};
use super::program::{Prepared, Program, Workplace};
use crate::exec::command::supervisor_client::{StartRequest, Supervisor};
use crate::exec::os::process::{Ended, Pipes};
use crate::exec::{Limits, TargetError};
use crate::observation::Observation;
use crate::signature::Message;

/// A program may take this long to its first look, or ten times as long as a whole run took. On a busy
/// machine an interpreter's start takes seconds.
const MIN_TIME_TO_FIRST_LOOK: Duration = Duration::from_secs(5);

/// A program, the folder in which it finds its candidates, and the meaning of its end.
pub(super) struct Runner {
    /// The folder that holds the candidate.
    folder: TestFolder,
    /// How a folder is made of a candidate, if it is not a file.
    input: Option<Arc<FolderInput>>,
    /// The program with its arguments and environment.
    prepared: Prepared,
    /// The folder that tests run in, where it is theirs.
    works_in: Option<PathBuf>,
    /// The meaning of its end.
    meaning: Arc<Meaning>,
    /// Whether the program needs address space without a limit, as sanitizers do.
    reserves: Arc<AtomicBool>,
    /// The knowledge about its forks, which all slots share.
    forks: Arc<Knowledge>,
    /// How far this slot has tried forks.
    stage: ForkStage,
    /// Started with the first test.
    supervisor: Option<Supervisor>,
}

impl Runner {
    /// Makes a folder for the candidates. Refuses a command line without a program.
    pub(super) fn new(program: &Program) -> Result<Self, TargetError> {
        let folder = TestFolder::new(&program.file_name)
            .map_err(|error| TargetError::system("make a temporary folder", error))?;
        let is_private = program.workplace != Workplace::Shared;
        Ok(Runner {
            prepared: program.prepare(folder.file())?,
            works_in: is_private.then(|| folder.path().to_owned()),
            folder,
            input: program.folder.clone(),
            meaning: program.meaning.clone(),
            reserves: program.reserves.clone(),
            forks: program.forks.clone(),
            stage: ForkStage::Before,
            supervisor: None,
        })
    }

    /// Megabytes of private memory that a process may have: a sanitizer in an executable reserves far more.
    fn memory_mb(&self, limits: Limits) -> i32 {
        match self.meaning.mode {
            CommandMode::Executable => 0,
            _ if self.reserves.load(Ordering::Relaxed) => 0,
            _ => i32::try_from(limits.memory_mb).unwrap_or(0),
        }
    }

    /// The limits to look at from outside: of memory, if the system does not keep it.
    fn watched(&self, limits: Limits) -> Limits {
        let is_watched = self.reserves.load(Ordering::Relaxed);
        Limits { memory_mb: if is_watched { limits.memory_mb } else { 0 }, ..limits }
    }

    /// The program that the supervisor starts.
    fn request(&self) -> StartRequest<'_> {
        StartRequest {
            program: &self.prepared.program,
            arguments: &self.prepared.arguments,
            environment: &self.prepared.environment,
            folder: self.works_in.as_deref(),
            inherited: &[],
        }
    }

    /// Runs the program on a candidate until it ends, or someone wants it to; by a fork where
    /// that is as good as a start and `needs_start` doesn't ask for one.
    ///
    /// Fails where the program cannot be started or its folder cannot be written.
    pub(super) fn run(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        needs_start: bool,
        is_unwanted: impl Fn() -> bool,
    ) -> Result<Observation, TargetError> {
        let ended = match self.fork(candidate, limits, needs_start, &is_unwanted)? {
            Some(ended) => ended,
            None => self.start(candidate, limits, &is_unwanted)?,
        };
        Ok(self.meaning.observe(&ended, self.folder.path(), self.folder.file()))
    }

    /// How a new process ends on a candidate, and its standard error.
    pub(super) fn end_of(
        &mut self,
        candidate: &[u8],
        limits: Limits,
    ) -> Result<(Option<ExitStatus>, String), TargetError> {
        let ended = self.start(candidate, limits, &|| false)?;
        let said = String::from_utf8_lossy(&ended.stderr);
        let file = self.folder.file().to_string_lossy().into_owned();
        Ok((ended.status, Message::new(&said.replace(&file, "{}")).normalised().to_owned()))
    }

    /// Runs a candidate by a new process.
    fn start(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Ended, TargetError> {
        match self.start_once(candidate, limits, is_unwanted) {
            // A test can kill its parent, or be killed with it.
            Err(TargetError::ZygoteLost(_)) => {
                self.supervisor = None;
                self.start_once(candidate, limits, is_unwanted)
            }
            Ok(ended) if may_need_reserve(&ended) && self.memory_mb(limits) > 0 => {
                self.reserves.store(true, Ordering::Relaxed);
                self.start_once(candidate, limits, is_unwanted)
            }
            ended => ended,
        }
    }

    /// As [`Runner::start`], without a second try. Costs a start of the program.
    fn start_once(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Ended, TargetError> {
        self.give(Some(candidate))?;
        if self.supervisor.is_none() {
            self.supervisor = Some(Supervisor::start(&self.request())?);
        }
        let supervisor = self.supervisor.as_ref().expect("it was started");
        let (given, pipes) = Pipes::new()?;
        let begun = Instant::now();
        let process =
            supervisor.run(&given, self.memory_mb(limits)).map_err(|error| match error {
                TargetError::System { source, .. } => {
                    let program = self.prepared.arguments[0].display();
                    TargetError::system(format!("start {program}"), source)
                }
                lost => lost,
            })?;
        drop(given);
        // A folder has no bytes to be read.
        let stdin = if self.input.is_some() { &[] } else { candidate };
        let ended = Ended::of(process, pipes, stdin, self.watched(limits), is_unwanted)?;
        if is_good(&ended) {
            self.forks.learn(candidate, begun.elapsed());
        } else if self.meaning.mode == CommandMode::ExitZeroIsValid
            && let Some(rejection) = Rejection::of(&ended, self.folder.path())
        {
            self.forks.learn_rejection(candidate, rejection, begun.elapsed());
        }
        Ok(ended)
    }

    /// Runs a candidate by a fork; `None` where it has to be a start.
    ///
    /// The first forks are tried on inputs whose end is known; the first one that ends well is
    /// checked against a start.
    fn fork(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        needs_start: bool,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Option<Ended>, TargetError> {
        let is_executable = self.meaning.mode == CommandMode::Executable;
        if needs_start || matches!(self.stage, ForkStage::Never) || is_executable {
            return Ok(None);
        }
        if matches!(self.stage, ForkStage::Forks { memory_mb, .. } if memory_mb != limits.memory_mb)
        {
            self.stage = ForkStage::Before;
        }
        if matches!(self.stage, ForkStage::Before) {
            let Some(attempt) = self.forks.attempt() else { return Ok(None) };
            if !self.try_forks(&attempt, limits, is_unwanted)? {
                if attempt.is_by_rejections() {
                    self.forks.refuse_by_rejections();
                    self.stage = ForkStage::Before;
                    return Ok(None);
                }
                return self.end_forks();
            }
        }
        let Some(ended) = self.fork_once(candidate, limits, is_unwanted) else {
            return self.end_forks();
        };
        if is_good(&ended) && self.forks.wants_check() {
            let is_untried =
                matches!(self.stage, ForkStage::Forks { is_tried_by_rejections: true, .. });
            if !is_good(&self.start(candidate, limits, is_unwanted)?)
                || is_untried
                    && !(0..TRIAL_FORKS).all(|_| self.ends_well(candidate, limits, is_unwanted))
            {
                return self.end_forks();
            }
            self.forks.agree();
        }
        Ok(Some(ended))
    }

    /// Starts a fork server, and tries forks on inputs whose end is known. Says whether they end so.
    fn try_forks(
        &mut self,
        attempt: &Attempt,
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<bool, TargetError> {
        // A program that looks at its input before it is stopped finds none, and fails the trial.
        self.give(None)?;
        let limit = (attempt.start * 10).max(MIN_TIME_TO_FIRST_LOOK);
        let (request, memory_mb) = (self.request(), self.memory_mb(limits));
        let server = ForkServer::start(&request, memory_mb, self.folder.file(), limit, is_unwanted);
        // If the program makes files in its folder, each test needs a new start, which makes its
        // own.
        let Some(server) = server.filter(|_| self.folder.is_empty()) else { return Ok(false) };
        self.stage = ForkStage::Forks {
            server,
            memory_mb: limits.memory_mb,
            is_tried_by_rejections: attempt.is_by_rejections(),
        };
        Ok((0..TRIAL_FORKS).all(|_| {
            attempt.known.iter().all(|known| match known {
                KnownEnd::Good(good) => self.ends_well(good, limits, is_unwanted),
                KnownEnd::Rejected(text, rejection) => self
                    .fork_once(text, limits, is_unwanted)
                    .and_then(|ended| Rejection::of(&ended, self.folder.path()))
                    .is_some_and(|seen| seen == *rejection),
            })
        }))
    }

    /// Whether a fork ends well on `good`.
    fn ends_well(&mut self, good: &[u8], limits: Limits, is_unwanted: &dyn Fn() -> bool) -> bool {
        self.fork_once(good, limits, is_unwanted).is_some_and(|ended| is_good(&ended))
    }

    /// Runs a candidate by a fork and ends the processes that it leaves; `None` if anything fails, which
    /// ends the use of forks.
    fn fork_once(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Option<Ended> {
        self.give(Some(candidate)).ok()?;
        let limits = self.watched(limits);
        let ForkStage::Forks { server, .. } = &mut self.stage else { return None };
        let (forked, pipes) = server.fork().ok()?;
        let ended = Ended::of(forked, pipes, candidate, limits, is_unwanted).ok()?;
        server.sweep().ok()?;
        Some(ended)
    }

    /// From now on each test is a start, in all slots of the command.
    fn end_forks(&mut self) -> Result<Option<Ended>, TargetError> {
        self.forks.refuse();
        self.stage = ForkStage::Never;
        Ok(None)
    }

    /// Puts a candidate into the folder, which is emptied first; without one the folder stays
    /// empty.
    fn give(&mut self, candidate: Option<&[u8]>) -> Result<(), TargetError> {
        let given = match (&self.input, candidate) {
            (Some(input), Some(candidate)) => {
                self.folder.renew(None).and_then(|()| input.write(self.folder.file(), candidate))
            }
            _ => self.folder.renew(candidate),
        };
        given.map_err(|error| TargetError::system("write a candidate", error))
    }
}

/// Whether a sanitizer could not reserve the address space that it needs: it asks for terabytes, which
/// count as the program's data.
fn may_need_reserve(ended: &Ended) -> bool {
    const MARKS: [&[u8]; 2] = [b"ReserveShadowMemoryRange failed", b"Sanitizer failed to allocate"];
    let has = |mark: &[u8]| ended.stderr.windows(mark.len()).any(|part| part == mark);
    !is_good(ended) && MARKS.iter().any(|mark| has(mark))
}

/// Whether a program ended with status 0.
fn is_good(ended: &Ended) -> bool {
    ended.status.is_some_and(|status| status.success())
}
