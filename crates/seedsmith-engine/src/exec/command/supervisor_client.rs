//! This side of the supervisor: starts it, and starts a command by it for each test.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::IoSlice;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, send, sendmsg, socketpair,
};
use nix::unistd::Pid;

use crate::exec::command::handshake::{MESSAGE_BYTES, MessageKind, message, numbers};
use crate::exec::command::spawn::{ChildFiles, spawn};
use crate::exec::os::memory::file_of;
use crate::exec::os::process::{ChildProcess, Process};
use crate::exec::os::sys;
use crate::exec::{TargetError, ZygoteLoss};

/// The supervisor, as `build.rs` compiled it.
static PROGRAM: &[u8] = include_bytes!(env!("SEEDSMITH_SUPERVISOR"));
/// How long an answer may take before the other side counts as lost. It answers within milliseconds on
/// an idle machine; the value is a guess for a very busy one, not measured.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// A socket to a supervisor or a fork server, which answers each message with one.
pub(super) struct Peer(OwnedFd);

impl Peer {
    /// A new pair: ours, and the other side's.
    pub(super) fn pair() -> nix::Result<(Self, OwnedFd)> {
        let flags = SockFlag::SOCK_CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags)?;
        Ok((Peer(ours), theirs))
    }

    /// Whether there is a message, or the other side has ended; waits for at most `limit`.
    ///
    /// True also if the other side has ended: then [`Peer::receive`] gives `None`.
    pub(super) fn has_message(&self, limit: Duration) -> bool {
        let limit = PollTimeout::try_from(limit).unwrap_or(PollTimeout::ZERO);
        let mut files = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        poll(&mut files, limit).is_ok_and(|count| count > 0)
    }

    /// The next message; `None` if the other side has ended.
    pub(super) fn receive(&self) -> Option<[u8; MESSAGE_BYTES]> {
        let mut bytes = [0; MESSAGE_BYTES];
        let count = recv(self.0.as_raw_fd(), &mut bytes, MsgFlags::empty()).ok()?;
        (count == bytes.len()).then_some(bytes)
    }

    /// Waits for the message `word`; its numbers.
    fn expect(&self, word: MessageKind) -> Result<(i32, i32), TargetError> {
        let begun = Instant::now();
        while begun.elapsed() < ANSWER_LIMIT {
            if self.has_message(ANSWER_LIMIT - begun.elapsed()) {
                let said = self.receive().ok_or_else(lost)?;
                return numbers(&said, word).ok_or_else(lost);
            }
        }
        Err(lost())
    }

    /// Sends a message without numbers.
    fn say(&self, word: MessageKind) -> Result<(), TargetError> {
        let sent = send(self.0.as_raw_fd(), &message(word, 0, 0), MsgFlags::MSG_NOSIGNAL);
        sent.map(drop).map_err(|_| lost())
    }

    /// Has a process be made with `files` as its descriptors 0, 1 and 2.
    ///
    /// `memory_mb` limits the data of the process, in megabytes; 0 is no limit. Gives its number.
    pub(super) fn run(&self, files: &[OwnedFd; 3], memory_mb: i32) -> Result<Pid, TargetError> {
        let files = files.each_ref().map(AsRawFd::as_raw_fd);
        let bytes = message(MessageKind::Run, memory_mb, 0);
        sendmsg::<()>(
            self.0.as_raw_fd(),
            &[IoSlice::new(&bytes)],
            &[ControlMessage::ScmRights(&files)],
            MsgFlags::MSG_NOSIGNAL,
            None,
        )
        .map_err(|_| lost())?;
        match self.expect(MessageKind::Started)?.0 {
            pid if pid > 0 => Ok(Pid::from_raw(pid)),
            error => Err(TargetError::system(
                "start a process",
                std::io::Error::from_raw_os_error(-error),
            )),
        }
    }
}

/// The supervisor's program as a file in memory, which all slots share.
fn program_file() -> Result<BorrowedFd<'static>, TargetError> {
    static FILE: OnceLock<OwnedFd> = OnceLock::new();
    if FILE.get().is_none() {
        // Two threads may come here, and one of them drops its file.
        FILE.set(file_of(c"seedsmith-supervisor", PROGRAM)?).ok();
    }
    Ok(FILE.get().expect("it was set").as_fd())
}

/// The program that a supervisor starts.
pub(super) struct StartRequest<'e> {
    /// The program's file.
    pub program: &'e Path,
    /// Its arguments, with its own name as the first.
    pub arguments: &'e [OsString],
    /// Its environment, as `NAME=value`.
    pub environment: &'e [OsString],
    /// The folder to start it in; this process' own if there is none.
    pub folder: Option<&'e Path>,
    /// Descriptors that it inherits under their numbers.
    pub inherited: &'e [RawFd],
}

/// A process that starts one program again and again. Ends with its owner, after everything that it
/// started.
pub(super) struct Supervisor {
    peer: Option<Peer>,
    process: ChildProcess,
}

