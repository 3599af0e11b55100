//! A command that has started once, is stopped before its first look at the input, and is forked for
//! each test: this side of it. The other is the preloaded library.

use std::ffi::OsString;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::stat::fstat;
use nix::unistd::Pid;

use super::handshake::{ForkServerSetup, MessageKind, PRELOAD_BEFORE, VARIABLE, numbers};
use crate::exec::TargetError;
use crate::exec::command::supervisor_client::{Peer, StartRequest, Supervised, Supervisor};
use crate::exec::os::memory::file_of;
use crate::exec::os::process::{Pipes, Process};

/// The preloaded library, as `build.rs` compiled it.
static LIBRARY: &[u8] = include_bytes!(env!("SEEDSMITH_FORK_SERVER_LIBRARY"));
/// How often the caller is asked whether it still waits for the server.
const CHECK_EVERY: Duration = Duration::from_millis(5);

/// A program that is stopped before its first look at its input. Ends with its owner.
pub(super) struct ForkServer {
    /// The socket to the program.
    peer: Peer,
    /// Ends the program when it is dropped.
    supervisor: Supervisor,
    /// The program that is forked.
    program: Pid,
}

impl ForkServer {
    /// Starts a program and waits until it is about to look at `input`, a path, or to read its
    /// standard input. `None` where it never does, can't be forked there, takes longer than
    /// `limit`, or the system lacks something: the command has run or has been ended then, on an
    /// input that wasn't there.
    pub(super) fn start(
        request: &StartRequest<'_>,
        memory_mb: i32,
        input: &Path,
        limit: Duration,
        is_unwanted: impl Fn() -> bool,
    ) -> Option<Self> {
        let (ours, theirs) = Peer::pair().ok()?;
        let library = file_of(c"seedsmith-fork-server", LIBRARY).ok()?;
        let (given, Pipes { stdin: never_written, stdout: out, stderr: err }) =
            Pipes::new().ok()?;
        // A program that reads it all the same finds its end, and doesn't wait.
        drop(never_written);
        let mut inodes = [0; 3];
        for (inode, pipe) in inodes.iter_mut().zip(&given) {
            *inode = fstat(pipe).ok()?.st_ino;
        }
        let setup = ForkServerSetup {
            socket: theirs.as_raw_fd(),
            library: library.as_raw_fd(),
            // The supervisor puts its own number there.
            driver: 0,
            pipes: inodes,
            works_beside_input: request.folder.is_some(),
            path: input.as_os_str().as_bytes(),
        };
        let environment = with_library(request.environment, &setup);
        let inherited = [setup.socket, setup.library];
        let request = StartRequest {
            program: request.program,
            arguments: request.arguments,
            environment: &environment,
            folder: request.folder,
            inherited: &inherited,
        };
        let supervisor = Supervisor::start(&request).ok()?;
        drop((theirs, library));
        let program = supervisor.run(&given, memory_mb).ok()?.pid();
        drop(given);
        let server = ForkServer { peer: ours, supervisor, program };
        let begun = Instant::now();
        while begun.elapsed() < limit && !is_unwanted() {
            if server.peer.has_message(CHECK_EVERY) {
                let said = server.peer.receive();
                drop((out, err));
                return said
                    .is_some_and(|said| numbers(&said, MessageKind::CanFork).is_some())
                    .then_some(server);
            }
        }
        None
    }

    /// A fork of the program, at its first look, and this end of its pipes.
    ///
    /// Fails if the server has ended; then the program has to be started for each test.
    pub(super) fn fork(&mut self) -> Result<(Supervised<'_>, Pipes), TargetError> {
        let (given, kept) = Pipes::new()?;
        let pid = self.peer.run(&given, 0)?;
        Ok((Supervised::forked(&self.peer, pid), kept))
    }

    /// Ends the processes that forks have left over.
    pub(super) fn sweep(&self) -> Result<(), TargetError> {
        self.supervisor.sweep(self.program)
    }
}

/// An environment that makes a program a fork server.
fn with_library(environment: &[OsString], setup: &ForkServerSetup<'_>) -> Vec<OsString> {
    const PRELOAD: &[u8] = b"LD_PRELOAD=";
    let variable =
        |name: &str, value: &[u8]| OsString::from_vec([name.as_bytes(), b"=", value].concat());
    let mut all = vec![variable(VARIABLE, &setup.to_bytes())];
    let mut preloaded = format!("/proc/self/fd/{}", setup.library).into_bytes();
    for one in environment {
        match one.as_bytes().strip_prefix(PRELOAD) {
            Some(before) => {
                all.push(variable(PRELOAD_BEFORE, before));
                preloaded.push(b':');
                preloaded.extend_from_slice(before);
            }
            None => all.push(one.clone()),
        }
    }
    all.push(variable("LD_PRELOAD", &preloaded));
    all
}
