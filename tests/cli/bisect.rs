//! `seedsmith bisect` in real repositories, alone and as `git bisect run` starts it.

use std::path::PathBuf;

use crate::repository::{commit, git, git_in, init};
use crate::scratch::{Ended, Scratch, executable};

/// A C program: a commit is one text of `bug`.
fn program(bug: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int main(int count, char **words) {{\n  char text[64] = {{0}};\n  \
         FILE *file = fopen(words[1], \"r\");\n  if (!file) return 2;\n  \
         fread(text, 1, 63, file);\n  {bug}\n  return 0;\n}}\n"
    )
}

const CRASH: &str = "if (strstr(text, \"<<\")) *(volatile int *)8 = 1;";
const ABORT: &str = "if (strstr(text, \"<<\")) abort();";

/// A repository whose fifth commit has a bug, whose third cannot be built, and whose sixth has
/// another failure; with the hashes. The input is not in it.
fn of_a_program() -> (Scratch, PathBuf, Vec<String>) {
    let scratch = Scratch::new();
    init(scratch.path());
    let sources = [
        program(""),
        program(";"),
        "int main( {".to_owned(),
        program(";;"),
        program(CRASH),
        program(ABORT),
    ];
    let commits = sources.map(|text| commit(&scratch, "parse.c", &text)).to_vec();
    let input = scratch.write(".git/crash", "a << b");
    (scratch, input, commits)
}

const BUILD: &str = "cc -o .git/parse parse.c";
const PARSE: [&str; 3] = ["--", ".git/parse", "{}"];

/// Runs `seedsmith bisect` on a commit.
fn bisect_at(scratch: &Scratch, commit: &str, arguments: &[&str]) -> Ended {
    git(scratch.path(), &["checkout", "--quiet", commit]);
    let all = [&["bisect", ".git/crash"], arguments].concat();
    Ended::of(scratch.program("seedsmith").args(all).output().unwrap())
}

/// Lets git find the first bad commit by `seedsmith bisect`, and returns its output.
fn bisected(scratch: &Scratch, range: [&str; 2], arguments: &[&str]) -> String {
    git(scratch.path(), &["bisect", "start", range[1], range[0]]);
    // With nothing of ours in the environment.
    let clean = scratch.program("seedsmith");
    let mut run = git_in(scratch.path());
    for (name, value) in clean.get_envs() {
        match value {
            None => run.env_remove(name),
            Some(value) => run.env(name, value),
        };
    }
    run.args(["bisect", "run", executable("seedsmith").0, "bisect", ".git/crash"]).args(arguments);
    let output = run.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_commit_of_a_program_is_told_by_its_exit_code() {
    let (scratch, _, commits) = of_a_program();
    let arguments = [&["--build", BUILD], &PARSE[..]].concat();
    let codes: Vec<_> = commits
        .iter()
        .map(|commit| bisect_at(&scratch, commit, &arguments).code.unwrap())
        .collect();
    assert_eq!(codes, [0, 0, 125, 0, 1, 1]);
    let ended = bisect_at(&scratch, &commits[4], &arguments);
    assert!(ended.stderr.contains("this commit fails (5 of 5 runs): SIGSEGV"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn git_finds_the_first_commit_of_a_program_that_fails_and_skips_what_cannot_be_built() {
    let (scratch, _, commits) = of_a_program();
    let arguments = [&["--build", BUILD], &PARSE[..]].concat();
    let found = bisected(&scratch, [&commits[0], &commits[5]], &arguments);
    assert!(found.contains(&format!("{} is the first bad commit", commits[4])), "{found}");
    let log = git(scratch.path(), &["bisect", "log"]);
    assert!(log.contains(&format!("git bisect skip {}", commits[2])), "{log}");
}

#[test]
fn only_the_recorded_failure_or_the_one_that_matches_counts() {
    let (scratch, input, commits) = of_a_program();
    let arguments = [&["--build", BUILD], &PARSE[..]].concat();
    assert_eq!(bisect_at(&scratch, &commits[5], &arguments).code, Some(1));
    let recorded = [&["run", "--json", input.to_str().unwrap()], &PARSE[..]].concat();
    let told = scratch.plain_seedsmith(&recorded);
    scratch.write(".git/failure.json", told.stdout);
    let same = [&["--same-as", ".git/failure.json"], &arguments[..]].concat();
    let codes = |arguments: &[&str]| -> Vec<_> {
        let ended = commits[3..].iter().map(|commit| bisect_at(&scratch, commit, arguments));
        ended.map(|ended| ended.code.unwrap()).collect()
    };
    assert_eq!(codes(&same), [0, 0, 1]);
    assert_eq!(codes(&[&["--match", "SIGSEGV"], &arguments[..]].concat()), [0, 1, 0]);
    let other = bisect_at(&scratch, &commits[4], &same).stderr;
    assert!(other.contains("another one: SIGSEGV"), "{other}");
}

#[test]
fn a_script_that_exits_with_0_if_the_failure_shows_is_told_apart_by_fails_if() {
    let scratch = Scratch::new();
    init(scratch.path());
    let good = commit(&scratch, "limit", "9\n");
    let bad = commit(&scratch, "limit", "1\n");
    scratch.write(".git/crash", "4\n");
    let script = "[ \"$(cat \"$1\")\" -gt \"$(cat limit)\" ]";
    let command = ["--", "sh", "-c", script, "sh", "{}"];
    let told = [&["--fails-if", "status=0", "--cwd", "keep"], &command[..]].concat();
    assert_eq!(bisect_at(&scratch, &good, &told).code, Some(0));
    assert_eq!(bisect_at(&scratch, &bad, &told).code, Some(1));
    // A program that ends with 0 is in order.
    let untold = [&["--cwd", "keep"], &command[..]].concat();
    assert_eq!(bisect_at(&scratch, &bad, &untold).code, Some(0));
}

#[test]
fn what_makes_every_commit_untestable_stops_git_instead_of_counting_as_a_failure() {
    let scratch = Scratch::new();
    let code = |arguments: &[&str]| {
        let ended = scratch.plain_seedsmith(&[&["bisect"], arguments].concat());
        assert!(!ended.stderr.is_empty());
        ended.code
    };
    assert_eq!(code(&["--no-such-option"]), Some(128));
    assert_eq!(code(&[]), Some(128));
    assert_eq!(code(&["missing", "--", "true"]), Some(128));
    scratch.write("in", "x");
    assert_eq!(code(&["in", "--same-as", "in", "--", "true"]), Some(128));
    // The commit may not have it yet.
    assert_eq!(code(&["in", "--", "./no-such-program"]), Some(125));
    assert_eq!(code(&["in", "--target", "parse", "--fuzz-dir", "."]), Some(125));
    let help = scratch.plain_seedsmith(&["bisect", "--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
}

const MANIFEST: &str = r#"
[package]
name = "scratch-fuzz"
version = "0.0.0"
edition = "2021"

[package.metadata]
cargo-fuzz = true

[workspace]

[[bin]]
name = "parse"
path = "fuzz_targets/parse.rs"
"#;

/// A fuzz target without dependencies, with `body` run on `data`.
fn fuzz_target(body: &str) -> String {
    format!(
        r#"
#[no_mangle]
#[inline(never)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {{
    let data = unsafe {{ std::slice::from_raw_parts(data, size) }};
    {body}
    0
}}

fn main() {{
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}}
"#
    )
}

#[test]
fn git_finds_the_first_of_five_commits_on_which_a_fuzz_target_fails() {
    let scratch = Scratch::new();
    init(scratch.path());
    scratch.write("fuzz/.gitignore", "target\nartifacts\nCargo.lock\n");
    commit(&scratch, "fuzz/Cargo.toml", MANIFEST);
    // The second does not compile; in the fourth the panic is on another line than in the third.
    let panics = "assert!(!data.starts_with(b\"foo\"), \"no foo\");";
    let moved = format!("let _ = data.len();\n    {panics}");
    let bodies = ["let _ = data;", "wrong", "let _ = data.first();", panics, &moved];
    let commits =
        bodies.map(|body| commit(&scratch, "fuzz/fuzz_targets/parse.rs", &fuzz_target(body)));
    scratch.write("fuzz/artifacts/parse/crash-1", "foo");
    scratch.write(".git/crash", "foo");

    let at = |commit: &str, arguments: &[&str]| {
        git(scratch.path(), &["checkout", "--quiet", commit]);
        let all = [&["bisect", "crash-1"], arguments].concat();
        scratch.plain_seedsmith(&all)
    };
    let failing = at(&commits[4], &[]);
    assert_eq!(failing.code, Some(1), "{}", failing.stderr);
    let unbuilt = at(&commits[1], &[]);
    assert_eq!(unbuilt.code, Some(125), "{}", unbuilt.stderr);

    let recorded = |commit: &str| {
        git(scratch.path(), &["checkout", "--quiet", commit]);
        scratch
            .write("failure.json", scratch.plain_seedsmith(&["run", "--json", "crash-1"]).stdout);
    };
    recorded(&commits[4]);
    let same = ["--same-as", "failure.json", "--target", "parse"];
    let found = bisected(&scratch, [&commits[0], &commits[4]], &same);
    assert!(found.contains(&format!("{} is the first bad commit", commits[3])), "{found}");
    let (good, bad) = (at(&commits[2], &same), at(&commits[3], &same));
    assert_eq!((good.code, bad.code), (Some(0), Some(1)), "{}{}", good.stderr, bad.stderr);
}

#[test]
fn a_programs_json_has_the_failure_and_the_exit_code_stays() {
    let (scratch, _, commits) = of_a_program();
    let arguments = [&["--json", "--build", BUILD], &PARSE[..]].concat();
    let ended = bisect_at(&scratch, &commits[4], &arguments);
    let [told] = &crate::json::lines(&ended.stdout)[..] else { panic!("{}", ended.stdout) };
    assert_eq!(
        (ended.code, &told["event"], &told["fails"]),
        (Some(1), &"ran".into(), &true.into())
    );
    let ended = bisect_at(&scratch, &commits[3], &arguments);
    let [told] = &crate::json::lines(&ended.stdout)[..] else { panic!("{}", ended.stdout) };
    assert_eq!((ended.code, &told["fails"]), (Some(0), &false.into()));
}
