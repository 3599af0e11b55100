//! Files that are never replaced: an input under any name, and the result of another task.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::planted::planted;
use crate::scratch::{Ended, HAS_FOO, Scratch};

const INPUT: &str = "hello\nworld foo bar\nmore\n";

/// Runs a program of `seedsmith` on inputs that have `foo`, and expects that it refuses to write.
fn refuses(scratch: &Scratch, command: &str, arguments: &[&str]) {
    let mut all = vec![command];
    all.extend(arguments);
    all.push("--");
    all.extend(HAS_FOO);
    let ended = scratch.plain_seedsmith(&all);
    assert_eq!(ended.code, Some(2), "{all:?}: {}", ended.stderr);
    let why = "which is never replaced; name another place\n";
    assert!(ended.stderr.ends_with(why), "{all:?}: {}", ended.stderr);
}

#[test]
fn no_program_replaces_an_input_by_any_of_its_names() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    scratch.write("sub/other", "foo");
    symlink("crash", scratch.path().join("link")).unwrap();
    fs::hard_link(scratch.path().join("crash"), scratch.path().join("hard")).unwrap();
    for name in ["crash", "./crash", "sub/../crash", "link", "hard"] {
        refuses(&scratch, "tmin", &["crash", "--force", "-o", name]);
        refuses(&scratch, "repair", &["crash", "--force", "-o", name]);
        refuses(&scratch, "repair", &["crash", "--force", "-o", "new", "--html", name]);
        for option in ["--pattern", "--html", "--dict", "--emit-test"] {
            refuses(&scratch, "generalize", &["crash", option, name]);
        }
    }
    // The input was named by a link: neither the link nor the file that it leads to is replaced.
    refuses(&scratch, "tmin", &["link", "--force", "-o", "link"]);
    refuses(&scratch, "tmin", &["link", "--force", "-o", "crash"]);
    // Nor other files that a run reads.
    refuses(
        &scratch,
        "repair",
        &["sub", "--force", "--parent", "crash", "--html", "hard", "-o", "new"],
    );
    assert_eq!(scratch.read("crash"), INPUT);
    assert!(scratch.path().join("link").is_symlink());
    assert!(!scratch.path().join("new").is_file());
}

#[test]
fn the_files_of_a_command_and_of_a_grammar_are_not_replaced_either() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let grammar = scratch.write("Lines.g4", "grammar Lines; file: LINE* EOF; LINE: ~[\\n]* '\\n';");
    let check = scratch.write("check", "#!/bin/sh\ngrep -q foo \"$1\"\n");
    fs::set_permissions(&check, fs::Permissions::from_mode(0o700)).unwrap();
    for output in ["Lines.g4", "check"] {
        let arguments =
            ["crash", "--force", "-o", output, "--grammar", "Lines.g4", "--", "./check"];
        let ended = scratch.run(&arguments);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("which is never replaced"), "{}", ended.stderr);
    }
    assert!(fs::read_to_string(grammar).unwrap().starts_with("grammar"));
    assert!(fs::read_to_string(check).unwrap().starts_with("#!"));
}

/// Runs `tmin` on `crash` so that the result is `out`.
fn tmin(scratch: &Scratch, more: &[&str], command: &[&str]) -> Ended {
    let mut arguments = vec!["crash", "-o", "out", "--polish", "0"];
    arguments.extend(more);
    arguments.push("--");
    arguments.extend(command);
    scratch.run(&arguments)
}

#[test]
fn the_result_of_another_task_stays_and_the_message_says_what_differs() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    assert_eq!(tmin(&scratch, &[], &HAS_FOO).code, Some(0));
    let has_more = ["sh", "-c", "grep -q more \"$1\"", "sh", "{}"];
    let differs = |ended: &Ended, what: &str| {
        assert_eq!(ended.code, Some(6), "{}", ended.stderr);
        let told = ended.stderr.lines().last().unwrap();
        let begin = "tmin: error: out is the result of another task (";
        assert!(told.starts_with(begin) && told.contains(what), "{told}");
        let ways = "; --fresh starts again from INPUT and keeps that result in .seedsmith, --force overwrites \
                    it, -o names another place";
        assert!(told.ends_with(ways), "{told}");
        assert_eq!(scratch.read("out"), "foo");
    };
    differs(
        &tmin(&scratch, &[], &has_more),
        "(target was command \"sh\" \"-c\" \"grep -q foo \\\"$1\\\"\" \"sh\" \"{}\", now command \
         \"sh\" \"-c\" \"grep -q more",
    );
    differs(&tmin(&scratch, &["--strategy", "ddmin"], &HAS_FOO), "(strategy was auto, now ddmin)");
    let two = ["--same", "kind", "--match", "command"];
    let what = "(same was auto, now kind; match was none, now \"command\")";
    differs(&tmin(&scratch, &two, &HAS_FOO), what);
    scratch.write("crash", "foo and another content");
    differs(&tmin(&scratch, &[], &HAS_FOO), "(input was crash (SHA-1 ");
    // The same task again continues, and other options are reported.
    scratch.write("crash", INPUT);
    let ended = tmin(&scratch, &["--seed", "3"], &HAS_FOO);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let note = "tmin: out is a result found with other options (seed was 0, now 3)\n";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
    assert!(ended.stderr.contains("tmin: continuing from out\n"), "{}", ended.stderr);
}

