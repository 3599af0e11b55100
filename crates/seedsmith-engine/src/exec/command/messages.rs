//! Sending and receiving messages, for the preloaded library and the supervisor.
//!
//! Compiled into both, see [`super::sys`].

use std::ffi::{c_int, c_void};

use super::calls;
use super::handshake::{MESSAGE_BYTES, MessageKind, message};

/// Sends a message; `false` if the driver has ended.
pub fn send(socket: c_int, word: MessageKind, first: c_int, second: c_int) -> bool {
    let bytes = message(word, first, second);
    // SAFETY: the bytes outlive the call.
    let sent =
        unsafe { calls::send(socket, bytes.as_ptr().cast(), bytes.len(), calls::MSG_NOSIGNAL) };
    sent == bytes.len() as isize
}

/// A message, and the descriptors that came along (-1 where none did).
pub type Received = ([u8; MESSAGE_BYTES], [c_int; 3]);

/// Waits for a message. `None` if the driver has ended. With `closes_on_exec`, a program that is
/// started does not get the descriptors.
pub fn receive(socket: c_int, closes_on_exec: bool) -> Option<Received> {
    let flags = if closes_on_exec { calls::MSG_CMSG_CLOEXEC } else { 0 };
    let mut bytes = [0u8; MESSAGE_BYTES];
    let mut control = calls::Control { length: 0, level: 0, kind: 0, files: [-1; 3], padding: 0 };
    let mut part = calls::Part { base: bytes.as_mut_ptr().cast(), length: bytes.len() };
    loop {
        let mut header = calls::MessageHeader {
            name: std::ptr::null_mut(),
            name_length: 0,
            parts: &mut part,
            part_count: 1,
            control: (&raw mut control).cast::<c_void>(),
            control_length: size_of::<calls::Control>(),
            flags: 0,
        };
        // SAFETY: everything that the header names outlives the call.
        let count = unsafe { calls::recvmsg(socket, &mut header, flags) };
        if count == bytes.len() as isize {
            return Some((bytes, control.files));
        }
        if count >= 0 || std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            return None;
        }
    }
}
