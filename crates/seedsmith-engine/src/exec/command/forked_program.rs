//! The program at its first look at the input: whether it can be forked there, and the forks.

use std::ffi::{CString, c_int};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use super::handshake::{ForkServerSetup, MessageKind, numbers};
use super::messages::{receive, send};
use super::{calls, sys};

/// The relations of the process to others when this program starts in it.
///
/// An earlier program of the same process, one that has become this one by `exec`, may have had
/// children: they do not count here, and neither do pipes that came from the process that started it.
pub struct StateAtStart {
    /// The resource usage of children that have been waited for.
    children: sys::Usage,
    /// Descriptors that are open, with the device and inode of each.
    open: Vec<(c_int, u64, u64)>,
}

impl StateAtStart {
    /// The state at this moment.
    pub fn now() -> Self {
        let open = open_files().unwrap_or_default().into_iter().filter_map(|file| {
            let known = metadata(file)?;
            Some((file, known.dev(), known.ino()))
        });
        StateAtStart { children: children(), open: open.collect() }
    }

    /// Whether the program has been given that file. Not the first descriptor: bytes that it has read
    /// from there cannot be read again.
    fn has(&self, file: c_int, known: &Metadata) -> bool {
        file != 0 && self.open.contains(&(file, known.dev(), known.ino()))
    }
}

/// The descriptors that are open, and the one by which that was found out.
fn open_files() -> Option<Vec<c_int>> {
    let entries = std::fs::read_dir("/proc/self/fd").ok()?;
    Some(entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect())
}

/// The resource usage of the children that have been waited for.
fn children() -> sys::Usage {
    let mut usage = sys::Usage::zeroed();
    // SAFETY: the record is ours.
    unsafe { sys::getrusage(calls::RUSAGE_CHILDREN, &mut usage) };
    usage
}

/// An open file that is read, and how far it has been: forks share the place.
struct FilePosition {
    /// The descriptor.
    file: c_int,
    /// How far it has been read.
    offset: i64,
}

/// Tells the driver that the program can be forked here, and forks it for each test. Returns in the forks; and in
/// the program itself where it can't be forked (without a past in any case), which then runs on.
///
/// The driver sends a message for each fork; when it closes the socket, this process ends.
pub fn serve_forks(setup: &ForkServerSetup<'_>, at_start: Option<&StateAtStart>) {
    let socket = setup.socket;
    // SAFETY: the descriptor is this library's own.
    unsafe { sys::close(setup.library) };
    let Some(places) = at_start.and_then(|at_start| places(setup, at_start)) else {
        send(socket, MessageKind::CannotFork, 0, 0);
        // SAFETY: as above.
        unsafe { sys::close(socket) };
        return;
    };
    // The folder that it works in is replaced before each fork: its path is looked up again.
    let folder = folder_beside_input(setup);
    if !send(socket, MessageKind::CanFork, 0, 0) {
        return;
    }
    // SAFETY: plain system call.
    let server = unsafe { sys::getpid() };
    loop {
        let run = receive(socket, false);
        let Some((said, files)) = run else { sys::exit_now(0) };
        if numbers(&said, MessageKind::Run).is_none() {
            sys::exit_now(0);
        }
        for place in &places {
            // SAFETY: plain system call on a file that the program has open.
            unsafe { calls::lseek(place.file, place.offset, calls::SEEK_SET) };
        }
        // SAFETY: the process has one thread, so the child may do anything.
        let child = unsafe { sys::fork() };
        if child == 0 {
            become_test(setup, server, files);
            if let Some(folder) = &folder
                // SAFETY: a path of ours.
                && unsafe { calls::chdir(folder.as_ptr()) } != 0
            {
                sys::exit_now(127);
            }
            return;
        }
        // SAFETY: plain system calls on descriptors and a child of ours.
        unsafe {
            for file in files {
                sys::close(file);
            }
            if child > 0 {
                sys::setpgid(child, child);
            }
        }
        send(socket, MessageKind::Started, child, 0);
        if child > 0 {
            let info = wait(child, sys::WNOWAIT);
            send(socket, MessageKind::Ended, info.code, info.status);
            // Until the driver has ended its group, its number stays its own.
            let told = receive(socket, false);
            wait(child, 0);
            if told.is_none() {
                sys::exit_now(0);
            }
        }
    }
}

/// The fork's own part: its group, its end with the server's, its pipes.
fn become_test(setup: &ForkServerSetup<'_>, server: c_int, files: [c_int; 3]) {
    // SAFETY: plain system calls. The death signal is set before the parent is looked at, so that
    // a server that died in between is noticed.
    unsafe {
        sys::setpgid(0, 0);
        sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL as std::ffi::c_ulong);
        if sys::getppid() != server {
            sys::exit_now(1);
        }
        for (place, file) in (0..).zip(files) {
            // A file that the program has put in a pipe's place stays there.
            if pipe_inode(place) == Some(setup.pipes[place as usize]) {
                sys::dup2(file, place);
            }
            sys::close(file);
        }
        sys::close(setup.socket);
    }
}

