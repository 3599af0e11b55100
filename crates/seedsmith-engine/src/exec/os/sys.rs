//! The system calls that a worker needs, declared by hand.
//!
//! This file and most files of `exec/workers` are compiled twice: as part of this crate, and (by
//! `build.rs`) into the runtime that is preloaded into a libFuzzer executable, which may depend on
//! nothing but `std`. This one is also compiled into the library that is preloaded into commands. So no `libc`
//! or `nix` here. Linux on x86-64 and aarch64 with the GNU C library only; the layouts below are
//! theirs.

#![allow(missing_docs, reason = "names and meanings are the C library's")]

use std::ffi::{c_char, c_int, c_long, c_void};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Numbers of system calls that the C library has no function for, on x86-64.
#[cfg(target_arch = "x86_64")]
pub(crate) mod number {
    pub(crate) const FUTEX: i64 = 202;
    pub(crate) const EXIT_GROUP: i64 = 231;
    pub(crate) const PIDFD_SEND_SIGNAL: i64 = 424;
    pub(crate) const PIDFD_OPEN: i64 = 434;
}
#[cfg(target_arch = "aarch64")]
pub mod number {
    pub const FUTEX: i64 = 98;
    pub const EXIT_GROUP: i64 = 94;
    pub const PIDFD_SEND_SIGNAL: i64 = 424;
    pub const PIDFD_OPEN: i64 = 434;
}

/// Signals, by their numbers on both architectures.
pub(crate) const SIGILL: c_int = 4;
pub(crate) const SIGTRAP: c_int = 5;
pub(crate) const SIGABRT: c_int = 6;
pub(crate) const SIGBUS: c_int = 7;
pub(crate) const SIGFPE: c_int = 8;
pub(crate) const SIGKILL: c_int = 9;
pub(crate) const SIGSEGV: c_int = 11;
pub(crate) const SIGSYS: c_int = 31;

/// Flags of a signal's action: the handler gets a [`SignalInfo`], runs on another stack, and
/// may be interrupted by its own signal.
pub(crate) const SA_SIGINFO: c_int = 4;
pub(crate) const SA_ONSTACK: c_int = 0x0800_0000;
pub(crate) const SA_NODEFER: c_int = 0x4000_0000;

/// Protection of mapped pages.
pub(crate) const PROT_NONE: c_int = 0;
pub(crate) const PROT_READ: c_int = 1;
pub(crate) const PROT_WRITE: c_int = 2;
/// Kinds of mappings.
pub(crate) const MAP_SHARED: c_int = 1;
pub(crate) const MAP_PRIVATE: c_int = 2;
pub(crate) const MAP_FIXED: c_int = 0x10;
pub(crate) const MAP_ANONYMOUS: c_int = 0x20;
pub(crate) const MAP_NORESERVE: c_int = 0x4000;

/// Options of `prctl`. The death signal comes when the *thread* that forked ends, and a fork clears
/// it.
pub(crate) const PR_SET_PDEATHSIG: c_int = 1;
pub(crate) const PR_SET_CHILD_SUBREAPER: c_int = 36;

/// The arguments of `waitid` for the processes to wait for, and how. `WNOWAIT` leaves a dead child
/// in place, so that its number cannot be given to another process yet.
pub(crate) const P_ALL: c_int = 0;
pub(crate) const P_PID: c_int = 1;
pub(crate) const WEXITED: c_int = 4;
pub(crate) const WNOWAIT: c_int = 0x0100_0000;
pub(crate) const WNOHANG: c_int = 1;
pub(crate) const CLD_EXITED: c_int = 1;

pub(crate) const RUSAGE_SELF: c_int = 0;

/// Of `personality`: asks for the present one, and loads programs at the same addresses each time.
pub(crate) const PERSONALITY_ASK: std::ffi::c_ulong = 0xffff_ffff;
pub(crate) const ADDR_NO_RANDOMIZE: std::ffi::c_ulong = 0x004_0000;

pub(crate) const AT_PAGESZ: u64 = 6;
pub(crate) const F_GETFD: c_int = 1;

/// Resources of `setrlimit`. `RLIMIT_DATA` counts private writable memory, whether it was touched
/// or not.
pub(crate) const RLIMIT_DATA: c_int = 2;
pub(crate) const RLIMIT_STACK: c_int = 3;
pub(crate) const RLIMIT_CORE: c_int = 4;

pub(crate) const FUTEX_WAIT: c_int = 0;
pub(crate) const FUTEX_WAKE: c_int = 1;

/// `struct timespec` of the 64-bit systems.
#[repr(C)]
pub(crate) struct Timespec {
    pub seconds: i64,
    pub nanoseconds: i64,
}

/// `struct rlimit`, in bytes for the resources that are limited here.
#[repr(C)]
pub(crate) struct Rlimit {
    pub current: u64,
    pub maximum: u64,
}

/// `struct rusage`, of which one field is read.
#[derive(PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Usage {
    times: [i64; 4],
    /// The most memory that was ever resident, in kilobytes.
    pub most_resident_kb: i64,
    rest: [i64; 13],
}

impl Usage {
    /// A record to be filled in.
    pub(crate) const fn zeroed() -> Self {
        Usage { times: [0; 4], most_resident_kb: 0, rest: [0; 13] }
    }
}

/// `siginfo_t`: 128 bytes, of which only the fields that we read are named.
#[repr(C)]
pub(crate) struct SignalInfo {
    pub signal: c_int,
    pub errno: c_int,
    pub code: c_int,
    padding: c_int,
    /// `si_addr`, or `si_pid` and `si_uid`.
    pub address: u64,
    /// `si_status` of a child is the first half.
    pub status: c_int,
    rest: [c_int; 25],
}

