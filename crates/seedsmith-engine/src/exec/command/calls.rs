//! The system calls that a fork server and the supervisor need on top of [`super::sys`], and declared
//! like those by hand.

#![allow(missing_docs, reason = "names and meanings are the C library's")]

use std::ffi::{c_char, c_int, c_void};

pub const SIGCHLD: c_int = 17;
pub const RUSAGE_CHILDREN: c_int = -1;
pub const SEEK_SET: c_int = 0;
pub const SEEK_CUR: c_int = 1;
pub const F_GETFL: c_int = 3;
pub const O_ACCMODE: c_int = 3;
pub const O_RDONLY: c_int = 0;
/// `O_CREAT | O_EXCL`.
pub const O_NEW: c_int = 0o300;
#[cfg(target_arch = "x86_64")]
pub const O_DIRECTORY: c_int = 0o200000;
#[cfg(target_arch = "aarch64")]
pub const O_DIRECTORY: c_int = 0o40000;
pub const POLLIN: i16 = 1;
pub const POLLHUP: i16 = 0x10;
pub const MSG_NOSIGNAL: c_int = 0x4000;
/// Received descriptors are closed on exec.
pub const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
pub const F_SETFD: c_int = 2;
pub const FD_CLOEXEC: c_int = 1;
pub const CLONE_VM: c_int = 0x100;
pub const CLONE_VFORK: c_int = 0x4000;
pub const PR_SET_NAME: c_int = 15;

/// `struct pollfd`.
#[repr(C)]
pub struct PollFile {
    pub file: c_int,
    pub events: i16,
    pub seen: i16,
}

/// `struct iovec`.
#[repr(C)]
pub struct Part {
    pub base: *mut c_void,
    pub length: usize,
}

/// `struct msghdr`.
#[repr(C)]
pub struct MessageHeader {
    pub name: *mut c_void,
    pub name_length: u32,
    pub parts: *mut Part,
    pub part_count: usize,
    pub control: *mut c_void,
    pub control_length: usize,
    pub flags: c_int,
}

/// Room for a control message with three descriptors (`struct cmsghdr` and its data), aligned as
/// the system requires.
#[repr(C)]
pub struct Control {
    pub length: usize,
    pub level: c_int,
    pub kind: c_int,
    pub files: [c_int; 3],
    pub padding: c_int,
}

unsafe extern "C" {
    pub fn lseek(file: c_int, offset: i64, whence: c_int) -> i64;
    pub fn poll(files: *mut PollFile, count: u64, milliseconds: c_int) -> c_int;
    pub fn send(socket: c_int, bytes: *const c_void, length: usize, flags: c_int) -> isize;
    pub fn recvmsg(socket: c_int, message: *mut MessageHeader, flags: c_int) -> isize;
    pub fn chdir(path: *const c_char) -> c_int;
    pub fn clone(
        function: extern "C" fn(*mut c_void) -> c_int,
        stack: *mut c_void,
        flags: c_int,
        argument: *mut c_void,
        ...
    ) -> c_int;
    pub fn execvpe(
        file: *const c_char,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> c_int;
}
