//! Results whose place is lost while a search runs: the best is in another place, which is printed.

use std::fs;
use std::path::PathBuf;

use regex::Regex;

use crate::json::lines;
use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

const INPUT: &str = "hello\nworld foo bar\nmore and more of it\n";

/// Takes the place of the result away when the first candidate is accepted.
fn takes_away(how: &str) -> [String; 5] {
    let size = INPUT.len();
    let script = format!(
        "grep -q foo \"$1\" || exit 1; test $(wc -c < \"$1\") = {size} || {{ {how}; }} 2> lost; exit 0"
    );
    ["sh", "-c", &script, "sh", "{}"].map(str::to_owned)
}

/// The file that an error names, which is deleted, and its content.
fn rescued(ended: &Ended, result: &str) -> (PathBuf, String) {
    let told = Regex::new(r"error: failed to write (\S+): .*; it is in (\S+) instead\n$").unwrap();
    let told = told.captures(&ended.stderr).unwrap_or_else(|| panic!("{}", ended.stderr));
    assert_eq!(&told[1], result);
    let path = PathBuf::from(&told[2]);
    let content = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    (path, content)
}

/// Runs `tmin` with a command that takes the place of the result away.
fn lose(scratch: &Scratch, how: &str, temporary: Option<&str>) -> Ended {
    scratch.write("crash", INPUT);
    scratch.write("out/other", "");
    let mut command = scratch.tmin();
    command.args(["crash", "-o", "out", "--cwd", "keep", "--"]).args(takes_away(how));
    if let Some(temporary) = temporary {
        command.env("TMPDIR", temporary);
    }
    Ended::of(command.output().unwrap())
}

#[test]
fn a_folder_that_is_removed_during_the_search_loses_nothing() {
    // Removed; a folder that takes no files, of which there is one on every Linux; a file.
    for how in ["rm -rf out", "rm -rf out && ln -s /proc out", "rm -rf out && echo > out"] {
        let scratch = Scratch::new();
        let ended = lose(&scratch, how, None);
        assert_eq!(ended.code, Some(6), "{how}: {}", ended.stderr);
        let (_, content) = rescued(&ended, "out/crash.min");
        assert!(content.contains("foo") && content.len() < INPUT.len(), "{how}: {content}");
        assert_eq!(scratch.read("crash"), INPUT);
    }
}

#[test]
fn a_folder_for_temporary_files_that_does_not_exist_is_no_place_and_another_is_found() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    scratch.write("out/other", "");
    // In process: a command needs a folder for its candidates.
    let folder = scratch.path().join("out").display().to_string();
    let ended = lose(&scratch, "rm -rf out", Some(&folder));
    // Its own folder is gone with the result's: whatever was found until then is kept.
    // A folder for temporary files may be made again, and take the best before it is removed again; or it
    // is there when the result is written, which then is no loss.
    match ended.code {
        Some(0) => assert!(scratch.read("out/crash.min").contains("foo"), "{}", ended.stderr),
        Some(6) if ended.stderr.contains("; the best until then is there\n") => {}
        Some(6) => {
            let (path, content) = rescued(&ended, "out/crash.min");
            assert!(!path.starts_with(&folder) && content.contains("foo"), "{content}");
        }
        code => assert_eq!(code, Some(5), "{}", ended.stderr),
    }
}

#[test]
fn a_folder_for_temporary_files_that_does_not_exist_ends_nothing() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let mut command = scratch.tmin();
    command.env("TMPDIR", "/nonexistent/folder").args(["crash", "--", "grep", "-q", "foo"]);
    let ended = Ended::of(command.output().unwrap());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "crash.min\n"), "{}", ended.stderr);
    assert_eq!(scratch.read("crash.min"), "foo");
}

#[test]
fn a_result_in_the_form_of_json_lines_names_the_other_place_too() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    scratch.write("out/other", "");
    let mut command = scratch.tmin();
    command.args(["crash", "-o", "out", "--json", "-q", "--cwd", "keep", "--"]);
    command.args(takes_away("rm -rf out"));
    let ended = Ended::of(command.output().unwrap());
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    let (path, _) = rescued(&ended, "out/crash.min");
    let told = lines(&ended.stdout);
    let last = told.last().unwrap();
    assert_eq!((&last["event"], &last["exit"]), (&"error".into(), &6.into()));
    assert!(last["message"].as_str().unwrap().contains(path.to_str().unwrap()), "{last}");
}