impl Supervisor {
    /// Starts a supervisor. Costs a process start.
    ///
    /// The program inherits nothing of this process but the descriptors that the request names.
    pub(super) fn start(request: &StartRequest<'_>) -> Result<Self, TargetError> {
        let system = |error: std::io::Error| TargetError::system("start the supervisor", error);
        let (peer, theirs) = Peer::pair().map_err(|errno| system(errno.into()))?;
        let program = program_file()?;
        let nothing = || Ok(File::options().read(true).write(true).open("/dev/null")?.into());
        let files: [OwnedFd; 3] = match (nothing(), nothing(), nothing()) {
            (Ok(one), Ok(two), Ok(three)) => [one, two, three],
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => return Err(system(error)),
        };
        let inherited: Vec<String> = request.inherited.iter().map(RawFd::to_string).collect();
        let folder = request.folder.map_or(OsStr::new(""), Path::as_os_str);
        let mut arguments: Vec<OsString> = vec![
            "seedsmith-supervisor".into(),
            theirs.as_raw_fd().to_string().into(),
            inherited.join(",").into(),
            folder.into(),
            request.program.into(),
            request.arguments.len().to_string().into(),
        ];
        arguments.extend_from_slice(request.arguments);
        arguments.extend_from_slice(request.environment);
        let path = format!("/proc/self/fd/{}", program.as_raw_fd());
        let kept = [request.inherited, &[theirs.as_raw_fd()]].concat();
        let given = ChildFiles { files: &files, inherited: &kept };
        let process =
            ChildProcess::new(spawn(Path::new(&path), &arguments, &given).map_err(system)?);
        Ok(Supervisor { peer: Some(peer), process })
    }

    /// The socket to the supervisor.
    fn peer(&self) -> &Peer {
        self.peer.as_ref().expect("it is taken only when the supervisor is dropped")
    }

    /// Starts the program for one test.
    pub(super) fn run(
        &self,
        files: &[OwnedFd; 3],
        memory_mb: i32,
    ) -> Result<Supervised<'_>, TargetError> {
        let pid = self.peer().run(files, memory_mb)?;
        Ok(Supervised { peer: self.peer(), pid, end: None, is_swept: true })
    }

    /// Ends the processes that tests have left over, but not `kept`, the program itself.
    ///
    /// Mostly there is none, and a look at the supervisor's children shows that: asking it would cost two
    /// switches between processes.
    pub(super) fn sweep(&self, kept: Pid) -> Result<(), TargetError> {
        if self.process.children().is_some_and(|children| children == [kept.as_raw()]) {
            return Ok(());
        }
        self.peer().say(MessageKind::Sweep)?;
        self.peer().expect(MessageKind::Swept).map(drop)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // It ends when the other end is closed; before that, it ends the processes that it started.
        self.peer = None;
        self.process.await_end(ANSWER_LIMIT);
    }
}

/// One test: a process that a supervisor has started, or that a fork server has forked.
pub(super) struct Supervised<'s> {
    peer: &'s Peer,
    /// Its number, which is its group's.
    pid: Pid,
    /// How it ended (`si_code` and `si_status`), once that was said.
    end: Option<(i32, i32)>,
    /// Whether the other side sends a message after it has ended left-over processes.
    is_swept: bool,
}

impl<'s> Supervised<'s> {
    /// The fork `pid` of a fork server.
    pub(super) fn forked(peer: &'s Peer, pid: Pid) -> Self {
        Supervised { peer, pid, end: None, is_swept: false }
    }
}

impl Process for Supervised<'_> {
    fn pid(&self) -> Pid {
        self.pid
    }

    fn end(&self) -> Option<BorrowedFd<'_>> {
        Some(self.peer.0.as_fd())
    }

    fn has_ended(&mut self) -> Result<bool, TargetError> {
        if self.end.is_none() && self.peer.has_message(Duration::ZERO) {
            let said = self.peer.receive().ok_or_else(lost)?;
            self.end = Some(numbers(&said, MessageKind::Ended).ok_or_else(lost)?);
        }
        Ok(self.end.is_some())
    }

    fn reap(mut self) -> Result<ExitStatus, TargetError> {
        if self.end.is_none() && !(self.peer.has_message(ANSWER_LIMIT) && self.has_ended()?) {
            return Err(lost());
        }
        let (code, status) = self.end.ok_or_else(lost)?;
        self.peer.say(MessageKind::Reap)?;
        if self.is_swept {
            self.peer.expect(MessageKind::Swept)?;
        }
        let status = if code == sys::CLD_EXITED { (status & 0xff) << 8 } else { status };
        Ok(ExitStatus::from_raw(status))
    }
}

/// The error of a supervisor or server that does not answer.
fn lost() -> TargetError {
    TargetError::ZygoteLost(ZygoteLoss::SupervisorEnded)
}
