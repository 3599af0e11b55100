//! `seedsmith run`: one input, its outcome, and nothing else.

use crate::json::lines;
use crate::scratch::{HAS_FOO, Scratch};

fn run(scratch: &Scratch, options: &[&str]) -> crate::scratch::Ended {
    let arguments = [&["run", "in.txt"], options, &["--"], &HAS_FOO].concat();
    scratch.plain_seedsmith(&arguments)
}

#[test]
fn an_input_that_fails_is_told_with_its_failure_and_ends_with_1() {
    let scratch = Scratch::new();
    scratch.write("in.txt", "a foo\n");
    let ended = run(&scratch, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""));
    let first = "in.txt (6 bytes) fails on sh in 5 of 5 runs, ";
    assert!(ended.stdout.starts_with(first), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n  input       \"a foo\\n\"\n"), "{}", ended.stdout);
    assert_eq!(scratch.names(), ["in.txt"]);
}

#[test]
fn an_input_that_passes_is_told_and_ends_with_0() {
    let scratch = Scratch::new();
    scratch.write("in.txt", "a bar\n");
    let ended = run(&scratch, &[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let first = "in.txt (6 bytes) doesn't fail on sh: run 5 times, ";
    assert!(ended.stdout.starts_with(first), "{}", ended.stdout);
}

#[test]
fn a_program_gets_one_line_of_json() {
    let scratch = Scratch::new();
    scratch.write("in.txt", "a foo\n");
    let ended = run(&scratch, &["--json"]);
    let [told] = &lines(&ended.stdout)[..] else { panic!("{}", ended.stdout) };
    assert_eq!(
        (&told["event"], &told["fails"], &told["shown"]),
        (&"ran".into(), &true.into(), &5.into())
    );
    assert_eq!(ended.code, Some(1));
}
