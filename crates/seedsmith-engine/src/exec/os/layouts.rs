//! Compares the declarations written by hand in [`sys`](crate::exec::os::sys) and its neighbours
//! with the `libc` crate.
//!
//! Libraries that are preloaded into other programs cannot depend on `libc`, so its structs, constants and
//! numbers of system calls are copies. The comparisons are made while this file is compiled, for the
//! architecture that it is compiled for: `cargo check --profile test` is enough for one that this
//! machine cannot run. The tests below check everything that a compiler cannot compare.

use std::mem::{offset_of, size_of};

#[path = "../command/calls.rs"]
#[allow(dead_code, reason = "declarations are compared, not called")]
mod calls;
#[path = "../workers/load_bias.rs"]
#[allow(dead_code, reason = "declarations are compared, not called")]
mod load_bias;

use crate::exec::os::sys;
use crate::exec::workers::worker;

/// Both structs are of the same size.
/// Compares at compile time: the numbers of bytes.
macro_rules! same_size {
    ($($ours:ty, $theirs:ty;)*) => { $(
        const _: () = assert!(size_of::<$ours>() == size_of::<$theirs>());
    )* };
}

/// Both fields are at the same place. Their types are compared by their places' distances.
macro_rules! same_place {
    ($($ours:ty, $our_field:ident, $theirs:ty, $their_field:ident;)*) => { $(
        const _: () = assert!(offset_of!($ours, $our_field) == offset_of!($theirs, $their_field));
    )* };
}

/// Both constants have the same value.
macro_rules! same_value {
    ($($ours:expr, $theirs:expr;)*) => { $(
        const _: () = assert!($ours as i64 == $theirs as i64);
    )* };
}

same_size! {
    sys::Timespec, libc::timespec;
    sys::Rlimit, libc::rlimit;
    sys::Usage, libc::rusage;
    sys::SignalInfo, libc::siginfo_t;
    sys::SignalAction, libc::sigaction;
    sys::SignalStack, libc::stack_t;
    calls::PollFile, libc::pollfd;
    calls::Part, libc::iovec;
    calls::MessageHeader, libc::msghdr;
    [u64; 16], libc::sigset_t;
}

same_place! {
    sys::Timespec, seconds, libc::timespec, tv_sec;
    sys::Timespec, nanoseconds, libc::timespec, tv_nsec;
    sys::Rlimit, current, libc::rlimit, rlim_cur;
    sys::Rlimit, maximum, libc::rlimit, rlim_max;
    sys::Usage, most_resident_kb, libc::rusage, ru_maxrss;
    sys::SignalInfo, signal, libc::siginfo_t, si_signo;
    sys::SignalInfo, errno, libc::siginfo_t, si_errno;
    sys::SignalInfo, code, libc::siginfo_t, si_code;
    sys::SignalAction, handler, libc::sigaction, sa_sigaction;
    sys::SignalAction, mask, libc::sigaction, sa_mask;
    sys::SignalAction, flags, libc::sigaction, sa_flags;
    sys::SignalAction, restorer, libc::sigaction, sa_restorer;
    sys::SignalStack, base, libc::stack_t, ss_sp;
    sys::SignalStack, flags, libc::stack_t, ss_flags;
    sys::SignalStack, size, libc::stack_t, ss_size;
    calls::PollFile, file, libc::pollfd, fd;
    calls::PollFile, events, libc::pollfd, events;
    calls::PollFile, seen, libc::pollfd, revents;
    calls::Part, base, libc::iovec, iov_base;
    calls::Part, length, libc::iovec, iov_len;
    calls::MessageHeader, name, libc::msghdr, msg_name;
    calls::MessageHeader, name_length, libc::msghdr, msg_namelen;
    calls::MessageHeader, parts, libc::msghdr, msg_iov;
    calls::MessageHeader, part_count, libc::msghdr, msg_iovlen;
    calls::MessageHeader, control, libc::msghdr, msg_control;
    calls::MessageHeader, control_length, libc::msghdr, msg_controllen;
    calls::MessageHeader, flags, libc::msghdr, msg_flags;
    calls::Control, length, libc::cmsghdr, cmsg_len;
    calls::Control, level, libc::cmsghdr, cmsg_level;
    calls::Control, kind, libc::cmsghdr, cmsg_type;
    load_bias::ModuleInfo, base, libc::dl_phdr_info, dlpi_addr;
    load_bias::ModuleInfo, name, libc::dl_phdr_info, dlpi_name;
    load_bias::ModuleInfo, headers, libc::dl_phdr_info, dlpi_phdr;
    load_bias::ModuleInfo, header_count, libc::dl_phdr_info, dlpi_phnum;
}

