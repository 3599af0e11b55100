//! `generalize --kit` and `judge`, with a command as the target.

use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use crate::json::lines;
use crate::package::project;
use crate::scratch::{Ended, Scratch};

/// Fails where the file has `{#` in it, by exit status 0.
const FAILS: &str = "grep -q '{#' \"$1\"";

fn generalize(scratch: &Scratch, more: &[&str]) -> Ended {
    let mut all = vec!["generalize", "crash.txt", "--grammar", "bytes", "--kit", "out/kit"];
    all.extend(["--rate", "0.8", "--confidence", "0.8"]);
    all.extend(more);
    all.extend(["--", "sh", "check.sh", "{}"]);
    scratch.seedsmith(&all)
}

fn judge(scratch: &Scratch, check: &str, more: &[&str]) -> Ended {
    scratch.write("check.sh", check);
    let mut all = vec!["judge", "out/kit", "--draws", "20"];
    all.extend(more);
    all.extend(["--", "sh", "check.sh", "{}"]);
    scratch.plain_seedsmith(&all)
}

/// A folder with a kit: a copy of one that is made once, because that takes hundreds of starts of a shell.
fn with_kit() -> Scratch {
    static MADE: OnceLock<Scratch> = OnceLock::new();
    let (made, scratch) = (MADE.get_or_init(make_kit), Scratch::new());
    let copied =
        Command::new("cp").arg("-r").arg(made.path().join(".")).arg(scratch.path()).status();
    assert!(copied.is_ok_and(|status| status.success()));
    scratch
}

fn make_kit() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("crash.txt", "a {# b");
    scratch.write("check.sh", FAILS);
    let ended = generalize(&scratch, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("written to  out/kit"), "{}", ended.stderr);
    scratch
}

#[test]
fn a_kit_holds_both_sides_of_the_boundary_and_tells_how_a_fix_is_judged() {
    let scratch = with_kit();
    let count = |name: &str| fs::read_dir(scratch.path().join(name)).unwrap().count();
    assert_eq!((count("out/kit/failing"), count("out/kit/passing")), (20, 20));
    for name in ["failing", "passing"] {
        for entry in fs::read_dir(scratch.path().join("out/kit").join(name)).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            let fails = bytes.windows(2).any(|pair| pair == b"{#");
            assert_eq!(fails, name == "failing", "{bytes:?}");
        }
    }
    let readme = scratch.read("out/kit/README.txt");
    assert!(
        readme.contains("seedsmith judge kit -- sh check.sh '{}'")
            || readme.contains("seedsmith judge kit -- sh check.sh {}"),
        "{readme}"
    );
    assert_eq!(scratch.read("out/kit/minimal.txt"), "{#");
    assert_eq!(scratch.read("out/kit/original.txt"), "a {# b");
    assert!(scratch.read("out/kit/dictionary").contains("\n\"{#\"\n"));
    assert!(scratch.read("out/kit/index.html").contains("What makes it fail"));
    assert_eq!(scratch.names(), ["check.sh", "crash.txt", "out"]);
    assert_eq!(count("out"), 1, "nothing is left beside the kit");
}

#[test]
fn a_fix_is_judged_by_its_exit_status_and_in_words() {
    let scratch = with_kit();
    let ended = judge(&scratch, FAILS, &[]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("not fixed: the given input still fails"), "{}", ended.stdout);
    let of_one = r#"[ "$(cat "$1")" != "{#" ] && grep -q '{#' "$1""#;
    let ended = judge(&scratch, of_one, &[]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = "not fixed: only the given input is handled; 40 of 40 other inputs still fail";
    assert!(ended.stdout.starts_with(told), "{}", ended.stdout);
    let ended = judge(&scratch, "exit 1", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    assert!(ended.stdout.starts_with("fixed: 42 failing inputs and 20 passing inputs"));
    let ended = judge(&scratch, "grep -qv '{#' \"$1\"", &["--json"]);
    let [told] = &lines(&ended.stdout)[..] else { panic!("{}", ended.stdout) };
    assert_eq!((ended.code, &told["event"]), (Some(1), &"judged".into()));
    assert_ne!(told["verdict"], "fixed");
}

#[test]
fn no_program_is_started_because_a_kit_names_it() {
    let scratch = with_kit();
    scratch.write("check.sh", "touch started; exit 1");
    let ended = scratch.plain_seedsmith(&["judge", "out/kit"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("which has to be named again"), "{}", ended.stderr);
    assert!(!scratch.path().join("started").exists());
}

#[test]
fn a_kit_is_replaced_by_force_alone_and_a_foreign_folder_never() {
    let scratch = with_kit();
    let ended = generalize(&scratch, &[]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert!(ended.stderr.contains("out/kit is a kit already; --force replaces it"));
    let ended = generalize(&scratch, &["--force"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    scratch.write("out/kit/notes", "mine");
    let ended = generalize(&scratch, &["--force"]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert!(ended.stderr.contains("holds notes, which is not of the kit"), "{}", ended.stderr);
    fs::remove_file(scratch.path().join("out/kit/kit.json")).unwrap();
    let ended = generalize(&scratch, &["--force"]);
    assert!(ended.stderr.contains("is there and no kit of ours"), "{}", ended.stderr);
    assert_eq!(scratch.read("out/kit/notes"), "mine");
}

#[test]
fn the_fuzz_target_of_a_kit_is_found_and_built_with_the_fix() {
    let scratch = project();
    scratch.write("fuzz/artifacts/finds_foo/crash-1", "some foo here");
    let crash = "fuzz/artifacts/finds_foo/crash-1";
    let arguments = ["generalize", crash, "--grammar", "bytes", "--kit", "kit"];
    let quick = ["--rate", "0.8", "--confidence", "0.8"];
    let ended = scratch.plain_seedsmith(&[&arguments[..], &quick].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let table: serde_json::Value = serde_json::from_str(&scratch.read("kit/kit.json")).unwrap();
    assert_eq!(table["target"]["name"], "finds_foo");
    let stack = table["signature"]["stack"].to_string();
    assert!(stack.contains("LLVMFuzzerTestOneInput at "), "{stack}");
    assert!(scratch.read("kit/regression.rs").contains("../fuzz/fuzz_targets/finds_foo.rs"));

    let source = "fuzz/fuzz_targets/finds_foo.rs";
    let text = scratch.read(source);
    let judge = |condition: &str| {
        let patched = text.replace("if data.windows", &format!("if {condition} && data.windows"));
        assert_ne!(patched, text);
        scratch.write(source, patched);
        scratch.plain_seedsmith(&["judge", "kit", "--draws", "20"])
    };
    let ended = judge("data != b\"foo\"");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = "not fixed: only the given input is handled; 40 of 40 other inputs still fail";
    assert!(ended.stdout.starts_with(told), "{}", ended.stdout);
    let ended = judge("data.len() > 1_000_000");
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(
        ended.stdout.starts_with("fixed: 42 failing inputs and 20 passing inputs"),
        "{}",
        ended.stdout
    );
}
