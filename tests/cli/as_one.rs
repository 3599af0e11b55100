//! A folder as one input, and standard input as one.

use std::io::Write;
use std::process::Stdio;

use crate::json::lines;
use crate::scratch::{Ended, HAS_FOO, Scratch};

/// The failure shows where `main.c` has the word `include` and `sub/b.h` the word `needed`.
const NEEDS_BOTH: [&str; 6] = [
    "--",
    "sh",
    "-c",
    r#"grep -q include "$1/main.c" && grep -q needed "$1/sub/b.h" && ! read -r line"#,
    "sh",
    "{}",
];

fn with_folder() -> Scratch {
    let scratch = Scratch::new();
    for number in 0..12 {
        scratch.write(&format!("in/other{number}.txt"), "text that does not matter\n");
    }
    scratch.write("in/main.c", "int x;\ninclude b.h\nint y;\n");
    scratch.write("in/sub/b.h", "struct thing { int needed; };\n");
    scratch.write("in/sub/.hidden", "hidden\n");
    scratch
}

fn run(scratch: &Scratch, arguments: &[&str]) -> Ended {
    scratch.run(&[arguments, &NEEDS_BOTH].concat())
}

#[test]
fn files_are_deleted_and_the_others_shrunk_whatever_the_number_of_jobs() {
    let scratch = with_folder();
    let mut told = Vec::new();
    for jobs in ["1", "2"] {
        let output = format!("out{jobs}");
        let ended = run(&scratch, &["--as-one", "in", "-j", jobs, "-o", &output, "--json"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let last = lines(&ended.stdout).pop().unwrap();
        assert_eq!((&last["event"], &last["output_files"]), (&"folder".into(), &2.into()));
        assert_eq!((&last["input_files"], &last["output_bytes"]), (&15.into(), &13.into()));
        told.push(last["tests"].clone());
        assert_eq!(scratch.read(&format!("{output}/main.c")), "include");
        assert_eq!(scratch.read(&format!("{output}/sub/b.h")), "needed");
        let left = std::fs::read_dir(scratch.path().join(output)).unwrap().count();
        assert_eq!(left, 2, "main.c and sub");
    }
    assert_eq!(told[0], told[1], "tests are the same for any number of jobs");
    assert_eq!(scratch.names(), ["in", "out1", "out2"]);
    assert_eq!(scratch.read("in/main.c"), "int x;\ninclude b.h\nint y;\n");
}

#[test]
fn the_result_lies_beside_the_folder_and_is_replaced_only_by_force() {
    let scratch = with_folder();
    let ended = run(&scratch, &["--as-one", "in"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "in.min\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("15 → 2 files, "), "{}", ended.stderr);
    scratch.write("in.min/mine", "x");
    let ended = run(&scratch, &["--as-one", "in"]);
    let why = "tmin: error: in.min is there already; --force replaces it\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(6), why));
    let ended = run(&scratch, &["--as-one", "in", "--force"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!scratch.path().join("in.min/mine").exists());
    assert_eq!(scratch.names(), ["in", "in.min"]);
}

#[test]
fn a_page_shows_the_files_that_are_left_and_is_not_written_into_the_input() {
    let scratch = with_folder();
    let ended = run(&scratch, &["--as-one", "in", "--html", "in/page.html"]);
    let why = "tmin: error: the page in/page.html is in the input\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), why));
    let ended = run(&scratch, &["--as-one", "in", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let page = scratch.read("page.html");
    assert!(page.contains("<title>in: 15 → 2 files, "), "{page}");
    assert!(page.contains(">sub/b.h</h2>") && page.contains("other11.txt"), "{page}");
    assert_eq!(page.matches("<td>deleted</td>").count(), 13, "{page}");
    assert_eq!(scratch.names(), ["in", "in.min", "page.html"]);
}

#[test]
fn a_budget_ends_it_with_a_folder_that_fails() {
    let scratch = with_folder();
    let ended = run(&scratch, &["--as-one", "in", "--max-tests", "5"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(scratch.read("in.min/main.c").contains("include"));
    assert!(scratch.read("in.min/sub/b.h").contains("needed"));
}

#[test]
fn a_folder_that_does_not_fail_and_wrong_arguments_are_told() {
    let scratch = with_folder();
    scratch.write("fine/main.c", "x");
    scratch.write("file", "x");
    let ended = run(&scratch, &["--as-one", "fine"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("fine doesn't fail: run 5 times"), "{}", ended.stderr);
    for (arguments, why) in [
        (&["--as-one", "in", "fine"][..], "--as-one takes one folder"),
        (&["--as-one", "file"], "--as-one takes a folder, and file is none"),
        (&["--as-one", "in", "-o", "in/out"], "the result in/out is in the input"),
    ] {
        let ended = run(&scratch, arguments);
        assert_eq!((ended.code, ended.stderr), (Some(2), format!("tmin: error: {why}\n")));
    }
    let ended = scratch.run(&["--as-one", "in"]);
    let why = "tmin: error: --as-one needs a command: -- COMMAND {}\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), why));
}

#[test]
fn standard_input_is_an_input() {
    let scratch = Scratch::new();
    let run = |arguments: &[&str], text: &str| {
        let mut command = scratch.tmin();
        command.args(arguments).arg("--").args(HAS_FOO);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It may end before it has read anything.
        child.stdin.take().unwrap().write_all(text.as_bytes()).ok();
        Ended::of(child.wait_with_output().unwrap())
    };
    let ended = run(&["-", "-o", "small"], "some foo here");
    assert_eq!(
        (ended.code, scratch.read("small")),
        (Some(0), "foo".to_owned()),
        "{}",
        ended.stderr
    );
    let ended = run(&["-"], "some foo here");
    let why = "tmin: error: the result of standard input needs a name: -o FILE\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), why));
    let ended = run(&["-", "-o", "small"], "");
    let why = "tmin: error: stdin is empty, and nothing is smaller than that\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), why));
}
