//! A libFuzzer executable with several planted bugs, compiled once for all tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The bug that is hunted shows where `foo!` is in the input. Other bugs: a panic where the input
/// begins with `b`, a panic at another place where it has `x`, an abort where its length is 13.
/// `SLOW` in the environment makes each test take as many microseconds.
const SOURCE: &str = r#"
#[no_mangle]
#[inline(never)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    if let Some(slow) = option_env_now() {
        std::thread::sleep(std::time::Duration::from_micros(slow));
    }
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
    0
}

fn option_env_now() -> Option<u64> {
    std::env::var("SLOW").ok()?.parse().ok()
}

fn main() {
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
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
