//! `tmin --view` on a real terminal: it draws, obeys keys, gives the terminal back, and changes no result.
//!
//! What a frame looks like is tested beside the code that draws.

use std::process::Command;

use nix::sys::signal::{Signal, kill};
use regex::Regex;

use crate::scratch::Scratch;
use crate::screens::terminal::Terminal;

/// How a program asks for a screen of its own, and gives it back.
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";
/// The beginning of the line with the keys, which is drawn in one piece.
const KEYS: &str = "q stop";
const SIZE: usize = 5 * 100 + 3;

/// A run on a test that, from the second success on, waits until there is a file `go`. While it does, the
/// first success is the best, and there is a file `waits`.
fn waiting(scratch: &Scratch) -> Command {
    let input = format!("{}foo", "line\n".repeat(100));
    assert_eq!(input.len(), SIZE);
    scratch.write("crash", &input);
    let file = |name: &str| scratch.path().join(name).display().to_string();
    let script = format!(
        "grep -q foo \"$1\" || exit 1; test $(wc -c < \"$1\") = {SIZE} && exit 0\n\
         test -e {seen} || {{ : > {seen}; exit 0; }}\n\
         : > {waits}; while ! test -e {go}; do sleep 0.05; done",
        seen = file("seen"),
        waits = file("waits"),
        go = file("go"),
    );
    let mut command = viewing(scratch);
    command.args(["crash", "-j1", "--timeout", "250s", "--", "sh", "-c", &script, "sh", "{}"]);
    command
}

fn viewing(scratch: &Scratch) -> Command {
    let mut command = scratch.tmin();
    command.arg("--view").env("TERM", "xterm-256color");
    command
}

/// What was printed after the terminal was given back. A terminal that is no longer raw has a carriage
/// return before each line feed.
fn after_view(raw: &str) -> String {
    assert_eq!((raw.matches(ENTER).count(), raw.matches(LEAVE).count()), (1, 1), "{raw}");
    let (_, after) = raw.rsplit_once(LEAVE).unwrap();
    assert!(after.contains("\r\n"), "{after:?}");
    assert!(after.contains("\x1b[?25h"), "the cursor is hidden: {after:?}");
    after.replace("\r\n", "\n")
}

#[test]
fn q_keeps_the_best_and_ends_as_ctrl_c_does() {
    for key in ["q", "\x03"] {
        let scratch = Scratch::new();
        let mut terminal = Terminal::start((80, 24), &mut waiting(&scratch));
        terminal.wait_for(KEYS);
        while !scratch.path().join("waits").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        terminal.press(key);
        let (code, raw) = terminal.finish();
        assert_eq!(code, Some(130), "{raw}");
        let after = after_view(&raw);
        assert!(after.contains("the same command continues from here"), "{after}");
        let result = scratch.read("crash.min");
        assert!(result.contains("foo") && result.len() < SIZE, "{result}");
    }
}

#[test]
fn sigterm_gives_the_terminal_back() {
    let scratch = Scratch::new();
    let mut terminal = Terminal::start((40, 10), &mut waiting(&scratch));
    terminal.wait_for(KEYS);
    kill(terminal.pid(), Signal::SIGTERM).unwrap();
    let (code, raw) = terminal.finish();
    assert_eq!(code, Some(143), "{raw}");
    after_view(&raw);
}

#[test]
fn s_skips_the_reducer_that_runs_and_the_search_goes_on() {
    let scratch = Scratch::new();
    let mut terminal = Terminal::start((120, 40), &mut waiting(&scratch));
    terminal.wait_for(KEYS);
    while !scratch.path().join("waits").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    terminal.press("s");
    terminal.wait_for("skipped");
    terminal.press("k");
    terminal.wait_for("written");
    scratch.write("go", "");
    let (code, raw) = terminal.finish();
    assert_eq!(code, Some(0), "{raw}");
    let after = after_view(&raw);
    assert!(after.contains(" was skipped: the result may be larger"), "{after}");
    assert!(!after.contains("1-minimal"), "{after}");
    assert_eq!(scratch.read("crash.min"), "foo");
}

#[test]
fn without_keys_the_result_and_the_tests_are_those_of_a_run_without_a_view() {
    let scratch = Scratch::new();
    let input: String = (0..40).map(|line| format!("line {line} of {{many}}\n")).collect();
    scratch.write("crash", input.replace("line 27 of", "fo foo oo"));
    let script = "grep -q foo \"$1\" && grep -q many \"$1\"";
    let command = ["--", "sh", "-c", script, "sh", "{}"];
    let arguments = |output: &'static str| ["crash", "-o", output, "--stats"];
    let plain = scratch.run(&[&arguments("plain")[..], &command].concat());
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    let mut viewed = viewing(&scratch);
    viewed.args(arguments("viewed")).args(command);
    let (code, raw) = Terminal::start((80, 24), &mut viewed).finish();
    assert_eq!(code, Some(0), "{raw}");
    let after = after_view(&raw);
    assert_eq!(scratch.read("viewed"), scratch.read("plain"));
    let tests = Regex::new(r"([\d,]+) tests?,").unwrap();
    let of = |text: &str| tests.captures(text).expect("the tests are printed")[1].to_owned();
    assert_eq!(of(&after), of(&plain.stderr));
}

#[test]
fn without_a_terminal_it_is_refused_and_nothing_is_run() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    let touched = scratch.path().join("touched").display().to_string();
    let ended = scratch.run(&["--view", "crash", "--", "touch", &touched]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let why = "--view needs a terminal, and standard output is none";
    assert!(ended.stderr.contains(why) && !scratch.path().join("touched").exists());
    let mut dumb = viewing(&scratch);
    dumb.env("TERM", "dumb").args(["crash", "--", "touch", &touched]);
    let (code, raw) = Terminal::start((80, 24), &mut dumb).finish();
    assert_eq!(code, Some(2), "{raw}");
    assert!(raw.contains("TERM is `dumb`") && !raw.contains(ENTER), "{raw}");
    for option in ["--json", "--quiet", "--isolate"] {
        let ended = scratch.run(&["--view", option, "crash", "--", "touch", &touched]);
        assert_eq!(ended.code, Some(2), "{option}: {}", ended.stderr);
    }
}
