//! Failures that don't show every time.

use crate::scratch::Scratch;

/// A command that counts its runs in a file and lets `shows` say, from the run's number `$n`,
/// whether a file with `foo` in it fails.
fn counting(shows: &str) -> String {
    format!("echo >> count; n=$(wc -l < count); grep -q foo \"$1\" && {shows}")
}

fn command(shows: &str) -> [String; 8] {
    let script = counting(shows);
    ["--cwd", "keep", "--", "sh", "-c", &script, "sh", "{}"].map(str::to_owned)
}

#[test]
fn a_failure_in_two_of_three_runs_is_measured_repeated_and_reported() {
    let scratch = Scratch::new();
    let input = "hello\nworld foo bar\nmore\n";
    scratch.write("crash", input);
    let command = command("test $((n % 3)) != 0");
    let mut arguments =
        vec!["crash", "--strategy", "ddmin", "--format", "lines", "-j", "1", "--json"];
    arguments.extend(command.iter().map(String::as_str));
    let ended = scratch.run(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("crash.min"), "world foo bar\n");
    assert!(
        ended.stderr.contains("the failure is unsteady: it showed in 20 of 30 runs"),
        "{}",
        ended.stderr
    );
    // The new processes run side by side and count as they like.
    assert!(ended.stdout.contains(r#","runs":30}"#), "{}", ended.stdout);
    assert!(ended.stderr.contains(" of 30 new processes"), "{}", ended.stderr);
}

#[test]
fn a_failure_that_hardly_shows_is_too_unsteady() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo bar");
    let command = command("test $((n % 20)) = 4");
    let mut arguments = vec!["crash", "-j", "1"];
    arguments.extend(command.iter().map(String::as_str));
    let ended = scratch.run(&arguments);
    assert_eq!(ended.code, Some(4));
    let words = "crash fails too rarely to be sure of anything: in 2 of 30 runs";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["count", "crash"]);
}

#[test]
fn a_failure_that_goes_away_for_good_is_not_called_a_result() {
    let scratch = Scratch::new();
    let input = "foo bar";
    scratch.write("crash", input);
    let command = command("test $n -le 5");
    let mut arguments = vec!["crash", "-j", "1", "--polish", "0"];
    arguments.extend(command.iter().map(String::as_str));
    let ended = scratch.run(&arguments);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("not even the input fails often enough"), "{}", ended.stderr);
    assert_eq!(scratch.read("crash.min"), input);
}

#[test]
fn repeat_overrules_what_was_measured() {
    let scratch = Scratch::new();
    let input = "a foo b";
    scratch.write("crash", input);
    let command = command("test $((n % 3)) = 0");
    // Which run of a candidate is a third one follows from all runs before.
    let mut arguments =
        vec!["crash", "-j", "1", "--strategy", "ddmin", "--repeat", "3", "--allow-trivial"];
    arguments.extend(command.iter().map(String::as_str));
    let ended = scratch.run(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("crash.min"), "foo");
}
