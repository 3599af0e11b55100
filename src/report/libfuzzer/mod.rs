//! The lines of libFuzzer's `-minimize_crash` and `-cleanse_crash`, on stderr as libFuzzer prints
//! them, for programs that read them.
//!
//! The texts are libFuzzer's own, letter by letter; what libFuzzer has no line for begins with
//! `INFO: seedsmith:` or `WARNING: seedsmith:`. It is no error if stderr is closed.

use std::io::Write;
use std::path::Path;

/// libFuzzer prints inputs up to this size in base64: `kMaxUnitSizeToPrint` in its `FuzzerLoop.cpp`.
const MAX_PRINTED_BYTES: usize = 256;

/// Prints libFuzzer's lines.
#[derive(Debug, Default)]
pub(crate) struct LibFuzzerLines;

impl LibFuzzerLines {
    /// What the programs started by libFuzzer print, as it is.
    pub(crate) fn pass_on(&mut self, output: &[u8]) {
        let mut stderr = std::io::stderr().lock();
        stderr.write_all(output).and_then(|()| stderr.flush()).ok();
    }

    fn line(&mut self, line: &str) {
        self.pass_on(format!("{line}\n").as_bytes());
    }

    /// Something that the user should know.
    pub(crate) fn info(&mut self, text: &str) {
        self.line(&format!("INFO: seedsmith: {}", one_line(text)));
    }

    /// Something that the user should change.
    pub(crate) fn warning(&mut self, text: &str) {
        self.line(&format!("WARNING: seedsmith: {}", one_line(text)));
    }

    /// Why the program ends.
    pub(crate) fn error(&mut self, text: &str) {
        self.line(&format!("ERROR: {}", one_line(text)));
    }

    /// Neither a time nor a number of runs was given.
    pub(crate) fn default_time(&mut self, seconds: u64) {
        self.line("INFO: you need to specify -runs=N or -max_total_time=N with -minimize_crash=1");
        self.line(&format!("INFO: defaulting to -max_total_time={seconds}"));
    }

    /// An input is about to be minimized.
    pub(crate) fn minimizing(&mut self, path: &Path, bytes: usize) {
        let path = path.display();
        self.line(&format!("CRASH_MIN: minimizing crash input: '{path}' ({bytes} bytes)"));
    }

    /// A command is about to be run.
    pub(crate) fn executing(&mut self, command: &str) {
        self.line(&format!("CRASH_MIN: executing: {command}"));
    }

    /// The input shows a failure.
    pub(crate) fn caused_a_crash(&mut self, path: &Path, bytes: usize) {
        self.line(&format!(
            "CRASH_MIN: '{}' ({bytes} bytes) caused a crash. Will try to minimize it further",
            path.display()
        ));
    }

    /// What a sanitizer calls the failure of the first (1) or second (2) run.
    pub(crate) fn dedup_token(&mut self, number: u8, token: &str) {
        self.line(&format!("CRASH_MIN: DedupToken{number}: {token}"));
    }

    /// The input shows no failure.
    pub(crate) fn did_not_crash(&mut self, path: &Path) {
        self.error(&format!("the input {} did not crash", path.display()));
    }

    /// A smaller input was written.
    pub(crate) fn written(&mut self, artifact_prefix: &str, path: &Path, bytes: &[u8]) {
        let path = path.display();
        self.line(&format!("artifact_prefix='{artifact_prefix}'; Test unit written to {path}"));
        if bytes.len() <= MAX_PRINTED_BYTES {
            self.line(&format!("Base64: {}", base64(bytes)));
        }
        self.line("*********************************");
    }

    /// The smaller input shows another failure to the sanitizer.
    pub(crate) fn mismatch(&mut self) {
        self.line(
            "CRASH_MIN: mismatch in dedup tokens (looks like a different bug). Won't minimize \
             further",
        );
    }

    /// The end of a minimization.
    pub(crate) fn not_beyond(&mut self, path: &Path, bytes: usize) {
        self.line(&format!(
            "CRASH_MIN: failed to minimize beyond {} ({bytes} bytes), exiting",
            path.display()
        ));
    }

    /// Another pass over the bytes begins.
    pub(crate) fn cleansing(&mut self, attempt: usize, bytes: usize) {
        self.line(&format!("CLEANSE[{attempt}]: Trying to replace {bytes} bytes"));
    }

    /// A byte does not matter.
    pub(crate) fn cleansed(&mut self, index: usize, byte: u8) {
        self.line(&format!("CLEANSE: Replaced byte {index} with {byte:#x}"));
    }

    /// The help, which is data.
    pub(crate) fn help(&mut self, text: &str) {
        std::io::stdout().write_all(text.as_bytes()).ok();
    }
}

/// A text that comes from an input or target cannot begin a new line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn base64(bytes: &[u8]) -> String {
    use base64ct::Encoding;
    base64ct::Base64::encode_string(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_inputs_are_printed_as_libfuzzer_prints_them() {
        assert_eq!(base64(b"foo!"), "Zm9vIQ==");
        assert_eq!(one_line("a\nERROR: b"), "a ERROR: b");
    }
}
