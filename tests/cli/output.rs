//! Where results go, and that nothing is lost there.

use crate::scratch::Scratch;

const INPUT: &str = "hello\nworld foo bar\nmore\n";

/// Takes the end from the journal of a result, as a kill does.
fn unfinished(scratch: &Scratch, result: &str) {
    let journal = format!(".seedsmith/{result}.journal.jsonl");
    let text = scratch.read(&journal);
    let (begun, _) = text.split_once('\n').unwrap();
    scratch.write(&journal, format!("{begun}\n"));
}

#[test]
fn a_result_that_is_there_and_still_fails_is_gone_on_from() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    let result = "crash.min";
    assert_eq!(scratch.run_foo(&["crash", "--max-tests", "1"]).code, Some(3));
    unfinished(&scratch, result);
    scratch.write(result, "my foo");
    let ended = scratch.run_foo(&["crash"]);
    assert_eq!(ended.code, Some(0));
    let going_on = format!("tmin: continuing from {result}\n");
    assert!(ended.stderr.starts_with(&going_on), "{}", ended.stderr);
    assert_eq!(scratch.read(result), "foo");
}

#[test]
fn a_result_that_no_longer_fails_or_is_larger_is_replaced() {
    for old in ["nothing", "foo and more than there is in the whole input"] {
        let scratch = Scratch::new();
        scratch.write("crash", INPUT);
        let result = "crash.min";
        assert_eq!(scratch.run_foo(&["crash", "--max-tests", "1"]).code, Some(3));
        // As it is where the run was killed, and the target is another one since.
        unfinished(&scratch, result);
        scratch.write(result, old);
        let ended = scratch.run_foo(&["crash"]);
        assert_eq!(ended.code, Some(0));
        assert!(!ended.stderr.contains("going on"), "{}", ended.stderr);
        let (_, kept) = ended.stderr.split_once(" is kept as ").expect("the note names a file");
        assert_eq!(scratch.read(kept.lines().next().unwrap()), old);
        assert_eq!(scratch.read(result), "foo");
    }
}

#[test]
fn a_file_that_is_not_ours_stays_unless_forced() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    scratch.write("mine", "dear foo");
    let ended = scratch.run_foo(&["crash", "-o", "mine"]);
    assert_eq!(ended.code, Some(6));
    assert_eq!(ended.stderr, "tmin: error: mine is there already; --force replaces it\n");
    assert_eq!(scratch.read("mine"), "dear foo");
    let ended = scratch.run_foo(&["crash", "-o", "mine", "--force"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "mine\n"));
    assert_eq!(scratch.read("mine"), "foo");
    assert_eq!(scratch.read("crash"), INPUT);
}

#[test]
fn a_device_is_no_place_for_a_result() {
    let scratch = Scratch::new();
    scratch.write("crash", "some foo here");
    // Reading it would never end.
    let ended = scratch.run_foo(&["-o", "/dev/full", "--force", "crash"]);
    assert_eq!(ended.code, Some(6), "{}", ended.stderr);
    assert!(ended.stderr.contains("/dev/full is no file"), "{}", ended.stderr);
}

#[test]
fn a_folder_takes_the_result_under_its_own_name() {
    let scratch = Scratch::new();
    scratch.write("crash", INPUT);
    scratch.write("out/other", "");
    let ended = scratch.run_foo(&["crash", "-o", "out"]);
    let result = "out/crash.min";
    assert_eq!((ended.code, ended.stdout), (Some(0), format!("{result}\n")));
    assert_eq!(scratch.read(result), "foo");
}

#[test]
fn an_input_of_which_nothing_can_go_is_done() {
    let scratch = Scratch::new();
    scratch.write("crash", "foo");
    let ended = scratch.run_foo(&["crash", "--polish", "0"]);
    assert_eq!(ended.code, Some(0));
    assert!(
        ended.stderr.starts_with("tmin: 3 bytes, nothing could be removed, in "),
        "{}",
        ended.stderr
    );
    assert_eq!(scratch.read("crash.min"), "foo");
}

#[test]
fn a_budget_of_tests_ends_with_the_best_until_then() {
    let scratch = Scratch::new();
    let input = format!("{}foo\n", "line\n".repeat(100));
    scratch.write("crash", &input);
    let ended = scratch.run_foo(&["crash", "--max-tests", "5"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stderr.contains("5 tests"), "{}", ended.stderr);
    assert!(ended.stderr.contains("  stopped     early, by --max-tests\n"), "{}", ended.stderr);
    assert!(scratch.read("crash.min").contains("foo"));
}
