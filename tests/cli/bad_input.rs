//! Bad input: one line with advice, the right exit code, and nothing written.

use crate::planted::planted;
use crate::scratch::Scratch;

fn refused(scratch: &Scratch, arguments: &[&str], code: i32, line: &str) {
    let before = scratch.names();
    let ended = scratch.run_foo(arguments);
    assert_eq!((ended.stderr.as_str(), ended.code), (line, Some(code)));
    assert_eq!(ended.stdout, "");
    assert_eq!(scratch.names(), before);
}

#[test]
fn an_input_has_to_be_a_file_with_something_in_it() {
    let scratch = Scratch::new();
    scratch.write("empty", "");
    scratch.write("folder/.hidden", "x");
    refused(
        &scratch,
        &["crash-1"],
        2,
        "tmin: error: no such file: crash-1; no crash begins with it in \
         fuzz/artifacts/*/, artifacts/*/, corpora/crashes/*/, ../corpora/crashes/*/ or here\n",
    );
    refused(&scratch, &["no/such"], 2, "tmin: error: no such file: no/such\n");
    refused(
        &scratch,
        &["empty"],
        2,
        "tmin: error: empty is empty, and nothing is smaller than that\n",
    );
    let folder = "tmin: error: no inputs in folder; hidden files and our own results don't count\n";
    refused(&scratch, &["folder"], 2, folder);
    let folder = "tmin: error: folder is a directory; name one of the files in it\n";
    refused(&scratch, &["folder", "--isolate"], 2, folder);
    let one = "tmin: error: --isolate takes one input\n";
    refused(&scratch, &["empty", "folder", "--isolate"], 2, one);
}

#[test]
fn an_input_has_to_be_a_regular_file_and_not_too_large() {
    let scratch = Scratch::new();
    scratch.write("small", "foo");
    nix::unistd::mkfifo(&scratch.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let large = std::fs::File::create(scratch.path().join("large")).unwrap();
    // A hole: it takes no space.
    large.set_len((512 << 20) + 1).unwrap();
    let why = "is neither a file nor a folder; write its content into a file first\n";
    for name in ["pipe", "/dev/zero"] {
        let line = format!("tmin: error: {name} {why}");
        refused(&scratch, &[name], 2, &line);
        refused(&scratch, &["small", name], 2, &line);
        refused(&scratch, &["small", "--isolate", "--passing", name], 2, &line);
        let parsed = scratch.seedsmith(&["grammar", "json", "--parse", name]);
        assert!(parsed.stderr.contains("not a regular file"), "{}", parsed.stderr);
        assert_eq!(parsed.code, Some(2));
    }
    let line = "tmin: error: large is larger than 512 MB, the most that an input may have\n";
    refused(&scratch, &["large"], 2, line);
    refused(&scratch, &["small", "large"], 2, line);
    let line = line.replace("large is", "/proc/self/pagemap is");
    refused(&scratch, &["/proc/self/pagemap"], 2, &line);
    let repaired = scratch.repair(&["large"]);
    assert_eq!(repaired.code, Some(2), "{}", repaired.stderr);
}

#[test]
fn an_input_that_does_not_fail_is_told_with_what_happened_instead() {
    let scratch = Scratch::new();
    scratch.write("fine", "bar");
    refused(
        &scratch,
        &["fine"],
        1,
        "tmin: it does not fail in a new folder: trying in this folder, one test at a time (--cwd \
         keep does so at once)\n\
         tmin: error: fine doesn't fail on sh: run 5 times, it returned each time; the failure shows \
         where the command exits with 0 or crashes; --fails-if names another sign\n",
    );
    scratch.write("crash", "foo");
    refused(
        &scratch,
        &["crash", "--match", "overflow"],
        1,
        "tmin: it does not fail in a new folder: trying in this folder, one test at a time (--cwd \
         keep does so at once)\n\
         tmin: error: crash doesn't fail as --match says on sh: run 5 times, it exited with status 0 \
         each time; the failure shows where the command exits with 0 or crashes; --fails-if names \
         another sign\n",
    );
}

#[test]
fn an_output_that_cannot_be_written_is_told_at_once() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    refused(
        &scratch,
        &["crash", "-o", "no/such/result"],
        6,
        "tmin: error: failed to write no/such/result: there is no folder no/such\n",
    );
}

#[test]
fn wrong_arguments_are_usage() {
    let scratch = Scratch::new();
    for arguments in [
        &["crash", "--same", "sometimes"][..],
        &["crash", "--max-time", "soon"],
        &["crash", "--match", "("],
        &["crash", "--passing", "x"],
        &["crash", "--jobs", "0"],
        &["--no-such-option"],
        &[],
    ] {
        let ended = scratch.run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    }
}

#[test]
fn a_command_that_cannot_be_started_is_a_target_that_cannot_be_run() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    let ended = scratch.run(&["crash", "--", "./no-such-program", "{}"]);
    assert_eq!(ended.code, Some(5), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}

#[test]
fn a_program_that_is_no_fuzzer_is_told_apart() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    let own = env!("CARGO_BIN_EXE_tmin");
    let ended = scratch.run(&["crash", "--binary", own]);
    let line = format!(
        "tmin: error: {own} is not a libFuzzer executable: it has no LLVMFuzzerTestOneInput; \
         other programs come after `--`\n"
    );
    assert_eq!((ended.code, ended.stderr), (Some(5), line));
    let ended = scratch.run(&["crash", "--binary", "crash"]);
    assert_eq!(ended.code, Some(5));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    let ended = scratch.run(&["crash", "--binary", "fuzzer"]);
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (Some(5), "tmin: error: no such executable: fuzzer\n")
    );
}

#[test]
fn without_a_fuzz_package_the_ways_to_name_a_target_are_told() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    let ended = scratch.run(&["crash"]);
    assert_eq!(
        (ended.stderr.as_str(), ended.code),
        (
            "tmin: error: no cargo-fuzz package above crash or here; \
             name a target with --fuzz-dir DIR, --binary FILE or -- COMMAND {}\n",
            Some(5)
        )
    );
}

#[test]
fn what_fails_only_after_the_call_is_said_to_do_so() {
    let scratch = Scratch::new();
    scratch.write("late", "later! this fails at the end of all");
    scratch.write("fine", "this does not fail");
    let why = "after the target's function has returned: in an exit handler";
    let binary = planted().to_str().unwrap();
    let late = scratch.run(&["late", "--binary", binary]);
    assert_eq!(late.code, Some(1), "{}", late.stderr);
    assert!(late.stderr.contains(why) && late.stderr.contains("abort"), "{}", late.stderr);
    let fine = scratch.run(&["fine", "--binary", binary]);
    assert_eq!(fine.code, Some(1), "{}", fine.stderr);
    assert!(!fine.stderr.contains(why), "{}", fine.stderr);
}
