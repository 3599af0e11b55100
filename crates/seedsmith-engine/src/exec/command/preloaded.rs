//! The library that is preloaded into a command, to make it a fork server.
//!
//! Root of a separate crate: `build.rs` compiles it to a shared library that is embedded into
//! seedsmith. It lets the program start as it always does and stops it where it looks at its input
//! for the first time: all that came before is the same for every input, so each test is a fork of
//! the program in that state. An interpreter has started then, and read its script. (AFL
//! calls it a deferred fork server, and has the place marked in the source.)
//!
//! Where a fork would not be the same as a start, the program is left alone and runs on: it has
//! threads, children, a file that it writes, a pipe or a socket to someone, shared memory, or a
//! temporary file or folder, of which each start makes its own.

#![allow(dead_code, reason = "the library uses what this crate leaves out")]

#[path = "calls.rs"]
mod calls;
#[path = "forked_program.rs"]
mod forked_program;
#[path = "handshake.rs"]
mod handshake;
#[path = "looks.rs"]
mod looks;
#[path = "messages.rs"]
mod messages;
#[path = "../os/sys.rs"]
mod sys;

use std::ffi::{CStr, CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use forked_program::StateAtStart;
use handshake::{ForkServerSetup, PRELOAD_BEFORE, VARIABLE};

/// The state of the program from its start to its first look at the input.
struct Waiting {
    /// The driver's request.
    setup: ForkServerSetup<'static>,
    /// The input's path, as the C library is given it.
    path: CString,
    /// The variables that brought this library here, for the next program of an `exec`.
    variables: Vec<CString>,
    at_start: StateAtStart,
}

impl Waiting {
    /// Whether a path is the input's. A program that works beside its input may name the file alone.
    fn is_input(&self, path: &[u8]) -> bool {
        let own = self.setup.path;
        let name = own.rsplit(|byte| *byte == b'/').next().unwrap_or(own);
        path == own || (self.setup.works_beside_input && without_dots(path) == name)
    }

    /// Whether a folder, or a pattern of paths, may be one that leads to the input: any relative one
    /// may, where the program works beside its input.
    fn may_list_input(&self, path: &[u8]) -> bool {
        let own = self.setup.path;
        let folder = own.rsplitn(2, |byte| *byte == b'/').nth(1).unwrap_or(own);
        let is_relative = self.setup.works_beside_input && !path.starts_with(b"/");
        is_relative || path.starts_with(folder)
    }
}

/// A relative path without `./` before it.
fn without_dots(mut path: &[u8]) -> &[u8] {
    while let Some(rest) = path.strip_prefix(b"./") {
        path = rest;
        while let Some(rest) = path.strip_prefix(b"/") {
            path = rest;
        }
    }
    path
}

static WAITING: OnceLock<Waiting> = OnceLock::new();
/// Whether the program has yet to look.
static IS_WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the program has made something that each start makes for itself.
static HAS_MADE: AtomicBool = AtomicBool::new(false);

#[used]
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = on_load;

/// Takes the setup out of the environment, before the program's own code runs. Programs that it
/// starts are not preloaded: a sanitizer may insist on being first.
extern "C" fn on_load() {
    let Some(value) = std::env::var_os(VARIABLE) else { return };
    let before = std::env::var_os(PRELOAD_BEFORE);
    let variables = [VARIABLE, PRELOAD_BEFORE, "LD_PRELOAD"]
        .into_iter()
        .filter_map(|name| {
            let value = std::env::var_os(name)?;
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()).ok()
        })
        .collect();
    // SAFETY: the program has one thread yet.
    unsafe {
        std::env::remove_var(VARIABLE);
        std::env::remove_var(PRELOAD_BEFORE);
        match before {
            Some(before) => std::env::set_var("LD_PRELOAD", before),
            None => std::env::remove_var("LD_PRELOAD"),
        }
    }
    let value: &'static [u8] = value.as_bytes().to_vec().leak();
    let Some(setup) = ForkServerSetup::of_bytes(value) else { return };
    let Ok(path) = CString::new(setup.path) else { return };
    // SAFETY: plain system call.
    if unsafe { sys::getppid() } != setup.driver {
        return;
    }
    let waiting = Waiting { setup, path, variables, at_start: StateAtStart::now() };
    if WAITING.set(waiting).is_ok() {
        IS_WAITING.store(true, Ordering::Release);
    }
}

