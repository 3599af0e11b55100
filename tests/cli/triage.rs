//! `cargo seedsmith triage`: which inputs still fail, as a table and as JSON Lines.

use crate::json::lines;
use crate::scratch::{HAS_FOO, Scratch};

fn triage_foo(scratch: &Scratch, arguments: &[&str]) -> crate::scratch::Ended {
    let mut all = vec!["triage"];
    all.extend(arguments);
    all.push("--");
    all.extend(HAS_FOO);
    scratch.seedsmith(&all)
}

#[test]
fn inputs_that_still_fail_are_told_in_a_table_and_by_the_exit_code() {
    let scratch = Scratch::new();
    scratch.write("d/a", "some foo");
    scratch.write("d/b", "foo");
    scratch.write("d/sub/c", "nothing");
    scratch.write("d/copy", "foo");
    scratch.write("d/a.min", "foo");
    scratch.write("d/.hidden", "foo");
    let ended = triage_foo(&scratch, &["d"]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.stderr, "triage: 4 inputs: 3 fail in 1 way, 1 doesn't fail\n");
    assert_eq!(ended.stdout, "  files  bytes  failure  smallest\n      3      3  command  d/b\n");
    let ended = triage_foo(&scratch, &["d/sub", "-q"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn every_input_and_group_is_told_as_json() {
    let scratch = Scratch::new();
    scratch.write("d/a", "some foo");
    scratch.write("d/b", "nothing");
    let ended = triage_foo(&scratch, &["d", "--json"]);
    assert_eq!(ended.code, Some(1));
    let told = lines(&ended.stdout);
    let events: Vec<&str> = told.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["triaged", "triaged", "group", "summary"]);
    assert_eq!((&told[0]["fails"], &told[1]["fails"]), (&true.into(), &false.into()));
    assert_eq!(told[2]["inputs"], serde_json::json!(["d/a"]));
    assert_eq!(
        (&told[3]["failing"], &told[3]["passing"]),
        (&1.into(), &serde_json::json!(["d/b"]))
    );
}

#[test]
fn an_unsteady_failure_is_not_taken_for_a_fixed_one() {
    let scratch = Scratch::new();
    scratch.write("d/a", "x");
    // Every third run fails.
    let count = scratch.write("count", "");
    let script = format!("printf x >> {0}; test $(( $(wc -c < {0}) % 3 )) = 0", count.display());
    let ended = scratch.seedsmith(&["triage", "d", "-v", "--", "sh", "-c", &script, "sh", "{}"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("d/a: command, in 10 of 30 runs\n"), "{}", ended.stderr);
    assert!(ended.stdout.contains("command (unsteady)"), "{}", ended.stdout);
}

#[test]
fn a_folder_without_inputs_is_usage_and_trouble_with_one_input_ends_only_that() {
    let scratch = Scratch::new();
    scratch.write("empty/.hidden", "x");
    let ended = triage_foo(&scratch, &["empty"]);
    let line = "triage: error: no inputs in empty; hidden files and our own results don't count\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), line));
    let ended = triage_foo(&scratch, &["no-such"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    scratch.write("d/a", "some foo");
    std::os::unix::fs::symlink("nowhere", scratch.path().join("d/broken")).unwrap();
    let ended = triage_foo(&scratch, &["d"]);
    assert_eq!(ended.code, Some(1));
    let line = "triage: passed over: d/broken: No such file or directory (os error 2)\n";
    assert!(ended.stderr.starts_with(line), "{}", ended.stderr);
    // An empty input may be one that fails.
    scratch.write("d/zero", "");
    let ended = scratch.seedsmith(&["triage", "d/zero", "--", "true"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
}

#[test]
fn messages_are_as_they_were_printed_and_frames_have_functions_and_places() {
    let scratch = Scratch::new();
    scratch.write(
        "parser",
        "grep -q foo \"$1\" || exit 0\nprintf '%s\\n' 'Traceback (most recent call last):' \
         '  File \"/src/run.py\", line 9, in look' 'IndexError: 17 of 5' >&2\nexit 1\n",
    );
    scratch.write("d/a", "some foo");
    let arguments = ["triage", "d", "--json", "--cwd", "keep", "--", "sh", "parser", "{}"];
    let ended = scratch.seedsmith(&arguments);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let frame = serde_json::json!({
        "function": "look", "file": "/src/run.py", "line": 9, "column": null, "own": true
    });
    for event in &told[..2] {
        let signature = &event["signature"];
        assert_eq!(signature["message"], "17 of 5", "{event}");
        assert_eq!(signature["normalized"], "# of #", "{event}");
        assert_eq!(signature["frames"], serde_json::json!([frame]), "{event}");
    }
}
