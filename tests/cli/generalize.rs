//! `generalize`: patterns, produced inputs and exports, with commands as targets.

use std::process::Command;

use crate::json::lines;
use crate::scratch::{Ended, Scratch};

/// The failure shows where a list has a `0` in it, and nothing else matters.
const HAS_ZERO: [&str; 5] = ["sh", "-c", "grep -q ',0,' \"$1\"", "sh", "{}"];

const LIST: &str = "grammar List; list: '[' N ',' N ',' N ']' EOF; N: [0-9]+;";

fn generalize(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let mut all = vec!["generalize"];
    all.extend(arguments);
    all.push("--");
    all.extend(HAS_ZERO);
    scratch.seedsmith(&all)
}

fn list(scratch: &Scratch) {
    scratch.write("List.g4", LIST);
    scratch.write("crash", "[7,0,9]");
}

/// Few draws: every test starts a shell.
const QUICK: [&str; 6] = ["--grammar", "List.g4", "--rate", "0.8", "--confidence", "0.8"];

#[test]
fn the_pattern_is_data_and_the_rest_is_told() {
    let scratch = Scratch::new();
    list(&scratch);
    let ended = generalize(&scratch, &[&["crash", "--no-reduce"], &QUICK[..]].concat());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "[<N>,0,<N>]\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("grammar     List.g4\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("at least 80 % of its valid inputs fail"), "{}", ended.stderr);
    let ended = generalize(&scratch, &["crash", "--no-reduce", "--checks", "5", "-g", "List.g4"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "[<N>,0,<N>]\n"));
}

#[test]
fn a_pattern_is_written_loaded_and_refused_for_another_grammar() {
    let scratch = Scratch::new();
    list(&scratch);
    let arguments = ["crash", "--no-reduce", "--pattern", "p.json", "--produce", "5", "-o", "more"];
    let ended = generalize(&scratch, &[&arguments[..], &QUICK[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let count = |name: &str| std::fs::read_dir(scratch.path().join(name)).unwrap().count();
    assert_eq!(count("more"), 5);
    let again = ["generalize", "--pattern", "p.json", "--produce", "5", "-o", "again"];
    let ended = scratch.seedsmith(&again);
    assert_eq!((ended.code, count("again")), (Some(0), 5), "{}", ended.stderr);
    let ended = generalize(&scratch, &["--verify", "more"]);
    assert_eq!(ended.code, Some(1));
    scratch.write("List.g4", LIST.replace("[0-9]", "[0-8]"));
    let ended = scratch.seedsmith(&again);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("another version of grammar List.g4"), "{}", ended.stderr);
}

#[test]
fn exports_hold_the_pattern_and_the_test_runs_and_fails() {
    let scratch = Scratch::new();
    list(&scratch);
    let arguments =
        ["crash", "--no-reduce", "--dict", "d", "--html", "page.html", "--emit-test", "t/t.sh"];
    let ended = generalize(&scratch, &[&arguments[..], &QUICK[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let dictionary = scratch.read("d");
    assert!(dictionary.contains("\n\",0,\"\n"), "{dictionary}");
    let page = scratch.read("page.html");
    assert!(page.contains("<span class=\"any\">&lt;N&gt;</span>"), "{page}");
    assert!(!page.contains("://"), "nothing is fetched: {page}");
    let run = Command::new(scratch.path().join("t/t.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!((run.status.code(), said.lines().count()), (Some(1), 3), "{said}");
}

#[test]
fn a_generalization_is_told_as_json() {
    let scratch = Scratch::new();
    list(&scratch);
    let ended = generalize(&scratch, &[&["crash", "--no-reduce", "--json"], &QUICK[..]].concat());
    let told = lines(&ended.stdout);
    let last = told.last().unwrap();
    assert_eq!(last["event"], "generalized");
    assert_eq!((&last["pattern"], &last["claim"]["kind"]), (&"[<N>,0,<N>]".into(), &"rate".into()));
}

#[test]
fn bad_input_is_told_in_one_line_with_its_code() {
    let scratch = Scratch::new();
    list(&scratch);
    scratch.write("fine", "[1,2,3]");
    scratch.write("endless.g4", "grammar E; e: '(' e ')';");
    for (arguments, code, says) in [
        (&["fine", "-g", "List.g4"][..], 1, "doesn't fail"),
        (&["crash", "-g", "nothing"], 2, "no grammar nothing; there are"),
        (&["crash", "-g", "endless.g4"], 2, "has no finite derivation"),
        (&["crash", "-o", "d"], 2, "say --produce N too"),
        (&["--pattern", "p.json"], 2, "needs --produce N and -o DIR"),
    ] {
        let ended = generalize(&scratch, arguments);
        assert_eq!(ended.code, Some(code), "{arguments:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(says), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn where_no_grammar_fits_bytes_are_put_into_classes() {
    let scratch = Scratch::new();
    list(&scratch);
    scratch.write("odd", ",0,x");
    let ended = generalize(&scratch, &[&["odd", "--no-reduce"], &QUICK[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("doesn't fit grammar List from byte"), "{}", ended.stderr);
    assert!(ended.stdout.starts_with(",0,<any"), "{}", ended.stdout);
}

#[test]
fn a_budget_that_ends_still_gives_the_pattern_so_far() {
    let scratch = Scratch::new();
    list(&scratch);
    let arguments = ["crash", "--max-tests", "4", "--pattern", "p.json"];
    let ended = generalize(&scratch, &[&arguments[..], &QUICK[..]].concat());
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("stopped     early, by --max-tests"), "{}", ended.stderr);
    assert!(ended.stderr.contains("claim       none"), "{}", ended.stderr);
    assert!(scratch.path().join("p.json").is_file());
}

#[test]
fn bytes_is_no_grammar_in_every_command() {
    let scratch = Scratch::new();
    list(&scratch);
    // The first tests show what the pattern is made of, and all of them take half a minute of shells.
    let first = ["crash", "--no-reduce", "-g", "bytes", "--max-tests", "100"];
    let ended = generalize(&scratch, &[&first, &QUICK[2..]].concat());
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("no grammar: bytes are put into classes"), "{}", ended.stderr);
    let mut minimize = vec!["tmin", "crash", "--strategy", "perses", "-g", "bytes", "--"];
    minimize.extend(HAS_ZERO);
    let ended = scratch.seedsmith(&minimize);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("perses needs a grammar, and none was named or fits the input"),
        "{}",
        ended.stderr
    );
}
