//! Any program as the target: where it runs, when it counts as failing, and the files and processes
//! that it leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::left::{assert_none_left, marked, wait_until};
use crate::scratch::{Ended, Scratch};

/// Limits that a test reaches on no machine, however busy.
const PATIENT: [&str; 2] = ["--timeout", "60s"];

impl Scratch {
    /// Writes an executable script.
    fn script(&self, name: &str, text: &str) {
        let path = self.write(name, text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn patiently(&self, options: &[&str], command: &[&str]) -> Ended {
        self.run(&[options, &PATIENT, &["--"], command].concat())
    }

    /// Compiles a C program and returns whether that could be done.
    fn compile(&self, name: &str, text: &str, options: &[&str]) {
        let source = self.write(&format!("src/{name}.c"), text);
        let mut gcc = Command::new("gcc");
        gcc.args(["-g", "-O0", "-w", "-o"]).arg(self.path().join(name)).args(options).arg(source);
        assert!(gcc.status().expect("the tests need gcc").success());
    }
}

/// 1,210 bytes, of which `needle` matters.
fn haystack() -> String {
    let lines: String = (0..59).map(|line| format!("line {line:02}, of hay only\n")).collect();
    let text = format!("{}a needle\n{}", &lines[..600], &lines[600..]);
    format!("{text:.<1210}")[..1210].to_owned()
}

#[test]
fn a_script_that_writes_a_fixed_file_gives_the_same_bytes_for_any_number_of_jobs() {
    let scratch = Scratch::new();
    assert_eq!(scratch.write("in.txt", haystack()).metadata().unwrap().len(), 1210);
    scratch.script(
        "check.sh",
        "#!/bin/sh\ngrep needle \"$1\" > out.log\nsleep 0.01\ngrep -q needle out.log\n",
    );
    let before = scratch.names();
    for jobs in ["1", "2", "4"] {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("out").display().to_string();
        let ended =
            scratch.patiently(&["in.txt", "-j", jobs, "-o", &output], &["./check.sh", "{}"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(fs::read_to_string(&output).unwrap(), "needle", "-j {jobs}");
        assert_eq!(scratch.names(), before);
    }
}

#[test]
fn a_script_without_arguments_finds_the_candidate_by_its_name_and_on_standard_input() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "aaa bbb << ccc ddd");
    scratch.script("by-name.sh", "#!/bin/sh\ngrep -q '<<' a.txt\n");
    scratch.script("by-stdin.sh", "#!/bin/sh\ngrep -q '<<'\n");
    for script in ["./by-name.sh", "./by-stdin.sh"] {
        let ended = scratch.patiently(&["a.txt", "-o", "out", "--force"], &[script]);
        assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "<<"), "{}", ended.stderr);
    }
}

#[test]
fn a_command_that_does_not_look_at_its_input_is_refused_unless_that_is_wanted() {
    let scratch = Scratch::new();
    scratch.write("in", "some text");
    for command in [&["true"][..], &["sh", "-c", "exit 0"]] {
        let ended = scratch.patiently(&["in", "-o", "out"], command);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains("does not look at its input"), "{}", ended.stderr);
    }
    let status = ["in", "-o", "out", "--fails-if", "status=3"];
    assert_eq!(scratch.patiently(&status, &["sh", "-c", "exit 3"]).code, Some(1));
    assert!(!scratch.path().join("out").exists());
    let ended = scratch.patiently(&["in", "-o", "out", "--allow-trivial"], &["true"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), ""), "{}", ended.stderr);
}

#[test]
fn where_only_the_empty_file_fails_besides_the_input_the_result_is_empty_and_one_line_says_so() {
    let scratch = Scratch::new();
    scratch.write("in", "some text");
    let empty_or_text = "[ ! -s \"$1\" ] || grep -q text \"$1\"";
    let ended = scratch.patiently(&["in", "-o", "out"], &["sh", "-c", empty_or_text, "sh", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), ""), "{}", ended.stderr);
    assert_eq!(ended.stderr.matches("the empty file counts as failing").count(), 1);
}

