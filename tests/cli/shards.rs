//! `tmin` and `triage` of a folder in parts: joined by `merge`, they give what one run gives.

use std::fs;

use serde_json::Value;

use crate::json::lines;
use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

/// Twelve inputs that fail in two ways, one copy, and two that do not fail.
fn corpus(scratch: &Scratch) {
    for number in 0..7 {
        scratch.write(
            &format!("d/{number}"),
            format!("{} and foo! at {number}", "x".repeat(9 - number)),
        );
    }
    for number in 7..12 {
        scratch.write(&format!("d/sub/{number}"), format!("b is the first of {number}"));
    }
    scratch.write("d/sub/copy", "b is the first of 11");
    scratch.write("d/fine", "fine");
    scratch.write("d/sub/fine", "fine too");
    // A name that is in two folders.
    scratch.write("d/sub/3", "and foo! again in a folder below");
}

fn run(scratch: &Scratch, arguments: &[&str]) -> Ended {
    let binary = ["--binary", planted().to_str().unwrap()];
    let (command, rest) = arguments.split_first().unwrap();
    let mut all = vec![*command, "--json"];
    all.extend(binary);
    all.extend(rest);
    scratch.plain_seedsmith(&all)
}

/// The groups and the totals, without the folder of the results.
fn groups(ended: &Ended, folder: &str) -> Vec<Value> {
    let told = lines(&ended.stdout);
    let groups = told.iter().filter(|line| line["event"] == "group" || line["event"] == "summary");
    let groups: Vec<Value> = groups
        .map(|line| serde_json::from_str(&line.to_string().replace(folder, "OUT")).unwrap())
        .collect();
    assert_eq!(groups.len(), 3, "{}{}", ended.stdout, ended.stderr);
    groups
}

