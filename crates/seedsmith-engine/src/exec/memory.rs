//! Anonymous files: memory that processes share through a descriptor.

use std::ffi::CStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::ftruncate;

use super::TargetError;

/// Makes a memory file of `bytes` zeroes that is closed on exec.
pub(crate) fn anonymous_file(name: &CStr, bytes: u64) -> Result<OwnedFd, TargetError> {
    let file = memfd_create(name, MFdFlags::MFD_CLOEXEC)
        .map_err(|errno| TargetError::system("create shared memory", errno))?;
    if bytes > 0 {
        let length = i64::try_from(bytes).expect("shared memory is smaller than 2^63 bytes");
        ftruncate(&file, length)
            .map_err(|errno| TargetError::system("size shared memory", errno))?;
    }
    Ok(file)
}

/// Makes a memory file with `contents`: nothing is left on disk, whatever ends this process.
pub(crate) fn file_of(name: &CStr, contents: &[u8]) -> Result<OwnedFd, TargetError> {
    let mut file = File::from(anonymous_file(name, 0)?);
    file.write_all(contents).map_err(|error| TargetError::system("write to memory", error))?;
    Ok(file.into())
}
