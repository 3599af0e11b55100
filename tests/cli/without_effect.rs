//! Options that would have no effect beside others are refused, each with one line.

use crate::scratch::{Ended, Scratch};

/// One line, exit code 2, and nothing written.
fn refused(scratch: &Scratch, ended: &Ended, line: &str) {
    let refused = (ended.stderr.as_str(), ended.code, ended.stdout.as_str());
    assert_eq!(refused, (line, Some(2), ""));
    assert_eq!(scratch.names(), ["crash", "islands.json", "texts.json"]);
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("crash", "[1, \"foo\"]");
    scratch.write("texts.json", "{}");
    scratch.write("islands.json", r#"{"grammars": {"": {"files": []}}}"#);
    scratch
}

#[test]
fn tmin_refuses_options_of_strategy_and_structure_that_would_have_no_effect() {
    let scratch = scratch();
    let ddmin = "with --strategy ddmin, which looks at the units of --format";
    let bytes = "with --grammar bytes, which is no grammar";
    let isolate = "with --isolate, which looks at the units of --format";
    for (arguments, option, reason) in [
        (
            "--strategy hdd* --picireny white-space",
            "--picireny",
            "with --strategy hdd*; say --strategy picireny",
        ),
        ("--picireny hoist", "--picireny", "with --strategy auto; say --strategy picireny"),
        (
            "--strategy picireny --picireny white-space,hidden-tokens",
            "--picireny white-space",
            "with hidden-tokens, which leaves white space to the nodes that it is",
        ),
        ("--strategy ddmin --grammar json", "--grammar", ddmin),
        ("--strategy ddmin --tree-sitter x.so:f", "--tree-sitter", ddmin),
        ("--strategy ddmin --max-parse-time 1s", "--max-parse-time", ddmin),
        ("--strategy ddmin --islands islands.json", "--islands", ddmin),
        ("--grammar bytes --start value", "--start", bytes),
        ("--grammar bytes --max-parse-time 1s", "--max-parse-time", bytes),
        ("--grammar bytes --islands islands.json", "--islands", bytes),
        ("--grammar bytes --replacements texts.json", "--replacements", bytes),
        ("--grammar bytes --strategy picireny --picireny hoist", "--picireny", bytes),
        ("--strategy perses --polish 9", "--polish", "with --strategy perses; only auto polishes"),
        (
            "--format lines --polish 9",
            "--polish",
            "with --format lines, of which only whole ones go",
        ),
        ("--strategy hdd --only lines", "--only", "with --strategy hdd, which is one reducer"),
        (
            "--strategy ddmin --without lines",
            "--without",
            "with --strategy ddmin, which is one reducer",
        ),
        ("--isolate --only lines", "--only", isolate),
        ("--isolate --strategy hdd", "--strategy", isolate),
        ("--isolate --polish 9", "--polish", isolate),
        ("--isolate --grammar json", "--grammar", isolate),
        ("--isolate --islands islands.json", "--islands", isolate),
        ("--isolate --picireny hoist", "--picireny", isolate),
    ] {
        let all: Vec<&str> = std::iter::once("crash").chain(arguments.split(' ')).collect();
        let line = format!("tmin: error: {option} has no effect {reason}\n");
        refused(&scratch, &scratch.run_foo(&all), &line);
    }
    let line = "tmin: error: --islands has no effect without a grammar for INPUT: its file names \
                none; say --grammar\n";
    refused(&scratch, &scratch.run_foo(&["crash", "--islands", "islands.json"]), line);
}

#[test]
fn repair_refuses_options_of_strategy_and_structure_that_would_have_no_effect() {
    let scratch = scratch();
    for (arguments, option, reason) in [
        ("--max-parse-time 1s", "--max-parse-time", "without --grammar; nothing else is parsed"),
        ("--grammar bytes --start value", "--start", "with --grammar bytes, which is no grammar"),
        (
            "--strategy ddmax --grammar json",
            "--grammar",
            "with --strategy ddmax, which looks at bytes",
        ),
        (
            "--strategy hybrid --only-delete",
            "--only-delete",
            "with --strategy hybrid, which adds nothing anyway",
        ),
        (
            "--base crash --only-delete",
            "--only-delete",
            "with --base, which adds parts of one input to a valid one",
        ),
        (
            "--parent crash --strategy hybrid",
            "--strategy hybrid",
            "with --parent, which adds parts of one input to a valid one",
        ),
    ] {
        let all: Vec<&str> = std::iter::once("crash").chain(arguments.split(' ')).collect();
        let line = format!("repair: error: {option} has no effect {reason}\n");
        refused(&scratch, &scratch.repair(&all), &line);
    }
}

#[test]
fn generalize_refuses_options_of_search_and_structure_that_would_have_no_effect() {
    let scratch = scratch();
    for (arguments, option, reason) in [
        ("--verify . --grammar json", "--grammar", "with --verify, which only runs inputs"),
        ("--verify . --explain", "--explain", "with --verify, which only runs inputs"),
        (
            "--pattern texts.json --produce 3 -o . --no-reduce",
            "--no-reduce",
            "without an INPUT, of which a pattern is searched",
        ),
        (
            "crash --checks 5 --rate 0.5",
            "--rate",
            "with --checks, which counts instead of estimating",
        ),
        (
            "crash --grammar bytes --start value",
            "--start",
            "with --grammar bytes, which is no grammar",
        ),
    ] {
        let all: Vec<&str> = std::iter::once("generalize").chain(arguments.split(' ')).collect();
        let line = format!("generalize: error: {option} has no effect {reason}\n");
        refused(&scratch, &scratch.seedsmith(&all), &line);
    }
}

#[test]
fn options_that_have_an_effect_beside_others_are_taken() {
    let scratch = scratch();
    for arguments in [
        "--strategy hdd --polish 0 --grammar json",
        "--strategy ddmin --grammar bytes",
        "--strategy picireny --picireny white-space,hoist --grammar json",
        "--format lines --grammar json --replacements texts.json",
    ] {
        let all: Vec<&str> =
            ["crash", "--force", "-o", "out"].into_iter().chain(arguments.split(' ')).collect();
        let ended = scratch.run_foo(&all);
        assert_eq!(ended.code, Some(0), "{arguments}: {}", ended.stderr);
    }
}