#[test]
fn fresh_keeps_the_earlier_result_and_force_overwrites_it() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let has_more = ["sh", "-c", "grep -q more \"$1\"", "sh", "{}"];
    assert_eq!(tmin(&scratch, &[], &HAS_FOO).code, Some(0));
    let ended = tmin(&scratch, &["--fresh"], &has_more);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "more"), "{}", ended.stderr);
    let kept = ".seedsmith/out.earlier-0beec7b5";
    let note = format!("tmin: the earlier out is kept as {kept}\n");
    assert!(ended.stderr.contains(&note), "{}", ended.stderr);
    assert_eq!(scratch.read(kept), "foo");
    // Of the same task, too: the search starts from the input.
    let ended = tmin(&scratch, &["--fresh"], &has_more);
    assert!(!ended.stderr.contains("continuing from"), "{}", ended.stderr);
    let ended = tmin(&scratch, &["--force"], &HAS_FOO);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "foo"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("continuing from"), "{}", ended.stderr);
    // With --force the same task continues as without.
    let ended = tmin(&scratch, &["--force"], &HAS_FOO);
    assert!(ended.stderr.contains("continuing from out\n"), "{}", ended.stderr);
    let state: Vec<_> = fs::read_dir(scratch.path().join(".seedsmith")).unwrap().collect();
    // The journal, `foo` and `more`.
    assert_eq!(state.len(), 3, "{state:?}");
    let folder = fs::metadata(scratch.path().join(".seedsmith")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_result_that_someone_changed_is_not_replaced_silently() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    assert_eq!(tmin(&scratch, &[], &HAS_FOO).code, Some(0));
    scratch.write("out", "my foo");
    let ended = tmin(&scratch, &[], &HAS_FOO);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(6), "my foo"));
    let why = "tmin: error: out was changed after the run that made it; --fresh starts again from INPUT and \
               keeps that file in .seedsmith, --force overwrites it\n";
    assert!(ended.stderr.ends_with(why), "{}", ended.stderr);
    let ended = tmin(&scratch, &["--fresh"], &HAS_FOO);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "foo"), "{}", ended.stderr);
    assert!(ended.stderr.contains(" is kept as .seedsmith/out.earlier-"), "{}", ended.stderr);
}

#[test]
fn a_target_that_was_built_again_continues_and_that_is_told() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let check = scratch.write("check", "#!/bin/sh\ngrep -q foo \"$1\"\n");
    fs::set_permissions(&check, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(tmin(&scratch, &[], &[check.to_str().unwrap(), "{}"]).code, Some(0));
    scratch.write("check", "#!/bin/sh\ngrep -q 'oo*' \"$1\"\n");
    let ended = tmin(&scratch, &[], &[check.to_str().unwrap(), "{}"]);
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "o"), "{}", ended.stderr);
    let note = "tmin: out is a result of an earlier build of the target\n";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
}

#[test]
fn inputs_of_one_name_have_results_of_different_names_in_one_folder() {
    let scratch = Scratch::new();
    scratch.write("d/a/1", "some foo! here");
    scratch.write("d/b/1", "b is the first letter");
    let binary = planted().to_str().unwrap();
    for _ in 0..2 {
        let ended = scratch.run(&["d", "-o", "out", "--polish", "0", "--binary", binary]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert_eq!(ended.stdout.lines().count(), 2);
        for (line, content) in ended.stdout.lines().zip(["foo!", "b"]) {
            assert!(line.starts_with("out/1-") && line.ends_with(".min"), "{line}");
            assert_eq!(scratch.read(line), content);
        }
    }
}

#[test]
fn a_folder_run_that_was_stopped_is_resumed_with_those_inputs_that_had_begun() {
    let scratch = Scratch::new();
    scratch.write("d/1", format!("{}foo!", "words and ".repeat(50)));
    let binary = planted().to_str().unwrap();
    let run = |more: &[&str]| {
        let mut arguments = vec!["d", "-o", "out", "--polish", "0", "--binary", binary];
        arguments.extend(more);
        scratch.run(&arguments)
    };
    assert_eq!(run(&["--max-tests", "3"]).code, Some(3));
    scratch.write("d/2", "b is the first letter");
    let ended = run(&["--resume"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("resuming: 3 tests are known already"), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing to resume for d/2\n"), "{}", ended.stderr);
    assert_eq!((scratch.read("out/1.min"), scratch.read("out/2.min")), ("foo!".into(), "b".into()));
}
