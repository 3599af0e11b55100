//! Shards of commands that read coverage counters: joined by `merge`, they give what one run gives.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::corpus::{BRACKETS, events, made, made_for, names, seedsmith};

/// Runs a command on the corpus and gives its events.
fn run(folder: &Path, name: &str, arguments: &[&str]) -> Vec<Value> {
    let mut command = seedsmith(folder, name);
    command.args(["--binary", "target", "corpus"]).args(arguments);
    events(command)
}

/// Runs both shards of two into the folders `part-1` and `part-2`, and joins them. Gives the events of `merge`.
fn merged(folder: &Path, name: &str, arguments: &[&str], options: &[&str]) -> Vec<Value> {
    for shard in ["1/2", "2/2"] {
        let part = format!("part-{}", &shard[..1]);
        run(folder, name, &[&["--shard", shard, "-o", &part], arguments].concat());
    }
    let mut command = seedsmith(folder, "merge");
    command.args(options).args(["part-2", "part-1"]);
    events(command)
}

/// The event without what differs from run to run, and without the folder of the result.
fn lasting(event: &Value) -> BTreeMap<String, Value> {
    let fields = event.as_object().unwrap().clone().into_iter();
    fields.filter(|(name, _)| !["elapsed_ms", "output", "target"].contains(&&name[..])).collect()
}

#[test]
fn the_shards_of_shrink_corpus_merge_into_the_files_of_one_run() {
    let (folder, _) = made(40);
    let folder = folder.path();
    let options = ["--keep", "all", "--max-tests", "300"];
    let whole = run(folder, "shrink-corpus", &[&["-o", "whole"], &options[..]].concat());
    let joined = merged(folder, "shrink-corpus", &options, &["-o", "merged"]);
    assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")));
    assert_eq!(lasting(joined.last().unwrap()), lasting(whole.last().unwrap()));
    // A shard that is complete is not run again.
    let again =
        run(folder, "shrink-corpus", &[&["--shard", "1/2", "-o", "part-1"], &options[..]].concat());
    assert!(!again.iter().any(|event| event["event"] == "corpus_shrunk"), "{again:#?}");

    let mut command = seedsmith(folder, "shrink-corpus");
    command.args(["--binary", "target", "corpus", "--shard", "1/2", "-o", "other"]);
    let refused = command.output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(text.contains("--keep unique depends on the inputs of all shards"), "{text}");
}

#[test]
fn the_shards_of_coverage_merge_into_the_functions_and_lines_of_one_run() {
    let (folder, _) = made(60);
    let folder = folder.path();
    let whole = run(folder, "coverage", &["--lcov", "whole.info"]);
    let joined = merged(folder, "coverage", &[], &["--lcov", "merged.info"]);
    assert!(whole.len() > 1, "{whole:#?}");
    let lasting = |events: &[Value]| events.iter().map(lasting).collect::<Vec<_>>();
    assert_eq!(lasting(&joined), lasting(&whole));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("whole.info").contains("DA:"));
    assert_eq!(read("merged.info"), read("whole.info"));
}

#[test]
fn the_shards_of_prepare_merge_into_the_corpus_of_one_run() {
    let (folder, _) = made_for(BRACKETS, 0);
    let folder = folder.path();
    let texts = ["((a)", "(b) and (b)", "c)zzzz", "(c", "d)d", "((((e)", "f and (f)", "(g) h)"];
    for (number, text) in texts.iter().enumerate() {
        std::fs::write(folder.join("corpus").join(number.to_string()), text).unwrap();
    }
    let options = ["--grammar", "json", "--skip", "shrink"];
    run(folder, "prepare", &[&["-o", "whole"], &options[..]].concat());
    merged(folder, "prepare", &options, &["-o", "merged"]);
    assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("merged.dict"), read("whole.dict"));

    let mut command = seedsmith(folder, "prepare");
    command.args(["--binary", "target", "corpus", "--shard", "1/2", "-o", "other"]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}
