//! A test as a shell script, for a target that is a program.
//!
//! Each input runs in a new folder that holds it under the original input's name, as tests of a
//! command do here. Files are named as seen from the script's own folder.

use std::fmt::Write;

use seedsmith_grammar::control_chars::escape_control_chars;

use super::{Beside, Case, one_line};

/// Bytes of an input that are written as a literal; more are a file beside the script. A guess,
/// not measured.
const MAX_LITERAL_BYTES: usize = 48;

/// A command as a test runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellReach {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// The folder to run in, as seen from the script's; nothing for a new one.
    pub folder: Option<String>,
    /// The name of the input's file.
    pub input_name: String,
    /// When a run fails.
    pub fails: Fails,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is; `{}` is the input's path.
    Text(String),
    /// A file, as seen from the script's folder.
    File(String),
}

/// When a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// The program exits with this status.
    Status(i32),
    /// The program exits with any status but 0.
    AnyError,
    /// A signal ends it, or it prints the report of a crash and exits with another status than 0.
    Crash,
}

impl Fails {
    fn condition(self) -> String {
        match self {
            Fails::Status(status) => format!("[ \"$status\" -eq {status} ]"),
            Fails::AnyError => "[ \"$status\" -ne 0 ]".to_owned(),
            Fails::Crash => format!(
                "[ \"$status\" -ge 128 ] || {{ [ \"$status\" -ne 0 ] && grep -Eq '{REPORTS}' \
                 \"$work/said\"; }}"
            ),
        }
    }
}

/// What a crashing program prints: Rust, Python, sanitizers, Go, `assert`.
const REPORTS: &str = "panicked at|^Traceback |ERROR: [A-Za-z]*Sanitizer|runtime error:|\
                       ^goroutine [0-9]+ |Assertion .* failed|^Segmentation fault|^Aborted";

pub(super) fn text(reach: &ShellReach, about: &str, cases: &[Case], beside: &mut Beside) -> String {
    let words: Vec<String> = reach.words.iter().map(word).collect();
    let folder = match &reach.folder {
        None => "\"$work/one\"".to_owned(),
        Some(folder) => word(&Word::File(folder.clone())),
    };
    let name = quoted(&reach.input_name);
    let mut out = format!(
        "#!/bin/sh\n\
         # A regression test, written by seedsmith: {about}\n\
         # Exit status: 0 if every input is handled, 1 if one fails.\n\n\
         here=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd) || exit 2\n\
         work=$(mktemp -d) || exit 2\n\
         trap 'rm -rf \"$work\"' EXIT\n\
         mkdir \"$work/one\" || exit 2\n\
         file=\"$work/one/\"{name}\n\
         failed=0\n\n\
         check() {{\n    \
         (cd {folder} && {}) <\"$file\" >\"$work/said\" 2>&1\n    \
         status=$?\n    \
         if {}; then\n        \
         echo \"fails: $1 (exit status $status)\" >&2\n        \
         failed=1\n    \
         fi\n    \
         rm -rf \"$work/one\"\n    \
         mkdir \"$work/one\" || exit 2\n\
         }}\n",
        words.join(" "),
        reach.fails.condition()
    );
    for case in cases {
        // Not every shell's printf writes a byte that is 0.
        let is_literal = case.input.len() <= MAX_LITERAL_BYTES && !case.input.contains(&0);
        let write = match is_literal {
            true => format!("printf %b '{}' >\"$file\"", octal(&case.input)),
            false => format!("cp \"$here/\"{} \"$file\"", quoted(&beside.add(&case.input))),
        };
        let comment = one_line(&case.about);
        let _ = write!(out, "\n# {comment}\n{write} || exit 2\ncheck {}\n", quoted(&case.name));
    }
    out + "\nexit $failed\n"
}

/// A word as the script has it. Files are below the script's folder, whatever the current one is.
fn word(word: &Word) -> String {
    match word {
        Word::File(path) => format!("\"$here/\"{}", quoted(path)),
        Word::Text(text) => {
            let parts = text.split("{}").map(|part| match part {
                "" => String::new(),
                part => quoted(part),
            });
            let joined = parts.collect::<Vec<_>>().join("\"$file\"");
            if joined.is_empty() { "''".to_owned() } else { joined }
        }
    }
}

fn quoted(text: &str) -> String {
    // A script in a word may have several lines; other control characters do not get into the test.
    let text = escape_control_chars(text, &['\n', '\t']).into_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+./:=@%,".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

fn octal(bytes: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' => char::from(*byte).to_string(),
        byte => format!("\\0{byte:03o}"),
    };
    bytes.iter().map(one).collect()
}
