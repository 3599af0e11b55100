//! One run of a program on a candidate: its file, its process, and what its end means.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::folder::FolderInput;
use super::fork_server::ForkServer;
use super::forking::{Knowledge, Stage, TRIALS};
use super::program::{CommandMode, Program};
use super::spawn::{Gifts, Spawner};
use crate::exec::death::{ProcessEnd, Record, classify};
use crate::exec::launch::quiet_environment;
use crate::exec::process::{ChildProcess, Ended, Pipes};
use crate::exec::{Limits, TargetError};
use crate::observation::{Observation, Verdict};
use crate::scratch::ScratchFolder;
use crate::signature::{Kind, Signature};

/// A program may take this long to its first look, or ten times as long as a whole run took.
const SHORTEST_STAND: Duration = Duration::from_secs(1);

/// A program, the folder in which it finds its candidates, and what its end means.
pub(super) struct Runner {
    file: PathBuf,
    folder: ScratchFolder,
    /// What a candidate stands for, if it is not a file.
    input: Option<Arc<FolderInput>>,
    arguments: Vec<OsString>,
    mode: CommandMode,
    finds_leaks: bool,
    forks: Arc<Knowledge>,
    stage: Stage,
    spawner: Spawner,
}

impl Runner {
    /// With a folder of its own. Refuses a command line without a program.
    pub fn new(program: &Program) -> Result<Self, TargetError> {
        let folder = ScratchFolder::new()
            .map_err(|error| TargetError::system("make a temporary folder", error))?;
        let runner = Runner {
            file: folder.path().join(&program.file_name),
            folder,
            input: program.folder.clone(),
            arguments: program.arguments.clone(),
            mode: program.mode,
            finds_leaks: program.finds_leaks,
            forks: program.forks.clone(),
            stage: Stage::Before,
            spawner: Spawner::new(),
        };
        runner.program()?;
        Ok(runner)
    }

    /// The command with the candidate's file in its place: where `{}` is, or last.
    fn program(&self) -> Result<Command, TargetError> {
        let mut takes_file = false;
        let mut arguments = self.arguments.iter().map(|argument| {
            let (argument, was_replaced) = replace_braces(argument, &self.file);
            takes_file |= was_replaced;
            argument
        });
        let Some(program) = arguments.next() else {
            return Err(TargetError::Unusable("the command is empty".into()));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        if !takes_file {
            command.arg(&self.file);
        }
        if self.mode == CommandMode::Executable {
            quiet_environment(&mut command, self.finds_leaks);
        }
        Ok(command)
    }

    /// What a process may have of its own: a sanitizer in an executable reserves far more.
    fn memory(&self, limits: Limits) -> Option<u64> {
        let is_limited = limits.memory_mb > 0 && self.mode != CommandMode::Executable;
        is_limited.then_some(limits.memory_mb << 20)
    }

    /// Writes the candidate's file, whatever the program made of the one before, or of its folder.
    fn write(&self, candidate: &[u8]) -> std::io::Result<()> {
        if let Some(input) = &self.input {
            return input.write(&self.file, candidate);
        }
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

    /// Runs the program on a candidate until it ends, or somebody wants it to; by a fork where
    /// that is as good as a start and `own_word` doesn't ask for one.
    pub fn run(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        own_word: bool,
        is_unwanted: impl Fn() -> bool,
    ) -> Result<Observation, TargetError> {
        let ended = match self.fork(candidate, limits, own_word, &is_unwanted)? {
            Some(ended) => ended,
            None => self.start(candidate, limits, &is_unwanted)?,
        };
        Ok(self.judge(&ended))
    }

    /// Runs a candidate by a new process.
    fn start(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Ended, TargetError> {
        self.give(candidate)?;
        let command = self.program()?;
        let (given, pipes) = Pipes::new()?;
        let gifts = Gifts { files: &given, inherited: &[], memory: self.memory(limits) };
        let begun = Instant::now();
        let child = self.spawner.spawn(&command, &gifts).map_err(|error| {
            let program = command.get_program().to_string_lossy();
            TargetError::system(format!("start {program}"), error)
        })?;
        drop(given);
        // A folder has no bytes to be read.
        let stdin = if self.input.is_some() { &[] } else { candidate };
        let ended = Ended::of(ChildProcess::new(child), pipes, stdin, limits, is_unwanted)?;
        if is_good(&ended) {
            self.forks.learn(candidate, begun.elapsed());
        }
        Ok(ended)
    }

    /// Runs a candidate by a fork; `None` where it has to be a start.
    fn fork(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        own_word: bool,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Option<Ended>, TargetError> {
        if own_word || matches!(self.stage, Stage::Never) || self.mode == CommandMode::Executable {
            return Ok(None);
        }
        if matches!(self.stage, Stage::Stands(_, memory_mb) if memory_mb != limits.memory_mb) {
            self.stage = Stage::Before;
        }
        if matches!(self.stage, Stage::Before) {
            let Some((good, start)) = self.forks.trial() else { return Ok(None) };
            if !self.try_forks(&good, start, limits, is_unwanted)? {
                return self.end_forks();
            }
        }
        let Some(ended) = self.fork_once(candidate, limits, is_unwanted) else {
            return self.end_forks();
        };
        if is_good(&ended) && self.forks.wants_check() {
            if !is_good(&self.start(candidate, limits, is_unwanted)?) {
                return self.end_forks();
            }
            self.forks.agree();
        }
        Ok(Some(ended))
    }

    /// Lets the program stand, and tries forks on an input that is known to end well: whether
    /// they do.
    fn try_forks(
        &mut self,
        good: &[u8],
        start: Duration,
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<bool, TargetError> {
        // What looks before it stands finds nothing, and fails the trial.
        std::fs::remove_file(&self.file).ok();
        let limit = (start * 10).max(SHORTEST_STAND);
        let (command, memory) = (self.program()?, self.memory(limits));
        let server =
            ForkServer::start(&mut self.spawner, command, memory, &self.file, limit, is_unwanted);
        let Some(server) = server else { return Ok(false) };
        self.stage = Stage::Stands(server, limits.memory_mb);
        Ok((0..TRIALS).all(|_| {
            self.fork_once(good, limits, is_unwanted).is_some_and(|ended| is_good(&ended))
        }))
    }

    fn fork_once(
        &mut self,
        candidate: &[u8],
        limits: Limits,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Option<Ended> {
        self.give(candidate).ok()?;
        let Stage::Stands(server, _) = &mut self.stage else { return None };
        let (forked, pipes) = server.fork().ok()?;
        Ended::of(forked, pipes, candidate, limits, is_unwanted).ok()
    }

    fn end_forks(&mut self) -> Result<Option<Ended>, TargetError> {
        self.forks.refuse();
        self.stage = Stage::Never;
        Ok(None)
    }

    fn give(&self, candidate: &[u8]) -> Result<(), TargetError> {
        self.write(candidate).map_err(|error| TargetError::system("write a candidate", error))
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

fn is_good(ended: &Ended) -> bool {
    ended.status.is_some_and(|status| status.success())
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