// The descriptors follow the header of a control message.
const _: () = assert!(offset_of!(calls::Control, files) == size_of::<libc::cmsghdr>());

same_value! {
    sys::number::FUTEX, libc::SYS_futex;
    sys::number::EXIT_GROUP, libc::SYS_exit_group;
    sys::number::PIDFD_OPEN, libc::SYS_pidfd_open;
    sys::number::PIDFD_SEND_SIGNAL, libc::SYS_pidfd_send_signal;
    sys::FUTEX_WAIT, libc::FUTEX_WAIT;
    sys::FUTEX_WAKE, libc::FUTEX_WAKE;
    sys::SIGILL, libc::SIGILL;
    sys::SIGTRAP, libc::SIGTRAP;
    sys::SIGABRT, libc::SIGABRT;
    sys::SIGBUS, libc::SIGBUS;
    sys::SIGFPE, libc::SIGFPE;
    sys::SIGKILL, libc::SIGKILL;
    sys::SIGSEGV, libc::SIGSEGV;
    sys::SIGSYS, libc::SIGSYS;
    sys::SA_SIGINFO, libc::SA_SIGINFO;
    sys::SA_ONSTACK, libc::SA_ONSTACK;
    sys::SA_NODEFER, libc::SA_NODEFER;
    sys::PROT_NONE, libc::PROT_NONE;
    sys::PROT_READ, libc::PROT_READ;
    sys::PROT_WRITE, libc::PROT_WRITE;
    sys::MAP_SHARED, libc::MAP_SHARED;
    sys::MAP_PRIVATE, libc::MAP_PRIVATE;
    sys::MAP_FIXED, libc::MAP_FIXED;
    sys::MAP_ANONYMOUS, libc::MAP_ANONYMOUS;
    sys::MAP_NORESERVE, libc::MAP_NORESERVE;
    sys::PR_SET_PDEATHSIG, libc::PR_SET_PDEATHSIG;
    sys::PR_SET_CHILD_SUBREAPER, libc::PR_SET_CHILD_SUBREAPER;
    sys::P_ALL, libc::P_ALL;
    sys::P_PID, libc::P_PID;
    sys::WEXITED, libc::WEXITED;
    sys::WNOWAIT, libc::WNOWAIT;
    sys::WNOHANG, libc::WNOHANG;
    sys::CLD_EXITED, libc::CLD_EXITED;
    sys::RUSAGE_SELF, libc::RUSAGE_SELF;
    sys::RLIMIT_DATA, libc::RLIMIT_DATA;
    sys::RLIMIT_STACK, libc::RLIMIT_STACK;
    sys::RLIMIT_CORE, libc::RLIMIT_CORE;
    sys::AT_PAGESZ, libc::AT_PAGESZ;
    sys::F_GETFD, libc::F_GETFD;
    calls::SIGCHLD, libc::SIGCHLD;
    calls::RUSAGE_CHILDREN, libc::RUSAGE_CHILDREN;
    calls::SEEK_SET, libc::SEEK_SET;
    calls::SEEK_CUR, libc::SEEK_CUR;
    calls::F_GETFL, libc::F_GETFL;
    calls::O_ACCMODE, libc::O_ACCMODE;
    calls::O_RDONLY, libc::O_RDONLY;
    calls::O_NEW, libc::O_CREAT | libc::O_EXCL;
    calls::O_DIRECTORY, libc::O_DIRECTORY;
    calls::POLLIN, libc::POLLIN;
    calls::POLLHUP, libc::POLLHUP;
    calls::MSG_NOSIGNAL, libc::MSG_NOSIGNAL;
    calls::MSG_CMSG_CLOEXEC, libc::MSG_CMSG_CLOEXEC;
    calls::F_SETFD, libc::F_SETFD;
    calls::FD_CLOEXEC, libc::FD_CLOEXEC;
    calls::CLONE_VM, libc::CLONE_VM;
    calls::CLONE_VFORK, libc::CLONE_VFORK;
    calls::PR_SET_NAME, libc::PR_SET_NAME;
}

