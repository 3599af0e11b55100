//! `repair` on files and folders.

use crate::json::lines;
use crate::scratch::Scratch;

#[test]
fn one_file_is_repaired_to_stdout_and_stays_as_it_is() {
    let scratch = Scratch::new();
    scratch.write("in", "(a (b) c");
    let ended = scratch.repair(&["in"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "(a (b) c)"), "{}", ended.stderr);
    assert_eq!(scratch.read("in"), "(a (b) c");
    assert_eq!(scratch.names(), ["in"]);
}

#[test]
fn a_dash_is_standard_input_and_comes_alone() {
    let scratch = Scratch::new();
    let ended = scratch.repair_fed(&["-"], "(a (b) c");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "(a (b) c)"), "{}", ended.stderr);
    assert!(scratch.names().is_empty());
    let ended = scratch.repair_fed(&["-", "-o", "out"], "(a (b) c");
    assert_eq!((ended.code, scratch.read("out").as_str()), (Some(0), "(a (b) c)"));
    scratch.write("in", "(x");
    for (arguments, why) in [
        (["-", "in"], "- is standard input, and comes alone"),
        (["-", "--in-place"], "standard input has no file to replace"),
    ] {
        let ended = scratch.repair_fed(&arguments, "(");
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    }
}

#[test]
fn a_validator_may_read_standard_input_alone() {
    let scratch = Scratch::new();
    scratch.write("in", "a (b c");
    let script = r#"[ "$(tr -dc '(' | wc -c)" = 0 ]"#;
    let ended = scratch.repair_with(&["in", "--", "sh", "-c", script]);
    assert_eq!((ended.code, ended.stdout.contains('(')), (Some(0), false), "{}", ended.stderr);
    assert!(ended.stdout.starts_with('a') && ended.stdout.ends_with('c'), "{}", ended.stdout);
}

