//! `--gdb`: which debugger there is, and its command line for a process that shows a failure.
//!
//! The debugger takes the place of this process at the very end, so that it has the terminal and
//! nothing of a search is left beside it.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::cargo_fuzz::reproduce::debugged::Debugged;
use crate::cli::exit::{Exit, Trouble};
use crate::report::Reporters;
use seedsmith_engine::internal::{become_program, run_once};

/// How long a debugger may take to print its version. gdb takes a fraction of a second; the rest is
/// for a cold disk on a busy machine. Not measured.
const MAX_VERSION_TIME: Duration = Duration::from_secs(10);

/// A debugger and its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// A path from `PATH`, or the name as the user gave it if `PATH` has no such program.
    program: PathBuf,
    /// Commands that run the process at once, followed by the process and its arguments.
    arguments: Vec<OsString>,
}

/// The debugger for `debugged`: the one that was `named`, or the first that is installed. `None` if there
/// is none, and then its command line is printed.
///
/// Nothing is started here but debuggers that are asked for their version. The search has ended,
/// and its result is on disk.
///
/// Called for `--gdb` after the result is reported. The command line is printed in both cases, so that a
/// user can repeat it. A program that was named is not checked; if it does not exist, starting it fails.
pub(crate) fn choose(
    named: Option<&OsStr>,
    debugged: &Debugged,
    report: &mut Reporters,
) -> Option<Start> {
    let found = match named {
        Some(named) => Some(on_path(named).unwrap_or_else(|| named.into())),
        None => installed(debugged.is_rust),
    };
    let Some(program) = found else {
        let start = Start { program: "gdb".into(), arguments: arguments("gdb", debugged) };
        report.say(&format!(
            "no debugger is installed (gdb, lldb); SEEDSMITH_DEBUGGER names another; with gdb it is\n  {}",
            start.shown()
        ));
        return None;
    };
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let start = Start { arguments: arguments(&name, debugged), program };
    report.say(&format!("starting {}", start.shown()));
    Some(start)
}

impl Start {
    /// Becomes the debugger. Returns only if that fails.
    ///
    /// The debugger has this process, its terminal and its exit code. The message says why it did
    /// not start.
    /// The exit code is then 5.
    pub(crate) fn become_debugger(&self) -> Trouble {
        Trouble::by(Exit::Target, become_program(&self.program, &self.arguments))
    }

    /// The command line, as it is typed in a shell.
    fn shown(&self) -> String {
        let own = Debugged {
            program: OsString::new(),
            arguments: std::iter::once(self.program.clone().into())
                .chain(self.arguments.iter().cloned())
                .collect(),
            stdin: None,
            is_rust: false,
            has_sanitizer: false,
        };
        own.in_shell()
    }
}

/// The first debugger in `PATH`. For Rust that is `rust-gdb`, which shows Rust's types, if it works: a file
/// of that name is there even if neither its part of the toolchain nor gdb is installed.
///
/// The order is `rust-gdb`, `gdb`, `lldb`. Costs a start of `rust-gdb --version` for a Rust program, and
/// nothing else. `None` if none of them is installed.
fn installed(is_rust: bool) -> Option<PathBuf> {
    let rust_gdb = is_rust.then(|| on_path("rust-gdb".as_ref())).flatten();
    let rust_gdb = rust_gdb.filter(|path| {
        let ran = run_once(path, &["--version".into()], MAX_VERSION_TIME, &AtomicBool::new(false));
        ran.is_ok_and(|ran| ran.status.is_some_and(|status| status.success()))
    });
    rust_gdb.or_else(|| ["gdb", "lldb"].iter().find_map(|name| on_path(name.as_ref())))
}

/// The executable file of that name in `PATH`.
///
/// The first folder that has it counts. A file without a permission to execute is skipped. An absolute path
/// names itself. `None` also if `PATH` is not set.
fn on_path(name: &OsStr) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let is_program = |path: &PathBuf| {
        let about = path.metadata();
        about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(is_program)
}

