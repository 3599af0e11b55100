//! The program that starts a command for each test and ends whatever a test leaves over.
//!
//! Root of a separate crate: `build.rs` compiles it to an executable that is embedded into seedsmith.
//! A daemon leaves its process group and its parent, so the only process that is sure to get hold of it
//! is an ancestor that is a subreaper. This one is, and has no other purpose, so every child of it that
//! is not the running test is something left over. It outlives a driver that is killed, for as long as
//! it takes to end what the driver's last test started.
//!
//! Its arguments are: the socket to the driver, the descriptors that the program inherits (separated by
//! commas), the folder to start it in (or nothing), the program's path, the number of its arguments,
//! these arguments, and its environment.

#![no_main]
#![allow(dead_code, reason = "the supervisor uses a part of what it shares with others")]

#[path = "calls.rs"]
mod calls;
#[path = "handshake.rs"]
mod handshake;
#[path = "messages.rs"]
mod messages;
#[path = "../os/sys.rs"]
mod sys;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::time::{Duration, Instant};

use handshake::{ForkServerSetup, MessageKind, VARIABLE, numbers};
use messages::{receive, send};

/// The child makes a few calls and copies its arguments if it is a script without `#!`.
const CHILD_STACK_BYTES: usize = 1 << 20;
/// Processes that are killed and do not end are stuck in the system (a disk that does not answer): they
/// are given up after this time. A guess; not measured.
const MAX_SWEEP_TIME: Duration = Duration::from_secs(5);
/// How often the child is looked at where the system has no descriptors of processes.
const TICK_MS: c_int = 5;

/// The program that is started for each test.
struct Program {
    path: CString,
    folder: Option<CString>,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    /// The patched entry of the environment, which is kept alive here.
    _errand: Option<CString>,
    stack: Vec<u8>,
}

/// The data that a child needs, in the memory that it shares with this process.
struct Start<'s> {
    program: &'s Program,
    files: [c_int; 3],
    memory_mb: c_int,
    parent: c_int,
    error: c_int,
}

/// A started program, and whether its end has been reported.
struct Child {
    pid: c_int,
    handle: c_int,
    has_ended: bool,
}

/// The C library's entry: without Rust's own, which would ignore SIGPIPE here and in all tests.
#[unsafe(no_mangle)]
extern "C" fn main(count: c_int, arguments: *const *const c_char) -> c_int {
    let arguments: Vec<*const c_char> =
        // SAFETY: the C library's contract for `main`.
        (0..count as usize).map(|index| unsafe { *arguments.add(index) }).collect();
    let Some((socket, inherited, program)) = parse(&arguments) else { return 2 };
    // SAFETY: plain system calls.
    unsafe {
        sys::prctl(sys::PR_SET_CHILD_SUBREAPER, 1 as std::ffi::c_ulong);
        sys::prctl(calls::PR_SET_NAME, c"seedsmith-super".as_ptr());
        sys::fcntl(socket, calls::F_SETFD, calls::FD_CLOEXEC);
    }
    serve(socket, inherited, program);
    // The driver has ended: everything that it started is ended too.
    sweep(0);
    0
}

fn parse(arguments: &[*const c_char]) -> Option<(c_int, Vec<c_int>, Program)> {
    // SAFETY: the C library's strings, which live as long as the process.
    let text = |index: usize| Some(unsafe { CStr::from_ptr(*arguments.get(index)?) });
    let number = |text: &str| text.parse::<c_int>().ok();
    let socket = number(text(1)?.to_str().ok()?)?;
    let inherited = text(2)?.to_str().ok()?.split(',').filter_map(number).collect();
    let folder = text(3)?.to_owned();
    let path = text(4)?.to_owned();
    let count: usize = text(5)?.to_str().ok()?.parse().ok()?;
    let rest = arguments.get(6..)?;
    let (given, environment) = (rest.get(..count)?, rest.get(count..)?);
    let mut setup = None;
    let environment = environment.iter().map(|variable| {
        // SAFETY: as above.
        let bytes = unsafe { CStr::from_ptr(*variable) }.to_bytes();
        match with_parent(bytes) {
            Some(patched) => setup.insert(patched).as_ptr(),
            None => *variable,
        }
    });
    let environment: Vec<_> = environment.chain([std::ptr::null()]).collect();
    let program = Program {
        path,
        folder: Some(folder).filter(|folder| !folder.is_empty()),
        arguments: given.iter().copied().chain([std::ptr::null()]).collect(),
        environment,
        _errand: setup,
        stack: vec![0; CHILD_STACK_BYTES],
    };
    Some((socket, inherited, program))
}

