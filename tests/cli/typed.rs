//! Command lines as people type them: cargo-fuzz' order of target and input, the start of a path,
//! settings of a package, and a list of the fuzzer's files.

use crate::json::lines;
use crate::package::project;
use crate::scratch::Scratch;

/// A project with a crash of each target, and its paths.
fn crashes() -> (Scratch, [&'static str; 2]) {
    let scratch = project();
    let paths = ["fuzz/artifacts/finds_foo/crash-1234", "fuzz/artifacts/finds_bar/crash-5678"];
    scratch.write(paths[0], "some foo here");
    scratch.write(paths[1], "some bar here");
    (scratch, paths)
}

#[test]
fn a_target_may_come_before_its_input_and_after_it() {
    let (scratch, [foo, _]) = crashes();
    let options = ["--polish", "0", "-o", "small"];
    for words in [["finds_foo", "crash-12"], ["crash-12", "finds_foo"], ["finds_foo", foo]] {
        let ended = scratch.seedsmith(&[&["tmin"], &words[..], &options].concat());
        assert_eq!(
            (ended.code, scratch.read("small").as_str()),
            (Some(0), "foo"),
            "{}",
            ended.stderr
        );
        std::fs::remove_file(scratch.path().join("small")).unwrap();
    }
    // The target decides, and not the folder of the input.
    let ended = scratch.plain_seedsmith(&["run", "finds_bar", foo]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let first = format!("{foo} (13 bytes) doesn't fail on finds_bar: run 5 times, ");
    assert!(ended.stdout.starts_with(&first), "{}", ended.stdout);
    let ended = scratch.plain_seedsmith(&["run", foo]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let ended = scratch.plain_seedsmith(&["triage", "finds_foo", foo]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
}

#[test]
fn a_file_called_like_a_target_is_an_input_where_a_path_says_so() {
    let (scratch, _) = crashes();
    scratch.write("finds_foo", "a foo");
    let ended = scratch.run(&["finds_foo", "crash-1234"]);
    let line = "tmin: error: finds_foo is a file here and a fuzz target too; say ./finds_foo for the \
                file, or --target finds_foo for the target\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), line));
    let ended =
        scratch.run(&["./finds_foo", "--target", "finds_foo", "--polish", "0", "-o", "small"]);
    assert_eq!((ended.code, scratch.read("small").as_str()), (Some(0), "foo"), "{}", ended.stderr);
}

#[test]
fn the_start_of_a_path_is_enough() {
    let (scratch, [foo, _]) = crashes();
    let ended = scratch.run(&[&foo[..foo.len() - 2], "--polish", "0"]);
    assert_eq!((ended.code, ended.stdout), (Some(0), format!("{foo}.min\n")), "{}", ended.stderr);
}

#[test]
fn tmin_alone_names_the_commands_for_the_crashes_of_the_package_those_without_a_result_first() {
    let (scratch, [foo, bar]) = crashes();
    scratch.write(&format!("{foo}.min"), "foo");
    let expected = |typed: &str| {
        format!(
            "tmin: error: INPUT is missing; these are the inputs that the fuzzer left in fuzz:\n  \
             {typed} {bar}\n  {typed} {foo}\n"
        )
    };
    let ended = scratch.run(&[]);
    assert_eq!((ended.code, ended.stderr), (Some(2), expected("tmin")));
    let ended = scratch.seedsmith(&["tmin"]);
    assert_eq!((ended.code, ended.stderr), (Some(2), expected("cargo seedsmith tmin")));
}

#[test]
fn a_list_has_the_targets_with_their_crashes_and_the_failure_of_what_was_minimized() {
    let (scratch, [foo, bar]) = crashes();
    let ended = scratch.run(&[foo, "--polish", "0"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let listed = scratch.plain_seedsmith(&["list"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""));
    let row = |path: &str| {
        let row = listed.stdout.lines().find(|line| line.contains(path)).unwrap().to_owned();
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    let (foo_row, bar_row) = (row(foo), row(bar));
    assert!(foo_row.starts_with("finds_foo crash 13 "), "{foo_row}");
    let failure = "3 fuzz/artifacts/finds_foo/crash-1234 panic at fuzz_targets/finds_foo.rs:8:9: \
                   found foo";
    assert!(foo_row.ends_with(failure), "{foo_row}");
    assert!(bar_row.ends_with(" - fuzz/artifacts/finds_bar/crash-5678"), "{bar_row}");
    assert!(listed.stdout.contains("\n  broken     -\n"), "{}", listed.stdout);

    let json = scratch.seedsmith(&["list", "fuzz", "--json"]);
    let [listed] = &lines(&json.stdout)[..] else { panic!("{}", json.stdout) };
    let names: Vec<_> =
        listed["targets"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["broken", "finds_all", "finds_bar", "finds_foo"]);
    let artifact = &listed["targets"][3]["artifacts"][0];
    assert_eq!((&artifact["kind"], &artifact["bytes"]), (&"crash".into(), &13.into()));
    let minimized = &artifact["minimized"];
    assert_eq!((&minimized["bytes"], &minimized["complete"]), (&3.into(), &true.into()));
    let failure = minimized["failure"].as_str().unwrap();
    assert!(failure.ends_with("finds_foo.rs:8:9: found foo"), "{failure}");
}

#[test]
fn settings_of_a_package_are_options_that_the_command_line_and_the_environment_replace() {
    let (scratch, [foo, _]) = crashes();
    let settings = "polish = 0\nmax-tests = 1000\n\n[target.finds_foo]\nmax-tests = 1\n\n\
                    [target.finds_bar]\ngrammar = \"json\"\n";
    scratch.write("seedsmith.toml", settings);
    let ended = scratch.run(&[foo, "-v", "-o", "small"]);
    let line = "tmin: from seedsmith.toml (target finds_foo): --max-tests 1, --polish 0\n";
    assert!(ended.stderr.starts_with(line), "{}", ended.stderr);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);

    let ended = scratch.run(&[foo, "--max-tests", "500", "--json", "-o", "other"]);
    assert_eq!((ended.code, scratch.read("other").as_str()), (Some(0), "foo"), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    assert_eq!((&told[0]["event"], &told[0]["target"]), (&"settings".into(), &"finds_foo".into()));
    assert_eq!(
        (&told[0]["file"], &told[0]["values"]["polish"]),
        (&"seedsmith.toml".into(), &"0".into())
    );
    assert!(told[0]["values"].get("max-tests").is_none(), "{}", told[0]);

    let mut by_environment = scratch.tmin();
    by_environment.args([foo, "-o", "third"]).env("SEEDSMITH_MAX_TESTS", "500");
    assert_eq!(by_environment.output().unwrap().status.code(), Some(0));

    // A command is no target of the package.
    let command = [foo, "-v", "-o", "fourth", "--", "grep", "-q", "foo", "{}"];
    let ended = scratch.run(&command);
    assert!(ended.code == Some(0) && !ended.stderr.contains("seedsmith.toml"), "{}", ended.stderr);
}

#[test]
fn a_setting_that_the_command_line_leaves_without_effect_is_left_out() {
    let (scratch, [foo, _]) = crashes();
    scratch.write("fuzz/seedsmith.toml", "grammar = \"json\"\npolish = 100\n");
    let options = ["-v", "-o", "small", "--strategy", "ddmin", "--format", "bytes"];
    let ended = scratch.run(&[&[foo][..], &options].concat());
    assert_eq!((ended.code, scratch.read("small").as_str()), (Some(0), "foo"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("seedsmith.toml"), "{}", ended.stderr);
}