/// The arguments by which the debugger called `name` runs the process until it fails.
///
/// A debugger whose name does not contain `lldb` gets those of gdb.
/// With a sanitizer, `abort_on_error=1` is added to the user's own `ASAN_OPTIONS`.
fn arguments(name: &str, debugged: &Debugged) -> Vec<OsString> {
    let abort = debugged.has_sanitizer.then(|| {
        let own = std::env::var_os("ASAN_OPTIONS").map(|own| format!("{}:", own.to_string_lossy()));
        format!("{}abort_on_error=1", own.unwrap_or_default())
    });
    if name.contains("lldb") { of_lldb(debugged, abort) } else { of_gdb(debugged, abort) }
}

/// gdb's arguments. `abort` is the value of `ASAN_OPTIONS` with which a sanitizer's report ends in
/// an abort, so that the debugger stops there.
fn of_gdb(debugged: &Debugged, abort: Option<String>) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    if let Some(options) = abort {
        words.extend(["-ex".into(), format!("set environment ASAN_OPTIONS {options}").into()]);
    }
    // `run` with a redirection replaces the arguments of `--args`.
    match &debugged.stdin {
        Some(_) => words.extend(["-ex".into(), format!("run {}", debugged.in_shell()).into()]),
        None => words.extend(["-ex".into(), "run".into()]),
    }
    words.push("--args".into());
    words.push(debugged.program.clone());
    words.extend(debugged.arguments.iter().cloned());
    words
}

/// The same for lldb.
fn of_lldb(debugged: &Debugged, abort: Option<String>) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    if let Some(options) = abort {
        let command = format!("settings set target.env-vars ASAN_OPTIONS={options}");
        words.extend(["-o".into(), command.into()]);
    }
    let run = match &debugged.stdin {
        Some(path) => format!("process launch -i {}", in_lldb(path)),
        None => "run".to_owned(),
    };
    words.extend(["-o".into(), run.into(), "--".into(), debugged.program.clone()]);
    words.extend(debugged.arguments.iter().cloned());
    words
}

/// A path in a command of lldb's.
///
/// It is in double quotes, with backslashes and quotes escaped. Bytes that are not UTF-8 are replaced.
fn in_lldb(path: &Path) -> String {
    format!("\"{}\"", path.to_string_lossy().replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn debugged(stdin: Option<&str>) -> Debugged {
        Debugged {
            program: "./parse".into(),
            arguments: vec!["a b".into()],
            stdin: stdin.map(PathBuf::from),
            is_rust: false,
            has_sanitizer: false,
        }
    }

    fn shown(name: &str, debugged: &Debugged) -> String {
        Start { program: name.into(), arguments: arguments(name, debugged) }.shown()
    }

    #[test]
    fn each_debugger_runs_the_process_with_its_arguments_and_its_standard_input() {
        let (named, piped) = (debugged(None), debugged(Some("c d")));
        assert_eq!(shown("rust-gdb", &named), "rust-gdb -ex run --args ./parse 'a b'");
        assert_eq!(
            shown("gdb", &piped),
            r"gdb -ex 'run '\''a b'\'' < '\''c d'\''' --args ./parse 'a b'"
        );
        assert_eq!(shown("lldb-19", &named), "lldb-19 -o run -- ./parse 'a b'");
        assert_eq!(shown("lldb", &piped), r#"lldb -o 'process launch -i "c d"' -- ./parse 'a b'"#);
    }

    #[test]
    fn a_sanitizer_is_told_to_abort_so_that_the_debugger_sees_a_signal() {
        let sanitized = Debugged { has_sanitizer: true, ..debugged(None) };
        let words = shown("gdb", &sanitized);
        assert!(words.starts_with("gdb -ex 'set environment ASAN_OPTIONS "), "{words}");
        assert!(words.contains("abort_on_error=1' -ex run --args"), "{words}");
        let words = shown("lldb", &sanitized);
        assert!(words.contains("target.env-vars ASAN_OPTIONS="), "{words}");
    }
}
