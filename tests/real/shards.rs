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
fn shards_of_shrink_corpus_and_prepare_run_again_if_inputs_were_added_and_merge_waits_for_all() {
    for (name, options) in
        [("shrink-corpus", &["--max-tests", "100"][..]), ("prepare", &["--max-tests", "100"][..])]
    {
        let (folder, _) = made_for(BRACKETS, 0);
        let folder = folder.path();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join("corpus").join(name), text).unwrap();
        };
        for (number, text) in ["((a)", "(b) and (b)", "c)zzzz", "d)d"].iter().enumerate() {
            write(&number.to_string(), text);
        }
        merged_into(folder, name, options, &["-o", "before"], "before");
        write("new", "(g) and ((h)) and (i)");
        let shard = |shard: &str| {
            let part = format!("part-{}", &shard[..1]);
            run(folder, name, &[&["--shard", shard, "-o", &part], options].concat());
        };
        shard("1/2");
        let mut early = seedsmith(folder, "merge");
        let early = early.args(["-o", "early", "part-1", "part-2"]).output().unwrap();
        let message = String::from_utf8_lossy(&early.stderr).into_owned();
        assert_eq!(early.status.code(), Some(2), "{message}");
        assert!(message.contains("different inputs"), "{message}");
        run(folder, name, &[&["-o", "whole"], options].concat());
        merged_into(folder, name, options, &["-o", "after"], "after");
        assert_eq!(names(&folder.join("after")), names(&folder.join("whole")), "{name}");
        assert_ne!(names(&folder.join("after")), names(&folder.join("before")), "{name}");
    }
}

#[test]
fn merge_reports_each_source_as_one_run_does_and_writes_a_page() {
    let (folder, inputs) = made(60);
    let folder = folder.path();
    std::fs::create_dir(folder.join("more")).unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.join("more").join(name), text);
    // A copy of an input of the other folder, and a file whose name is the SHA-1 of another content.
    write("copy", inputs.iter().max_by_key(|input| input.len()).unwrap()).unwrap();
    write("0123456789012345678901234567890123456789", b"aaadeaadecc").unwrap();
    write("new", b"cccccccccccccccccccccccccccccccccccccccccccc").unwrap();
    let whole = run(folder, "cmin", &["more", "--by-source", "-o", "whole"]);
    let options = ["--by-source", "--html", "merged.html", "-o", "merged"];
    let (joined, _) = merged_into(folder, "cmin", &["more"], &options, "merged");
    let of = |events: &[Value], wanted: &str| {
        let events = events.iter().filter(|event| event["event"] == wanted);
        events
            .map(|one| {
                let mut one = lasting(one);
                one.remove("input");
                one.remove("recalled");
                one
            })
            .collect::<Vec<_>>()
    };
    for wanted in ["corpus_file", "corpus_source", "corpus"] {
        assert_eq!(of(&joined, wanted), of(&whole, wanted));
        assert!(!of(&whole, wanted).is_empty(), "{whole:#?}");
    }
    assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")));
    let page = std::fs::read_to_string(folder.join("merged.html")).unwrap();
    assert!(page.contains("more: ") && page.contains("features"), "{page}");
    // The shards read a corpus that is somewhere else now, and that has lost a file.
    std::fs::rename(folder.join("corpus"), folder.join("moved")).unwrap();
    std::fs::rename(folder.join("moved"), folder.join("more/moved")).unwrap();
    std::fs::create_dir(folder.join("corpus")).unwrap();
    std::fs::remove_file(folder.join("more/new")).unwrap();
    run(folder, "cmin", &["more", "-o", "whole-2"]);
    merged_into(folder, "cmin", &["more"], &["-o", "merged-2"], "merged-2");
    assert_eq!(names(&folder.join("merged-2")), names(&folder.join("whole-2")));
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