/// `boom` is the failure, `!` an easier one.
const PROGRAM: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    static void other(void) { abort(); }\n\
    static int parse(char *text) { char *cell = malloc(4); int sum = strstr(text, \"boom\") ? FAULT : 0;\n\
    if (strchr(text, '!')) other(); free(cell); return sum; }\n\
    int main(int count, char **names) { static char text[65536]; FILE *file = fopen(names[1], \"rb\");\n\
    if (!file) return 2; text[fread(text, 1, 65535, file)] = 0; parse(text); return strlen(text) % 7; }\n";

#[test]
fn a_c_program_without_a_sanitizer_is_told_by_its_signal_and_the_output_says_so() {
    let scratch = Scratch::new();
    scratch.compile("prog", &PROGRAM.replace("FAULT", "*(volatile int *)0"), &[]);
    scratch.write("in", "some text ! and boom ! and more");
    scratch.write("in2", "some text and boom ! and more");
    for command in [&["./prog", "{}"][..], &["sh", "-c", "\"$0\" \"$1\"; exit $?", "./prog", "{}"]]
    {
        let ended = scratch.patiently(&["in", "-o", "out", "--force", "--cwd", "keep"], command);
        assert_eq!(
            (ended.code, scratch.read("out").as_str()),
            (Some(0), "boom"),
            "{}",
            ended.stderr
        );
        assert!(ended.stderr.contains("failure     SIGSEGV"), "{}", ended.stderr);
        assert!(ended.stderr.contains("any SIGSEGV counts as the same"), "{}", ended.stderr);
    }
    let ended = scratch.patiently(&["in2", "-o", "out", "--force"], &["./prog", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
}

#[test]
fn a_c_program_with_a_sanitizer_is_told_by_its_report() {
    let scratch = Scratch::new();
    scratch.compile("prog", &PROGRAM.replace("FAULT", "cell[4]"), &["-fsanitize=address"]);
    scratch.write("in", "some text and boom and more");
    let ended = scratch.patiently(&["in", "-o", "out"], &["./prog", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert!(ended.stderr.contains("heap-buffer-overflow READ 1"), "{}", ended.stderr);
    assert!(ended.stderr.contains("stack       parse at src/prog.c:"), "{}", ended.stderr);
}

#[test]
fn a_python_program_is_told_by_its_traceback_wherever_its_script_lies() {
    let scratch = Scratch::new();
    scratch.write(
        "run.py",
        "import sys\ndef look(text):\n    if '!' in text: raise KeyError(text)\n    \
         if 'boom' in text: return {}[text]\n    return text\nlook(open(sys.argv[1]).read())\n",
    );
    scratch.write("in", "some text and boom and more");
    let ended = scratch.patiently(&["in", "-o", "out"], &["python3", "run.py", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("KeyError at ") && ended.stderr.contains("run.py:4"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("arguments that name files as absolute paths"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_rust_program_is_told_by_its_panic() {
    let scratch = Scratch::new();
    let source = scratch.write(
        "src/prog.rs",
        "fn main() {\n    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();\n    \
         if text.contains(&b'!') { panic!(\"other\") }\n    \
         if text.windows(4).any(|part| part == b\"boom\") { panic!(\"{} bytes\", text.len()) }\n}\n",
    );
    let mut rustc = Command::new("rustc");
    rustc.current_dir(scratch.path()).arg("--edition=2021").arg(source);
    assert!(rustc.status().unwrap().success());
    scratch.write("in", "some text and boom and more");
    let ended = scratch.patiently(&["in", "-o", "out"], &["./prog", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("panic at ") && ended.stderr.contains("prog.rs:4:"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_mixture_of_crashes_and_successes_is_refused_with_a_list_and_conditions_resolve_it() {
    let scratch = Scratch::new();
    scratch.write("in", "some text");
    // Outside the folder of the test: each run takes another turn.
    let turn = scratch.write("turn", "");
    let script = format!(
        "grep -q text \"$1\" || exit 1; echo >> {0:?}; [ $(($(wc -l < {0:?}) % 2)) = 1 ] || kill -SEGV $$",
        turn.display().to_string()
    );
    let command = ["sh", "-c", &script, "sh", "{}"];
    let ended = scratch.patiently(&["in", "-j", "1", "-o", "out"], &command);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    for part in ["failed by SIGSEGV", "exited with status 0", "--fails-if"] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    let both = [
        "in",
        "-j",
        "1",
        "-o",
        "out",
        "--fails-if",
        "signal",
        "--fails-if",
        "status=0",
        "--same",
        "any",
    ];
    let ended = scratch.patiently(&both, &command);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "text"), "{}", ended.stderr);
}

#[test]
fn conditions_are_any_status_output_or_hang() {
    let scratch = Scratch::new();
    scratch.write("in", "some boom text");
    let by = |condition: &str, script: &str| {
        let options = ["in", "-o", "out", "--force", "--fails-if", condition];
        let ended = scratch.patiently(&options, &["sh", "-c", script, "sh", "{}"]);
        assert_eq!(
            (ended.code, scratch.read("out").as_str()),
            (Some(0), "boom"),
            "{}",
            ended.stderr
        );
    };
    by("status=7", "grep -q boom \"$1\" && exit 7; exit 0");
    by("stdout=^bo+m$", "grep -o boom \"$1\"; exit 1");
    by("stderr=oops", "grep -q boom \"$1\" && echo oops >&2; exit 0");
    let hang = ["sh", "-c", "grep -q boom \"$1\" && exec sleep 600; exit 1", "sh", "{}"];
    let ended = scratch
        .run(&[&["in", "-o", "out", "--force", "--timeout", "1s", "--"][..], &hang].concat());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("exceeded the limit of time"), "{}", ended.stderr);
    let ended = scratch.run(&["in", "--fails-if", "status=900", "--", "true"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

#[test]
fn a_status_that_means_unresolved_is_neither_a_failure_nor_a_verdict() {
    let scratch = Scratch::new();
    scratch.write("in", "a some boom text z");
    // Without the first letter it exits with the status for unresolved.
    let script = "grep -q a \"$1\" || exit ${2:-125}; grep -q boom \"$1\"";
    let ended = scratch.patiently(&["in", "-o", "out"], &["sh", "-c", script, "sh", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "aboom"), "{}", ended.stderr);
    let with = ["in", "-o", "out", "--force", "--fails-if", "status=7", "--unresolved-status", "9"];
    let script = "grep -q a \"$1\" || exit 9; grep -q boom \"$1\" && exit 7";
    let ended = scratch.patiently(&with, &["sh", "-c", script, "sh", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "aboom"), "{}", ended.stderr);
    let ended = scratch.patiently(&["in", "-o", "out2"], &["sh", "-c", "exit 125"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("said that it cannot tell"), "{}", ended.stderr);
    // A repair never accepts an unresolved text as valid: that would be the shorter text.
    scratch.write("broken", "(a (b) c");
    let validator = "o=$(tr -cd '(' < \"$1\" | wc -c); c=$(tr -cd ')' < \"$1\" | wc -c)\n\
                     grep -q a \"$1\" || exit 125; [ \"$o\" = \"$c\" ]";
    let repaired = scratch.repair_with(&["broken", "--", "sh", "-c", validator, "sh", "{}"]);
    assert_eq!(
        (repaired.code, repaired.stdout.as_str()),
        (Some(0), "(a (b) c)"),
        "{}",
        repaired.stderr
    );
}

#[test]
fn a_command_that_needs_the_users_folder_runs_there_one_test_at_a_time_and_that_is_announced() {
    let scratch = Scratch::new();
    scratch.write("in", "some text and boom and more");
    scratch.write("words", "boom\n");
    // Two at the same time would find the folder.
    scratch.script(
        "check.sh",
        "#!/bin/sh\nmkdir alone || exit 0\nsleep 0.01\ngrep -q -f words \"$1\"; said=$?\nrmdir alone\nexit $said\n",
    );
    let ended = scratch.patiently(&["in", "-j", "4", "-o", "out"], &["./check.sh", "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert!(ended.stderr.contains("in this folder, one test at a time"), "{}", ended.stderr);
    let ended = scratch.patiently(&["in", "-o", "out2", "--cwd", "keep"], &["./check.sh", "{}"]);
    assert_eq!((ended.code, scratch.read("out2").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("in a new folder"), "{}", ended.stderr);
}

#[test]
fn a_validator_that_needs_the_users_folder_runs_there_and_one_with_a_script_gets_its_path() {
    let scratch = Scratch::new();
    scratch.write("broken", "(a (b) c");
    scratch.write(
        "balance.sh",
        "[ \"$(tr -cd '(' < \"$1\" | wc -c)\" = \"$(tr -cd ')' < \"$1\" | wc -c)\" ]",
    );
    let by_path = scratch.repair_with(&["broken", "--", "sh", "balance.sh", "{}"]);
    assert_eq!(
        (by_path.code, by_path.stdout.as_str()),
        (Some(0), "(a (b) c)"),
        "{}",
        by_path.stderr
    );
    assert!(by_path.stderr.contains("absolute paths"), "{}", by_path.stderr);
    let here = scratch.repair_with(&["broken", "--", "sh", "-c", ". ./balance.sh", "sh", "{}"]);
    assert_eq!((here.code, here.stdout.as_str()), (Some(0), "(a (b) c)"), "{}", here.stderr);
    assert!(here.stderr.contains("in this folder"), "{}", here.stderr);
}

/// Leaves daemons in new sessions, and fails on `boom`.
const DAEMONS: &str = "#!/bin/bash\nsetsid sleep 3600 &\n(setsid bash -c 'sleep 3601 & sleep 3602' >/dev/null 2>&1 &)\n\
    grep -q boom \"$1\"\n";

#[test]
fn daemons_that_tests_leave_are_ended_with_the_test() {
    let scratch = Scratch::new();
    scratch.write("in", "some text and boom and more");
    scratch.script("check.sh", DAEMONS);
    let mark = format!("SEEDSMITH_TEST_MARK=daemons-{}", std::process::id());
    let env = ["/usr/bin/env", &mark, "./check.sh", "{}"];
    let ended = scratch.patiently(&["in", "-o", "out", "--cwd", "keep"], &env);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "boom"), "{}", ended.stderr);
    assert_none_left(&mark);
}

#[test]
fn nothing_is_left_of_a_run_that_is_killed() {
    let scratch = Scratch::new();
    scratch.write("in", "some text and boom and more");
    scratch.script("check.sh", &format!("{DAEMONS}sleep 3603\n"));
    let mark = format!("SEEDSMITH_MARK_OF_TEST=killed-{}", std::process::id());
    let (name, value) = mark.split_once('=').unwrap();
    let mut tmin = scratch.tmin();
    tmin.args(["in", "-o", "out", "-j", "2"]).args(PATIENT).args(["--", "./check.sh", "{}"]);
    let mut tmin = tmin.env(name, value).stderr(Stdio::null()).spawn().unwrap();
    // The program, the supervisor, the script and the processes that it has left.
    assert!(wait_until(|| marked(&mark).len() >= 6), "{:?}", marked(&mark));
    tmin.kill().unwrap();
    tmin.wait().unwrap();
    assert_none_left(&mark);
}
