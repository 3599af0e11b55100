//! Other failures met during a search: kept, reported, never followed.

use std::fs;

use crate::json::lines;
use crate::planted::planted;
use crate::scratch::Scratch;

/// Lines that begin with `b` or have an `x`, and one with the bug that is hunted; six tokens of 13
/// bytes at the end, spaces too.
fn input() -> String {
    let mut text = String::from("first line\n");
    for line in 0..20 {
        text += &format!("b{line} and {}\n", ["y", "x"][line % 2]);
    }
    text + "then foo! with the end\n"
}

#[test]
fn other_failures_are_kept_one_file_each_and_told_at_the_end() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    let binary = planted().to_str().unwrap();
    let ended = scratch.run(&["crash", "--binary", binary, "--json", "-j", "1", "--polish", "0"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let result = "crash.min";
    assert_eq!(scratch.read(result), "foo!");
    let caught = told.last().unwrap()["other_failures"].as_array().unwrap().clone();
    let mut messages: Vec<&str> =
        caught.iter().map(|one| one["signature"]["message"].as_str().unwrap_or("abort")).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["abort", "begins with b", "has an x"]);
    for one in &caught {
        let path = one["path"].as_str().unwrap();
        assert!(path.starts_with(&format!("{result}.other-failures/")), "{path}");
        let bytes = fs::read(scratch.path().join(path)).unwrap();
        assert_eq!(bytes.len() as u64, one["bytes"].as_u64().unwrap());
        let shows = match one["signature"]["message"].as_str() {
            Some("begins with b") => bytes[0] == b'b',
            Some("has an x") => bytes[0] != b'b' && bytes.contains(&b'x'),
            _ => bytes.len() == 13,
        };
        assert!(shows && !bytes.windows(4).any(|window| window == b"foo!"), "{bytes:?}");
    }
    let files =
        fs::read_dir(scratch.path().join(format!("{result}.other-failures"))).unwrap().count();
    assert_eq!(files, 3);

    // The same for any number of workers, and reported to people with the files' names.
    scratch.write("again/crash", input());
    let ended = scratch.run(&["again/crash", "--binary", binary, "-j", "2", "--polish", "0"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for one in &caught {
        let path = one["path"].as_str().unwrap();
        assert!(ended.stderr.contains(path), "{path} is not in {}", ended.stderr);
        assert_eq!(scratch.read(path), scratch.read(&format!("again/{path}")));
    }
}

#[test]
fn other_failures_that_cannot_be_written_are_reported_and_ends_nothing() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    let result = "crash.min";
    scratch.write(&format!("{result}.other-failures"), "a file is in the way");
    let ended = scratch.run(&["crash", "--binary", planted().to_str().unwrap(), "--polish", "0"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("the other failures could not be written: "), "{}", ended.stderr);
    assert_eq!(scratch.read(result), "foo!");
    assert_eq!(scratch.read(&format!("{result}.other-failures")), "a file is in the way");
}
