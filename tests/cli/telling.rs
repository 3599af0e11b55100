//! The messages of a run for people.

use crate::scratch::{HAS_FOO, Scratch};

const INPUT: &str = "hello\nworld foo bar\nmore\n";

#[test]
fn the_end_tells_sizes_failure_input_and_how_to_reproduce_it() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let result = "crash.min";
    let ended = scratch.run_foo(&["crash", "--polish", "0"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), format!("{result}\n").as_str()));
    assert_eq!(
        ended.masked(),
        format!(
            "tmin: 25 → 3 bytes in #: # tests, # executions, # cache hits\n\
             \x20 failure     command\n\
             \x20 input       \"foo\"\n\
             \x20 minimal     no single byte can be removed (1-minimal)\n\
             \x20 written to  {result}\n\
             \x20 reproduce   sh -c 'grep -q foo \"$1\"' sh {result}\n"
        )
    );
    assert_eq!(scratch.read(result), "foo");
    assert_eq!(scratch.names(), [".seedsmith", "crash", result]);
}

#[test]
fn quiet_says_nothing_and_still_hands_over_the_path() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let ended = scratch.run_foo(&["crash", "-q"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(ended.stdout, "crash.min\n");
}

#[test]
fn no_progress_is_drawn_where_nobody_looks() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let ended = scratch.run_foo(&["crash", "-v", "--stats"]);
    assert!(!ended.stderr.contains(['\x1b', '\r']), "{}", ended.stderr);
    assert!(ended.stderr.contains("tmin: hunting command\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("\n  reducer "), "{}", ended.stderr);
}

#[test]
fn options_come_from_the_environment_too() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let mut command = scratch.tmin();
    command.args(["crash", "--"]).args(HAS_FOO);
    command.env("SEEDSMITH_MAX_TESTS", "1").env("SEEDSMITH_QUIET", "1");
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(3), &b""[..]));
}
