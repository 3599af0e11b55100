//! Starts a program without copying this one.
//!
//! `fork` copies the page tables, and every page that is written before and after costs a fault:
//! a millisecond for a small driver, and many for one that holds a large tree. The standard library
//! has to fork if the child has work to do before it becomes the program. Here the
//! child borrows this process' memory instead, as in `posix_spawn`, and the thread waits until it
//! has become the program.

use std::ffi::{CStr, CString, OsStr, OsString, c_char};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::fcntl::{F_SETFD, FdFlag, fcntl};
use nix::sched::{CloneFlags, clone};
use nix::sys::signal::{
    SaFlags, SigAction, SigHandler, SigSet, SigmaskHow, Signal, pthread_sigmask, sigaction,
};
use nix::unistd::Pid;

use crate::exec::os::sys;

/// The descriptors that a child gets besides the program.
pub(super) struct ChildFiles<'g> {
    /// Its descriptors 0, 1 and 2.
    pub files: &'g [OwnedFd; 3],
    /// Others that it keeps under their numbers.
    pub inherited: &'g [RawFd],
}

/// Stack of the child until it becomes the program: it makes a few system calls.
const CHILD_STACK_BYTES: usize = 64 << 10;

unsafe extern "C" {
    static environ: *const *const c_char;
    fn execve(
        file: *const c_char,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> i32;
}

/// Starts `program` with `arguments`, the first of which is its name, in a new process group,
/// with this program's environment. It outlives this program.
///
/// The signals of this thread are blocked meanwhile, so that no handler runs in the child, and the
/// child has the usual action for SIGPIPE.
pub(super) fn spawn(
    program: &Path,
    arguments: &[OsString],
    given: &ChildFiles<'_>,
) -> io::Result<Pid> {
    let program = c_string(program.as_os_str())?;
    let arguments: Vec<CString> =
        arguments.iter().map(|argument| c_string(argument)).collect::<io::Result<_>>()?;
    let arguments: Vec<*const c_char> =
        arguments.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect();
    let error = AtomicI32::new(0);
    let become_program = || -> isize {
        // SAFETY: only system calls, on memory that the waiting thread keeps as it is.
        error.store(unsafe { become_program(&program, &arguments, given) }, Ordering::Relaxed);
        127
    };
    let mut stack = vec![0; CHILD_STACK_BYTES];
    let mut before = SigSet::empty();
    // A handler of ours must not run in the child, on the memory of both.
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut before))?;
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    // SAFETY: the stack is the child's alone, and this thread continues only when the child has
    // become the program or has ended.
    let child =
        unsafe { clone(Box::new(become_program), &mut stack, flags, Some(Signal::SIGCHLD as i32)) };
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

/// In the child: sets up the process as the program has to find it, and executes the program.
/// Returns the reason if that fails.
///
/// # Safety
/// Called in a child that shares memory with a thread that waits for it.
unsafe fn become_program(
    program: &CStr,
    arguments: &[*const c_char],
    given: &ChildFiles<'_>,
) -> i32 {
    // SAFETY: plain system calls, with pointers that live as long as the waiting thread waits.
    unsafe {
        sys::setpgid(0, 0);
        for (place, file) in (0..).zip(given.files) {
            if sys::dup2(file.as_raw_fd(), place) < 0 {
                return nix::errno::Errno::last_raw();
            }
        }
        for file in given.inherited {
            fcntl(BorrowedFd::borrow_raw(*file), F_SETFD(FdFlag::empty())).ok();
        }
        // Rust programs ignore it, and a program inherits that.
        let usual = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
        sigaction(Signal::SIGPIPE, &usual).ok();
        pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None).ok();
        execve(program.as_ptr(), arguments.as_ptr(), environ);
        nix::errno::Errno::last_raw()
    }
}

/// The text for the system, which ends it at a byte 0.
fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "it has a byte 0 in it"))
}