/// The fork server's variable with this process as the one whose child it is.
fn with_parent(variable: &[u8]) -> Option<CString> {
    let value = variable.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"=")?;
    // SAFETY: plain system call.
    let setup =
        ForkServerSetup { driver: unsafe { sys::getpid() }, ..ForkServerSetup::of_bytes(value)? };
    CString::new([VARIABLE.as_bytes(), b"=", &setup.to_bytes()].concat()).ok()
}

/// Serves the driver's requests until the driver ends.
fn serve(socket: c_int, inherited: Vec<c_int>, mut program: Program) {
    let mut inherited = Some(inherited);
    let mut child: Option<Child> = None;
    loop {
        if !wait_for_event(socket, child.as_ref()) {
            // Only the child: report its end once.
            if let Some(running) = child.as_mut().filter(|running| !running.has_ended)
                && let Some((code, status)) = end_of(running.pid)
            {
                running.has_ended = true;
                if !send(socket, MessageKind::Ended, code, status) {
                    return;
                }
            }
            continue;
        }
        let Some((said, files)) = receive(socket, true) else { return };
        if let Some((memory_mb, _)) = numbers(&said, MessageKind::Run) {
            let started = start(&mut program, files, memory_mb);
            // Its own copies would hide from the driver that the program has closed them.
            for file in inherited.take().into_iter().flatten().chain(files) {
                // SAFETY: descriptors of ours that no one uses any more.
                unsafe { sys::close(file) };
            }
            if let Ok(running) = &started {
                child = Some(Child { pid: running.pid, handle: running.handle, has_ended: false });
            }
            let number = started.map_or_else(|error| -error, |running| running.pid);
            send(socket, MessageKind::Started, number, 0);
        } else if numbers(&said, MessageKind::Reap).is_some() {
            if let Some(buried) = child.take() {
                let mut status = 0;
                // SAFETY: a child of ours that was not reaped, and a descriptor of ours. One that
                // has not ended is left to the sweep.
                unsafe {
                    sys::kill(-buried.pid, sys::SIGKILL);
                    sys::waitpid(buried.pid, &mut status, sys::WNOHANG);
                    sys::close(buried.handle);
                }
            }
            sweep(0);
            send(socket, MessageKind::Swept, 0, 0);
        } else if numbers(&said, MessageKind::Sweep).is_some() {
            sweep(child.as_ref().map_or(0, |running| running.pid));
            send(socket, MessageKind::Swept, 0, 0);
        }
    }
}

/// Waits until the driver says something (`true`) or the child may have ended (`false`).
fn wait_for_event(socket: c_int, child: Option<&Child>) -> bool {
    let running = child.filter(|running| !running.has_ended);
    let handle = running.map_or(-1, |running| running.handle);
    let mut files =
        [socket, handle].map(|file| calls::PollFile { file, events: calls::POLLIN, seen: 0 });
    let limit = if running.is_some() && handle < 0 { TICK_MS } else { -1 };
    // SAFETY: the records are ours; negative descriptors are passed over.
    unsafe { calls::poll(files.as_mut_ptr(), 2, limit) };
    files[0].seen != 0
}

/// `si_code` and `si_status` of a child that has ended; it is not reaped.
fn end_of(pid: c_int) -> Option<(c_int, c_int)> {
    let mut info = sys::SignalInfo::zeroed();
    let look = sys::WEXITED | sys::WNOHANG | sys::WNOWAIT;
    // SAFETY: the record is ours.
    let looked = unsafe { sys::waitid(sys::P_PID, pid as u32, &mut info, look) };
    (looked == 0 && info.pid() == pid).then_some((info.code, info.status))
}