fn files(scratch: &Scratch, folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(scratch.path().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<(String, String)> = names
        .filter(|name| name.ends_with(".min"))
        .map(|name| (name.clone(), scratch.read(&format!("{folder}/{name}"))))
        .collect();
    files.sort();
    files
}

#[test]
fn the_shards_of_tmin_merge_into_the_results_of_one_run() {
    for all in [false, true] {
        let scratch = Scratch::new();
        corpus(&scratch);
        let every: &[&str] = if all { &["--all"] } else { &[] };
        let with = |arguments: &[&str]| {
            run(&scratch, &[&["tmin", "--polish", "0"], arguments, every].concat())
        };
        let whole = with(&["d", "-o", "whole"]);
        assert_eq!(whole.code, Some(1), "{}", whole.stderr);
        for shard in ["3", "1", "2"] {
            let ended =
                with(&["d", "-o", &format!("part-{shard}"), "--shard", &format!("{shard}/3")]);
            assert!(matches!(ended.code, Some(0 | 1)), "{}", ended.stderr);
        }
        let missing = scratch.plain_seedsmith(&["merge", "-o", "merged", "part-1", "part-3"]);
        assert_eq!(missing.code, Some(2), "{}", missing.stderr);
        assert!(missing.stderr.contains("the result of 2/3 is missing"), "{}", missing.stderr);
        assert!(!scratch.path().join("merged").exists());
        // A shard that was run twice counts once.
        let merged = scratch.plain_seedsmith(&[
            "merge", "--json", "-o", "merged", "part-2", "part-1", "part-3", "part-2",
        ]);
        assert_eq!(merged.code, whole.code, "{}", merged.stderr);
        assert_eq!(groups(&merged, "merged"), groups(&whole, "whole"));
        assert_eq!(files(&scratch, "merged"), files(&scratch, "whole"));
        assert_eq!(files(&scratch, "merged").len(), if all { 13 } else { 2 });
    }
}

#[test]
fn the_shards_of_triage_merge_into_the_table_of_one_run() {
    let scratch = Scratch::new();
    corpus(&scratch);
    let whole = run(&scratch, &["triage", "d"]);
    for shard in ["1", "2"] {
        let folder = format!("part-{shard}");
        let ended =
            run(&scratch, &["triage", "d", "-o", &folder, "--shard", &format!("{shard}/2")]);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    }
    let merged = scratch.plain_seedsmith(&["merge", "--json", "part-1", "part-2"]);
    assert_eq!((merged.code, whole.code), (Some(1), Some(1)), "{}", merged.stderr);
    assert_eq!(groups(&merged, "OUT"), groups(&whole, "OUT"));
    let refused = scratch.plain_seedsmith(&["merge", "-o", "out", "part-1", "part-2"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    // A shard of another command does not fit.
    let other = run(&scratch, &["tmin", "d", "-o", "other", "--polish", "0", "--shard", "2/2"]);
    assert!(matches!(other.code, Some(0 | 1)), "{}", other.stderr);
    let mixed = scratch.plain_seedsmith(&["merge", "-o", "out", "part-1", "other"]);
    assert_eq!(mixed.code, Some(2), "{}", mixed.stderr);
    assert!(mixed.stderr.contains("a shard of another run"), "{}", mixed.stderr);
}

#[test]
fn the_shards_of_repair_merge_into_the_texts_of_one_run() {
    let scratch = Scratch::new();
    let texts = ["[1", "2]", "[3]", "4", "[[5", "[6]]", "7]]", "[8]", "{9]"];
    for (number, text) in texts.iter().enumerate() {
        scratch.write(&format!("d/{number}"), text);
    }
    let repair = |arguments: &[&str]| {
        let start: &[&str] = &["repair", "--json", "d"];
        let validator: &[&str] = &["--", "grep", "-qx", r"\[.*\]", "{}"];
        let ended = scratch.plain_seedsmith(&[start, arguments, validator].concat());
        assert!(matches!(ended.code, Some(0 | 1)), "{}", ended.stderr);
        ended
    };
    let totals = |ended: &Ended| {
        let told = lines(&ended.stdout);
        let mut totals = told.last().unwrap().as_object().unwrap().clone();
        assert_eq!(totals["event"], "repairs");
        totals.remove("elapsed_ms");
        totals
    };
    let names = |folder: &str| {
        let entries = fs::read_dir(scratch.path().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<String>>()
    };
    let whole = repair(&["-o", "whole"]);
    let mut runs = 0;
    let merged = loop {
        for shard in ["1/2", "2/2"] {
            repair(&["-o", &format!("part-{}", &shard[..1]), "--shard", shard]);
        }
        runs += 1;
        let merged =
            scratch.plain_seedsmith(&["merge", "--json", "-o", "merged", "part-2", "part-1"]);
        if scratch.path().join("merged").exists() || runs == 3 {
            break merged;
        }
        assert_eq!(merged.code, Some(0), "{}", merged.stderr);
        assert!(merged.stderr.contains("run the command of each shard again"), "{}", merged.stderr);
    };
    assert_eq!(runs, 2);
    // One text is too short to keep half of it.
    assert_eq!((merged.code, whole.code), (Some(1), Some(1)), "{}", merged.stderr);
    assert_eq!(names("merged"), names("whole"));
    assert_eq!(totals(&merged), totals(&whole));
    let missing = scratch.plain_seedsmith(&["merge", "-o", "other", "part-2"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("the result of 1/2 is missing"), "{}", missing.stderr);
    // A shard is run again only if the inputs are others.
    let again = |shard: &str| {
        let out = format!("part-{}", &shard[..1]);
        repair(&["-o", &out, "--shard", shard]).stderr
    };
    assert!(again("1/2").contains("complete already"));
    scratch.write("d/new", "[a new one");
    let message = again("1/2");
    assert!(message.contains("inputs were added or removed"), "{message}");
    let early = scratch.plain_seedsmith(&["merge", "-o", "early", "part-2", "part-1"]);
    assert_eq!(early.code, Some(2), "{}", early.stderr);
    assert!(early.stderr.contains("different inputs"), "{}", early.stderr);
    repair(&["-o", "whole-2"]);
    again("2/2");
    scratch.plain_seedsmith(&["merge", "-o", "merged-2", "part-2", "part-1"]);
    again("1/2");
    again("2/2");
    scratch.plain_seedsmith(&["merge", "-o", "merged-2", "part-2", "part-1"]);
    assert_eq!(names("merged-2"), names("whole-2"));
    assert_ne!(names("whole-2"), names("whole"));
}

#[test]
fn a_shard_of_repair_runs_again_if_the_validator_has_other_content() {
    let scratch = Scratch::new();
    ["[1", "[2]", "{3"].iter().enumerate().for_each(|(number, text)| {
        scratch.write(&format!("d/{number}"), text);
    });
    scratch.write("check", r"\[.*\]");
    let repair = || {
        let start = ["repair", "d", "-o", "out", "--shard", "1/1", "--keep-at-least", "0"];
        let validator = ["--", "grep", "-qxf", "check", "{}"];
        scratch.plain_seedsmith(&[&start[..], &validator].concat()).stderr
    };
    repair();
    assert!(repair().contains("complete already"));
    scratch.write("check", r"\{.*\}");
    let message = repair();
    assert!(message.contains("the validator was changed since out was written"), "{message}");
    // The valid texts that wait for those of other shards are of the new validator: `{3}`, and `[2]` no more.
    let left = fs::read_dir(scratch.path().join("out")).unwrap();
    let left = left.filter_map(|one| fs::read_to_string(one.unwrap().path()).ok());
    let left: String = left.collect();
    assert!(left.contains("7b337d") && !left.contains("5b325d"), "{left}");
}
