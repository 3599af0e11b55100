//! A search that begins on the executable that cargo-fuzz built, while a build without a sanitizer
//! runs beside it.
//!
//! The executable of cargo-fuzz is built here by cargo alone, in the place where cargo-fuzz puts
//! it: the target exports libFuzzer's entry itself and needs no sanitizer. `tests/real` has the
//! real ones.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::scratch::{Ended, Scratch};

const MANIFEST: &str = r#"
[package]
name = "scratch-fuzz"
version = "0.0.0"
edition = "2021"

[package.metadata]
cargo-fuzz = true

[workspace]

[profile.dev]
panic = "abort"

[profile.release]
panic = "abort"

[features]
longer = []

[[bin]]
name = "finds"
path = "fuzz_targets/finds.rs"
"#;

/// Panics if the input has a word of eight letters; if `only` is in the input, only in the build of
/// "cargo-fuzz". An environment variable makes one of both builds slow.
const TARGET: &str = r#"
#[no_mangle]
#[inline(never)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    let slow = if cfg!(theirs) { "SLOW_FIRST" } else { "SLOW_LATER" };
    if std::env::var_os(slow).is_some() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let has = |word: &[u8]| data.windows(word.len()).any(|window| window == word);
    if has(b"(needle)") && (!has(b"only") || cfg!(theirs)) {
        panic!("found");
    }
    if cfg!(feature = "longer") && has(b"hidden") {
        panic!("found with a feature");
    }
    0
}

fn main() {
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}
"#;

/// A cargo that notes its process and then treats builds as the script says.
const CARGO: &str = r#"#!/bin/sh
case "$1" in
build) echo $$ > "$PIDS"; WHAT ;;
esac
exec "$REAL" "$@"
"#;

/// Work enough for a search that is longer than its first part.
const LONG: [&str; 2] = ["--polish", "60000"];
const CRASH: &str = "fuzz/artifacts/finds/crash-1";
const RESULT: &str = "fuzz/artifacts/finds/crash-1.min";

struct Project {
    scratch: Scratch,
    triple: String,
}

impl Project {
    /// A project with the executable that cargo-fuzz would have built.
    fn new() -> Self {
        let scratch = Scratch::new();
        scratch.write("fuzz/Cargo.toml", MANIFEST);
        scratch.write("fuzz/fuzz_targets/finds.rs", TARGET);
        let lines: String = (0..40).map(|line| format!("line {line} (of some text)\n")).collect();
        scratch.write(CRASH, format!("{lines}a (needle) here\n{lines}"));
        let rustc = Command::new("rustc").arg("-vV").output().unwrap();
        let told = String::from_utf8(rustc.stdout).unwrap();
        let triple = told.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned();
        let project = Project { scratch, triple };
        project.build_theirs();
        project
    }

