//! A process that a worker forks for one candidate, which has to run alone.
//!
//! The zygote could fork a new worker for each of these candidates, but the zygote and the driver have to know of
//! the death of every worker. A child of a worker that has run nothing itself begins in the same state, and
//! only the worker knows of it. If the child does not get to the end of its run, the worker ends in the same way, as
//! if it had run the candidate itself.
//!
//! Compiled twice, see [`super::sys`].

use std::ffi::c_int;

use super::protocol::RETIRED;
use super::seal::Stage;
use super::sys;

/// A worker retires after this number of children. Processes that their candidates leave over are ended with it.
/// A guess; not measured.
const MAX_CHILDREN: u32 = 256;

/// The children of a worker, one after the other.
pub(super) struct Children {
    fork: unsafe extern "C" fn() -> c_int,
    count: u32,
}

impl Children {
    /// None yet.
    pub(super) fn new() -> Self {
        Children { fork: fork_function(), count: 0 }
    }

    /// Whether the worker should retire.
    pub(super) fn are_too_many(&self) -> bool {
        self.count >= MAX_CHILDREN
    }

    /// Lets a child `run`, which leaves its stage where `stage` finds it, and waits for it.
    ///
    /// Gives the stage after the run. `None` if the system has no room for another process; nothing has run then. Does
    /// not return if the child ended in another way than by the end of its run.
    pub(super) fn run(
        &mut self,
        run: impl FnOnce(),
        stage: impl Fn() -> Option<Stage>,
    ) -> Option<Stage> {
        // SAFETY: plain system calls. A worker that has run nothing has one thread, so that the child may do
        // anything.
        unsafe {
            let worker = sys::getpid();
            match (self.fork)() {
                0 => {
                    // Set before the parent is looked at, so that a worker that died in between is noticed.
                    sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
                    if sys::getppid() == worker {
                        run();
                    }
                    sys::exit_now(0)
                }
                child if child > 0 => {
                    self.count += 1;
                    let end = await_end(child);
                    // Without a code the system does not say how it ended.
                    if matches!((end.code, end.status), (sys::CLD_EXITED | 0, 0))
                        && let Some(stage) = stage().filter(|stage| stage.is_done())
                    {
                        return Some(stage);
                    }
                    end_alike(&end)
                }
                _ => None,
            }
        }
    }
}

/// `_Fork` where the C library has it: it skips the handlers that a sanitizer registers, which
/// cost milliseconds and protect threads that this process doesn't have.
pub(super) fn fork_function() -> unsafe extern "C" fn() -> c_int {
    // SAFETY: `_Fork` has this type wherever it exists.
    unsafe {
        let found = sys::dlsym(std::ptr::null_mut(), c"_Fork".as_ptr());
        if found.is_null() {
            sys::fork
        } else {
            std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn() -> c_int>(found)
        }
    }
}

/// How a child ended. The record is empty if the system does not say.
fn await_end(child: c_int) -> sys::SignalInfo {
    let mut end = sys::SignalInfo::zeroed();
    loop {
        // SAFETY: the record is ours.
        let waited = unsafe { sys::waitid(sys::P_PID, child as u32, &mut end, sys::WEXITED) };
        let error = std::io::Error::last_os_error();
        if waited == 0 || error.kind() != std::io::ErrorKind::Interrupted {
            return end;
        }
    }
}

/// Ends this process as its child ended.
fn end_alike(end: &sys::SignalInfo) -> ! {
    if end.code == sys::CLD_EXITED {
        sys::exit_now(end.status);
    }
    if end.status > 0 {
        let action = sys::SignalAction { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
        // SAFETY: the signal's default action, which ends the process.
        unsafe {
            sys::sigaction(end.status, &action, std::ptr::null_mut());
            sys::kill(sys::getpid(), end.status);
        }
    }
    sys::exit_now(RETIRED)
}
