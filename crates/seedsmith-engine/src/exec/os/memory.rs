//! Anonymous files: memory that processes share through a descriptor.

use std::ffi::CStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::unistd::ftruncate;

use crate::exec::TargetError;

/// Makes a memory file of `bytes` zeroes that is closed on exec.
///
/// One that has a length keeps it: a process that maps it would be ended by SIGBUS if a target could open
/// it through `/proc` and shorten it.
///
/// `name` is only for a person who looks at `/proc/PID/maps`. Costs three system calls; memory is
/// taken when a page is first written.
pub(crate) fn anonymous_file(name: &CStr, bytes: u64) -> Result<OwnedFd, TargetError> {
    let file = memfd_create(name, MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING)
        .map_err(|errno| TargetError::system("create shared memory", errno))?;
    if bytes > 0 {
        let length = i64::try_from(bytes).expect("shared memory is smaller than 2^63 bytes");
        ftruncate(&file, length)
            .map_err(|errno| TargetError::system("size shared memory", errno))?;
        let seals = SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_SEAL;
        fcntl(&file, FcntlArg::F_ADD_SEALS(seals))
            .map_err(|errno| TargetError::system("seal shared memory", errno))?;
    }
    Ok(file)
}

/// Makes a memory file with `contents`: nothing is left on disk, whatever ends this process.
///
/// A program can be started from such a file, or a library loaded, by its path below
/// `/proc/self/fd`.
pub(crate) fn file_of(name: &CStr, contents: &[u8]) -> Result<OwnedFd, TargetError> {
    let mut file = File::from(anonymous_file(name, 0)?);
    file.write_all(contents).map_err(|error| TargetError::system("write to memory", error))?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn shared_memory_cannot_be_shortened_by_who_opens_it_through_the_process_file_system() {
        let made = anonymous_file(c"seedsmith-test", 8192).unwrap();
        let path = format!("/proc/self/fd/{}", made.as_raw_fd());
        let opened = File::options().read(true).write(true).open(path).unwrap();
        assert!(opened.set_len(0).is_err() && opened.set_len(1 << 20).is_err());
        assert_eq!(opened.metadata().unwrap().len(), 8192);
    }

    #[test]
    fn a_file_without_a_length_of_its_own_grows_as_it_is_written() {
        let made = file_of(c"seedsmith-test", b"contents").unwrap();
        assert_eq!(File::from(made).metadata().unwrap().len(), 8);
    }
}
