//! `triage --casr`: reports that casr's tools read.
//!
//! `scripts/casr` gives reports of real crashes to casr-cluster itself.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::scratch::{Ended, Scratch};

/// The fields of `CrashReport` in libcasr 2.13.1, without its process number, which is not written.
const FIELDS: [&str; 33] = [
    "Date",
    "Uname",
    "OS",
    "OSRelease",
    "Architecture",
    "ExecutablePath",
    "ProcEnviron",
    "ProcCmdline",
    "Stdin",
    "ProcStatus",
    "ProcMaps",
    "ProcFiles",
    "NetworkConnections",
    "CrashSeverity",
    "Stacktrace",
    "Registers",
    "Disassembly",
    "Package",
    "PackageVersion",
    "PackageArchitecture",
    "PackageDescription",
    "AsanReport",
    "MsanReport",
    "UbsanReport",
    "LuaReport",
    "PythonReport",
    "GoReport",
    "JavaReport",
    "RustReport",
    "JsReport",
    "CSharpReport",
    "CrashLine",
    "Source",
];

/// Fails at two places, by the first letter of its input; `k` crashes, and `q` says nothing but its status.
const PROGRAM: &str = "\
import os, signal, sys
letter = open(sys.argv[1]).read(1)
def parse():
    raise KeyError('no key')
if letter == 'a':
    parse()
if letter == 'i':
    [][1]
if letter == 'k':
    os.kill(os.getpid(), signal.SIGSEGV)
sys.exit(0 if letter == 'q' else 1)
";

fn project(inputs: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("check.py", PROGRAM);
    for (name, text) in inputs {
        scratch.write(name, text);
    }
    scratch
}

fn triage(scratch: &Scratch, folder: &str) -> Ended {
    let command = ["d", "--", "python3", "check.py", "{}"];
    scratch.seedsmith(&[&["triage", "--cwd", "keep", "--casr", folder], &command[..]].concat())
}

fn report(scratch: &Scratch, name: &str) -> Value {
    serde_json::from_str(&scratch.read(name)).unwrap()
}

#[test]
fn each_failing_input_has_a_report_with_casrs_fields() {
    let inputs = [("d/1", "a"), ("d/2", "also"), ("d/3", "index"), ("d/sub/1", "k"), ("d/4", "no")];
    let scratch = project(&inputs);
    let ended = triage(&scratch, "out/reports");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let folder = scratch.path().join("out/reports");
    let names: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let of_second = names.iter().find(|name| name.starts_with("1-")).expect("of d/sub/1").clone();
    let expected = ["1.casrep", &of_second, "2.casrep", "3.casrep"];
    assert_eq!(names, expected.map(str::to_owned).into());
    let known: BTreeSet<&str> = FIELDS.into();
    for name in &names {
        let report = report(&scratch, &format!("out/reports/{name}"));
        let fields: BTreeSet<&str> =
            report.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, known, "{name}");
        let class = report["CrashSeverity"].as_object().unwrap();
        let parts: Vec<&String> = class.keys().collect();
        assert_eq!(parts, ["Description", "Explanation", "ShortDescription", "Type"], "{name}");
        assert!(!report["Uname"].as_str().unwrap().is_empty(), "{report}");
    }
    let exception = report(&scratch, "out/reports/2.casrep");
    assert_eq!(exception["CrashSeverity"]["ShortDescription"], "KeyError");
    assert_eq!(exception["CrashSeverity"]["Type"], "NOT_EXPLOITABLE");
    let program = scratch.path().canonicalize().unwrap().join("check.py");
    let program = program.display();
    assert_eq!(exception["CrashLine"], format!("{program}:4"));
    let stack = exception["Stacktrace"].as_array().unwrap();
    assert_eq!(stack[0], format!("#0  parse at {program}:4"));
    assert_eq!(stack[1], format!("#1  <module> at {program}:6"));
    let source = exception["Source"].as_array().unwrap();
    assert!(source.contains(&Value::from("--->4          raise KeyError('no key')")), "{source:?}");
    assert_eq!(exception["ProcCmdline"], "python3 check.py d/2");
    assert_eq!(exception["ExecutablePath"], "python3");
    let crash = report(&scratch, &format!("out/reports/{of_second}"));
    assert_eq!(crash["CrashSeverity"]["ShortDescription"], "AccessViolation");
}

#[test]
fn a_failure_of_which_nothing_is_known_has_no_severity() {
    let scratch = project(&[("d/1", "quiet")]);
    let ended = triage(&scratch, "reports");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let report = report(&scratch, "reports/1.casrep");
    assert_eq!(report["CrashSeverity"]["Type"], "UNDEFINED");
    assert_eq!(report["Stacktrace"], serde_json::json!([]));
    assert_eq!(report["CrashLine"], "");
}

#[test]
fn a_folder_with_something_in_it_is_refused_before_anything_is_run() {
    let scratch = project(&[("d/1", "a"), ("reports/mine", "text")]);
    let ended = triage(&scratch, "reports");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("reports is not an empty folder"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("inputs:"), "{}", ended.stderr);
    assert_eq!(scratch.read("reports/mine"), "text");
    // A file is no folder.
    let ended = triage(&scratch, "check.py");
    assert_eq!((ended.code, scratch.read("check.py").as_str()), (Some(2), PROGRAM));
}