    fn build_theirs(&self) {
        let mut cargo = self.scratch.command(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
        cargo.args(["--target", &self.triple]);
        cargo.env("RUSTFLAGS", "--cfg fuzzing --cfg theirs -Cdebug-assertions");
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn theirs(&self) -> String {
        format!("fuzz/target/{}/release/finds", self.triple)
    }

    fn tmin(&self, arguments: &[&str]) -> Command {
        let mut command = self.scratch.tmin();
        command.arg("crash-1").args(arguments);
        command
    }

    /// Has `command` start this cargo, which waits or fails where the real one builds.
    fn with_cargo(&self, command: &mut Command, script: &str) {
        let path = self.scratch.write("cargo", CARGO.replace("WHAT", script));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        command.env("CARGO", &path).env("REAL", env!("CARGO")).env("PIDS", self.pids());
    }

    fn pids(&self) -> PathBuf {
        self.scratch.path().join("pids")
    }

    /// Whether the cargo that was started last is still there.
    fn is_building(&self) -> bool {
        let Ok(pid) = fs::read_to_string(self.pids()) else { return false };
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    }

    /// Removes the files of earlier runs beside the input.
    fn forget_results(&self) {
        let _ = fs::remove_file(self.scratch.path().join(RESULT));
        let _ = fs::remove_dir_all(self.scratch.path().join("fuzz/artifacts/finds/.seedsmith"));
    }

    /// Sets when a file was changed, relative to now.
    fn change(&self, name: &str, time: SystemTime) {
        let file = fs::File::options().append(true).open(self.scratch.path().join(name)).unwrap();
        file.set_modified(time).unwrap();
    }
}

/// The last event of a run, and the run.
fn finished(command: &mut Command) -> (Value, Ended) {
    let ended = Ended::of(command.output().unwrap());
    let last = ended.stdout.lines().last().unwrap_or_else(|| panic!("{}", ended.stderr));
    (serde_json::from_str(last).unwrap(), ended)
}

#[test]
fn a_short_search_ends_on_what_cargo_fuzz_built_and_waits_for_no_build() {
    let project = Project::new();
    let mut command = project.tmin(&[]);
    project.with_cargo(&mut command, "exec sleep 1000");
    let ended = Ended::of(command.output().unwrap());
    assert_eq!((ended.code, project.scratch.read(RESULT).as_str()), (Some(0), "(needle)"));
    let theirs = project.theirs();
    let begins = format!("tmin: the search begins on {theirs}, which cargo-fuzz built\n");
    let builds = "tmin: building `finds` without a sanitizer, first time; -v shows cargo\n";
    assert!(ended.stderr.starts_with(&(begins + builds)), "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("{theirs} {RESULT}\n")), "{}", ended.stderr);
    assert!(!ended.stderr.contains("and continued on"), "{}", ended.stderr);
    assert!(!project.is_building(), "the build that nobody needs goes on");
}

#[test]
fn the_result_is_the_same_whether_the_later_build_is_there_or_not() {
    let project = Project::new();
    let run = || {
        project.forget_results();
        let (event, ended) = finished(project.tmin(&LONG).arg("--json"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let later = format!("and continued on fuzz/target/seedsmith/{}", project.triple);
        assert!(ended.stderr.contains(&later), "{}", ended.stderr);
        let original = fs::metadata(project.scratch.path().join(CRASH)).unwrap().len();
        assert_eq!(event["input_bytes"], original);
        assert!(event["tests"].as_u64().unwrap() > 20_000, "{event}");
        (project.scratch.read(RESULT), event["tests"].clone(), ended.stderr)
    };
    let (absent, present) = (run(), run());
    assert!(absent.2.contains("building `finds` without a sanitizer, first time"), "{}", absent.2);
    assert!(!present.2.contains("building"), "{}", present.2);
    assert_eq!((&absent.0, &absent.1), (&present.0, &present.1));

    // A result that was found on the later build is continued there.
    let again = Ended::of(project.tmin(&LONG).output().unwrap());
    assert_eq!((again.code, project.scratch.read(RESULT)), (Some(0), absent.0), "{}", again.stderr);
}

#[test]
fn what_is_older_than_a_source_is_not_used() {
    let project = Project::new();
    let source = "fuzz/fuzz_targets/finds.rs";
    project.change(source, SystemTime::now() + Duration::from_secs(100));
    let ended = Ended::of(project.tmin(&["--polish", "0"]).output().unwrap());
    assert_eq!((ended.code, project.scratch.read(RESULT).as_str()), (Some(0), "(needle)"));
    let not_used = format!("tmin: {} is not used: {source} has changed since\n", project.theirs());
    let builds = "tmin: building `finds` without a sanitizer, first time; -v shows cargo\n";
    assert!(ended.stderr.starts_with(&(not_used + builds)), "{}", ended.stderr);
    let ran = format!("fuzz/target/seedsmith/{}/release/finds {RESULT}\n", project.triple);
    assert!(ended.stderr.contains(&ran), "{}", ended.stderr);
}

#[test]
fn a_build_that_fails_or_does_not_show_the_failure_leaves_the_search_where_it_began() {
    let project = Project::new();
    let mut command = project.tmin(&LONG);
    project.with_cargo(&mut command, "echo 'error: planted' >&2; exit 101");
    let (event, ended) = finished(command.arg("--json"));
    let note = "target finds doesn't build; `cargo build --bin finds` in fuzz says the same: the \
                search continues on the first build\n";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
    assert_eq!((ended.code, project.scratch.read(RESULT).as_str()), (Some(0), "(needle)"));
    assert!(event["tests"].as_u64().unwrap() > 20_000, "{event}");

    // The input fails only in the build of cargo-fuzz, and so do the smallest ones.
    project.scratch.write(CRASH, "only here: (needle)");
    project.forget_results();
    let (_, ended) = finished(project.tmin(&LONG).arg("--json"));
    let note = "the input does not fail without a sanitizer: the search continues on the first";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
    assert_eq!((ended.code, project.scratch.read(RESULT).as_str()), (Some(0), "(needle)"));
}

#[test]
fn an_input_that_fails_only_without_a_sanitizer_is_tried_there() {
    let project = Project::new();
    project.scratch.write(CRASH, "some (hidden) thing");
    let ended = Ended::of(project.tmin(&["--features", "longer"]).output().unwrap());
    assert_eq!((ended.code, project.scratch.read(RESULT).as_str()), (Some(0), "hidden"));
    assert!(ended.stderr.contains(&format!("{CRASH} does not fail there\n")), "{}", ended.stderr);
    assert!(ended.stderr.contains("-s none --features longer finds"), "{}", ended.stderr);
}

/// Where a run is stopped.
#[derive(Clone, Copy, Debug)]
enum Moment {
    First,
    Waiting,
    Second,
}

/// Starts a long run and returns when it has come to that moment.
fn run_until(project: &Project, moment: Moment, arguments: &[&str]) -> Child {
    let mut command = project.tmin(&LONG);
    command.arg("--json").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    // Whatever else the machine does, the signal comes before the end of the run.
    match moment {
        Moment::First => _ = command.env("SLOW_FIRST", "1"),
        Moment::Waiting => project.with_cargo(&mut command, "exec sleep 1000"),
        Moment::Second => _ = command.env("SLOW_LATER", "1"),
    }
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let wanted = match moment {
        Moment::First => r#""event":"reduced""#,
        Moment::Second => "the search continues on the build without a sanitizer",
        Moment::Waiting => "waiting for the build of `finds`; the best so far is saved",
    };
    lines.find(|line| line.as_ref().unwrap().contains(wanted)).expect("it comes to that").unwrap();
    // A full pipe would stop it.
    std::thread::spawn(move || lines.count());
    child
}

#[test]
fn a_run_that_is_killed_in_either_part_ends_with_the_same_bytes_when_it_is_started_again() {
    let project = Project::new();
    let (whole, _) = finished(project.tmin(&LONG).arg("--json"));
    let result = project.scratch.read(RESULT);
    for moment in [Moment::First, Moment::Waiting, Moment::Second] {
        for resume in [&["--json"][..], &["--json", "--resume"]] {
            project.forget_results();
            let mut child = run_until(&project, moment, &[]);
            child.kill().unwrap();
            child.wait().unwrap();
            if matches!(moment, Moment::Waiting) {
                let pid: i32 = fs::read_to_string(project.pids()).unwrap().trim().parse().unwrap();
                kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
            }
            let (event, ended) = finished(project.tmin(&LONG).args(resume));
            let at = format!("{moment:?} {resume:?}: {}", ended.stderr);
            assert_eq!(
                (ended.code, project.scratch.read(RESULT)),
                (Some(0), result.clone()),
                "{at}"
            );
            if resume.len() == 2 {
                assert_eq!(event["tests"], whole["tests"], "{at}");
            }
        }
    }
}

#[test]
fn a_signal_in_either_part_or_between_them_keeps_the_best_and_ends_the_build() {
    let project = Project::new();
    for moment in [Moment::First, Moment::Waiting, Moment::Second] {
        project.forget_results();
        let mut child = run_until(&project, moment, &[]);
        kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{moment:?}");
        assert!(project.scratch.read(RESULT).contains("(needle)"), "{moment:?}");
        assert!(!project.is_building(), "{moment:?}: cargo goes on");
    }
}