#[test]
fn hidden_files_are_counted_and_a_missing_one_is_no_crash_where_a_command_validates() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(x");
    scratch.write("in/.hidden", "(y");
    scratch.write("in/.git/config", "(z");
    let ended = scratch.repair(&["in", "-o", "out", "--keep-at-least", "0%"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let line = "repair: passed over: 2 hidden files and folders\n";
    assert!(ended.stderr.contains(line), "{}", ended.stderr);
    let ended = scratch.repair(&["gone"]);
    assert_eq!(ended.stderr, "repair: error: no such file: gone\n");
}

#[test]
fn a_failure_of_the_validator_is_told_and_never_written_beside_the_original() {
    let scratch = Scratch::new();
    scratch.write("in", "(a (b");
    // It is killed by a signal where there are more closing brackets than opening ones.
    let script = r#"o=$(tr -dc '(' < "$1" | wc -c); c=$(tr -dc ')' < "$1" | wc -c)
        [ "$c" -gt "$o" ] && kill -SEGV $$; [ "$o" = "$c" ]"#;
    let command = ["--", "sh", "-c", script, "sh", "{}"];
    let with = |options: &[&str]| scratch.repair_with(&[options, &command].concat());
    let ended = with(&["in", "--strategy", "auto"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["in"]);
}

#[test]
fn a_check_says_by_its_exit_code_alone_whether_all_is_valid() {
    let scratch = Scratch::new();
    scratch.write("good", "(a)");
    scratch.write("bad", "(a");
    let ended = scratch.repair(&["good", "--check"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{}", ended.stderr);
    let ended = scratch.repair(&["good", "bad", "--check"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("bad: invalid\n"), "{}", ended.stderr);
    assert!(ended.stderr.contains("2 inputs: 1 valid, 1 invalid; 2 tests\n"), "{}", ended.stderr);
    assert_eq!(scratch.names(), ["bad", "good"]);
}

#[test]
fn a_repair_in_place_keeps_the_original_beside_it() {
    let scratch = Scratch::new();
    scratch.write("in/good", "(a)");
    scratch.write("in/bad", "(a (b) c");
    let ended = scratch.repair(&["in", "--in-place"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(scratch.read("in/bad.orig"), "(a (b) c");
    assert_ne!(scratch.read("in/bad"), "(a (b) c");
    assert_eq!(scratch.read("in/good"), "(a)");
    assert!(!scratch.path().join("in/good.orig").exists());
}

#[test]
fn originals_of_a_repair_in_place_are_no_inputs_of_the_next_run_on_their_folder() {
    let scratch = Scratch::new();
    scratch.write("in/bad", "(a (b) c");
    assert_eq!(scratch.repair(&["in", "--in-place"]).code, Some(0));
    let checked = scratch.repair(&["in", "--check"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
    assert!(checked.stderr.contains("1 original of earlier repairs"), "{}", checked.stderr);
    // Named, it is an input as any other.
    assert_eq!(scratch.repair(&["in/bad.orig", "--check"]).code, Some(1));
    // A copy of an original is an input that is still invalid.
    scratch.write("in/copy", "(a (b) c");
    assert_eq!(scratch.repair(&["in", "--check"]).code, Some(1));
}

#[test]
fn copies_of_one_text_are_all_repaired_in_place() {
    let scratch = Scratch::new();
    for name in ["in/a", "in/b"] {
        scratch.write(name, "(a (b) c");
    }
    let ended = scratch.repair(&["in", "--in-place"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for name in ["in/a", "in/b"] {
        assert_ne!(scratch.read(name), "(a (b) c", "{name}");
        assert_eq!(scratch.read(&format!("{name}.orig")), "(a (b) c");
    }
}

#[test]
fn a_result_that_keeps_too_little_is_refused() {
    let scratch = Scratch::new();
    scratch.write("in", "<<<<<<<<<<<<<<<<<<<<ok");
    let only_ok = r#"[ "$(cat "$1")" = ok ]"#;
    let command = ["--", "sh", "-c", only_ok, "sh", "{}"];
    // On a busy machine each of some 900 tests may take long.
    let limits = ["in", "--keep-at-least", "50%", "--max-time", "20m"];
    let arguments = limits.into_iter().chain(command);
    let ended = scratch.repair_with(&arguments.collect::<Vec<_>>());
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
}

#[test]
fn a_diagnosis_tells_line_and_column() {
    let scratch = Scratch::new();
    scratch.write("in", "(a) d\n(b)! c");
    let ended = scratch.repair(&["in", "--diagnose"]);
    assert_eq!(ended.stdout, "in:2:4: drop `!`\n    (b)! c\n       ^\n");
}

#[test]
fn a_folder_goes_to_a_folder_by_content_each_text_once() {
    let scratch = Scratch::new();
    for (name, text) in [("in/a", "(x)"), ("in/b", "(x)!"), ("in/c", "(x"), ("in/copy", "(x")] {
        scratch.write(name, text);
    }
    let ended = scratch.repair(&["in", "-o", "out", "--json", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = lines(&ended.stdout);
    let rows: Vec<_> = told
        .iter()
        .filter(|line| line["event"] == "repaired")
        .map(|line| (line["input"].as_str().unwrap(), line["status"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [("in/a", "valid"), ("in/b", "repaired"), ("in/c", "repaired")]);
    // `(x` became something else: which of two as close is the repairer's choice.
    assert!(told.last().unwrap()["written"].as_u64().unwrap() <= 2);
    assert_eq!(scratch.read("out/c3fa8de1b4dd8009e844da450f57396e5053478b"), "(x)");
    assert!(scratch.read("page.html").contains("<del>!</del>"));
    assert_eq!(scratch.read("in/b"), "(x)!");
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_way_out() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(x");
    scratch.write("there", "mine");
    let ended = scratch.repair(&["in"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("-o DIR"), "{}", ended.stderr);
    let ended = scratch.repair(&["in", "-o", "in"]);
    assert_eq!((ended.code, scratch.read("in/a").as_str()), (Some(2), "(x"), "{}", ended.stderr);
    let ended = scratch.repair(&["in/a", "-o", "there"]);
    assert_eq!((ended.code, scratch.read("there").as_str()), (Some(6), "mine"));
    let ended = scratch.repair(&["in/a", "--json"]);
    assert_eq!(ended.code, Some(2));
    let ended = scratch.repair(&["gone"]);
    assert_eq!(ended.code, Some(2));
}

fn refused(scratch: &Scratch, arguments: &[&str], code: i32, line: &str) {
    let before = scratch.names();
    let ended = scratch.repair(arguments);
    assert_eq!((ended.stderr.as_str(), ended.code), (line, Some(code)));
    assert_eq!(ended.stdout, "");
    assert_eq!(scratch.names(), before);
}

#[test]
fn nothing_but_a_file_is_taken_as_one_or_replaced() {
    let scratch = Scratch::new();
    scratch.write("in", "(x");
    nix::unistd::mkfifo(&scratch.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let line =
        "repair: error: pipe is neither a file nor a folder; write its content into a file first\n";
    refused(&scratch, &["pipe"], 2, line);
    // With --force a rename would put a file in the place of the device.
    for place in [&["-o", "pipe"][..], &["--html", "pipe"]] {
        let arguments = [&["in", "--force"][..], place].concat();
        let line = "repair: error: pipe is no file; name another place\n";
        refused(&scratch, &arguments, 6, line);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_first_test() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(x");
    scratch.write("file", "mine");
    for (place, why) in [
        ("no/such", "there is no folder no"),
        ("file/below", "Not a directory (os error 20); name another place"),
    ] {
        let line = format!("repair: error: failed to write {place}: {why}\n");
        refused(&scratch, &["in/a", "-o", place], 6, &line);
    }
    let line =
        "repair: error: failed to write file: File exists (os error 17); name another place\n";
    refused(&scratch, &["in", "-o", "file"], 6, line);
    let line = "repair: error: failed to write no/page: No such file or directory (os error 2)\n";
    refused(&scratch, &["in/a", "--html", "no/page"], 6, line);
    let line = "repair: error: file is there and no page of ours; --force replaces it\n";
    refused(&scratch, &["in/a", "--html", "file"], 6, line);
}

#[test]
fn what_a_full_disk_did_not_take_of_stdout_is_told() {
    let scratch = Scratch::new();
    scratch.write("in", "(x");
    let told = "repair: error: failed to write to stdout: No space left on device (os error 28); \
                the rest is lost\n";
    for arguments in
        [&["in", "-q"][..], &["in", "-q", "--diagnose"], &["in", "-q", "--json", "-o", "out"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ended = scratch.repair_to(full, arguments);
        assert_eq!((ended.stderr.as_str(), ended.code), (told, Some(6)));
    }
    assert_eq!(scratch.read("in"), "(x");
    assert_eq!(scratch.read("out"), "x");
}

#[test]
fn what_a_limit_on_the_size_of_files_did_not_let_be_written_is_told() {
    let scratch = Scratch::new();
    scratch.write("in", "(x");
    // The page is longer than the limit, the text and its candidates are not.
    let ended = scratch.repair_in_small_files(&["in", "-o", "out", "--html", "page", "-q"]);
    let told = "repair: error: failed to write page: File too large (os error 27)\n";
    assert_eq!((ended.stderr.as_str(), ended.code), (told, Some(6)));
    assert_eq!(scratch.names(), ["in", "out", "pid"]);
}

#[test]
fn what_cannot_be_read_is_passed_over_and_the_rest_repaired() {
    let scratch = Scratch::new();
    scratch.write("in/good", "(x)");
    scratch.write("in/empty", "");
    scratch.write("in/bad", "(x");
    nix::unistd::mkfifo(&scratch.path().join("in/pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Opened by anybody, and no read of it succeeds.
    for (to, name) in [("/proc/self/mem", "mem"), (".", "circle"), ("self", "self")] {
        std::os::unix::fs::symlink(to, scratch.path().join("in").join(name)).unwrap();
    }
    let ended = scratch.repair(&["in", "-o", "in/out", "--json"]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    for line in [
        "repair: passed over: in/circle: a link to a folder\n",
        "repair: passed over: in/mem: Input/output error (os error 5)\n",
        "repair: passed over: in/pipe: neither a file nor a folder\n",
        "repair: passed over: in/self: Too many levels of symbolic links (os error 40)\n",
    ] {
        assert!(ended.stderr.contains(line), "{}", ended.stderr);
    }
    let told = lines(&ended.stdout);
    let total = told.last().unwrap();
    assert_eq!(
        (&total["inputs"], &total["valid"], &total["repaired"]),
        (&3.into(), &2.into(), &1.into())
    );
    // The output is among the inputs and does not count as one the next time.
    let again = lines(&scratch.repair(&["in", "-o", "in/out", "--json"]).stdout);
    assert_eq!(again.last().unwrap()["inputs"], 3);
}

#[test]
fn a_folder_without_a_valid_file_is_repaired_all_the_same() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(x");
    scratch.write("in/b", "y)!");
    let limits = ["--keep-at-least", "0%", "--max-time", "20m"];
    let ended = scratch.repair(&[&["in", "-o", "out", "--json"][..], &limits].concat());
    let total = lines(&ended.stdout).pop().unwrap();
    assert_eq!((ended.code, &total["valid"]), (Some(0), &0.into()), "{}", ended.stderr);
    assert_eq!(total["repaired"], 2);
}

#[test]
fn a_large_input_is_tested_and_left_alone() {
    let scratch = Scratch::new();
    let path = scratch.write("in/large", "(");
    std::fs::File::options().append(true).open(path).unwrap().set_len(17 << 20).unwrap();
    let arguments = ["in/large", "-o", "fixed", "--", "false"];
    let ended = scratch.repair_with(&arguments);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("more than 16 MB are not repaired"), "{}", ended.stderr);
    assert!(!scratch.path().join("fixed").exists());
}

#[test]
fn hostile_names_and_texts_stay_text() {
    let scratch = Scratch::new();
    let name = "in/<img src=x onerror=alert(1)>\n\u{1b}]0;title\u{7}";
    scratch.write(name, "(</pre><script>alert(2)</script>");
    let ended = scratch.repair(&["in", "-o", "out", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("onerror=alert(1)>\\n\\x1b]0;title\\x07: repaired"),
        "{}",
        ended.stderr
    );
    let page = scratch.read("page.html");
    assert_eq!(page.matches("<script").count(), 1, "{page}");
    assert!(!page.contains("<img") && page.contains("&lt;img"), "{page}");
    // A page of ours may be replaced, and is whole.
    let ended = scratch.repair(&["in", "-o", "out", "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(scratch.read("page.html").ends_with("</html>\n"));
}

/// A validator that refuses inputs with an `x`, and every other run of all other inputs.
const FICKLE: &str =
    "if grep -q x {}; then exit 1; fi; echo >> runs; exit $(($(wc -l < runs) % 2))";

#[test]
fn a_validator_that_changes_its_mind_is_found_out_and_nothing_is_written() {
    let scratch = Scratch::new();
    scratch.write("in/a", "(a)");
    let command = ["repair", "in", "-o", "out", "-j1", "--cwd", "keep", "--validator", FICKLE];
    let ended = scratch.seedsmith(&command);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("both accepted and rejected in/a"), "{}", ended.stderr);
    assert!(std::fs::read_dir(scratch.path().join("out")).unwrap().next().is_none());

    // On this input the validator is deterministic, but not on its candidates.
    scratch.write("in/a", "(x)");
    let ended = scratch.seedsmith(&command);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("doesn't say the same each time"), "{}", ended.stderr);
    assert!(std::fs::read_dir(scratch.path().join("out")).unwrap().next().is_none());
    assert_eq!(scratch.read("in/a"), "(x)");
}

#[test]
fn the_time_for_all_inputs_ends_a_run_under_its_present_and_its_former_name() {
    for option in ["--max-total-time", "--max-total"] {
        let scratch = Scratch::new();
        scratch.write("d/one", "(((a");
        scratch.write("d/two", "((((b");
        let ended = scratch.repair(&["d", "-o", "out", option, "0.000001s"]);
        assert_eq!(ended.code, Some(3), "{option}: {}", ended.stderr);
    }
}
