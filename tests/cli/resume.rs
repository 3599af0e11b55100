//! Runs that were stopped or killed, and continued: the same result, and no test twice.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::json::lines;
use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

/// So large that the run lasts until it is killed, and with every kind of failure on the way.
fn input() -> String {
    let mut text = String::from("first line\n");
    for line in 0..400 {
        text += &format!("b{line}: {} and more words ({})\n", ["y", "x"][line % 2], line * 7);
    }
    text + "then foo! and the end\n"
}

fn run(scratch: &Scratch, output: &str, more: &[&str]) -> (Ended, Vec<Value>) {
    let mut arguments = vec!["crash", "-o", output, "--json", "--polish", "300", "--binary"];
    arguments.push(planted().to_str().unwrap());
    arguments.extend(more);
    let ended = scratch.run(&arguments);
    let told = lines(&ended.stdout);
    (ended, told)
}

fn number(told: &[Value], name: &str) -> u64 {
    told.last().unwrap()[name].as_u64().unwrap()
}

#[test]
fn a_run_that_a_budget_stopped_is_resumed_to_the_same_result_and_repeats_no_test() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    let (ended, whole) = run(&scratch, "whole", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let tests = number(&whole, "tests");
    assert!(tests > 100, "{tests} tests");
    assert_eq!(number(&whole, "recalled"), 0);

    let part = (tests / 2).to_string();
    let (ended, _) = run(&scratch, "part", &["--max-tests", &part]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("with --resume it repeats no test"), "{}", ended.stderr);
    let (ended, told) = run(&scratch, "part", &["--resume"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let line = format!("resuming: {part} tests are known already");
    assert!(ended.stderr.contains(&line), "{}", ended.stderr);
    assert_eq!(scratch.read("part"), scratch.read("whole"));
    assert_eq!(number(&told, "recalled"), tests / 2);
    for name in ["tests", "cache_hits", "output_bytes"] {
        assert_eq!(number(&told, name), number(&whole, name), "{name}");
    }
    let both = number(&told, "executions") + number(&told, "recalled");
    // One test of the earlier result, and the tests that ran ahead of the order.
    assert!(both <= number(&whole, "executions") + 40, "{both}");

    // A finished run can't be resumed, and the journal says how it ended.
    assert!(!scratch.path().join(".seedsmith/part.observations").exists());
    let journal = scratch.read(".seedsmith/part.journal.jsonl");
    let last: Value = serde_json::from_str(journal.lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["stopped"]), (&"finished".into(), &Value::Null));
}

#[test]
fn killed_runs_leave_a_failing_result_or_none_and_are_resumed_to_the_same_bytes() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    // With one worker nothing runs ahead, so that executions are the same on a busy machine.
    let (_, whole) = run(&scratch, "whole", &["-j", "1"]);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..6 {
        let output = format!("killed-{round}");
        // Killed several times over, at moments that are somewhere in the run.
        for resume in [false, true, true] {
            let mut command = scratch.tmin();
            command.args(["crash", "--polish", "300", "--json", "--binary"]).arg(planted());
            command.args(["-o", &output]).args(resume.then_some("--resume"));
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            std::thread::sleep(Duration::from_micros(2_000 + (state >> 33) % 120_000));
            child.kill().unwrap();
            child.wait().unwrap();
            if let Ok(best) = std::fs::read(scratch.path().join(&output)) {
                assert!(best.windows(4).any(|window| window == b"foo!"), "{best:?}");
            }
        }
        // There is nothing to resume if the first kill came before there was a journal.
        let journal = format!(".seedsmith/{output}.journal.jsonl");
        let resume = scratch.path().join(&journal).exists().then_some("--resume");
        let more: Vec<&str> = resume.into_iter().chain(["-j", "1"]).collect();
        let (ended, told) = run(&scratch, &output, &more);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(scratch.read(&output), scratch.read("whole"));
        let journal = scratch.read(&journal);
        let begun: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        // A run that was through before the kill is not resumed: a new one starts from its result.
        if begun["start"] == Value::Null {
            assert_eq!(number(&told, "tests"), number(&whole, "tests"));
            let executed = number(&told, "executions") + number(&told, "recalled");
            assert!(executed <= number(&whole, "executions") + 40, "{executed}");
        }
        for entry in std::fs::read_dir(scratch.path().join("whole.other-failures")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let caught = scratch.read(&format!("{output}.other-failures/{name}"));
            assert_eq!(caught, scratch.read(&format!("whole.other-failures/{name}")));
        }
    }
}

