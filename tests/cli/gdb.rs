//! `tmin --gdb` with a fake debugger, which writes down how it was started.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::package::project;
use crate::scratch::{Ended, HAS_FOO, Scratch};

/// The folder `bin` with nothing in it but the programs that these tests start.
fn few_programs(scratch: &Scratch) -> PathBuf {
    let bin = scratch.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    for name in ["sh", "grep", "cat"] {
        let found = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        let found = found.iter().find(|path| path.exists()).expect("every system has it");
        symlink(found, bin.join(name)).unwrap();
    }
    bin
}

/// A debugger called `name` that writes its arguments into the file of that name, one a line.
fn stand_in(scratch: &Scratch, name: &str) -> PathBuf {
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {name}\necho debugging\nexit 7\n");
    let path = scratch.write(&format!("bin/{name}"), script);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn debug(scratch: &Scratch, bin: &Path, arguments: &[&str], command: &[&str]) -> Ended {
    scratch.write("in.txt", "some foo here");
    let mut tmin = scratch.tmin();
    tmin.env("PATH", bin).args(["in.txt", "--force", "--gdb"]).args(arguments);
    Ended::of(tmin.arg("--").args(command).output().unwrap())
}

#[test]
fn the_debugger_takes_the_place_of_the_program_and_runs_the_command_on_the_result() {
    let scratch = Scratch::new();
    let bin = few_programs(&scratch);
    stand_in(&scratch, "gdb");
    let ended = debug(&scratch, &bin, &[], &HAS_FOO);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(7), "in.txt.min\ndebugging\n"));
    let [_, _, script, _, _] = HAS_FOO;
    let words = ["-ex", "run", "--args", "sh", "-c", script, "sh", "in.txt.min", ""].join("\n");
    assert_eq!(scratch.read("gdb"), words);
    assert_eq!(scratch.read("in.txt.min"), "foo");
}

#[test]
fn a_command_that_reads_standard_input_gets_the_result_there() {
    let scratch = Scratch::new();
    let bin = few_programs(&scratch);
    stand_in(&scratch, "gdb");
    let ended = debug(&scratch, &bin, &[], &["grep", "-q", "foo"]);
    assert_eq!(ended.code, Some(7), "{}", ended.stderr);
    let words = "-ex\nrun -q foo < in.txt.min\n--args\ngrep\n-q\nfoo\n";
    assert_eq!(scratch.read("gdb"), words);
}

#[test]
fn the_debugger_that_is_named_is_started_and_lldb_has_words_of_its_own() {
    let scratch = Scratch::new();
    let bin = few_programs(&scratch);
    stand_in(&scratch, "gdb");
    let lldb = stand_in(&scratch, "lldb-19");
    let named = ["--debugger", lldb.to_str().unwrap()];
    let ended = debug(&scratch, &bin, &named, &["grep", "-q", "foo", "{}"]);
    assert_eq!(ended.code, Some(7), "{}", ended.stderr);
    assert_eq!(scratch.read("lldb-19"), "-o\nrun\n--\ngrep\n-q\nfoo\nin.txt.min\n");
    assert!(!scratch.names().contains(&"gdb".to_owned()));
}

#[test]
fn a_fuzz_target_is_debugged_in_the_executable_that_was_run() {
    let scratch = project();
    scratch.write("fuzz/artifacts/finds_foo/crash-1", "some foo here");
    let stand_in = stand_in(&scratch, "gdb");
    let mut tmin = scratch.tmin();
    tmin.args(["crash-1", "--polish", "0", "--gdb", "--debugger"]).arg(stand_in);
    let ended = Ended::of(tmin.output().unwrap());
    assert_eq!(ended.code, Some(7), "{}", ended.stderr);
    let words = scratch.read("gdb");
    let [run, program, file] =
        words.split("\n--args\n").flat_map(str::lines).collect::<Vec<_>>()[1..]
    else {
        panic!("{words}")
    };
    assert_eq!((run, file), ("run", "fuzz/artifacts/finds_foo/crash-1.min"));
    assert!(program.ends_with("/release/finds_foo"), "{program}");
}

#[test]
fn without_a_debugger_its_command_line_is_printed_and_the_result_counts() {
    let scratch = Scratch::new();
    let bin = few_programs(&scratch);
    let ended = debug(&scratch, &bin, &[], &["grep", "-q", "foo", "{}"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "in.txt.min\n"));
    for part in ["no debugger is installed", "gdb -ex run --args grep -q foo in.txt.min\n"] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    let missing = debug(&scratch, &bin, &["--debugger", "nosuch"], &["grep", "-q", "foo", "{}"]);
    assert_eq!(missing.code, Some(5));
    assert!(missing.stderr.contains("start nosuch"), "{}", missing.stderr);
}

#[test]
fn no_debugger_is_started_if_there_is_no_failure_or_no_single_result() {
    let scratch = Scratch::new();
    let bin = few_programs(&scratch);
    stand_in(&scratch, "gdb");
    let passing = debug(&scratch, &bin, &[], &["grep", "-q", "absent", "{}"]);
    assert_eq!(passing.code, Some(1), "{}", passing.stderr);
    scratch.write("other.txt", "foo");
    let several = debug(&scratch, &bin, &["other.txt"], &["grep", "-q", "foo", "{}"]);
    assert_eq!(several.code, Some(2));
    assert!(several.stderr.contains("--gdb takes one input"), "{}", several.stderr);
    assert!(!scratch.names().contains(&"gdb".to_owned()));
}
