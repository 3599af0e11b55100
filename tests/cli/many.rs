//! Many inputs at once: one result for each failure, and nothing lost.

use std::fs;

use crate::json::lines;
use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

fn run(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let mut all = vec!["--polish", "0", "--binary", planted().to_str().unwrap()];
    all.extend(arguments);
    scratch.run(&all)
}

/// Two failures of three and one files, one copy, and one that doesn't fail.
fn corpus(scratch: &Scratch) {
    scratch.write("d/1", "some words and foo! here");
    scratch.write("d/2", "and foo! there");
    scratch.write("d/copy-of-2", "and foo! there");
    scratch.write("d/sub/3", "b is the first letter");
    scratch.write("d/sub/4", "fine");
}

#[test]
fn the_smallest_input_of_each_failure_is_minimized() {
    let scratch = Scratch::new();
    corpus(&scratch);
    let ended = run(&scratch, &["d", "-o", "out"]);
    // One doesn't fail.
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let (foo, b) = ("out/2.min", "out/3.min");
    assert_eq!(ended.stdout, format!("{foo}\n{b}\n"));
    assert_eq!((scratch.read(foo), scratch.read(b)), ("foo!".into(), "b".into()));
    let headline = "tmin: 5 inputs: 4 fail in 2 ways, 1 doesn't fail\n";
    assert!(ended.stderr.contains(headline), "{}", ended.stderr);
    let rows: Vec<&str> = ended.stderr.split(headline).nth(1).unwrap().lines().collect();
    assert!(rows[0].starts_with("  files  bytes  result  failure"), "{rows:?}");
    assert!(rows[1].starts_with("      3     14       4  panic at "), "{rows:?}");
    assert!(rows[2].starts_with("      1     21       1  panic at "), "{rows:?}");
    assert_eq!(rows.len(), 3);
    assert_eq!(scratch.read("d/1"), "some words and foo! here", "originals are only read");
    assert_eq!(scratch.names(), ["d", "out"]);
}

#[test]
fn all_minimizes_each_and_results_lie_beside_the_inputs_without_a_folder() {
    let scratch = Scratch::new();
    corpus(&scratch);
    fs::remove_file(scratch.path().join("d/sub/4")).unwrap();
    let ended = run(&scratch, &["d", "--all", "--json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let finished = |name: &str| {
        told.iter().filter(|line| line["event"] == "finished" && line["input"] == name).count()
    };
    assert_eq!(["d/1", "d/2", "d/copy-of-2", "d/sub/3"].map(finished), [1, 1, 0, 1]);
    let groups: Vec<_> = told.iter().filter(|line| line["event"] == "group").collect();
    let outputs = groups[0]["outputs"].as_array().unwrap();
    assert_eq!((groups.len(), outputs.len()), (2, 2));
    let summary = told.last().unwrap();
    assert_eq!((&summary["event"], &summary["failing"]), (&"summary".into(), &4.into()));
    assert_eq!(scratch.read("d/1.min"), "foo!");
    // A second run: our own files are no inputs, and the earlier results are continued.
    let again = run(&scratch, &["d", "--all", "--json"]);
    assert_eq!(lines(&again.stdout).last(), told.last());
}

#[test]
fn an_output_within_the_input_is_no_input() {
    let scratch = Scratch::new();
    corpus(&scratch);
    scratch.write("d/out/other", "foo! that lies in the output folder");
    let ended = run(&scratch, &["d", "-o", "d/out"]);
    assert!(ended.stderr.contains("5 inputs: 4 fail in 2 ways"), "{}", ended.stderr);
}

#[test]
fn a_budget_for_all_ends_with_what_was_found() {
    let scratch = Scratch::new();
    corpus(&scratch);
    let ended = run(&scratch, &["d", "-o", "out", "--max-total-time", "1ms"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("no time is left for d/2\n"), "{}", ended.stderr);
    let ended = run(&scratch, &["d", "-o", "out", "--max-tests", "2"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let found = scratch.read("out/2.min");
    assert!(found.contains("foo!"), "{found}");
}

#[test]
fn trouble_with_one_input_ends_nothing_else() {
    let scratch = Scratch::new();
    scratch.write("d/1", "xyz and foo! here");
    scratch.write("d/2", "b here");
    // There is a folder in the place of the first result.
    scratch.write("out/1.min/file", "x");
    let ended = run(&scratch, &["d/1", "d/2", "-o", "out"]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert!(ended.stderr.contains("tmin: passed over: d/1: failed to write"), "{}", ended.stderr);
    assert_eq!(scratch.read("out/2.min"), "b");
    scratch.write("file", "");
    let ended = run(&scratch, &["d", "-o", "file"]);
    let line = "tmin: error: file is a file; with several inputs -o names a folder\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), line));
}
