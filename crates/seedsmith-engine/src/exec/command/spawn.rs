//! Starts a program without copying this one.
//!
//! `fork` copies the page tables, and every page that is written before and after costs a fault:
//! a millisecond for a small driver, and many for one that holds a large tree. The standard library
//! has to fork where something is to be done in the child before it becomes the program. Here the
//! child borrows this process' memory instead, as in `posix_spawn`, and the thread waits until it
//! has become the program.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString, c_char};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::fcntl::{F_SETFD, FdFlag, fcntl};
use nix::sched::{CloneFlags, clone};
use nix::sys::signal::{
    SaFlags, SigAction, SigHandler, SigSet, SigmaskHow, Signal, pthread_sigmask, sigaction,
};
use nix::unistd::Pid;

use crate::exec::sys;

/// What a child is given besides the program.
pub(super) struct Gifts<'g> {
    /// Its descriptors 0, 1 and 2.
    pub files: &'g [OwnedFd; 3],
    /// Others that it keeps under their numbers.
    pub inherited: &'g [RawFd],
    /// Most memory of its own, in bytes.
    pub memory: Option<u64>,
}

/// Starts programs, one at a time.
pub(super) struct Spawner {
    stack: Vec<u8>,
}

/// Arguments and environment lie on the heap; the child makes a few calls and searches PATH, for
/// which the C library takes stack in proportion to the arguments.
const STACK: usize = 1 << 20;

impl Spawner {
    pub fn new() -> Self {
        Spawner { stack: vec![0; STACK] }
    }

    /// Starts `command`'s program with its arguments and environment (and nothing else of it) in a
    /// process group of its own that ends with this thread, without core files.
    pub fn spawn(&mut self, command: &Command, gifts: &Gifts<'_>) -> io::Result<Pid> {
        let program = c_string(command.get_program())?;
        let arguments: Vec<CString> = [command.get_program()]
            .into_iter()
            .chain(command.get_args())
            .map(c_string)
            .collect::<io::Result<_>>()?;
        let environment: Vec<CString> = environment_of(command)?;
        let (arguments, environment) = (pointers(&arguments), pointers(&environment));
        let driver = std::process::id() as i32;
        let error = AtomicI32::new(0);
        let become_program = || -> isize {
            // SAFETY: only system calls, on memory that the waiting thread keeps as it is.
            let why = unsafe { become_program(&program, &arguments, &environment, driver, gifts) };
            error.store(why, Ordering::Relaxed);
            127
        };
        let mut before = SigSet::empty();
        // A handler of ours must not run in the child, on the memory of both.
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut before))?;
        let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
        // SAFETY: the stack is the child's alone, and this thread goes on only when the child has
        // become the program or has ended.
        let child = unsafe {
            clone(Box::new(become_program), &mut self.stack, flags, Some(Signal::SIGCHLD as i32))
        };
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&before), None)?;
        let child = child?;
        match error.load(Ordering::Relaxed) {
            0 => Ok(child),
            why => {
                nix::sys::wait::waitpid(child, None).ok();
                Err(io::Error::from_raw_os_error(why))
            }
        }
    }
}

unsafe extern "C" {
    fn execvpe(
        file: *const c_char,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> i32;
}

/// In the child: makes it what the program is to find, and the program of it. Returns why not.
///
/// # Safety
/// Called in a child that shares memory with a thread that waits for it.
unsafe fn become_program(
    program: &CStr,
    arguments: &[*const c_char],
    environment: &[*const c_char],
    driver: i32,
    gifts: &Gifts<'_>,
) -> i32 {
    // SAFETY: plain system calls, with pointers that live as long as the waiting thread waits.
    // The death signal is set before the parent is looked at.
    unsafe {
        sys::setpgid(0, 0);
        sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
        if sys::getppid() != driver {
            return nix::errno::Errno::ESRCH as i32;
        }
        sys::setrlimit(sys::RLIMIT_CORE, &sys::Rlimit { current: 0, maximum: 0 });
        if let Some(bytes) = gifts.memory {
            sys::setrlimit(sys::RLIMIT_DATA, &sys::Rlimit { current: bytes, maximum: bytes });
        }
        for (place, file) in (0..).zip(gifts.files) {
            if sys::dup2(file.as_raw_fd(), place) < 0 {
                return nix::errno::Errno::last_raw();
            }
        }
        for file in gifts.inherited {
            fcntl(BorrowedFd::borrow_raw(*file), F_SETFD(FdFlag::empty())).ok();
        }
        // Rust programs ignore it, and a program inherits that.
        let usual = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
        sigaction(Signal::SIGPIPE, &usual).ok();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None).ok();
        execvpe(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        nix::errno::Errno::last_raw()
    }
}

/// This program's environment with what `command` changes in it.
fn environment_of(command: &Command) -> io::Result<Vec<CString>> {
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => drop(all.insert(name.to_owned(), value.to_owned())),
            None => drop(all.remove(name)),
        }
    }
    all.into_iter()
        .map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            c_string(&name)
        })
        .collect()
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "it has a byte 0 in it"))
}

/// As the system wants them: ended by null.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}
