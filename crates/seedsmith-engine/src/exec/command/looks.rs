//! The calls of the C library in which a program can look at a file, or become another program.
//!
//! Each is the C library's own with a word before it. A call that is missing here costs the fork
//! server, never a verdict: a program that has looked already is recognised by its open files,
//! and no input is given to a program before it is stopped.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use super::{
    before_list, before_look, before_making, before_open, before_read, environment_for_exec, sys,
};

/// RTLD_NEXT: whose call it would be without this library.
const NEXT: *mut c_void = -1isize as *mut c_void;

/// Looks up a function once. The C library has each of those below, or no one calls it.
fn next(found: &AtomicPtr<c_void>, name: &std::ffi::CStr) -> *mut c_void {
    let known = found.load(Ordering::Relaxed);
    if !known.is_null() {
        return known;
    }
    // SAFETY: a lookup by a name that ends with zero.
    let looked_up = unsafe { sys::dlsym(NEXT, name.as_ptr()) };
    if looked_up.is_null() {
        sys::exit_now(127);
    }
    found.store(looked_up, Ordering::Relaxed);
    looked_up
}

/// The next function called `$name`, which has the type `$type`. Unsafe: that is the caller's word.
macro_rules! next {
    ($name:ident as $type:ty) => {{
        static FOUND: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
        let name = concat!(stringify!($name), "\0").as_bytes();
        let name = std::ffi::CStr::from_bytes_with_nul(name).expect("it ends with zero");
        std::mem::transmute::<*mut c_void, $type>(next(&FOUND, name))
    }};
}

/// Defines functions that call `$before` with their arguments `$look`, and then the C library's
/// function of the same name.
///
/// A variadic function of C takes its last argument in the same register as a fixed one does on
/// both architectures, whether or not the caller has put anything there.
macro_rules! stand_in {
    ($before:ident $look:tt: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
        /// Stands in for the C library's function of that name.
        ///
        /// # Safety
        /// As there.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            // SAFETY: the caller keeps the contract of the C library's function, and the type is
            // that function's.
            unsafe {
                $before $look;
                next!($name as unsafe extern "C" fn($($type),*) -> $result)($($argument),*)
            }
        }
    )* };
}

type Path = *const c_char;
type Out = *mut c_void;

stand_in! { before_open(path, flags):
    open(path: Path, flags: c_int, mode: u32) -> c_int;
    open64(path: Path, flags: c_int, mode: u32) -> c_int;
    openat(folder: c_int, path: Path, flags: c_int, mode: u32) -> c_int;
    openat64(folder: c_int, path: Path, flags: c_int, mode: u32) -> c_int;
    __open_2(path: Path, flags: c_int) -> c_int;
    __open64_2(path: Path, flags: c_int) -> c_int;
    __openat_2(folder: c_int, path: Path, flags: c_int) -> c_int;
    __openat64_2(folder: c_int, path: Path, flags: c_int) -> c_int;
}

stand_in! { before_making():
    mkdir(path: Path, mode: u32) -> c_int;
    mkdirat(folder: c_int, path: Path, mode: u32) -> c_int;
    mkdtemp(pattern: Out) -> Out;
    mkstemp(pattern: Out) -> c_int;
    mkstemp64(pattern: Out) -> c_int;
    mkostemp(pattern: Out, flags: c_int) -> c_int;
    mkostemp64(pattern: Out, flags: c_int) -> c_int;
    mkstemps(pattern: Out, suffix: c_int) -> c_int;
    mkstemps64(pattern: Out, suffix: c_int) -> c_int;
    tmpfile() -> Out;
    tmpfile64() -> Out;
    mkfifo(path: Path, mode: u32) -> c_int;
}

