//! `--isolate`: the smallest difference, on stdout.

use crate::scratch::Scratch;

#[test]
fn the_difference_from_a_passing_input_is_what_matters() {
    let scratch = Scratch::new();
    scratch.write("crash", "one\ntwo foo\nthree\nfour\n");
    scratch.write("fine", "one\ntwo fog\nfour\nfive\n");
    let ended = scratch.run_foo(&["crash", "--isolate", "--passing", "fine"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "10\t-\"g\"\n"));
    assert!(ended.masked().starts_with("tmin: a difference of 1 byte in #: "), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["crash", "fine"]);
}

#[test]
fn the_difference_from_the_empty_input_is_a_single_byte() {
    let scratch = Scratch::new();
    scratch.write("crash", "a foo b");
    let ended = scratch.run_foo(&["crash", "--isolate", "--format", "bytes"]);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    // An empty file is the empty input.
    scratch.write("empty", "");
    let options = ["crash", "--isolate", "--format", "bytes", "--passing", "empty"];
    let from_file = scratch.run_foo(&options);
    assert_eq!((from_file.code, from_file.stdout), (Some(0), ended.stdout));
}

#[test]
fn an_isolation_that_is_stopped_tells_what_it_found_until_then() {
    let scratch = Scratch::new();
    scratch.write("crash", format!("{}foo", "line\n".repeat(100)));
    let ended = scratch.run_foo(&["crash", "--isolate", "--format", "bytes", "--max-tests", "4"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let difference = ended.stdout.trim();
    assert!(difference.contains("foo") && difference.len() < 400, "{difference}");
    assert!(ended.stderr.contains("early, by --max-tests"), "{}", ended.stderr);
}

#[test]
fn what_is_said_to_pass_has_to_pass() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    scratch.write("other", "more foo");
    let ended = scratch.run_foo(&["crash", "--isolate", "--passing", "other"]);
    assert_eq!(
        (ended.stderr.as_str(), ended.code),
        ("tmin: error: other doesn't pass; name an input that does with --passing\n", Some(2))
    );
}
