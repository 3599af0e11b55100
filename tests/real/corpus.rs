//! Corpora of an instrumented executable: `seedsmith cmin` on a C target that clang builds, and
//! libFuzzer's own merge, which judges the files that it keeps.

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
pub(crate) fn made(count: u64) -> (TempDir, Vec<Vec<u8>>) {
    made_for(C_TARGET, count)
}

/// The same with another source of the executable.
pub(crate) fn made_for(code: &str, count: u64) -> (TempDir, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("target.c");
    std::fs::write(&source, code).unwrap();
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

pub(crate) fn seedsmith(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seedsmith"));
    command.current_dir(folder).args([name, "--json"]);
    command
}

pub(crate) fn cmin(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = seedsmith(folder, "cmin");
    command.args(["--binary", "target"]).args(arguments);
    command.output().expect("seedsmith can be started")
}

/// All events of a command that succeeds.
pub(crate) fn events(mut command: Command) -> Vec<Value> {
    let output = command.output().expect("seedsmith can be started");
    assert_success(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn smallest(folder: &Path, arguments: &[&str]) -> Value {
    let output = cmin(folder, arguments);
    assert_success(&output);
    last_event(&output)
}

pub(crate) fn names(folder: &Path) -> BTreeSet<String> {
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

#[test]
fn a_run_that_was_killed_at_any_moment_continues_and_ends_with_the_same_corpus() {
    let (folder, _) = made(400);
    let folder = folder.path();
    smallest(folder, &["corpus", "-o", "whole", "-j", "1"]);
    let whole = names(&folder.join("whole"));
    let state = folder.join(".seedsmith/out.features");
    let mut continued = 0;
    // The moment to kill the run is recognised by the file's size on disk: nothing, a header, and
    // more and more records.
    for least in [0, 1, 60, 4_000, 20_000] {
        let mut command = seedsmith(folder, "cmin");
        command.args(["--binary", "target", "corpus", "-o", "out", "-j", "1"]);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        let started = std::time::Instant::now();
        while std::fs::metadata(&state).map_or(0, |found| found.len()) < least
            && child.try_wait().unwrap().is_none()
            && started.elapsed().as_secs() < 60
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.join("out").exists() {
            let event = smallest(folder, &["corpus", "-o", "out", "-j", "1"]);
            continued += usize::from(event["recalled"].as_u64() > Some(0));
        }
        assert_eq!(names(&folder.join("out")), whole);
        assert!(!folder.join(".seedsmith").exists());
        std::fs::remove_dir_all(folder.join("out")).unwrap();
    }
    // A torn record of an ended run: the records before it are recalled, and the rest runs again.
    assert_success(&cmin(folder, &["corpus", "-o", "part", "-j", "1", "--shard", "1/1"]));
    let records = std::fs::read(folder.join("part/features")).unwrap();
    std::fs::write(folder.join("part/features"), &records[..records.len() / 2]).unwrap();
    let output = cmin(folder, &["corpus", "-o", "part", "-j", "1", "--shard", "1/1"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("of them recorded before") && !text.contains(" 0 of them"), "{text}");
    // Whether a kill came before the end depends on the machine, so no number is asked for.
    assert!(continued <= 5);
}

#[test]
fn the_shards_of_a_corpus_merge_into_the_result_of_one_run() {
    let (folder, _) = made(300);
    let folder = folder.path();
    let whole = smallest(folder, &["corpus", "-o", "whole", "--crashes", "whole-crashes"]);
    for shard in ["1/3", "2/3", "3/3"] {
        let part = format!("part-{}", &shard[..1]);
        assert_success(&cmin(folder, &["corpus", "-o", &part, "--shard", shard]));
    }
    let mut command = seedsmith(folder, "merge");
    command.args(["-o", "merged", "--crashes", "crashes", "part-3", "part-1", "part-2", "part-1"]);
    let merged = events(command);
    let merged = merged.last().unwrap();
    for figure in ["inputs", "input_bytes", "kept", "kept_bytes", "features", "failing", "failures"]
    {
        assert_eq!(merged[figure], whole[figure], "{figure}");
    }
    assert_eq!(names(&folder.join("merged")), names(&folder.join("whole")));
    assert_eq!(names(&folder.join("crashes")), names(&folder.join("whole-crashes")));

    let mut command = seedsmith(folder, "merge");
    command.args(["-o", "other", "part-1", "part-3"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the result of 2/3 is missing"));
    assert!(!folder.join("other").exists());
}

#[test]
fn a_kept_corpus_gets_only_inputs_that_reach_something_new_and_each_source_is_reported() {
    let (folder, inputs) = made(200);
    let folder = folder.path();
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    for (number, input) in inputs.iter().enumerate() {
        let to = if number % 3 == 0 { &ours } else { &theirs };
        std::fs::create_dir_all(to).unwrap();
        std::fs::write(to.join(format!("{number}")), input).unwrap();
    }
    let all = smallest(folder, &["ours", "theirs", "-o", "all"]);
    let before = names(&ours);
    let mut command = seedsmith(folder, "cmin");
    command.args(["--binary", "target", "--into", "ours", "--by-source", "theirs"]);
    let lines = events(command);
    let source = lines.iter().find(|line| line["event"] == "corpus_source").unwrap();
    let finished = lines.last().unwrap();
    let after = names(&ours);
    assert!(after.is_superset(&before));
    assert_eq!(finished["kept"], after.len() - before.len());
    assert_eq!((&source["source"], &source["kept"]), (&"theirs".into(), &finished["kept"]));
    assert_eq!(finished["features"], all["features"]);
    for file in lines.iter().filter(|line| line["event"] == "corpus_file") {
        assert!(after.contains(file["name"].as_str().unwrap()) && file["unique"] != 0, "{file}");
    }
    let again = smallest(folder, &["--into", "ours", "theirs"]);
    assert_eq!((&again["kept"], &again["added"]), (&0.into(), &0.into()));
    assert_eq!(names(&ours), after);
}

#[test]
fn a_corpus_is_shrunk_and_reaches_what_it_reached() {
    let (folder, _) = made(100);
    let folder = folder.path();
    smallest(folder, &["corpus", "-o", "kept"]);
    let mut command = seedsmith(folder, "shrink-corpus");
    command.args(["--binary", "target", "-o", "small", "-j", "2", "kept"]);
    let lines = events(command);
    let finished = lines.last().unwrap();
    assert_eq!(finished["inputs"], names(&folder.join("kept")).len());
    assert!(finished["output_bytes"].as_u64() < finished["input_bytes"].as_u64(), "{finished}");
    assert!(lines.iter().any(|line| line["event"] == "shrunk_file"));
    // The inputs before reach nothing that the shrunk ones do not. (libFuzzer also counts how deep
    // the stack was, which depends on the order of its runs.)
    let small = smallest(folder, &["small", "-o", "small-min"]);
    assert_eq!(small["features"], smallest(folder, &["small", "kept", "-o", "both"])["features"]);
    // The same with another number of workers.
    let mut command = seedsmith(folder, "shrink-corpus");
    command.args(["--binary", "target", "-o", "small1", "-j", "1", "kept"]);
    events(command);
    assert_eq!(names(&folder.join("small1")), names(&folder.join("small")));

    std::fs::create_dir(folder.join("one")).unwrap();
    std::fs::write(folder.join("one/a"), "zzabcabc").unwrap();
    let mut command = seedsmith(folder, "shrink-corpus");
    command.args(["--binary", "target", "--keep", "reaches=LLVMFuzzerTestOneInput"]);
    command.args(["-o", "few", "one"]);
    let lines = events(command);
    assert_eq!(lines.last().unwrap()["output_bytes"], 1, "{lines:?}");
}

#[test]
fn one_seed_is_shrunk_while_its_coverage_stays() {
    let (folder, _) = made(0);
    let folder = folder.path();
    let seed = "zzabcabcadezzz";
    std::fs::write(folder.join("corpus/seed"), seed).unwrap();
    std::fs::write(folder.join("corpus/other"), "zzabc").unwrap();
    let tmin = |arguments: &[&str]| {
        let mut command = seedsmith(folder, "tmin");
        command.args(["--binary", "target"]).args(arguments);
        command.output().expect("seedsmith can be started")
    };
    let shrunk = |keep: &str, out: &str| {
        let output = tmin(&["corpus/seed", "--keep", keep, "-o", out]);
        assert_success(&output);
        std::fs::read_to_string(folder.join(out)).unwrap()
    };
    let features = |text: &str| {
        let one = tempfile::tempdir_in(folder).unwrap();
        std::fs::write(one.path().join("1"), text).unwrap();
        let name = one.path().file_name().unwrap().to_str().unwrap().to_owned();
        smallest(folder, &[&name, "-o", &format!("{name}-out")])["features"].as_u64().unwrap()
    };
    let all = shrunk("coverage", "all.min");
    assert!(all.len() < seed.len(), "{all}");
    assert!(features(&all) >= features(seed), "{all}");
    // Of the letters, the other file has a, b and c.
    let unique = shrunk("coverage=unique", "unique.min");
    assert!(unique.contains("ade") && unique.len() <= all.len(), "{unique}");
    assert_eq!(shrunk("coverage=reaches=LLVMFuzzerTestOneInput", "reaches.min").len(), 1);
    // Another rule is another task, which does not replace the result.
    let output = tmin(&["corpus/seed", "--keep", "coverage=unique", "-o", "all.min"]);
    assert_eq!(output.status.code(), Some(6), "{}", String::from_utf8_lossy(&output.stderr));

    std::fs::write(folder.join("crash"), "ab!").unwrap();
    // Two files with the same features.
    std::fs::write(folder.join("corpus/plain"), "zz").unwrap();
    std::fs::write(folder.join("corpus/same"), "yy").unwrap();
    for (arguments, code, text) in [
        (&["crash", "--keep", "coverage"][..], 1, "--keep shrinks an input that does not fail"),
        (&["corpus", "--keep", "coverage"], 2, "shrink-corpus"),
        (&["corpus/plain", "--keep", "coverage=unique"], 1, "no other file of its folder has"),
        (&["corpus/seed", "--keep", "reaches=nowhere"], 5, "nowhere"),
        (&["corpus/seed", "--keep", "some"], 2, "none of all, unique, reaches=FUNCTION"),
    ] {
        let output = tmin(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(text), "{arguments:?}: {said}");
    }
}

#[test]
fn coverage_lists_functions_and_lines_and_where_two_corpora_differ() {
    let (folder, _) = made(120);
    let folder = folder.path();
    std::fs::create_dir(folder.join("one")).unwrap();
    std::fs::write(folder.join("one/a"), "zz").unwrap();
    let mut command = seedsmith(folder, "coverage");
    command.args(["--binary", "target", "--lcov", "lcov.info", "--against", "one", "corpus"]);
    let lines = events(command);
    let finished = lines.last().unwrap();
    assert!(finished["lines_reached"].as_u64() > Some(5), "{finished}");
    let function = |name: &str| {
        lines.iter().find(|line| line["function"] == name).unwrap_or_else(|| panic!("{lines:?}"))
    };
    let main = function("LLVMFuzzerTestOneInput");
    assert!(main["reached"].as_u64() > main["against"].as_u64(), "{main}");
    assert!(main["file"].as_str().unwrap().ends_with("target.c"));
    let lcov = std::fs::read_to_string(folder.join("lcov.info")).unwrap();
    assert!(lcov.starts_with("SF:") && lcov.ends_with("end_of_record\n"), "{lcov}");
    assert!(lcov.contains("LLVMFuzzerTestOneInput") && lcov.contains("\nDA:"), "{lcov}");
}

#[test]
fn what_a_target_does_by_chance_does_not_decide_which_inputs_are_kept() {
    // As a hash table with a random seed: which of the branches runs is another each time.
    let chance = "struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now);
        unsigned draw = (unsigned)now.tv_nsec * 2654435761u;
        if (draw >> 31) sink += 5; else sink -= 7;
        switch (data[at]) {";
    let code = C_TARGET
        .replace("switch (data[at]) {", chance)
        .replace("<stdlib.h>", "<stdlib.h>\n#include <time.h>");
    let (folder, _) = made_for(&code, 300);
    let folder = folder.path();
    let output = cmin(folder, &["corpus", "-o", "one", "-j", "1"]);
    assert_success(&output);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the target does not do the same each time"), "{said}");
    smallest(folder, &["corpus", "-o", "two", "-j", "3"]);
    assert_eq!(names(&folder.join("two")), names(&folder.join("one")));
}

/// A target in Rust: a map with a random seed, of whose order a branch depends, and a cache that a process fills
/// once for each letter.
const RUST_TARGET: &str = r#"
use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

static CACHE: Mutex<BTreeSet<u8>> = Mutex::new(BTreeSet::new());

#[no_mangle]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
    let data = unsafe { std::slice::from_raw_parts(data, size) };
    let mut counts: HashMap<u8, usize> = HashMap::new();
    for letter in data {
        *counts.entry(*letter).or_default() += 1;
        if CACHE.lock().unwrap().insert(*letter) {
            std::hint::black_box(fill(*letter));
        }
    }
    for (letter, count) in &counts {
        std::hint::black_box(match (letter % 7, count % 3) {
            (0, _) => first(*count),
            (1, 0) => second(*count),
            (2, 1) => *count * 3,
            (3, 2) => *count ^ 9,
            _ => 1,
        });
        if counts.len() > 4 {
            break;
        }
    }
    0
}

#[inline(never)]
fn fill(letter: u8) -> u8 {
    match letter {
        b'a'..=b'f' => letter.wrapping_mul(3),
        b'g'..=b'p' => letter ^ 0x55,
        _ => letter / 3,
    }
}

#[inline(never)]
fn first(count: usize) -> usize {
    if count > 2 { count * 5 } else { count + 1 }
}

#[inline(never)]
fn second(count: usize) -> usize {
    if count > 5 { count - 5 } else { count * 7 }
}

#[no_mangle]
extern "C" fn __sanitizer_cov_8bit_counters_init(_: *mut u8, _: *mut u8) {}
#[no_mangle]
extern "C" fn __sanitizer_cov_pcs_init(_: *const usize, _: *const usize) {}
#[no_mangle]
extern "C" fn __sanitizer_cov_trace_pc_indir(_: usize) {}

fn main() {
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}
"#;

/// Builds a target in Rust as `target`, with coverage counters.
fn build_rust(folder: &Path, code: &str) {
    std::fs::write(folder.join("target.rs"), code).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .current_dir(folder)
        .args(["--edition", "2021", "-O", "-Cpasses=sancov-module"])
        .args(["-Cllvm-args=-sanitizer-coverage-level=4"])
        .arg("-Cllvm-args=-sanitizer-coverage-inline-8bit-counters")
        .arg("-Cllvm-args=-sanitizer-coverage-pc-table")
        .args(["-o", "target", "target.rs"])
        .output()
        .unwrap();
    assert_success(&output);
}

#[test]
fn a_random_seed_and_a_cache_of_the_target_do_not_decide_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    build_rust(folder, RUST_TARGET);
    let mut state = 11u64;
    let mut draw = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for name in ["corpus", "again"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    for number in 0..250 {
        let text: Vec<u8> = (0..1 + draw(30)).map(|_| b'a' + draw(26) as u8).collect();
        std::fs::write(folder.join(format!("corpus/{number:03}")), &text).unwrap();
        std::fs::write(folder.join(format!("again/{:03}", 250 - number)), &text).unwrap();
    }
    let output = cmin(folder, &["corpus", "-o", "one", "-j", "1"]);
    assert_success(&output);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("does not do the same each time"), "{said}");
    let kept = names(&folder.join("one"));
    for (number, jobs) in ["1", "2", "3"].into_iter().enumerate() {
        let out = format!("again-{number}");
        smallest(folder, &["again", "-o", &out, "-j", jobs]);
        assert_eq!(names(&folder.join(&out)), kept, "{jobs} workers");
    }
    smallest(folder, &["one", "-o", "fixed"]);
    assert_eq!(names(&folder.join("fixed")), kept);
    for shard in ["1/2", "2/2"] {
        let part = format!("part-{}", &shard[..1]);
        assert_success(&cmin(folder, &["corpus", "-o", &part, "--shard", shard]));
    }
    let mut command = seedsmith(folder, "merge");
    command.args(["-o", "merged", "part-1", "part-2"]);
    events(command);
    assert_eq!(names(&folder.join("merged")), kept);
}

#[test]
fn with_compares_inputs_that_come_nearer_to_a_wanted_value_are_kept() {
    let code = "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\nstatic volatile int sink;\n\
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { uint32_t word; uint16_t half;\n\
        if (size < 4) return 0; memcpy(&word, data, 4); memcpy(&half, data, 2);\n\
        if (word == 0x64636261) sink = 1; if (half == word) sink = 2; return 0; }";
    let (folder, _) = made_for(code, 0);
    let folder = folder.path();
    for text in ["abcd", "abcx", "abxx", "axxx", "xxxx"] {
        std::fs::write(folder.join("corpus").join(text), text).unwrap();
    }
    let counts = smallest(folder, &["corpus", "-o", "counts"]);
    let compares = smallest(folder, &["corpus", "-o", "compares", "--coverage", "cmp", "-j", "1"]);
    assert_eq!(counts["kept"], 2, "{counts}");
    assert_eq!(compares["kept"], 5, "{compares}");
    smallest(folder, &["corpus", "-o", "compares2", "--coverage", "cmp", "-j", "2"]);
    assert_eq!(names(&folder.join("compares2")), names(&folder.join("compares")));
}

/// Rejects what has no closing bracket for each opening one, and looks at the letters of what has.
pub(crate) const BRACKETS: &str = r#"
#include <stddef.h>
#include <stdint.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int open = 0;
    for (size_t at = 0; at < size; at++) {
        if (data[at] == '(') open++;
        if (data[at] == ')' && --open < 0) return -1;
    }
    if (open || !size) return -1;
    for (size_t at = 0; at < size; at++) {
        switch (data[at]) {
        case 'a': sink += 1; break;
        case 'b': sink += 2; break;
        case 'c': sink += 3; break;
        }
    }
    return 0;
}
"#;

#[test]
fn a_corpus_is_prepared_in_steps_that_can_be_left_out() {
    let (folder, _) = made_for(BRACKETS, 0);
    let folder = folder.path();
    for (name, text) in [("1", "((a)"), ("2", "((a)"), ("3", "(b) and (b)"), ("4", "c)zzzz")] {
        std::fs::write(folder.join("corpus").join(name), text).unwrap();
    }
    let prepare = |arguments: &[&str]| {
        let mut command = seedsmith(folder, "prepare");
        command.args(["--binary", "target", "--grammar", "json", "corpus"]).args(arguments);
        command
    };
    let lines = events(prepare(&["-o", "ready"]));
    let ended = |name: &str| lines.iter().any(|line| line["event"] == name);
    assert!(ended("repairs") && ended("corpus") && ended("corpus_shrunk"), "{lines:#?}");
    let both = smallest(folder, &["ready", "corpus", "-o", "both"]);
    let ready = smallest(folder, &["ready", "-o", "ready-min"]);
    assert_eq!(ready["features"], both["features"]);
    let texts = |name: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder.join(name)).unwrap();
        entries.map(|one| std::fs::read_to_string(one.unwrap().path()).unwrap()).collect()
    };
    // The repaired copy of the first file, which is not in the corpus.
    assert!(texts("ready").iter().any(|text| text == "((a))"), "{:?}", texts("ready"));
    let shrunk = lines.last().unwrap();
    assert!(shrunk["output_bytes"].as_u64() < shrunk["input_bytes"].as_u64(), "{shrunk}");
    let dictionary = std::fs::read_to_string(folder.join("ready.dict")).unwrap();
    assert!(dictionary.contains("\n\"true\"\n") && dictionary.starts_with("# "), "{dictionary}");
    assert!(!folder.join(".seedsmith").exists());

    events(prepare(&["-o", "once", "--skip", "repair,cmin,shrink,dictionary"]));
    assert_eq!(names(&folder.join("once")).len(), 3);
    assert!(!folder.join("once.dict").exists());
    events(prepare(&["-o", "chosen", "--skip", "repair,shrink"]));
    assert!(texts("chosen").iter().all(|text| !text.starts_with("(a)")), "{:?}", texts("chosen"));
    let output = prepare(&["-o", "chosen"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
