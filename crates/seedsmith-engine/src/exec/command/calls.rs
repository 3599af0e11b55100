//! The system calls that only a fork server needs, on top of [`super::sys`], and declared like
//! those by hand.

#![allow(missing_docs, reason = "names and meanings are the C library's")]

use std::ffi::{c_int, c_void};

pub const SIGCHLD: c_int = 17;
pub const RUSAGE_CHILDREN: c_int = -1;
pub const SEEK_SET: c_int = 0;
pub const SEEK_CUR: c_int = 1;
pub const F_GETFL: c_int = 3;
pub const O_ACCMODE: c_int = 3;
pub const O_RDONLY: c_int = 0;
/// `O_CREAT | O_EXCL`.
pub const O_NEW: c_int = 0o300;
pub const POLLIN: i16 = 1;
pub const POLLHUP: i16 = 0x10;
pub const MSG_NOSIGNAL: c_int = 0x4000;

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

/// Room for a control message with three descriptors (`struct cmsghdr` and what follows it), aligned
/// as the system wants it.
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
}