/// Starts the program. The child borrows this process' memory until it has become the program.
fn start(program: &mut Program, files: [c_int; 3], memory_mb: c_int) -> Result<Child, c_int> {
    // SAFETY: the end of a buffer is the start of a stack that grows downwards; aligned for both
    // architectures.
    let top = unsafe { program.stack.as_mut_ptr().add(CHILD_STACK_BYTES) } as usize & !15;
    // SAFETY: plain system call.
    let parent = unsafe { sys::getpid() };
    let mut start = Start { program, files, memory_mb, parent, error: 0 };
    let flags = calls::CLONE_VM | calls::CLONE_VFORK | calls::SIGCHLD;
    // SAFETY: the stack is the child's alone, and this process continues only when the child has become
    // the program or has ended.
    let pid = unsafe {
        let argument = (&raw mut start).cast::<c_void>();
        calls::clone(become_program, top as *mut c_void, flags, argument)
    };
    if pid < 0 {
        return Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(1));
    }
    // SAFETY: the child has written there before it ended, if at all.
    let error = unsafe { std::ptr::read_volatile(&raw const start.error) };
    if error != 0 {
        sweep(0);
        return Err(error);
    }
    // SAFETY: plain system call.
    let handle = unsafe { sys::syscall(sys::number::PIDFD_OPEN, pid, 0) } as c_int;
    Ok(Child { pid, handle, has_ended: false })
}

/// In the child: sets up the process as the program has to find it, and executes the program.
extern "C" fn become_program(argument: *mut c_void) -> c_int {
    let start = argument.cast::<Start<'_>>();
    // SAFETY: plain system calls on memory that the waiting parent keeps as it is. The death signal
    // is set before the parent is looked at.
    unsafe {
        let (program, files) = ((*start).program, (*start).files);
        sys::setpgid(0, 0);
        sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
        if sys::getppid() != (*start).parent {
            sys::exit_now(127);
        }
        sys::setrlimit(sys::RLIMIT_CORE, &sys::Rlimit { current: 0, maximum: 0 });
        if (*start).memory_mb > 0 {
            let bytes = ((*start).memory_mb as u64) << 20;
            sys::setrlimit(sys::RLIMIT_DATA, &sys::Rlimit { current: bytes, maximum: bytes });
        }
        let is_placed =
            program.folder.as_ref().is_none_or(|folder| calls::chdir(folder.as_ptr()) == 0);
        if is_placed && (0..3).all(|place| sys::dup2(files[place as usize], place) >= 0) {
            let (arguments, environment) =
                (program.arguments.as_ptr(), program.environment.as_ptr());
            calls::execvpe(program.path.as_ptr(), arguments, environment);
        }
        let error = std::io::Error::last_os_error().raw_os_error().unwrap_or(1);
        std::ptr::write_volatile(&raw mut (*start).error, error);
        sys::exit_now(127);
    }
}

/// Ends and reaps every child but `kept`, and the orphans that this process gets when they die.
fn sweep(kept: c_int) {
    let begun = Instant::now();
    loop {
        let mut has_left = false;
        for pid in children() {
            if pid != kept {
                has_left = true;
                // SAFETY: a child of ours that was not reaped.
                unsafe { sys::kill(pid, sys::SIGKILL) };
            }
        }
        if !has_left || begun.elapsed() > MAX_SWEEP_TIME {
            return;
        }
        for pid in children().into_iter().filter(|pid| *pid != kept) {
            let mut status = 0;
            // SAFETY: as above. Without waiting: a process may be stuck in the system.
            while unsafe { sys::waitpid(pid, &mut status, sys::WNOHANG) } == 0
                && begun.elapsed() < MAX_SWEEP_TIME
            {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }
}

fn children() -> Vec<c_int> {
    let mut info = sys::SignalInfo::zeroed();
    let look = sys::WEXITED | sys::WNOHANG | sys::WNOWAIT;
    // SAFETY: the record is ours. Without any child the call fails: mostly there is none.
    if unsafe { sys::waitid(sys::P_ALL, 0, &mut info, look) } != 0 {
        return Vec::new();
    }
    // SAFETY: plain system call.
    let own = unsafe { sys::getpid() };
    let text = std::fs::read_to_string(format!("/proc/self/task/{own}/children"));
    text.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}
