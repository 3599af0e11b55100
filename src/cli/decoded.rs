//! What a typed target makes of its input: the `Debug` text of the decoded value.
//!
//! `libfuzzer-sys` writes it where `RUST_LIBFUZZER_DEBUG_PATH` says, instead of running the target.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use seedsmith_engine::exec::executable::mentions;

/// Decoding takes microseconds; a start under a sanitizer, a tenth of a second.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer texts tell nobody anything.
const LONGEST: usize = 4000;
const VARIABLE: &str = "RUST_LIBFUZZER_DEBUG_PATH";

/// The decoded value of `bytes`, if `executable` is a target that decodes them at all.
pub fn decoded(executable: &Path, bytes: &[u8]) -> Option<String> {
    let executable = std::path::absolute(executable).ok()?;
    // An executable that doesn't know the variable would run the failing input instead.
    // One that decodes nothing has no code of `arbitrary`, and its start can be saved.
    if !mentions(&executable, &[VARIABLE, "9arbitrary"]) {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    let input = folder.path().join("input");
    let text = folder.path().join("text");
    fs::write(&input, bytes).ok()?;
    let mut child = Command::new(executable)
        .arg(&input)
        .current_dir(folder.path())
        .env(VARIABLE, &text)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let started = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let text = fs::read_to_string(text).ok()?;
    let text = text.trim();
    let is_raw = text == format!("{bytes:?}") || text == format!("{bytes:#?}");
    (!is_raw && !text.is_empty() && text.len() <= LONGEST).then(|| text.to_owned())
}
