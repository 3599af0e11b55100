//! Failures that only show with a sanitizer: on executables of clang and `cargo fuzz build`, and on
//! those that `tmin` builds itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::built::{assert_success, clangs_libfuzzer, last_event, tmin};

/// Each word in the input is another bug. Memory cached in a thread-local is no leak.
const C_TARGET: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink;
static char *volatile kept;
static __thread char *cached;
static int has(const uint8_t *data, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(data + at, word, length) == 0) return 1;
    return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!cached) cached = malloc(64);
    if (has(data, size, "over!")) sink = data[size];
    if (has(data, size, "freed!")) { int *p = malloc(16); free(p); sink = p[1]; }
    if (has(data, size, "shift!")) { int by = 40 + (int)size; sink = 7 << by; }
    if (has(data, size, "null!")) sink = *(volatile int *)8;
    if (has(data, size, "leak!")) { kept = malloc(10); kept = 0; }
    if (has(data, size, "abort!")) abort();
    return 0;
}
"#;

/// As before, with failures that only Rust has.
const RUST_TARGET: &str = r#"#![no_main]
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::hint::black_box;

thread_local! { static CACHED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) } }

fn has(data: &[u8], word: &[u8]) -> bool {
    data.windows(word.len()).any(|window| window == word)
}

#[inline(never)]
fn nested(data: &[u8]) -> u64 {
    match data.split_first() {
        Some((b'(', rest)) => black_box(nested(rest) + 1) + black_box([0u64; 64])[0],
        _ => 0,
    }
}

fuzz_target!(|data: &[u8]| {
    CACHED.with_borrow_mut(|cached| if cached.is_empty() { cached.resize(100, 1) });
    if has(data, b"panic!") {
        panic!("planted");
    }
    if has(data, b"over!") {
        black_box(unsafe { *data.as_ptr().add(data.len()) });
    }
    if has(data, b"leak!") {
        std::mem::forget(black_box(vec![1u8; 100]));
    }
    if has(data, b"null!") {
        black_box(unsafe { *black_box(std::ptr::null::<u8>().wrapping_add(8)) });
    }
    black_box(nested(data));
});
"#;

fn text_with(word: &str) -> String {
    format!("some text, {word} and more\nof it\n")
}

fn kind_of(event: &Value) -> &str {
    event["signature"]["kind"].as_str().expect("a failure has a kind")
}

fn build_c(folder: &Path, sanitizers: &str) -> PathBuf {
    let source = folder.join("target.c");
    std::fs::write(&source, C_TARGET).unwrap();
    let executable = folder.join(sanitizers);
    let output = Command::new("clang")
        .args(["-g", "-O1", "-fno-sanitize-recover=all"])
        .arg(format!("-fsanitize={sanitizers}"))
        .arg(&source)
        .arg("-o")
        .arg(&executable)
        .output()
        .expect("clang is installed: scripts/test does that");
    assert_success(&output);
    executable
}