#[test]
fn of_many_inputs_the_others_go_on_when_one_result_cannot_be_written() {
    let scratch = Scratch::new();
    for (name, text) in [("a/crash", "the first foo is here"), ("b/crash-2", "another foo there")] {
        scratch.write(name, text);
    }
    // Each beside its input: one folder is lost.
    let script = "grep -q foo \"$1\" || exit 1; test $(wc -c < \"$1\") -lt 15 && rm -rf b; exit 0";
    let command = ["a", "b", "--all", "--cwd", "keep", "--", "sh", "-c", script, "sh", "{}"];
    let ended = scratch.run(&command);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert_eq!(scratch.read("a/crash.min"), "foo");
    assert!(!ended.stderr.contains("interrupted"), "{}", ended.stderr);
}

#[test]
fn closed_standard_streams_are_no_trouble_for_the_result() {
    for (name, closed) in [("in", "<&-"), ("out", ">&-"), ("err", "2>&-"), ("all", "<&- >&- 2>&-")]
    {
        let scratch = Scratch::new();
        scratch.write("crash", "b and foo! here");
        let mut command = scratch.command("sh");
        command.args(["-c", &format!("exec \"$@\" {closed}"), "sh", env!("CARGO_BIN_EXE_tmin")]);
        command.args(["crash", "--polish", "0", "--match", "foo", "--binary"]).arg(planted());
        let ended = Ended::of(command.output().unwrap());
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        assert_eq!(scratch.read("crash.min"), "foo!", "{name}");
        let is_printed = ended.stdout == "crash.min\n";
        assert_eq!(is_printed, !closed.contains(">&-") || closed == "2>&-", "{name}");
    }
}

#[test]
fn repaired_texts_and_patterns_whose_folder_is_lost_are_in_another_place() {
    let scratch = Scratch::new();
    scratch.write("in", "(x");
    let wants = "case $(cat \"$1\") in *x*) exit 1;; esac; rm -rf out; exit 0";
    scratch.write("out/other", "");
    let command = ["--", "sh", "-c", wants, "sh", "{}"];
    let ended =
        scratch.repair_with(&[&["in", "-o", "out/text", "--cwd", "keep"], &command[..]].concat());
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert_eq!(rescued(&ended, "out/text").1, "(");

    scratch.write("crash", "foo");
    scratch.write("out/other", "");
    let script = "rm -rf out; grep -q foo \"$1\"";
    let files = ["--pattern", "out/pattern", "--html", "page.html", "--grammar", "bytes"];
    let files = [&files[..], &["--cwd", "keep"]].concat();
    let mut all = vec!["generalize", "crash", "--max-tests", "20"];
    all.extend(files);
    all.extend(["--", "sh", "-c", script, "sh", "{}"]);
    let ended = scratch.plain_seedsmith(&all);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert!(rescued(&ended, "out/pattern").1.contains("\"pattern\""));
    // What can be written is, and the pattern is printed all the same.
    assert!(scratch.read("page.html").contains("<html"));
    assert!(ended.stdout.contains("foo"), "{}", ended.stdout);
}

#[test]
fn a_result_that_no_folder_takes_is_in_the_message() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    // From the first accepted candidate on, no file may be longer than a byte.
    let candidate = takes_away("prlimit --pid $(cat driver) --fsize=1:1");
    let mut command = scratch.command("sh");
    command.args(["-c", r#"echo $$ > driver; exec "$@""#, "sh", env!("CARGO_BIN_EXE_tmin")]);
    let ended =
        Ended::of(command.args(["crash", "--cwd", "keep", "--"]).args(candidate).output().unwrap());
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    let digits = Regex::new(r"so here it is in hexadecimal: ([0-9a-f]+)\n$").unwrap();
    let digits = &digits.captures(&ended.stderr).unwrap_or_else(|| panic!("{}", ended.stderr))[1];
    let pairs = digits.as_bytes().chunks(2);
    let bytes =
        pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
    let best = String::from_utf8(bytes.collect()).unwrap();
    assert!(best.contains("foo") && best.len() <= INPUT.len(), "{best}");
}
