//! `repair` on files and folders.

use crate::json::lines;
use crate::scratch::Scratch;

#[test]
fn one_file_is_repaired_to_stdout_and_stays_as_it_is() {
    let scratch = Scratch::new();
    scratch.write("in", "(a (b) c");
    let ended = scratch.repair(&["in"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "(a (b) c)"), "{}", ended.stderr);
    assert_eq!(scratch.read("in"), "(a (b) c");
    assert_eq!(scratch.names(), ["in"]);
}

#[test]
fn a_diagnosis_tells_line_and_column() {
    let scratch = Scratch::new();
    scratch.write("in", "(a)\n(b)! c");
    let ended = scratch.repair(&["in", "--diagnose"]);
    assert_eq!(ended.stdout, "in:2:4: drop `!`\n    (b)! c\n       ^\n");
}

#[test]
fn a_folder_goes_to_a_folder_by_content_each_text_once() {
    let scratch = Scratch::new();
    for (name, text) in [("in/a", "(x)"), ("in/b", "(x)!"), ("in/c", "(x"), ("in/copy", "(x")] {
        scratch.write(name, text);
    }
    let ended = scratch.repair(&["in", "-o", "out", "--json", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let rows: Vec<_> = told
        .iter()
        .filter(|line| line["event"] == "repaired")
        .map(|line| (line["input"].as_str().unwrap(), line["status"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [("in/a", "valid"), ("in/b", "repaired"), ("in/c", "repaired")]);
    // `(x` became something else: which of two as close is the repairer's choice.
    assert!(told.last().unwrap()["written"].as_u64().unwrap() <= 2);
    assert_eq!(scratch.read("out/c3fa8de1b4dd8009e844da450f57396e5053478b"), "(x)");
    assert!(scratch.read("page.html").contains("<del>!</del>"));
    assert_eq!(scratch.read("in/b"), "(x)!");
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_way_out() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(x");
    scratch.write("there", "mine");
    let ended = scratch.repair(&["in"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("-o DIR"), "{}", ended.stderr);
    let ended = scratch.repair(&["in", "-o", "in"]);
    assert_eq!((ended.code, scratch.read("in/a").as_str()), (Some(2), "(x"), "{}", ended.stderr);
    let ended = scratch.repair(&["in/a", "-o", "there"]);
    assert_eq!((ended.code, scratch.read("there").as_str()), (Some(6), "mine"));
    let ended = scratch.repair(&["in/a", "--json"]);
    assert_eq!(ended.code, Some(2));
    let ended = scratch.repair(&["gone"]);
    assert_eq!(ended.code, Some(2));
}

/// A validator that refuses what has an `x`, and of all else every other run.
const FICKLE: &str =
    "if grep -q x {}; then exit 1; fi; echo >> runs; exit $(($(wc -l < runs) % 2))";

#[test]
fn a_validator_that_changes_its_mind_is_found_out_and_nothing_is_written() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(a)");
    let ended = scratch.seedsmith(&["repair", "in", "-o", "out", "-j1", "--validator", FICKLE]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("both valid and invalid of in/a"), "{}", ended.stderr);
    assert!(std::fs::read_dir(scratch.path().join("out")).unwrap().next().is_none());

    // Of this one it says the same each time, but not of what could become of it.
    scratch.write("in/a", "(x)");
    let ended = scratch.seedsmith(&["repair", "in", "-o", "out", "-j1", "--validator", FICKLE]);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("doesn't say the same each time"), "{}", ended.stderr);
    assert!(std::fs::read_dir(scratch.path().join("out")).unwrap().next().is_none());
    assert_eq!(scratch.read("in/a"), "(x)");
}
