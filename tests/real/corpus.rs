//! Corpora of an instrumented executable: `seedsmith cmin` on a C target that clang builds, and
//! libFuzzer's own merge as the judge of what it keeps.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::built::{assert_success, last_event};

/// A small interpreter. Something happens only at its first use, one opcode crashes, one hangs.
const C_TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
static volatile int sink;
static int *table;
static void prepare(void) {
    table = malloc(64 * sizeof(int));
    for (int at = 0; at < 64; at++) table[at] = at % 3 ? at : -at;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return -1;
    if (!table) prepare();
    for (size_t at = 0; at < size; at++) {
        switch (data[at]) {
        case 'a': sink += table[at % 64]; break;
        case 'b': if (at > 3) sink -= 2; else sink -= 1; break;
        case 'c': for (size_t n = 0; n < at; n++) sink ^= n; break;
        case 'd': if (at && data[at - 1] == 'a') sink = 4; break;
        case 'e': if (at > 1 && data[at - 1] == 'd' && data[at - 2] == 'a') sink = 5; break;
        case '!': if (at > 1) abort(); break;
        case '?': if (at > 1) __builtin_trap(); break;
        }
    }
    return 0;
}
"#;

/// The executable and a folder with `count` inputs, of which some fail.
fn made(count: u64) -> (TempDir, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("target.c");
    std::fs::write(&source, C_TARGET).unwrap();
    let output = Command::new("clang")
        .args(["-g", "-O1", "-fsanitize=fuzzer", "-o"])
        .args([&folder.path().join("target"), &source])
        .output()
        .expect("clang is installed: scripts/test does that");
    assert_success(&output);
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let inputs: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            (0..draw(24))
                .map(|_| match draw(500) {
                    0 => b'!',
                    1 => b'?',
                    letter => b"aabbccdde\n"[letter as usize % 10],
                })
                .collect()
        })
        .collect();
    std::fs::create_dir(folder.path().join("corpus")).unwrap();
    for (number, input) in inputs.iter().enumerate() {
        std::fs::write(folder.path().join(format!("corpus/{number:04}")), input).unwrap();
    }
    (folder, inputs)
}

fn cmin(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seedsmith"));
    command.current_dir(folder).args(["cmin", "--json", "--binary", "target"]).args(arguments);
    command.output().expect("seedsmith can be started")
}

fn smallest(folder: &Path, arguments: &[&str]) -> Value {
    let output = cmin(folder, arguments);
    assert_success(&output);
    last_event(&output)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Features that libFuzzer counts when it merges a folder into an empty one, and files it keeps.
fn merged(folder: &Path, corpus: &str) -> (String, usize) {
    let into = tempfile::tempdir_in(folder).unwrap();
    let mut command = Command::new(folder.join("target"));
    let output =
        command.current_dir(folder).arg("-merge=1").args([into.path(), Path::new(corpus)]).output();
    let text = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    let line = text.lines().rev().find(|line| line.contains("new features added"));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    let features = line.split("files with ").nth(1).unwrap().split(" new").next().unwrap();
    (features.to_owned(), names(into.path()).len())
}

#[test]
fn a_corpus_keeps_its_features_in_fewer_files_whatever_the_order_and_the_number_of_jobs() {
    let (folder, inputs) = made(300);
    let folder = folder.path();
    let first = smallest(folder, &["corpus", "-o", "out", "-j", "1", "--crashes", "crashes"]);
    let kept = names(&folder.join("out"));
    assert_eq!(first["kept"], kept.len());
    assert!(first["failing"].as_u64() >= Some(3), "{first}");
    assert_eq!(first["failures"], 2, "{first}");
    assert_eq!(names(&folder.join("crashes")).len(), 2);

    // The same bytes under other names, in another order, with more workers.
    std::fs::create_dir(folder.join("again")).unwrap();
    for (number, input) in inputs.iter().rev().enumerate() {
        std::fs::write(folder.join(format!("again/{number:04}")), input).unwrap();
    }
    smallest(folder, &["again", "-o", "out2", "-j", "3"]);
    assert_eq!(names(&folder.join("out2")), kept);
    smallest(folder, &["out", "-o", "out3"]);
    assert_eq!(names(&folder.join("out3")), kept);

    let (features, files) = merged(folder, "corpus");
    assert_eq!(merged(folder, "out").0, features);
    assert!(kept.len() <= files, "{} of ours, {files} of libFuzzer", kept.len());
}

#[test]
fn edges_take_fewer_inputs_than_counts_and_a_full_folder_is_left_alone() {
    let (folder, _) = made(120);
    let folder = folder.path();
    let counts = smallest(folder, &["corpus", "-o", "counts"]);
    let edges = smallest(folder, &["corpus", "-o", "edges", "--coverage", "edges"]);
    assert!(edges["features"].as_u64() < counts["features"].as_u64(), "{edges} {counts}");
    assert!(edges["kept"].as_u64() < counts["kept"].as_u64(), "{edges} {counts}");
    let kept = names(&folder.join("counts"));
    let output = cmin(folder, &["corpus", "-o", "counts"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(&folder.join("counts")), kept);
}
