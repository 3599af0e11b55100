//! Files of `triage` for other tools, and the comparison with an earlier run.

use serde_json::Value;

use crate::json::lines;
use crate::scratch::{Ended, Scratch};

/// Fails at two places, by the first letter of its input.
const PROGRAM: &str = "\
import sys
letter = open(sys.argv[1]).read(1)
if letter == 'a':
    raise KeyError('a <b> & \"c\"')
if letter == 'i':
    [][1]
sys.exit(1)
";

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("check.py", PROGRAM);
    scratch.write("d/1", "a | first");
    scratch.write("d/2", "index");
    scratch.write("d/3", "none");
    scratch
}

fn triage(scratch: &Scratch, options: &[&str]) -> Ended {
    let command = ["d", "--", "python3", "check.py", "{}"];
    scratch.seedsmith(&[&["triage", "--cwd", "keep"], options, &command].concat())
}

#[test]
fn the_same_failures_are_written_as_sarif_junit_and_markdown() {
    let scratch = project();
    scratch.write("summary.md", "# Before\n");
    let options = ["--sarif", "o.sarif", "--junit", "o.xml", "--summary", "summary.md"];
    let ended = triage(&scratch, &options);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let sarif: Value = serde_json::from_str(&scratch.read("o.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let place = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap().to_owned();
        (uri, place["region"]["startLine"].as_u64().unwrap())
    };
    let places: Vec<_> = results.iter().map(place).collect();
    assert_eq!(places, [("check.py".to_owned(), 4), ("check.py".to_owned(), 6)]);
    let junit = scratch.read("o.xml");
    assert!(junit.contains("tests=\"3\" failures=\"2\""), "{junit}");
    assert!(junit.contains("&apos;a &lt;b&gt; &amp; &quot;c&quot;&apos;"), "{junit}");
    let summary = scratch.read("summary.md");
    assert!(
        summary.starts_with("# Before\n### seedsmith: 3 inputs: 2 fail in 2 ways"),
        "{summary}"
    );
    assert_eq!(summary.matches("\n| python3 ").count(), 2, "{summary}");
}

#[test]
fn with_an_earlier_run_only_a_new_failure_is_an_error() {
    let scratch = project();
    let first = triage(&scratch, &["--json"]);
    scratch.write("first.jsonl", &first.stdout);
    let ids: Vec<String> = lines(&first.stdout)
        .iter()
        .filter(|event| event["event"] == "group")
        .map(|event| event["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 2);
    // Lines have moved, and one failure is fixed.
    scratch.write("check.py", format!("# More.\n{}", PROGRAM.replace("[][1]", "pass")));
    let second = triage(&scratch, &["--join", "first.jsonl"]);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert!(second.stderr.ends_with("0 new, 1 known, 1 fixed since the earlier run\n"));
    assert!(second.stdout.contains("  known  KeyError at check.py:5"), "{}", second.stdout);
    // Another exception at the fixed place.
    scratch.write("check.py", PROGRAM.replace("[][1]", "1 / 0"));
    let third = triage(&scratch, &["--join", "first.jsonl", "--json"]);
    assert_eq!(third.code, Some(1), "{}", third.stderr);
    let events = lines(&third.stdout);
    let states: Vec<&Value> = events
        .iter()
        .filter(|event| event["event"] == "group")
        .map(|event| &event["state"])
        .collect();
    assert_eq!(states, ["known", "new"]);
    assert_eq!(events.last().unwrap()["fixed"], serde_json::json!([ids[1]]));
}

#[test]
fn what_is_no_earlier_run_is_refused_before_anything_is_run() {
    let scratch = project();
    scratch.write("text", "{}\nnothing\n");
    for (name, why) in [("text", "it has no event \"summary\""), ("none", "failed to read none")] {
        let ended = triage(&scratch, &["--join", name]);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(why) && !ended.stderr.contains("inputs:"),
            "{}",
            ended.stderr
        );
    }
    let ended = triage(&scratch, &["--sarif", "d/1"]);
    assert_eq!(
        (ended.code, scratch.read("d/1").as_str()),
        (Some(2), "a | first"),
        "{}",
        ended.stderr
    );
}
