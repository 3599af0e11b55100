//! How `cargo` and `rustc` are started and ended, and the triple that they build for.
//!
//! This is separate from building because reading a package starts cargo too. These are the only
//! functions of the library that read cargo's environment variables on behalf of a child process.
//!
//! A build takes minutes, and cargo does not get the signal that asks this program to end: each
//! tool is started in a new process group, which [`end_tools`] ends.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

/// The tools of this process.
static TOOLS: Mutex<Tools> =
    Mutex::new(Tools { running: BTreeMap::new(), is_closed: false, closed_threads: Vec::new() });

/// Which tools run, and who may start more.
struct Tools {
    /// The process groups, each with the thread that started it.
    running: BTreeMap<i32, ThreadId>,
    /// Whether no more may be started.
    is_closed: bool,
    /// Threads that are to start no more.
    closed_threads: Vec<ThreadId>,
}

/// Ends all tools that run: each looks to its own children and files. None is started after that.
pub(crate) fn end_tools() {
    signal_tools(Signal::SIGTERM, None);
}

/// The same for tools that may not listen.
pub(crate) fn kill_tools() {
    signal_tools(Signal::SIGKILL, None);
}

/// Sends `signal` to the tools that one thread started, or to all; none is started after that.
pub(super) fn signal_tools(signal: Signal, thread: Option<ThreadId>) {
    let mut tools = TOOLS.lock().unwrap_or_else(PoisonError::into_inner);
    match thread {
        None => tools.is_closed = true,
        Some(thread) => tools.closed_threads.push(thread),
    }
    for (group, starter) in &tools.running {
        if thread.is_none_or(|thread| thread == *starter) {
            // It may have ended, and is not waited for yet: its number is still its own.
            let _ = killpg(Pid::from_raw(*group), signal);
        }
    }
}

/// A tool that runs.
pub(super) struct Tool {
    /// The process, of which only the pipes are used by others.
    pub child: Child,
}

impl Tool {
    /// Starts a tool in a new process group.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut tools = TOOLS.lock().unwrap_or_else(PoisonError::into_inner);
        let starter = thread::current().id();
        if tools.is_closed || tools.closed_threads.contains(&starter) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.process_group(0).spawn()?;
        tools.running.insert(child.id().cast_signed(), starter);
        Ok(Tool { child })
    }

    /// Waits for its end.
    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        let process = Pid::from_raw(self.child.id().cast_signed());
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        while let Err(error) = waitid(Id::Pid(process), flags) {
            if error != Errno::EINTR {
                break;
            }
        }
        // Forgotten before its number can be another process's.
        TOOLS.lock().unwrap_or_else(PoisonError::into_inner).running.remove(&process.as_raw());
        self.child.wait()
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let group = Pid::from_raw(self.child.id().cast_signed());
            let _ = killpg(group, Signal::SIGKILL);
            let _ = self.wait();
        }
    }
}

/// Runs a tool to its end and returns its output.
pub(super) fn output(command: &mut Command) -> io::Result<Output> {
    let mut tool = Tool::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let mut errors = tool.child.stderr.take().expect("it was set to a pipe above");
    let reader = std::thread::spawn(move || {
        let mut stderr = Vec::new();
        errors.read_to_end(&mut stderr).map(|_| stderr)
    });
    let mut stdout = Vec::new();
    let read = tool.child.stdout.take().map(|mut pipe| pipe.read_to_end(&mut stdout));
    read.transpose()?;
    let stderr = reader.join().expect("reading a pipe does not panic")?;
    Ok(Output { status: tool.wait()?, stdout, stderr })
}

/// `cargo`, without the variables that an outer `cargo run` set for its own package.
pub(super) fn command() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    clear_environment(&mut cargo);
    cargo.stdin(Stdio::null());
    cargo
}

/// The `cargo` of nightly Rust.
pub(super) fn nightly() -> Command {
    let mut cargo = Command::new("rustup");
    cargo.args(["run", "nightly", "cargo"]);
    clear_environment(&mut cargo);
    // An outer cargo sets these to the tools of another toolchain.
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo.stdin(Stdio::null());
    cargo
}

/// Whether nightly Rust is installed.
pub(super) fn has_nightly() -> bool {
    let answer = output(nightly().arg("--version"));
    answer.is_ok_and(|answer| answer.status.success())
}

/// Removes the variables that an outer `cargo run` set for *its* package. Variables that a user sets
/// for cargo stay: the target folder, the network, compiler wrappers.
pub(super) fn clear_environment(command: &mut Command) {
    const PREFIXES: [&str; 5] =
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_EXE_", "CARGO_CFG_", "DEP_"];
    const NAMES: [&str; 6] = [
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "OUT_DIR",
        "RUST_RECURSION_COUNT",
    ];
    for (name, _) in std::env::vars_os() {
        let Some(name) = name.to_str() else { continue };
        if NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            command.env_remove(name);
        }
    }
}

/// The triple that plain `cargo build` builds for, as reported by `rustc`; `None` if that does not
/// run.
pub(super) fn host_triple() -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = output(Command::new(rustc).arg("-vV").stdin(Stdio::null())).ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
