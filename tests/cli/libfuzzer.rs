//! `seedsmith-libfuzzer` with the command lines of programs that call libFuzzer.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::planted::planted;
use crate::scratch::{Ended, Scratch};

const CRASH: &str = "some text, foo! and more\nof it, and x\n";

fn run(scratch: &Scratch, target: &Path, arguments: &[&str]) -> Ended {
    let mut command = scratch.command(env!("CARGO_BIN_EXE_seedsmith-libfuzzer"));
    Ended::of(command.arg(target).args(arguments).output().unwrap())
}

/// A scratch folder with an input that crashes.
fn with_crash() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("crash", CRASH);
    scratch
}

/// An executable script.
fn script(scratch: &Scratch, name: &str, text: &str) -> std::path::PathBuf {
    let path = scratch.write(name, text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// The lines that begin with `CRASH_MIN`.
fn crash_min(ended: &Ended) -> Vec<&str> {
    ended.stderr.lines().filter(|line| line.starts_with("CRASH_MIN")).collect()
}

/// The arguments that ClusterFuzz's `LibFuzzerCommon.minimize_crash` builds.
const CLUSTERFUZZ: [&str; 7] = [
    "-timeout=25",
    "-rss_limit_mb=2560",
    "-max_total_time=295",
    "-exact_artifact_path=out",
    "-minimize_crash=1",
    "-artifact_prefix=work/",
    "crash",
];

#[test]
fn the_command_line_of_clusterfuzz_gives_the_smallest_input_at_the_exact_path() {
    let scratch = with_crash();
    let ended = run(&scratch, planted(), &CLUSTERFUZZ);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
    assert_eq!(scratch.read("out"), "foo!");
    assert_eq!(scratch.read("crash"), CRASH);
    assert_eq!(scratch.names(), ["crash", "out"]);
    let target = planted().display();
    let flags = "-timeout=25 -rss_limit_mb=2560 -max_total_time=295 -artifact_prefix=work/";
    let expected = [
        "CRASH_MIN: minimizing crash input: 'crash' (38 bytes)".to_owned(),
        format!("CRASH_MIN: executing: {target} {flags} crash"),
        "CRASH_MIN: 'crash' (38 bytes) caused a crash. Will try to minimize it further".to_owned(),
        format!("CRASH_MIN: executing: {target} {flags} out"),
        "CRASH_MIN: failed to minimize beyond out (4 bytes), exiting".to_owned(),
    ];
    assert_eq!(crash_min(&ended), expected);
    // The target's output about the crash, and the place of the input.
    assert!(ended.stderr.contains("found foo"), "{}", ended.stderr);
    let written = "artifact_prefix='work/'; Test unit written to out\nBase64: Zm9vIQ==\n";
    assert!(ended.stderr.contains(written), "{}", ended.stderr);
    // ClusterFuzz does it again with the result.
    let again = ["-max_total_time=295", "-exact_artifact_path=out2", "-minimize_crash=1", "out"];
    let ended = run(&scratch, planted(), &again);
    assert_eq!((ended.code, scratch.read("out2")), (Some(0), "foo!".to_owned()));
    let last = "CRASH_MIN: failed to minimize beyond out2 (4 bytes), exiting";
    assert_eq!(crash_min(&ended).last(), Some(&last));
}

#[test]
fn the_command_line_of_cargo_fuzz_gives_a_file_in_the_folder_of_artifacts() {
    let scratch = with_crash();
    scratch.write("artifacts/parse/crash-1", CRASH);
    let arguments = [
        "-artifact_prefix=artifacts/parse/",
        "-minimize_crash=1",
        "-runs=100000",
        "artifacts/parse/crash-1",
    ];
    let ended = run(&scratch, planted(), &arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let sha1 = <sha1::Sha1 as sha1::Digest>::digest(CRASH.as_bytes());
    let sha1 = base16ct::lower::encode_string(&sha1);
    let result = format!("artifacts/parse/minimized-from-{sha1}");
    assert_eq!(scratch.read(&result), "foo!");
    let last = format!("CRASH_MIN: failed to minimize beyond {result} (4 bytes), exiting");
    assert_eq!(crash_min(&ended).last(), Some(&last.as_str()));
    assert!(!ended.stderr.contains("defaulting"), "{}", ended.stderr);
}

#[test]
fn a_script_in_place_of_the_target_is_a_drop_in() {
    let scratch = with_crash();
    let program = env!("CARGO_BIN_EXE_seedsmith-libfuzzer");
    let target = planted().display();
    let text = format!("#!/bin/sh\nexec '{program}' '{target}' \"$@\"\n");
    let target = script(&scratch, "parse_fuzzer", &text);
    let mut command = scratch.command(target.to_str().unwrap());
    let ended = Ended::of(command.args(CLUSTERFUZZ).output().unwrap());
    assert_eq!((ended.code, scratch.read("out")), (Some(0), "foo!".to_owned()), "{}", ended.stderr);
    // To reproduce, it is the target.
    let mut command = scratch.command(scratch.path().join("parse_fuzzer").to_str().unwrap());
    let ended = Ended::of(command.args(["-runs=100", "-timeout=25", "out"]).output().unwrap());
    assert_eq!(ended.code, None, "it dies by a signal");
    assert!(ended.stderr.contains("found foo"), "{}", ended.stderr);
}

#[test]
fn an_input_that_does_not_crash_ends_with_1() {
    let scratch = Scratch::new();
    scratch.write("fine", "nothing");
    let arguments = ["-minimize_crash=1", "-exact_artifact_path=out", "fine"];
    let ended = run(&scratch, planted(), &arguments);
    assert_eq!(ended.code, Some(1));
    let line = "ERROR: the input fine did not crash\n";
    assert!(ended.stderr.ends_with(line), "{}", ended.stderr);
    let default = "INFO: you need to specify -runs=N or -max_total_time=N with -minimize_crash=1\n\
                   INFO: defaulting to -max_total_time=600\n";
    assert!(ended.stderr.starts_with(default), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["fine"]);
}

#[test]
fn wrong_arguments_end_with_1_and_libfuzzers_words() {
    let scratch = with_crash();
    let ended = run(&scratch, planted(), &["-minimize_crash=1", "crash", "crash2"]);
    let line = "ERROR: -minimize_crash should be given one input file\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), line));
    let ended = run(&scratch, planted(), &["-cleanse_crash=1", "crash"]);
    let line = "ERROR: -cleanse_crash should be given one input file and -exact_artifact_path\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), line));
    let arguments = ["-minimize_crash=1", "-exact_artifact_path=no/such/folder/out", "crash"];
    let ended = run(&scratch, planted(), &arguments);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("ERROR: failed to write no/such/folder/out"), "{}", ended.stderr);
}

#[test]
fn bytes_that_do_not_matter_are_cleansed() {
    let scratch = with_crash();
    let arguments = [
        "-timeout=25",
        "-cleanse_crash=1",
        "-exact_artifact_path=out",
        "-artifact_prefix=work/",
        "crash",
    ];
    let ended = run(&scratch, planted(), &arguments);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let expected = format!("{:11}foo!{:23}", "", "");
    assert_eq!((expected.len(), scratch.read("out")), (CRASH.len(), expected));
    assert!(ended.stderr.contains("CLEANSE: Replaced byte 0 with 0x20\n"), "{}", ended.stderr);
    // Nothing is left to replace: libFuzzer writes no file either.
    scratch.write("small", "foo!");
    let ended =
        run(&scratch, planted(), &["-cleanse_crash=1", "-exact_artifact_path=none", "small"]);
    assert_eq!((ended.code, scratch.path().join("none").exists()), (Some(0), false));
}

#[test]
fn any_other_command_line_is_the_targets() {
    let scratch = with_crash();
    let text = "#!/bin/sh\necho \"$@\"\necho talk >&2\nexit 77\n";
    let target = script(&scratch, "target", text);
    for arguments in [
        &["corpus", "-fork=2", "-max_total_time=1"][..],
        &["-merge=1", "a", "b"],
        &["-runs=100", "crash"],
        &["-minimize_crash=1", "-minimize_crash_internal_step=1", "crash"],
    ] {
        let ended = run(&scratch, &target, arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(77), "talk\n"));
        assert_eq!(ended.stdout, format!("{}\n", arguments.join(" ")));
    }
}

#[test]
fn what_cannot_be_run_in_process_is_minimized_by_the_target_itself() {
    let scratch = with_crash();
    let text = "#!/bin/sh\ncase \"$*\" in *minimize_crash=1*) echo own; exit 0;; esac\nexit 1\n";
    let target = script(&scratch, "target", text);
    let ended = run(&scratch, &target, &CLUSTERFUZZ);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "own\n"));
    let line = "is not an executable: ";
    let warning = ended.stderr.lines().find(|line| line.starts_with("WARNING: seedsmith: "));
    let warning = warning.unwrap_or_else(|| panic!("{}", ended.stderr));
    assert!(
        warning.contains(line) && warning.ends_with("; libFuzzer does it instead"),
        "{warning}"
    );
    // So is a crash that the target's own `main` causes.
    scratch.write("crash", "no such word");
    let text = format!("#!/bin/sh\nexit 1\n# {}\n", planted().display());
    let target = script(&scratch, "target", &text);
    assert_eq!(run(&scratch, &target, &CLUSTERFUZZ).code, Some(1));
}

#[test]
fn help_is_printed_where_there_is_no_target() {
    let scratch = Scratch::new();
    let program = env!("CARGO_BIN_EXE_seedsmith-libfuzzer");
    let help = Ended::of(scratch.command(program).arg("-help=1").output().unwrap());
    crate::help::hold("libfuzzer-help.txt", help);
    let ended = Ended::of(scratch.command(program).output().unwrap());
    assert_eq!((ended.code, ended.stdout.contains("Usage: ")), (Some(1), true));
}
