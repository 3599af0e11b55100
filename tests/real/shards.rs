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

/// Runs both shards of two into the folders `part-1` and `part-2`, and joins them, until `out` is there. Gives the
/// events of the last `merge` and how often the shards ran.
fn merged_into(
    folder: &Path,
    name: &str,
    arguments: &[&str],
    options: &[&str],
    out: &str,
) -> (Vec<Value>, usize) {
    for round in 1..=3 {
        for shard in ["1/2", "2/2"] {
            let part = format!("part-{}", &shard[..1]);
            run(folder, name, &[&["--shard", shard, "-o", &part], arguments].concat());
        }
        let mut command = seedsmith(folder, "merge");
        command.args(options).args(["part-2", "part-1"]);
        let joined = events(command);
        if folder.join(out).exists() {
            return (joined, round);
        }
    }
    panic!("three runs of each shard leave something to do");
}

/// The event without what differs from run to run, and without the folder of the result.
fn lasting(event: &Value) -> BTreeMap<String, Value> {
    let fields = event.as_object().unwrap().clone().into_iter();
    fields.filter(|(name, _)| !["elapsed_ms", "output", "target"].contains(&&name[..])).collect()
}

#[test]
fn the_shards_of_shrink_corpus_merge_into_the_files_of_one_run() {
    for options in
        [&["--max-tests", "300"][..], &["--keep", "all", "--max-total-tests", "4000"][..]]
    {
        let (folder, _) = made(40);
        let folder = folder.path();
        let whole = run(folder, "shrink-corpus", &[&["-o", "whole"], options].concat());
        let (joined, rounds) =
            merged_into(folder, "shrink-corpus", options, &["-o", "merged"], "merged");
        assert_eq!(rounds, 1);
        assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")));
        assert_eq!(lasting(joined.last().unwrap()), lasting(whole.last().unwrap()));
        // A shard that is complete is not run again.
        let again =
            run(folder, "shrink-corpus", &[&["--shard", "1/2", "-o", "part-1"], options].concat());
        assert!(!again.iter().any(|event| event["event"] == "corpus_shrunk"), "{again:#?}");
    }
}

#[test]
fn the_shards_of_coverage_merge_into_the_functions_and_lines_of_one_run() {
    let (folder, _) = made(60);
    let folder = folder.path();
    let whole = run(folder, "coverage", &["--lcov", "whole.info"]);
    let (joined, _) =
        merged_into(folder, "coverage", &[], &["--lcov", "merged.info"], "merged.info");
    assert!(whole.len() > 1, "{whole:#?}");
    let lasting = |events: &[Value]| events.iter().map(lasting).collect::<Vec<_>>();
    assert_eq!(lasting(&joined), lasting(&whole));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("whole.info").contains("DA:"));
    assert_eq!(read("merged.info"), read("whole.info"));
}

#[test]
fn the_shards_of_prepare_merge_into_the_corpus_of_one_run_whatever_its_steps() {
    for (skipped, runs) in [("", 2), ("shrink", 1), ("cmin", 2), ("cmin,shrink", 1), ("repair", 2)]
    {
        let (folder, _) = made_for(BRACKETS, 0);
        let folder = folder.path();
        let texts =
            ["((a)", "(b) and (b)", "c)zzzz", "(c", "d)d", "((((e)", "f and (f)", "(g) h)", "((a)"];
        for (number, text) in texts.iter().enumerate() {
            std::fs::write(folder.join("corpus").join(number.to_string()), text).unwrap();
        }
        let mut options = vec!["--grammar", "json", "--max-tests", "300"];
        if !skipped.is_empty() {
            options.extend(["--skip", skipped]);
        }
        run(folder, "prepare", &[&["-o", "whole"], &options[..]].concat());
        let (_, rounds) = merged_into(folder, "prepare", &options, &["-o", "merged"], "merged");
        assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")), "{skipped}");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("merged.dict"), read("whole.dict"));
        assert_eq!(rounds, runs, "{skipped}");
    }
}
