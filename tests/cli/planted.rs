//! A libFuzzer executable with several planted bugs, compiled once for all tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The bug that is hunted shows where `foo!` is in the input. Other bugs: a panic where the input
/// begins with `b`, a panic at another place where it has `x`, an abort where its length is 13, and
/// one in an exit handler where it begins with `later!`.
const SOURCE: &str = r#"
// As libfuzzer-sys does it: without this the runtime would print a stack for each panic.
#[no_mangle]
pub extern "C" fn LLVMFuzzerInitialize(_: *const i32, _: *const *const *const u8) -> i32 {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        default(info);
        std::process::abort();
    }));
    0
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    if data.windows(4).any(|window| window == b"foo!") {
        panic!("found foo");
    }
    if data.first() == Some(&b'b') {
        panic!("begins with b");
    }
    if data.contains(&b'x') {
        panic!("has an x");
    }
    if data.len() == 13 {
        std::process::abort();
    }
    if data.starts_with(b"later!") {
        FAILS_LATER.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    0
}

static FAILS_LATER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

extern "C" {
    fn atexit(handler: extern "C" fn()) -> i32;
}

extern "C" fn at_exit() {
    if FAILS_LATER.load(std::sync::atomic::Ordering::Relaxed) {
        std::process::abort();
    }
}

fn main() {
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    unsafe { atexit(at_exit) };
    LLVMFuzzerInitialize(std::ptr::null(), std::ptr::null());
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}
"#;

/// The executable's path.
pub fn planted() -> &'static Path {
    static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, executable) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("planted.rs");
        std::fs::write(&source, SOURCE).unwrap();
        let executable = folder.path().join("planted");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let status = Command::new(rustc)
            .args(["--edition", "2021", "-O", "-Cdebuginfo=line-tables-only", "-o"])
            .arg(&executable)
            .arg(&source)
            .status()
            .unwrap();
        assert!(status.success(), "the planted target compiles");
        (folder, executable)
    });
    executable
}