/// The program's state while it waits for its first look at the input, only in the process that the
/// driver started: a child made by `vfork` shares this memory.
fn waiting() -> Option<&'static Waiting> {
    let waiting = WAITING.get().filter(|_| IS_WAITING.load(Ordering::Acquire))?;
    // SAFETY: plain system call.
    (unsafe { sys::getppid() } == waiting.setup.driver).then_some(waiting)
}

/// Called before every call that takes a path. Where it is the input's, this is the place: the
/// call returns in every fork.
///
/// # Safety
/// `path` is null or a C string.
unsafe fn before_look(path: *const c_char) {
    if path.is_null() || !IS_WAITING.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the caller's word.
    let path = unsafe { CStr::from_ptr(path) };
    if WAITING.get().is_some_and(|waiting| waiting.is_input(path.to_bytes())) {
        serve_forks();
    }
}

/// Called before every call that lists a folder. The one that holds the input shows it.
///
/// # Safety
/// As for [`before_look`].
unsafe fn before_list(path: *const c_char) {
    if path.is_null() || !IS_WAITING.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the caller's word.
    let path = unsafe { CStr::from_ptr(path) };
    if WAITING.get().is_some_and(|waiting| waiting.may_list_input(path.to_bytes())) {
        serve_forks();
    }
}

/// Called before every call that opens a path, and may make a file that wasn't there.
///
/// # Safety
/// As for [`before_look`].
unsafe fn before_open(path: *const c_char, flags: c_int) {
    // SAFETY: the caller's word.
    unsafe { before_look(path) };
    if flags & calls::O_DIRECTORY != 0 {
        // SAFETY: the caller's word.
        unsafe { before_list(path) };
    }
    if flags & calls::O_NEW == calls::O_NEW {
        before_making();
    }
}

/// Called before every call that makes something of the program's own: a temporary file or folder.
fn before_making() {
    if IS_WAITING.load(Ordering::Relaxed) && waiting().is_some() {
        HAS_MADE.store(true, Ordering::Relaxed);
    }
}

/// Called before every call that reads from a descriptor: the input comes on the first, too.
///
/// # Safety
/// Safe; it is called where the other one may be.
unsafe fn before_read(file: c_int) {
    if file == 0
        && IS_WAITING.load(Ordering::Relaxed)
        && WAITING
            .get()
            .is_some_and(|waiting| forked_program::pipe_inode(0) == Some(waiting.setup.pipes[0]))
    {
        serve_forks();
    }
}

/// Serves forks here, if this is the process that was asked to.
fn serve_forks() {
    if let Some(waiting) = waiting() {
        IS_WAITING.store(false, Ordering::Release);
        let has_made = HAS_MADE.load(Ordering::Relaxed);
        forked_program::serve_forks(&waiting.setup, (!has_made).then_some(&waiting.at_start));
    }
}

/// The environment for an `exec` by the process that was sent: with the variables that bring this
/// library into the next program. `None` leaves the environment as it is.
///
/// # Safety
/// `environment` is null or an array of C strings that ends with null.
unsafe fn environment_for_exec(environment: *const *const c_char) -> Option<Vec<*const c_char>> {
    let waiting = waiting()?;
    let mut with: Vec<*const c_char> =
        waiting.variables.iter().map(|variable| variable.as_ptr()).collect();
    let mut next = environment;
    // SAFETY: the caller's word.
    unsafe {
        while !next.is_null() && !(*next).is_null() {
            if !CStr::from_ptr(*next).to_bytes().starts_with(b"LD_PRELOAD=") {
                with.push(*next);
            }
            next = next.add(1);
        }
    }
    with.push(std::ptr::null());
    Some(with)
}
