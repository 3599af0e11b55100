//! A command that has started once, stands before its first look at the input, and is forked for
//! each test: this side of it. The other is the preloaded library.

use std::io::IoSlice;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, send, sendmsg, socketpair,
};
use nix::sys::stat::fstat;
use nix::unistd::Pid;

use super::handshake::{Errand, MESSAGE_BYTES, PRELOAD_BEFORE, VARIABLE, Word, message, numbers};
use super::spawn::{Gifts, Spawner};
use crate::exec::memory::file_of;
use crate::exec::process::{ChildProcess, Pipes, Process};
use crate::exec::{TargetError, sys};

/// The preloaded library, as `build.rs` compiled it.
static LIBRARY: &[u8] = include_bytes!(env!("SEEDSMITH_FORK_SERVER_LIBRARY"));
/// How long a fork may take to be told; then the server is as good as dead.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is asked whether anybody still waits.
const TICK: Duration = Duration::from_millis(5);

/// A program that stands before its first look at its input. Ends with its owner, and with the
/// thread that started it.
pub(super) struct ForkServer {
    /// Ends with this.
    _child: ChildProcess,
    socket: OwnedFd,
}

impl ForkServer {
    /// Starts `command` and waits until it is about to look at `input`, a path, or to read its
    /// standard input. `None` where it never does, can't be forked there, takes longer than
    /// `limit`, or the system lacks something: the command has run or has been ended then, on an
    /// input that wasn't there.
    pub fn start(
        spawner: &mut Spawner,
        mut command: Command,
        memory: Option<u64>,
        input: &Path,
        limit: Duration,
        is_unwanted: impl Fn() -> bool,
    ) -> Option<Self> {
        let (ours, theirs) =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)
                .ok()?;
        let library = file_of(c"seedsmith-fork-server", LIBRARY).ok()?;
        let (given, Pipes { stdin: never_written, stdout: out, stderr: err }) =
            Pipes::new().ok()?;
        // What reads it all the same finds its end, and doesn't wait.
        drop(never_written);
        let mut inodes = [0; 3];
        for (inode, pipe) in inodes.iter_mut().zip(&given) {
            *inode = fstat(pipe).ok()?.st_ino;
        }
        let errand = Errand {
            socket: theirs.as_raw_fd(),
            library: library.as_raw_fd(),
            driver: std::process::id() as i32,
            pipes: inodes,
            path: input.as_os_str().as_bytes(),
        };
        command.env(VARIABLE, std::ffi::OsString::from_vec(errand.to_bytes()));
        let mut preloaded = std::ffi::OsString::from(format!("/proc/self/fd/{}", errand.library));
        if let Some(before) = std::env::var_os("LD_PRELOAD") {
            command.env(PRELOAD_BEFORE, &before);
            preloaded.push(":");
            preloaded.push(before);
        }
        command.env("LD_PRELOAD", preloaded);
        let inherited = [errand.socket, errand.library];
        let gifts = Gifts { files: &given, inherited: &inherited, memory };
        let child = ChildProcess::new(spawner.spawn(&command, &gifts).ok()?);
        drop((given, theirs, library));
        let server = ForkServer { _child: child, socket: ours };
        let begun = Instant::now();
        while begun.elapsed() < limit && !is_unwanted() {
            if server.has_message(TICK) {
                let stands =
                    server.receive().is_some_and(|said| numbers(&said, Word::Stands).is_some());
                drop((out, err));
                return stands.then_some(server);
            }
        }
        None
    }

    /// A fork of the program, at its first look, and this end of its pipes.
    pub fn fork(&mut self) -> Result<(Forked<'_>, Pipes), TargetError> {
        let (given, kept) = Pipes::new()?;
        let files = given.each_ref().map(AsRawFd::as_raw_fd);
        let bytes = message(Word::Run, 0, 0);
        sendmsg::<()>(
            self.socket.as_raw_fd(),
            &[IoSlice::new(&bytes)],
            &[ControlMessage::ScmRights(&files)],
            MsgFlags::MSG_NOSIGNAL,
            None,
        )
        .map_err(|errno| TargetError::system("ask for a fork", errno))?;
        drop(given);
        let said = self.has_message(PATIENCE).then(|| self.receive()).flatten();
        match said.and_then(|said| numbers(&said, Word::Started)) {
            Some((pid, _)) if pid > 0 => {
                Ok((Forked { server: self, pid: Pid::from_raw(pid), end: None }, kept))
            }
            _ => Err(lost()),
        }
    }

    fn has_message(&self, limit: Duration) -> bool {
        let limit = PollTimeout::try_from(limit).unwrap_or(PollTimeout::ZERO);
        let mut files = [PollFd::new(self.socket.as_fd(), PollFlags::POLLIN)];
        poll(&mut files, limit).is_ok_and(|count| count > 0)
    }

    /// The next message; `None` if the server is gone.
    fn receive(&self) -> Option<[u8; MESSAGE_BYTES]> {
        let mut bytes = [0; MESSAGE_BYTES];
        let count = recv(self.socket.as_raw_fd(), &mut bytes, MsgFlags::empty()).ok()?;
        (count == bytes.len()).then_some(bytes)
    }
}

/// One test of a fork server.
pub(super) struct Forked<'s> {
    server: &'s mut ForkServer,
    pid: Pid,
    end: Option<(i32, i32)>,
}

impl Process for Forked<'_> {
    fn pid(&self) -> Pid {
        self.pid
    }

    fn end(&self) -> Option<BorrowedFd<'_>> {
        Some(self.server.socket.as_fd())
    }

    fn has_ended(&mut self) -> Result<bool, TargetError> {
        if self.end.is_none() && self.server.has_message(Duration::ZERO) {
            let said = self.server.receive().ok_or_else(lost)?;
            self.end = Some(numbers(&said, Word::Ended).ok_or_else(lost)?);
        }
        Ok(self.end.is_some())
    }

    fn bury(mut self) -> Result<ExitStatus, TargetError> {
        if self.end.is_none() && !(self.server.has_message(PATIENCE) && self.has_ended()?) {
            return Err(lost());
        }
        let (code, status) = self.end.ok_or_else(lost)?;
        send(self.server.socket.as_raw_fd(), &message(Word::Bury, 0, 0), MsgFlags::MSG_NOSIGNAL)
            .map_err(|_| lost())?;
        let status = if code == sys::CLD_EXITED { (status & 0xff) << 8 } else { status };
        Ok(ExitStatus::from_raw(status))
    }
}

fn lost() -> TargetError {
    TargetError::ZygoteLost("a command's fork server ended".into())
}
