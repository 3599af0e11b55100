//! `seedsmith reducers`, and `tmin --only` and `--without`, which take the names that it lists.

use crate::json::lines;
use crate::scratch::Scratch;

/// Fails where it has `foo`.
const INPUT: &str = "let one = 1;\nlet foo = two;\nlet three = (3, 4);\n";

fn names(scratch: &Scratch) -> Vec<String> {
    let told = lines(&scratch.seedsmith(&["reducers", "--json"]).stdout);
    told.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_reducer_is_listed_with_what_it_needs_and_its_source() {
    let scratch = Scratch::new();
    let ended = scratch.seedsmith(&["reducers"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let names = names(&scratch);
    assert_eq!(ended.stdout.lines().count(), names.len() + 1);
    let row = |name: &str| {
        let is_row = |line: &&str| line.split_whitespace().next() == Some(name);
        ended.stdout.lines().find(is_row).unwrap_or_else(|| panic!("no row of {name}"))
    };
    assert!(row("hdd*").contains("tree") && row("hdd*").contains("Misherghi 2007"));
    assert!(row("bytes").contains("linear") && row("bytes").contains(" auto "));
    assert!(row("dd").contains("--isolate"));
    for name in ["ddmin", "perses", "exhaust", "simplify", "nesting", "white-space"] {
        assert!(names.iter().any(|other| other == name), "{name} in {names:?}");
    }
}

#[test]
fn only_the_named_reducers_run_and_the_statistics_name_them() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let ended = scratch.run_foo(&["crash", "--only", "lines,tokens", "--stats", "-o", "out"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("out"), "foo");
    let table = ended.stderr.split_once("\n  reducer ").expect("there is a table").1;
    let mut rows = table.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    assert!(table.contains("\n  lines ") && table.contains("\n  tokens "), "{table}");
    assert!(!rows.any(|name| ["bytes", "ends", "brackets"].contains(&name)), "{table}");
}

#[test]
fn a_result_without_the_reducer_of_bytes_is_not_claimed_to_be_1_minimal() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let minimality = |more: &[&str]| {
        let all =
            [&["crash", "--json", "--fresh", "--polish", "0", "--format", "bytes"], more].concat();
        let told = lines(&scratch.run_foo(&all).stdout);
        let finished = told.iter().find(|line| line["event"] == "finished").unwrap();
        finished["minimality"].as_str().unwrap().to_owned()
    };
    assert_eq!(minimality(&[]), "1-minimal");
    assert_eq!(minimality(&["--without", "bytes"]), "none");
    assert_eq!(minimality(&["--without", "simplify", "--without", "ends"]), "1-minimal");
}

#[test]
fn a_reducer_that_the_default_strategy_does_not_use_runs_if_it_is_named() {
    let scratch = Scratch::new();
    scratch.write("crash", "[1, [2, \"foo\"], {\"k\": [3]}]\n");
    let arguments =
        ["crash", "--only", "hdd*,white-space", "--grammar", "json", "--stats", "-o", "out"];
    let ended = scratch.run_foo(&arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("\n  hdd* "), "{}", ended.stderr);
    assert_eq!(scratch.read("out"), "[0,[0,\"foo\"]]");
}

#[test]
fn a_name_that_no_reducer_has_is_an_error_that_names_the_nearest() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    for option in ["--only", "--without"] {
        let ended = scratch.run_foo(&["crash", option, "lines,simplfy"]);
        assert_eq!(ended.code, Some(2));
        let wanted = "there is no reducer \"simplfy\"; did you mean simplify?";
        assert!(ended.stderr.contains(wanted), "{}", ended.stderr);
    }
}

#[test]
fn a_run_with_other_reducers_does_not_continue_an_earlier_one() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    assert_eq!(scratch.run_foo(&["crash", "--max-tests", "3"]).code, Some(3));
    let ended = scratch.run_foo(&["crash", "--resume", "--without", "ends"]);
    assert!(ended.stderr.contains("without was none, now ends"), "{}", ended.stderr);
}
