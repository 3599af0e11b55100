//! The first signal is obeyed at once where there is nothing to lose: while a target is built, a
//! parser's file is opened, a page is written.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use crate::scratch::{HAS_FOO, Scratch};

const SIGNALS: [(Signal, i32); 3] =
    [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)];
/// Far more than a second, because other tests run on this machine. A stuck program is stuck for
/// longer than the test may take.
const LONG: Duration = Duration::from_secs(60);

/// Waits until something is so.
fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < LONG, "{what} took too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A command of `seedsmith` that a signal can end, even if the tests run with SIGHUP ignored.
fn seedsmith(scratch: &Scratch) -> Command {
    let mut command = scratch.command("env");
    command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_seedsmith")]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Sends the signal and waits for the end; returns the code and the text on stderr.
fn ended_by(signal: Signal, mut child: Child) -> (Option<i32>, String) {
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > LONG {
            child.kill().unwrap();
            panic!("{signal} was not obeyed");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr)
}

#[test]
fn a_grammar_that_is_a_fifo_is_refused_at_once() {
    let scratch = Scratch::new();
    scratch.write("crash", "some foo");
    mkfifo(&scratch.path().join("pipe.g4"), Mode::S_IRWXU).unwrap();
    let options = ["crash", "--grammar", "pipe.g4", "--"];
    let ended = scratch.run(&[&options[..], &HAS_FOO].concat());
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("pipe.g4"), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["crash", "pipe.g4"]);
}

#[test]
fn a_page_that_is_a_fifo_without_a_reader_can_be_interrupted() {
    for (signal, code) in SIGNALS {
        let scratch = Scratch::new();
        scratch.write("crash", "foo");
        mkfifo(&scratch.path().join("page.html"), Mode::S_IRWXU).unwrap();
        let mut command = seedsmith(&scratch);
        let options = ["--grammar", "bytes", "--max-tests", "20", "--pattern", "found"];
        command.args(["generalize", "crash", "--html", "page.html"]).args(options);
        let child = command.arg("--").args(HAS_FOO).spawn().unwrap();
        wait_for("the search", || scratch.path().join("found").exists());
        let (ended, stderr) = ended_by(signal, child);
        assert_eq!(ended, Some(code), "{stderr}");
        let words = "generalize: error: stopped; every file that was written is complete\n";
        assert!(stderr.ends_with(words), "{stderr}");
    }
}

/// A package whose build script never ends.
fn endless_package(scratch: &Scratch) {
    let manifest = "[package]\nname = \"endless\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
                    [package.metadata]\ncargo-fuzz = true\n\
                    [[bin]]\nname = \"parse\"\npath = \"fuzz_targets/parse.rs\"\n[workspace]\n";
    scratch.write("fuzz/Cargo.toml", manifest);
    scratch.write("fuzz/fuzz_targets/parse.rs", "fn main() {}");
    let script = scratch.path().join("building");
    let script = format!(
        "fn main() {{ std::fs::write({script:?}, std::process::id().to_string()).unwrap(); \
         std::thread::sleep(std::time::Duration::from_secs(100_000)); }}"
    );
    scratch.write("fuzz/build.rs", script);
    scratch.write("fuzz/artifacts/parse/crash-1", "some foo");
}

#[test]
fn a_build_ends_with_all_its_processes_and_leaves_nothing() {
    for (signal, code) in SIGNALS {
        let scratch = Scratch::new();
        endless_package(&scratch);
        let temporary = scratch.path().join("temporary");
        std::fs::create_dir(&temporary).unwrap();
        let mut command = seedsmith(&scratch);
        command.args(["tmin", "fuzz/artifacts/parse/crash-1"]).env("TMPDIR", &temporary);
        // In a new group only the program itself gets the signal.
        let child = command.process_group(0).spawn().unwrap();
        let building = scratch.path().join("building");
        let pid = || std::fs::read_to_string(&building).ok()?.parse::<u32>().ok();
        wait_for("building", || pid().is_some());
        let script = format!("/proc/{}", pid().unwrap());
        let (ended, stderr) = ended_by(signal, child);
        assert_eq!(ended, Some(code), "{stderr}");
        let words = "tmin: error: stopped before the search began; nothing was written\n";
        assert!(stderr.ends_with(words), "{stderr}");
        wait_for("the end of the build", || !std::path::Path::new(&script).exists());
        assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
        let artifacts = std::fs::read_dir(scratch.path().join("fuzz/artifacts/parse")).unwrap();
        assert_eq!(artifacts.count(), 1);
    }
}