#[test]
fn each_failure_of_a_c_target_is_named_and_shrunk_to_its_word() {
    let scratch = tempfile::tempdir().unwrap();
    let mut built = "";
    let mut executable = PathBuf::new();
    for (sanitizers, word, kind) in [
        ("fuzzer,address", "over!", "heap-buffer-overflow READ 1"),
        ("fuzzer,address", "freed!", "heap-use-after-free READ 4"),
        ("fuzzer,address", "abort!", "abort"),
        ("fuzzer,address", "leak!", "leak"),
        ("fuzzer,leak", "leak!", "leak"),
        ("fuzzer,undefined", "shift!", "undefined-behavior: shift exponent 46 "),
        ("fuzzer", "null!", "SIGSEGV (null page)"),
        ("fuzzer", "abort!", "abort"),
    ] {
        if built != sanitizers {
            built = sanitizers;
            executable = build_c(scratch.path(), sanitizers);
        }
        let input = scratch.path().join("input");
        std::fs::write(&input, text_with(word)).unwrap();
        let output = scratch.path().join(format!("{sanitizers}-{word}"));
        let mut command = tmin();
        command.args(["--json", "--polish", "0", "--binary"]).arg(&executable);
        let output_of_tmin = command.arg("-o").arg(&output).arg(&input).output().unwrap();
        assert_success(&output_of_tmin);
        let event = last_event(&output_of_tmin);
        let message = event["signature"]["message"].as_str();
        let seen = [&[kind_of(&event)][..], &Vec::from_iter(message)].concat().join(": ");
        assert!(seen.starts_with(kind), "{sanitizers}: {word} gave {seen}");
        let frames = event["signature"]["frames"].as_array().unwrap();
        let is_named =
            |frame: &Value| frame["file"].as_str().is_some_and(|file| file.ends_with(".c"));
        let is_parse = sanitizers != "fuzzer,leak" && word != "leak!";
        assert!(!is_parse || frames.iter().any(is_named), "{sanitizers}: {word}: {frames:?}");
        assert_eq!(std::fs::read_to_string(&output).unwrap(), word, "{sanitizers}: {event}");
    }
    // Reachable memory is no leak, wherever the pointer is.
    let input = scratch.path().join("leak-of-nothing");
    std::fs::write(&input, text_with("nothing")).unwrap();
    let executable = scratch.path().join("fuzzer,address");
    let output = tmin().arg("--binary").arg(&executable).arg(&input).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// A project whose fuzz package has one target, and artifacts of it.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        // cargo-fuzz looks for a package around the one that it builds.
        write(
            "Cargo.toml",
            "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        write("src/lib.rs", "");
        write(
            "fuzz/Cargo.toml",
            "[package]\nname = \"project-fuzz\"\nversion = \"0.0.0\"\npublish = false\n\
             edition = \"2024\"\n\n[package.metadata]\ncargo-fuzz = true\n\n[dependencies]\n\
             libfuzzer-sys = \"0.4\"\n\n[workspace]\n\n[[bin]]\nname = \"failures\"\n\
             path = \"fuzz_targets/failures.rs\"\ntest = false\ndoc = false\nbench = false\n",
        );
        write("fuzz/fuzz_targets/failures.rs", RUST_TARGET);
        for (name, word) in
            [("crash-over", "over!"), ("crash-null", "null!"), ("crash-panic", "panic!")]
        {
            write(&format!("fuzz/artifacts/failures/{name}"), &text_with(word));
        }
        write("fuzz/artifacts/failures/leak-1", &text_with("leak!"));
        write("fuzz/artifacts/failures/crash-deep", &"(".repeat(60_000));
        Project { folder }
    }

    fn run(&self, command: &mut Command) -> Output {
        command
            .current_dir(self.folder.path())
            .env("CUSTOM_LIBFUZZER_PATH", clangs_libfuzzer())
            .env_remove("CARGO_TARGET_DIR");
        command.output().unwrap()
    }

    fn tmin(&self, artifact: &str, result: &str) -> Command {
        let mut command = tmin();
        command
            .args(["--json", "--polish", "0", "-o", result])
            .arg(Path::new("fuzz/artifacts/failures").join(artifact));
        command
    }

    fn result(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

/// One test, since each step needs the build of the one before.
#[test]
fn the_build_with_a_sanitizer_is_made_or_taken_where_it_is_needed() {
    let project = Project::new();

    // Nothing is built, and there is no nightly Rust.
    let no_rustup = tempfile::tempdir().unwrap();
    let refusing = no_rustup.path().join("rustup");
    std::fs::write(&refusing, "#!/bin/sh\nexit 1\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&refusing, executable).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", no_rustup.path().display());
    let output = project.run(project.tmin("crash-over", "over").env("PATH", &path));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("rustup toolchain install nightly"), "{told}");

    // It doesn't show without a sanitizer: one byte after the input is read.
    let output = project.run(&mut project.tmin("crash-over", "over"));
    assert_success(&output);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("building `failures` with AddressSanitizer, first time"), "{told}");
    assert_eq!(kind_of(&last_event(&output)), "heap-buffer-overflow READ 1");
    assert_eq!(project.result("over"), "over!");

    let output = project.run(&mut project.tmin("leak-1", "leak"));
    assert_success(&output);
    assert_eq!(kind_of(&last_event(&output)), "leak");
    assert_eq!(project.result("leak"), "leak!");

    // Where cargo-fuzz has built the target, the search begins there; a short one ends there too.
    let mut build = Command::new("rustup");
    build.args(["run", "nightly", "cargo", "fuzz", "build"]);
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        build.env_remove(name);
    }
    assert_success(&project.run(&mut build));
    for (artifact, word, kind) in [
        ("crash-null", "null!", "SEGV (null page)"),
        ("crash-over", "over!", "heap-buffer-overflow READ 1"),
        ("crash-panic", "panic!", "panic"),
    ] {
        let output = project.run(&mut project.tmin(artifact, &format!("first-{word}")));
        assert_success(&output);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("which cargo-fuzz built") && !told.contains("continued"), "{told}");
        let event = last_event(&output);
        assert!(kind_of(&event).starts_with(kind), "{event}");
        assert_eq!(project.result(&format!("first-{word}")), word);
    }

    // A longer one continues without a sanitizer, with the same result whether that build is there.
    let long = |result: &str| {
        let mut command = tmin();
        command.args(["--json", "--polish", "60000", "-o", result, "crash-null"]);
        let output = project.run(&mut command);
        assert_success(&output);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("and continued on"), "{told}");
        let event = last_event(&output);
        assert_eq!(kind_of(&event), "SIGSEGV (null page)", "{event}");
        (project.result(result), event["tests"].clone())
    };
    let with_build = long("with-build");
    std::fs::remove_dir_all(project.folder.path().join("fuzz/target/seedsmith")).unwrap();
    assert_eq!(long("without-build"), with_build);

    // A result found without a sanitizer is confirmed with one.
    for (artifact, result, kind, sanitized) in [
        ("crash-null", "null!", "SIGSEGV (null page)", "SEGV (null page)"),
        ("crash-panic", "panic!", "panic", "panic"),
    ] {
        let output = project.run(project.tmin(artifact, result).args(["--sanitizer", "none"]));
        assert_success(&output);
        let event = last_event(&output);
        assert_eq!((kind_of(&event), project.result(result).as_str()), (kind, result));
        let named = event["sanitized"]["kind"].as_str().unwrap_or_default();
        assert!(named.starts_with(sanitized), "{event}");
    }
    let mut deep = project.tmin("crash-deep", "deep");
    let output = project.run(deep.args(["--max-tests", "300", "--sanitizer", "none"]));
    let event = last_event(&output);
    assert_eq!(kind_of(&event), "stack-overflow");
    assert_eq!(event["sanitized"]["kind"], "stack-overflow", "{event}");
}