/// The folder that holds the input, if the program works in it now.
fn folder_beside_input(setup: &ForkServerSetup<'_>) -> Option<CString> {
    let input = Path::new(std::ffi::OsStr::from_bytes(setup.path));
    let folder = input.parent().filter(|_| setup.works_beside_input)?;
    let works_here = std::env::current_dir().is_ok_and(|here| here == folder);
    CString::new(folder.as_os_str().as_bytes()).ok().filter(|_| works_here)
}

/// Whether a file is in the folder that holds the input, or is that folder.
fn is_beside_input(file: c_int, setup: &ForkServerSetup<'_>) -> bool {
    let folder = Path::new(std::ffi::OsStr::from_bytes(setup.path)).parent();
    let target = std::fs::read_link(format!("/proc/self/fd/{file}"));
    setup.works_beside_input
        && folder.zip(target.ok()).is_some_and(|(folder, target)| target.starts_with(folder))
}

/// Waits for the end of a child.
fn wait(child: c_int, options: c_int) -> sys::SignalInfo {
    let mut info = sys::SignalInfo::zeroed();
    // SAFETY: the record is ours. Interrupted by a signal that the program handles, it continues.
    while unsafe { sys::waitid(sys::P_PID, child as u32, &mut info, sys::WEXITED | options) } != 0 {
    }
    info
}

/// The files to be wound back before each fork; `None` where a fork would not be like a start.
fn places(setup: &ForkServerSetup<'_>, at_start: &StateAtStart) -> Option<Vec<FilePosition>> {
    let has_children = has_children() || children() != at_start.children;
    let looks_after_children = !has_default_action(calls::SIGCHLD);
    let has_threads = std::fs::read_dir("/proc/self/task").ok()?.count() != 1;
    if has_children || looks_after_children || has_threads || shares_memory()? {
        return None;
    }
    let mut places = Vec::new();
    for file in open_files()? {
        let is_given = (0..3).contains(&file)
            && pipe_inode(file).is_some_and(|inode| inode == setup.pipes[file as usize]);
        // SAFETY: plain system call. The folder that was just read is closed again: no flags.
        let flags = unsafe { sys::fcntl(file, calls::F_GETFL) };
        if is_given || file == setup.socket || flags < 0 {
            continue;
        }
        let known = metadata(file)?;
        // The next test has another folder.
        if is_beside_input(file, setup) {
            return None;
        }
        if known.is_file() && flags & calls::O_ACCMODE == calls::O_RDONLY {
            // SAFETY: plain system call.
            let offset = unsafe { calls::lseek(file, 0, calls::SEEK_CUR) };
            places.push(FilePosition { file, offset });
            continue;
        }
        let is_harmless = known.file_type().is_char_device() || is_read_out(file, &known);
        if !is_harmless && !at_start.has(file, &known) {
            return None;
        }
    }
    Some(places)
}

/// Whether there is a child, alive or not yet waited for.
fn has_children() -> bool {
    let mut info = sys::SignalInfo::zeroed();
    let look = sys::WEXITED | sys::WNOHANG | sys::WNOWAIT;
    // SAFETY: the record is ours. Without any child the call fails.
    unsafe { sys::waitid(sys::P_ALL, 0, &mut info, look) == 0 }
}

/// Whether the program leaves a signal to the system's default action.
fn has_default_action(signal: c_int) -> bool {
    let mut action = sys::SignalAction { handler: 1, mask: [0; 16], flags: 0, restorer: 0 };
    // SAFETY: the record is ours, and nothing is changed.
    unsafe { sys::sigaction(signal, std::ptr::null(), &mut action) };
    action.handler == 0
}

/// Whether the process has memory that others see it write.
fn shares_memory() -> Option<bool> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let permissions = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    Some(
        maps.lines()
            .filter_map(permissions)
            .any(|flags| flags.contains('w') && flags.ends_with('s')),
    )
}

/// Whether a pipe has nothing more to read, now or ever: a script that came by one.
fn is_read_out(file: c_int, known: &Metadata) -> bool {
    let mut look = calls::PollFile { file, events: calls::POLLIN, seen: 0 };
    // SAFETY: the record is ours, and there is one.
    known.file_type().is_fifo()
        && unsafe { calls::poll(&mut look, 1, 0) } == 1
        && look.seen == calls::POLLHUP
}

/// The system's metadata of an open file.
fn metadata(file: c_int) -> Option<Metadata> {
    std::fs::metadata(format!("/proc/self/fd/{file}")).ok()
}

/// The inode of a pipe.
pub fn pipe_inode(file: c_int) -> Option<u64> {
    metadata(file).filter(|known| known.file_type().is_fifo()).map(|known| known.ino())
}