#[test]
fn a_run_that_can_not_be_resumed_is_told_so_and_ends_as_any_other() {
    let scratch = Scratch::new();
    scratch.write("crash", "some foo here");
    let link = |to: &str, name: &str| {
        let path = scratch.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    };
    // A file in the folder's place, and links, which might lead anywhere and are not followed.
    scratch.write("file/.seedsmith", "");
    scratch.write("elsewhere/other", "");
    link("../elsewhere", "link/.seedsmith");
    scratch.write("victim", "precious");
    link("../../victim", "store/.seedsmith/crash.min.observations");
    link("../../victim", "journal/.seedsmith/crash.min.journal.jsonl");
    for folder in ["file", "link", "store", "journal"] {
        let output = format!("{folder}/crash.min");
        let ended = scratch.run_foo(&["-o", folder, "crash"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let is_told = ended.stderr.contains("this run can't be resumed: ");
        assert_eq!(is_told, folder != "journal", "{}", ended.stderr);
        assert_eq!(scratch.read(&output), "foo");
    }
    assert_eq!(scratch.read("victim"), "precious");
    assert_eq!(std::fs::read_dir(scratch.path().join("elsewhere")).unwrap().count(), 1);
}

#[test]
fn what_was_observed_of_something_else_is_not_used_and_that_is_told() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    let nothing = |ended: &Ended, why: &str| {
        let line = format!("nothing to resume: {why}");
        assert!(ended.stderr.contains(&line), "{line} is not in {}", ended.stderr);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    };
    let (ended, _) = run(&scratch, "new", &["--resume"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let why = "there is no earlier run to resume: .seedsmith/new.journal.jsonl does not exist; \
               without --resume a new run begins";
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
    let (ended, _) = run(&scratch, "complete", &[]);
    assert_eq!(ended.code, Some(0));
    let (ended, _) = run(&scratch, "complete", &["--resume"]);
    nothing(&ended, "no earlier run was ended before its time");
    let (ended, _) = run(&scratch, "other", &["--max-tests", "20"]);
    assert_eq!(ended.code, Some(3));
    let (ended, told) = run(&scratch, "other", &["--resume", "--memory-limit", "1000"]);
    nothing(&ended, "it was kept for another executable, other limits or another version");
    assert_eq!(number(&told, "recalled"), 0);

    // Another input under the same output's name.
    let (ended, _) = run(&scratch, "input", &["--max-tests", "20"]);
    assert_eq!(ended.code, Some(3));
    scratch.write("crash", "another foo! input");
    let before = scratch.read("input");
    let (ended, _) = run(&scratch, "input", &["--resume"]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    let why = "input is the result of another task (input was crash (SHA-1 ";
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
    assert_eq!(scratch.read("input"), before);
}

#[test]
fn other_options_go_another_way_and_still_use_what_is_known() {
    let scratch = Scratch::new();
    scratch.write("crash", input());
    run(&scratch, "out", &["--max-tests", "60"]);
    let (ended, told) = run(&scratch, "out", &["--resume", "--format", "bytes"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let others = "the options are others (format was auto, now bytes), so the search may";
    assert!(ended.stderr.contains(others), "{}", ended.stderr);
    assert!(scratch.read("out").contains("foo!"));
    assert!(number(&told, "recalled") <= 60);
}

#[test]
fn a_grammar_is_known_by_the_digest_of_its_text_and_makes_no_journal_long() {
    const LINES: &str = "grammar Lines; file: line* EOF; line: WORD* '\\n'; WORD: ~[ \\n]+; \
                         BLANK: ' '+ -> skip;";
    let scratch = Scratch::new();
    scratch.write("crash", input());
    let resumed = |output: &str, grammar: &str| {
        let (ended, told) = run(&scratch, output, &["--resume", "--force", "--grammar", grammar]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stderr.contains("resuming: 30 tests are known already"), "{}", ended.stderr);
        (ended.stderr, number(&told, "recalled"))
    };
    for output in ["same", "other"] {
        scratch.write("Lines.g4", LINES);
        let (ended, _) = run(&scratch, output, &["--max-tests", "30", "--grammar", "Lines.g4"]);
        assert_eq!(ended.code, Some(3), "{}", ended.stderr);
        if output == "other" {
            scratch.write("Lines.g4", LINES.replace("line*", "line+"));
        }
        let (told, recalled) = resumed(output, "Lines.g4");
        let differs = told.contains("the options are others (grammar was xxh3:");
        assert_eq!(
            (differs, told.contains("the options are others")),
            (output == "other", output == "other"),
            "{told}"
        );
        assert!(output == "other" || recalled == 30, "{recalled}");
    }
    // Its parser, written out, has a megabyte.
    run(&scratch, "long", &["--max-tests", "30", "--grammar", "javascript"]);
    let begun = scratch.read(".seedsmith/long.journal.jsonl").lines().next().unwrap().len();
    assert!(begun < 2_000, "{begun} bytes");
    let (told, _) = resumed("long", "json");
    assert!(told.contains("; start was \"program\", now \"document\")"), "{told}");
}