#[cfg(target_arch = "x86_64")]
same_value! {
    worker::REGISTER_OFFSETS.0,
        offset_of!(libc::ucontext_t, uc_mcontext) + offset_of!(libc::mcontext_t, gregs)
            + libc::REG_RIP as usize * size_of::<libc::greg_t>();
    worker::REGISTER_OFFSETS.1,
        offset_of!(libc::ucontext_t, uc_mcontext) + offset_of!(libc::mcontext_t, gregs)
            + libc::REG_RSP as usize * size_of::<libc::greg_t>();
}

#[cfg(target_arch = "aarch64")]
same_value! {
    worker::REGISTER_OFFSETS.0,
        offset_of!(libc::ucontext_t, uc_mcontext) + offset_of!(libc::mcontext_t, pc);
    worker::REGISTER_OFFSETS.1,
        offset_of!(libc::ucontext_t, uc_mcontext) + offset_of!(libc::mcontext_t, sp);
}

#[test]
fn the_information_on_a_child_is_where_the_c_library_has_it() {
    let mut child = std::process::Command::new("sh").args(["-c", "exit 7"]).spawn().unwrap();
    let mut info = sys::SignalInfo::zeroed();
    let look = sys::WEXITED | sys::WNOWAIT;
    // SAFETY: the record is ours; WNOWAIT leaves the child to `wait` below.
    assert_eq!(unsafe { sys::waitid(sys::P_PID, child.id(), &mut info, look) }, 0);
    child.wait().unwrap();
    assert_eq!(info.signal, calls::SIGCHLD);
    assert_eq!((info.code, info.status), (sys::CLD_EXITED, 7));
    assert_eq!(info.pid(), child.id() as i32);
    // SAFETY: both types are of one size, as is asserted above, and hold plain numbers.
    let theirs = unsafe { &*(&raw const info).cast::<libc::siginfo_t>() };
    // SAFETY: the record was filled in for a child.
    unsafe {
        assert_eq!((theirs.si_pid(), theirs.si_status()), (info.pid(), info.status));
        assert_eq!(theirs.si_addr() as u64, info.address);
    }
}

#[test]
fn a_system_call_by_its_number_is_the_c_librarys() {
    let own = std::process::id() as i32;
    // SAFETY: plain system calls; the descriptor is closed here.
    unsafe {
        let process = sys::syscall(sys::number::PIDFD_OPEN, own, 0);
        assert!(process >= 0);
        // Signal 0 is sent to no one and only says that the process exists.
        let sent = sys::syscall(sys::number::PIDFD_SEND_SIGNAL, process as i32, 0, 0usize, 0);
        assert_eq!(sent, 0);
        sys::close(process as i32);
    }
}

#[test]
fn waiting_on_a_word_with_another_value_returns_at_once() {
    let word = std::sync::atomic::AtomicU32::new(1);
    sys::futex_wait(&word, 0, None);
    sys::futex_wake(&word);
}

#[test]
fn the_program_is_loaded_where_its_symbols_say() {
    // The addresses of its functions are higher than the one where a program is loaded.
    let own = the_program_is_loaded_where_its_symbols_say as fn() as usize as u64;
    assert!(load_bias::load_bias() < own);
}
