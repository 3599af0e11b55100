//! Asks a typed target for the `Debug` text of the value that it decodes from an input.
//!
//! `libfuzzer-sys` writes the text to the path in `RUST_LIBFUZZER_DEBUG_PATH` instead of running the
//! target, so the input's failure does not show here. No error is reported: the text is an extra,
//! and most targets decode nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use seedsmith_engine::internal::ScratchFolder;
use seedsmith_engine::internal::mentions;

/// How long the process may take. Decoding takes microseconds, and a start under a sanitizer takes a
/// tenth of a second.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer texts do not fit on a screen: it is 50 lines of 80 letters.
const MAX_TEXT_BYTES: usize = 4000;
/// The variable with the file to which `libfuzzer-sys` writes the decoded input instead of running
/// the target.
const PATH_VARIABLE: &str = "RUST_LIBFUZZER_DEBUG_PATH";

/// The value that the target in `executable` decodes from `bytes`, as text; `None` if it decodes
/// nothing, the text is too long, or it cannot be had.
///
/// Starts one process, and only if the executable contains the code for this.
pub(crate) fn decoded(executable: &Path, bytes: &[u8]) -> Option<String> {
    let executable = std::path::absolute(executable).ok()?;
    // An executable that doesn't know the variable would run the failing input instead. One that
    // contains no code of `arbitrary` decodes nothing, so it need not be started.
    if !mentions(&executable, &[PATH_VARIABLE, "9arbitrary"]) {
        return None;
    }
    let folder = ScratchFolder::new().ok()?;
    let input = folder.path().join("input");
    let text = folder.path().join("text");
    fs::write(&input, bytes).ok()?;
    let mut child = Command::new(executable)
        .arg(&input)
        .current_dir(folder.path())
        .env(PATH_VARIABLE, &text)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let started = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if started.elapsed() > PROCESS_TIMEOUT {
            child.kill().and_then(|()| child.wait()).ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let text = fs::read_to_string(text).ok()?;
    let text = text.trim();
    let is_raw = text == format!("{bytes:?}") || text == format!("{bytes:#?}");
    // A target that takes a `&str`: the input is shown as text anyway.
    let is_text = std::str::from_utf8(bytes).is_ok_and(|bytes| text == format!("{bytes:?}"));
    (!is_raw && !is_text && !text.is_empty() && text.len() <= MAX_TEXT_BYTES)
        .then(|| text.to_owned())
}