impl SignalInfo {
    pub(crate) const fn zeroed() -> Self {
        SignalInfo {
            signal: 0,
            errno: 0,
            code: 0,
            padding: 0,
            address: 0,
            status: 0,
            rest: [0; 25],
        }
    }

    /// `si_pid`, for a child's information.
    pub(crate) fn pid(&self) -> c_int {
        self.address as u32 as c_int
    }
}

/// `struct sigaction` of the GNU C library; the kernel's own has another layout.
#[repr(C)]
pub(crate) struct SignalAction {
    pub handler: usize,
    pub mask: [u64; 16],
    pub flags: c_int,
    pub restorer: usize,
}

/// `stack_t`: the stack of signal handlers with the flag `SA_ONSTACK`.
#[repr(C)]
pub(crate) struct SignalStack {
    pub base: *mut c_void,
    pub flags: c_int,
    pub size: usize,
}

unsafe extern "C" {
    pub(crate) fn syscall(number: c_long, ...) -> c_long;
    pub(crate) fn fork() -> c_int;
    pub(crate) fn waitid(kind: c_int, id: u32, info: *mut SignalInfo, options: c_int) -> c_int;
    pub(crate) fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    pub(crate) fn kill(pid: c_int, signal: c_int) -> c_int;
    pub(crate) fn getpid() -> c_int;
    pub(crate) fn getppid() -> c_int;
    pub(crate) fn setpgid(pid: c_int, group: c_int) -> c_int;
    pub(crate) fn prctl(option: c_int, ...) -> c_int;
    pub(crate) fn sigaction(
        signal: c_int,
        new: *const SignalAction,
        old: *mut SignalAction,
    ) -> c_int;
    pub(crate) fn sigaltstack(new: *const SignalStack, old: *mut SignalStack) -> c_int;
    pub(crate) fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    pub(crate) fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
    pub(crate) fn malloc(size: usize) -> *mut c_void;
    pub(crate) fn free(pointer: *mut c_void);
    pub(crate) fn close(file: c_int) -> c_int;
    pub(crate) fn dup2(file: c_int, onto: c_int) -> c_int;
    pub(crate) fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    pub(crate) fn getrusage(who: c_int, usage: *mut Usage) -> c_int;
    fn sched_getaffinity(pid: c_int, bytes: usize, processors: *mut u64) -> c_int;
    fn sched_setaffinity(pid: c_int, bytes: usize, processors: *const u64) -> c_int;
    pub(crate) fn setrlimit(resource: c_int, limit: *const Rlimit) -> c_int;
    pub(crate) fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub(crate) fn getauxval(kind: u64) -> u64;
    pub(crate) fn personality(kind: std::ffi::c_ulong) -> c_int;
}

/// Sleeps while `*word == expected`, until woken or for at most `limit`. Returns early on signals.
///
/// A futex and not a pipe: a wake-up without a sleeper costs one comparison of a word. Callers look
/// at the word again after each return.
pub(crate) fn futex_wait(word: &AtomicU32, expected: u32, limit: Option<Duration>) {
    let timeout = limit.map(|limit| Timespec {
        seconds: limit.as_secs() as i64,
        nanoseconds: i64::from(limit.subsec_nanos()),
    });
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word and the timeout outlive the call; no private flag, since the word is
    // shared between processes.
    unsafe {
        syscall(number::FUTEX, word.as_ptr(), FUTEX_WAIT, expected, timeout, 0usize, 0u32);
    }
}

/// Wakes every thread that sleeps on `word`, in any process.
pub(crate) fn futex_wake(word: &AtomicU32) {
    // SAFETY: waking touches no memory.
    unsafe {
        syscall(number::FUTEX, word.as_ptr(), FUTEX_WAKE, i32::MAX, 0usize, 0usize, 0u32);
    }
}

/// A set of processors by their numbers: a bit for each. The C library's has as many.
pub(crate) type Processors = [u64; 16];

/// The processors that this thread may run on; none if the system does not say.
pub(crate) fn allowed_processors() -> Processors {
    let mut allowed = [0; 16];
    // SAFETY: the array has as many bytes as is said.
    match unsafe { sched_getaffinity(0, size_of_val(&allowed), allowed.as_mut_ptr()) } {
        0 => allowed,
        _ => [0; 16],
    }
}

/// Goes on with this thread on another processor, from which the system may move it as before.
///
/// Nothing happens where it may not run there.
pub(crate) fn move_to_processor(number: u32) {
    let allowed = allowed_processors();
    let mut only = [0; 16];
    let (word, bit) = (number as usize / 64, number % 64);
    if allowed.get(word).is_none_or(|allowed| allowed >> bit & 1 == 0) {
        return;
    }
    only[word] = 1u64 << bit;
    // SAFETY: the arrays have as many bytes as is said.
    unsafe {
        sched_setaffinity(0, size_of_val(&only), only.as_ptr());
        sched_setaffinity(0, size_of_val(&allowed), allowed.as_ptr());
    }
}

/// Ends the process at once: no destructors, no `atexit`, nothing that a target may have hooked.
///
/// `_exit` of the C library could be hooked too, so the system is called directly.
pub(crate) fn exit_now(status: c_int) -> ! {
    // SAFETY: exit_group does not return.
    unsafe {
        syscall(number::EXIT_GROUP, status);
    }
    loop {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_moves_may_run_where_it_could_before() {
        let allowed = allowed_processors();
        for number in [0, 1, 63, 64, 1023, 1024, u32::MAX - 1] {
            move_to_processor(number);
            assert_eq!(allowed_processors(), allowed);
        }
        assert!(allowed.iter().any(|word| *word != 0));
    }
}
