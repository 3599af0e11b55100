//! Signals and pipes: the best is kept, and the exit code shows the reason of the end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::scratch::{HAS_FOO, Scratch};

const SIZE: usize = 5 * 100 + 3;

/// A run whose oracle hangs as soon as one candidate smaller than the input was accepted.
fn hanging_run(scratch: &Scratch) -> (Child, String) {
    let input = format!("{}foo", "line\n".repeat(100));
    assert_eq!(input.len(), SIZE);
    scratch.write("crash", &input);
    let seen = scratch.path().join("seen");
    let seen = seen.display();
    let script = format!(
        "grep -q foo \"$1\" || exit 1; test $(wc -c < \"$1\") = {SIZE} && exit 0; \
         test -e {seen} && sleep 1000; : > {seen}; exit 0"
    );
    let mut command = scratch.command("env");
    // Whatever the tests themselves ignore.
    command.args(["--default-signal=HUP", env!("CARGO_BIN_EXE_tmin")]);
    command.args(["crash", "-j", "1", "--json", "--", "sh", "-c", &script, "sh", "{}"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    (command.spawn().unwrap(), "crash.min".to_owned())
}

fn ends_by(signal: Signal, code: i32) {
    let scratch = Scratch::new();
    let (mut child, result) = hanging_run(&scratch);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // An announced result is on disk.
    let reduced = lines.find(|line| line.as_ref().unwrap().contains(r#""event":"reduced""#));
    assert!(reduced.is_some(), "nothing was reduced");
    let announced = scratch.read(&result);
    assert!(announced.contains("foo") && announced.len() < SIZE);
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
    let last = lines.last().unwrap().unwrap();
    assert!(last.contains(r#""event":"finished""#), "{last}");
    assert!(last.contains(r#""stopped":"interrupted""#), "{last}");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code));
    assert!(stderr.contains("the same command continues from here"), "{stderr}");
    assert_eq!(scratch.read(&result), announced);
}

#[test]
fn ctrl_c_keeps_the_best_and_says_how_to_go_on() {
    ends_by(Signal::SIGINT, 130);
}

#[test]
fn sigterm_keeps_the_best_too() {
    ends_by(Signal::SIGTERM, 143);
}

#[test]
fn a_closed_terminal_keeps_the_best_too() {
    ends_by(Signal::SIGHUP, 129);
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let scratch = Scratch::new();
    scratch.write("crash", "hello\nworld foo bar\n");
    // The command closes the terminal of the run that started it, once.
    let script = "test -e hung || { : > hung; kill -HUP $(cat pid); }; grep -q foo \"$1\"";
    let mut command = scratch.command("nohup");
    let start = r#"echo $$ > pid; exec "$@""#;
    command.args(["sh", "-c", start, "sh", env!("CARGO_BIN_EXE_tmin"), "crash", "-q"]);
    command.args(["--cwd", "keep", "--", "sh", "-c", script, "sh", "{}"]);
    let ended = command.output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(scratch.path().join("hung").exists());
}

#[test]
fn a_signal_ends_the_reading_of_a_folder_that_has_no_end() {
    let scratch = Scratch::new();
    // Links to a file that gives gigabytes: as many as take minutes.
    for number in 0..500 {
        let link = scratch.path().join(format!("link-{number}"));
        std::os::unix::fs::symlink("/proc/self/pagemap", link).unwrap();
    }
    let mut command = scratch.tmin();
    command.args([".", "--"]).args(HAS_FOO).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pid = child.id();
    // It listens to the signal as soon as it has the thread for it, and reads after that.
    let is_reading = || {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
        tasks.flatten().any(|file| file.path().read_link().is_ok_and(|to| to.ends_with("pagemap")))
    };
    for _ in 0..6000 {
        if is_reading() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    kill(Pid::from_raw(pid.try_into().unwrap()), Signal::SIGTERM).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143), "{stderr}");
    assert!(stderr.contains("stopped before the search began"), "{stderr}");
}

#[test]
fn nobody_reading_is_success() {
    let scratch = Scratch::new();
    scratch.write("crash", "hello\nworld foo bar\n");
    for form in ["--json", "--polish=0"] {
        let mut command = scratch.tmin();
        command.args(["crash", form, "-q", "--"]).args(HAS_FOO);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
    }
}
