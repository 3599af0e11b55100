//! The repairing mutator inside a real libFuzzer.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::built::{assert_success, root};
use crate::kill::assert_none_left;

/// The target as `cargo build` makes it: without coverage, which these tests don't need.
fn planted() -> PathBuf {
    let folder = root().join("fuzz/target/seedsmith");
    let output = Command::new(env!("CARGO"))
        .current_dir(root().join("fuzz"))
        .args(["build", "--release", "--no-default-features", "--features", "mutate_planted"])
        .args(["--bin", "mutate_planted", "--target-dir"])
        .arg(&folder)
        .output()
        .expect("cargo can be started");
    assert_success(&output);
    folder.join("release/mutate_planted")
}

/// Fuzzes from one small valid document.
fn fuzz(executable: &Path, scratch: &Path, share: &str, runs: u32) -> Output {
    let corpus = scratch.join("corpus");
    std::fs::create_dir_all(&corpus).unwrap();
    std::fs::write(corpus.join("seed"), "[1,[22,[3]],4]").unwrap();
    Command::new(executable)
        .current_dir(scratch)
        .arg(&corpus)
        .args([format!("-runs={runs}"), "-seed=1".to_owned(), "-max_len=64".to_owned()])
        .args(["-artifact_prefix=./", "-timeout=60"])
        .env("SEEDSMITH_REPAIR_SHARE", share)
        .env("SEEDSMITH_TALLY", scratch.join("tally"))
        .env("SEEDSMITH_MUTATOR_TEST", scratch)
        .output()
        .expect("the fuzzer can be started")
}

/// Executed and valid inputs, as the target counted them.
fn tally(scratch: &Path) -> (u64, u64) {
    let bytes = std::fs::read(scratch.join("tally")).unwrap();
    let number = |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap());
    (number(0), number(8))
}

#[test]
fn a_crash_of_the_validator_is_found_by_the_fuzzer_and_stored_with_its_input() {
    let executable = planted();
    let scratch = tempfile::tempdir().unwrap();
    let output = fuzz(&executable, scratch.path(), "1", 2_000_000);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "the planted bug is found: {told}");
    assert!(told.contains("planted"), "{told}");
    let artifact = std::fs::read_dir(scratch.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("crash-"))
        .expect("libFuzzer stores what crashed");
    let again = Command::new(&executable).arg(&artifact).output().unwrap();
    let told = String::from_utf8_lossy(&again.stderr);
    assert!(!again.status.success() && told.contains("planted"), "{told}");
    assert_none_left(&format!("SEEDSMITH_MUTATOR_TEST={}", scratch.path().display()));
}

#[test]
fn repaired_mutants_are_valid_far_more_often() {
    let executable = planted();
    let shares = ["0", "0.8"].map(|share| {
        let scratch = tempfile::tempdir().unwrap();
        // Few runs: the planted bug is rarely met before.
        fuzz(&executable, scratch.path(), share, 3_000);
        let (executed, valid) = tally(scratch.path());
        valid as f64 / executed as f64
    });
    assert!(shares[1] > shares[0] * 1.5, "valid without and with repairs: {shares:?}");
}
