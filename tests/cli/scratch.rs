//! A scratch folder in which a program is run, and the outcome of the run.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use regex::Regex;
use tempfile::TempDir;

/// The failure shows where the file has `foo` in it.
pub const HAS_FOO: [&str; 5] = ["sh", "-c", "grep -q foo \"$1\"", "sh", "{}"];

/// A validator that wants as many `(` as `)`, and no `!`.
const WANTS_BALANCE: [&str; 6] = [
    "--",
    "sh",
    "-c",
    r#"f=$(cat "$1"); case "$f" in *!*) exit 1;; esac
        o=$(printf %s "$f" | tr -cd "(" | wc -c); c=$(printf %s "$f" | tr -cd ")" | wc -c)
        [ "$o" = "$c" ]"#,
    "sh",
    "{}",
];

/// Where a program is, and the word that comes before its arguments if it is a command of `seedsmith`.
pub fn executable(name: &str) -> (&'static str, Option<&str>) {
    match name {
        "tmin" => (env!("CARGO_BIN_EXE_tmin"), None),
        "seedsmith" => (env!("CARGO_BIN_EXE_seedsmith"), None),
        "cargo-seedsmith" => (env!("CARGO_BIN_EXE_cargo-seedsmith"), None),
        "seedsmith-libfuzzer" => (env!("CARGO_BIN_EXE_seedsmith-libfuzzer"), None),
        command => (env!("CARGO_BIN_EXE_seedsmith"), Some(command)),
    }
}

/// A new folder for one test.
pub struct Scratch {
    folder: TempDir,
}

/// How a program ended.
#[derive(Debug, PartialEq)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Scratch {
    pub fn new() -> Self {
        Scratch { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, folders and all, and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path().join(name)).unwrap()).into_owned()
    }

    /// The names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// `tmin`, to be run in this folder with nothing of ours in the environment.
    pub fn tmin(&self) -> Command {
        self.program("tmin")
    }

    /// The program of that name, or the command of `seedsmith` where there is no such program.
    pub fn program(&self, name: &str) -> Command {
        let (program, command) = executable(name);
        let mut started = self.command(program);
        started.args(command);
        started
    }

    /// Runs `cargo-seedsmith` with these arguments, as cargo does.
    pub fn seedsmith(&self, arguments: &[&str]) -> Ended {
        let mut command = self.program("cargo-seedsmith");
        Ended::of(command.arg("seedsmith").args(arguments).output().unwrap())
    }

    /// Runs `seedsmith` with these arguments.
    pub fn plain_seedsmith(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.program("seedsmith").args(arguments).output().unwrap())
    }

    /// Runs `seedsmith repair` with nothing but these arguments.
    pub fn repair_with(&self, arguments: &[&str]) -> Ended {
        let mut command = self.program("repair");
        Ended::of(command.args(arguments).output().unwrap())
    }

    /// Runs `seedsmith repair` with these arguments and a command that wants as many `(` as `)`, and no `!`.
    pub fn repair(&self, arguments: &[&str]) -> Ended {
        self.repair_to(Stdio::piped(), arguments)
    }

    /// The same with a text on standard input.
    pub fn repair_fed(&self, arguments: &[&str], text: &str) -> Ended {
        let mut command = self.program("repair");
        command.args(arguments).args(WANTS_BALANCE);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Some tests are about programs that end before they have read all of it.
        drop(child.stdin.take().unwrap().write_all(text.as_bytes()));
        Ended::of(child.wait_with_output().unwrap())
    }

    /// The same with another stdout.
    pub fn repair_to(&self, stdout: impl Into<Stdio>, arguments: &[&str]) -> Ended {
        let mut command = self.program("repair");
        command.args(arguments).args(WANTS_BALANCE);
        command.stdout(stdout).stderr(Stdio::piped());
        Ended::of(command.spawn().unwrap().wait_with_output().unwrap())
    }

    /// The same where no file may be longer than 4 KB from the first test on.
    pub fn repair_in_small_files(&self, arguments: &[&str]) -> Ended {
        let mut command = self.command("sh");
        let start = r#"echo $$ > pid; exec "$@""#;
        let (program, word) = executable("repair");
        command.args(["-c", start, "sh", program]).args(word).args(arguments);
        let pid = self.path().join("pid").display().to_string();
        let script = format!(r#"prlimit --fsize=4096 --pid "$(cat "$0")"; {}"#, WANTS_BALANCE[3]);
        command.args(["--", "sh", "-c", &script, &pid, "{}"]);
        Ended::of(command.output().unwrap())
    }

    /// A program to be run in this folder with nothing of ours in the environment.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path()).stdin(Stdio::null()).env_remove("COLUMNS");
        // With `CI` set, lines are printed at regular times, so the output depends on the time that
        // a test takes.
        command.env_remove("CI");
        // These change how the output looks.
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_HYPERLINK"] {
            command.env_remove(name);
        }
        // Fuzz targets of the same name, built by tests side by side, must not replace each other.
        command.env_remove("CARGO_TARGET_DIR");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SEEDSMITH_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Runs `tmin` with these arguments.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.tmin().args(arguments).output().unwrap())
    }

    /// Runs `tmin` with these arguments and the command that looks for `foo`.
    pub fn run_foo(&self, arguments: &[&str]) -> Ended {
        let mut all = arguments.to_vec();
        all.push("--");
        all.extend(HAS_FOO);
        self.run(&all)
    }
}

impl Ended {
    pub fn of(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The talk with times and counts masked: they are other tests' business.
    pub fn masked(&self) -> String {
        let counts = Regex::new(r"[\d,]+ (tests?|executions?|cache hits?)").unwrap();
        let times = Regex::new(r"in ([\d.]+ (ms|s)|\d+ min \d+ s)").unwrap();
        let text = counts.replace_all(&self.stderr, "# $1");
        let text =
            Regex::new(r"# (test|execution|cache hit)\b").unwrap().replace_all(&text, "# ${1}s");
        times.replace_all(&text, "in #").into_owned()
    }
}
