//! The entry points of the project's own fuzz targets in this layer (see [`crate::fuzzed`]).

use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use nix::sys::memfd::{MFdFlags, memfd_create};

use super::death::{ProcessEnd, SignalRecord, classify};
use super::executable::{Elf, Functions, inspect, mentions};
use crate::exec::counters::blocks::Blocks;
use crate::exec::os::sys;
use crate::exec::workers::protocol::REPORTED;
use crate::signature::Kind;

/// No field of a signature is longer, in bytes.
/// Twice the length of a name that the reader of reports keeps, so that a prefix that it adds has
/// room.
const MAX_FIELD_BYTES: usize = 8 << 10;

/// Reads any bytes as the output of a dead process, with three ways to end.
///
/// Panics where a field of the signature is longer than it may be, there are more frames than are
/// kept, or a second reading gives another signature.
pub(crate) fn reports(data: &[u8]) {
    let record = SignalRecord { signal: sys::SIGSEGV, address: 8, ..SignalRecord::default() };
    for (end, record) in [
        (ProcessEnd::Exited(REPORTED), SignalRecord::default()),
        (ProcessEnd::Signalled(sys::SIGABRT), SignalRecord::default()),
        (ProcessEnd::Exited(1), record),
    ] {
        let (signature, frames) = classify(end, record, data);
        let name = match &signature.kind {
            Kind::Sanitizer(name) | Kind::Other(name) => name.len(),
            _ => 0,
        };
        let place = signature.place.as_ref().map_or(0, String::len);
        let message = signature.message.as_ref().map_or(0, |message| message.text().len());
        assert!(
            name.max(place).max(message) <= MAX_FIELD_BYTES,
            "{name}, {place}, {message} bytes"
        );
        assert!(
            frames.len() <= 1024 && frames.iter().all(|one| one.module.len() <= MAX_FIELD_BYTES)
        );
        let (again, _) = classify(end, record, data);
        assert_eq!(again, signature);
    }
}

/// Any bytes as an executable: its kind, its functions, and its instrumented blocks.
///
/// Panics where a reader does, or where an error says nothing.
pub(crate) fn elf(data: &[u8]) {
    let (mut file, path) = memory_file();
    file.write_all(data).expect("memory is left");
    let found = inspect(&path);
    if let Err(error) = &found {
        assert!(!error.to_string().is_empty());
    }
    mentions(&path, &["LLVMFuzzerTestOneInput", ""]);
    let functions = Functions::of(&path);
    let mut places = vec![0, 0x1000, u64::MAX];
    if let Ok(object) = Elf::parse(data)
        && let Ok(blocks) = Blocks::read(&object)
    {
        places.extend(blocks.places.iter().take(16));
    }
    for place in places {
        functions.is_own(place);
        functions.name(place);
        functions.mangled(place).count();
    }
}

/// A new file in memory and its path.
///
/// A parser that takes a path can read it as long as the file is open.
pub(crate) fn memory_file() -> (std::fs::File, PathBuf) {
    let file = memfd_create(c"fuzzed", MFdFlags::MFD_CLOEXEC).expect("Linux has files in memory");
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    (file.into(), path)
}