stand_in! { before_look(path):
    fopen(path: Path, mode: Path) -> Out;
    fopen64(path: Path, mode: Path) -> Out;
    freopen(path: Path, mode: Path, stream: Out) -> Out;
    freopen64(path: Path, mode: Path, stream: Out) -> Out;
    stat(path: Path, out: Out) -> c_int;
    stat64(path: Path, out: Out) -> c_int;
    lstat(path: Path, out: Out) -> c_int;
    lstat64(path: Path, out: Out) -> c_int;
    fstatat(folder: c_int, path: Path, out: Out, flags: c_int) -> c_int;
    fstatat64(folder: c_int, path: Path, out: Out, flags: c_int) -> c_int;
    statx(folder: c_int, path: Path, flags: c_int, mask: u32, out: Out) -> c_int;
    __xstat(version: c_int, path: Path, out: Out) -> c_int;
    __xstat64(version: c_int, path: Path, out: Out) -> c_int;
    __lxstat(version: c_int, path: Path, out: Out) -> c_int;
    __lxstat64(version: c_int, path: Path, out: Out) -> c_int;
    __fxstatat(version: c_int, folder: c_int, path: Path, out: Out, flags: c_int) -> c_int;
    __fxstatat64(version: c_int, folder: c_int, path: Path, out: Out, flags: c_int) -> c_int;
    access(path: Path, mode: c_int) -> c_int;
    eaccess(path: Path, mode: c_int) -> c_int;
    euidaccess(path: Path, mode: c_int) -> c_int;
    faccessat(folder: c_int, path: Path, mode: c_int, flags: c_int) -> c_int;
    readlink(path: Path, out: Out, size: usize) -> isize;
    readlinkat(folder: c_int, path: Path, out: Out, size: usize) -> isize;
    realpath(path: Path, out: Out) -> Out;
    __realpath_chk(path: Path, out: Out, size: usize) -> Out;
    canonicalize_file_name(path: Path) -> Out;
    truncate(path: Path, length: i64) -> c_int;
    truncate64(path: Path, length: i64) -> c_int;
    unlink(path: Path) -> c_int;
    rename(path: Path, to: Path) -> c_int;
    link(path: Path, to: Path) -> c_int;
    symlink(path: Path, to: Path) -> c_int;
    chmod(path: Path, mode: u32) -> c_int;
}

stand_in! { before_list(path):
    opendir(path: Path) -> Out;
    scandir(path: Path, names: Out, filter: Out, order: Out) -> c_int;
    scandir64(path: Path, names: Out, filter: Out, order: Out) -> c_int;
    glob(path: Path, flags: c_int, on_error: Out, out: Out) -> c_int;
    glob64(path: Path, flags: c_int, on_error: Out, out: Out) -> c_int;
    ftw(path: Path, call: Out, files: c_int) -> c_int;
    ftw64(path: Path, call: Out, files: c_int) -> c_int;
    nftw(path: Path, call: Out, files: c_int, flags: c_int) -> c_int;
    nftw64(path: Path, call: Out, files: c_int, flags: c_int) -> c_int;
}

stand_in! { before_read(file):
    read(file: c_int, out: Out, size: usize) -> isize;
    __read_chk(file: c_int, out: Out, size: usize, room: usize) -> isize;
    readv(file: c_int, parts: *const c_void, count: c_int) -> isize;
}

type Strings = *const *const c_char;
type Exec = unsafe extern "C" fn(Path, Strings, Strings) -> c_int;

unsafe extern "C" {
    static environ: Strings;
}

/// Becomes another program by `call`, with this library in it where there is still something to
/// wait for.
///
/// # Safety
/// As for the C library's `execve`.
unsafe fn exec(call: Exec, path: Path, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: the caller's word; the environment that is made here outlives the call.
    unsafe {
        match environment_for_exec(environment) {
            Some(with) => call(path, arguments, with.as_ptr()),
            None => call(path, arguments, environment),
        }
    }
}

/// Stands in for the C library's function of that name.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execve(path: Path, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: as above.
    unsafe { exec(next!(execve as Exec), path, arguments, environment) }
}

/// Stands in for the C library's function of that name.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execvpe(path: Path, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: as above.
    unsafe { exec(next!(execvpe as Exec), path, arguments, environment) }
}

/// Stands in for the C library's function of that name.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execv(path: Path, arguments: Strings) -> c_int {
    // SAFETY: as above.
    unsafe { exec(next!(execve as Exec), path, arguments, environ) }
}

/// Stands in for the C library's function of that name.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn execvp(path: Path, arguments: Strings) -> c_int {
    // SAFETY: as above.
    unsafe { exec(next!(execvpe as Exec), path, arguments, environ) }
}
