//! `--emit-test`: tests in a scratch package of fuzz targets, without network, and shell scripts.

use std::process::{Command, Output};

use crate::scratch::{Ended, HAS_FOO, Scratch};

const MANIFEST: &str = r#"
[package]
name = "scratch-fuzz"
version = "0.0.0"
edition = "2021"

[package.metadata]
cargo-fuzz = true

[workspace]

[dependencies]
libfuzzer-sys = { path = "libfuzzer-sys" }
arbitrary = { path = "arbitrary" }

[[bin]]
name = "plain"
path = "fuzz_targets/plain.rs"
test = false

[[bin]]
name = "typed"
path = "fuzz_targets/typed.rs"
test = false
"#;

/// As the real one: the macro exports libFuzzer's entry, and `arbitrary` is re-exported.
const LIBFUZZER: &str = r#"
pub use arbitrary;

#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: $type:ty| $body:expr) => {
        #[no_mangle]
        #[inline(never)]
        pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {
            let bytes = unsafe { std::slice::from_raw_parts(data, size) };
            let $data: $type = $crate::take(bytes);
            $body
            0
        }

        fn main() {
            let bytes = std::fs::read(std::env::args_os().nth(1).unwrap()).unwrap();
            LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
        }
    };
}

pub fn take<'a, T: arbitrary::Arbitrary<'a>>(bytes: &'a [u8]) -> T {
    T::arbitrary_take_rest(arbitrary::Unstructured::new(bytes)).unwrap()
}
"#;

const ARBITRARY: &str = r#"
pub struct Unstructured<'a>(pub &'a [u8]);

impl<'a> Unstructured<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Unstructured(bytes)
    }
}

pub trait Arbitrary<'a>: Sized {
    fn arbitrary_take_rest(bytes: Unstructured<'a>) -> Result<Self, String>;
}

impl<'a> Arbitrary<'a> for &'a [u8] {
    fn arbitrary_take_rest(bytes: Unstructured<'a>) -> Result<Self, String> {
        Ok(bytes.0)
    }
}

impl<'a> Arbitrary<'a> for Vec<u8> {
    fn arbitrary_take_rest(bytes: Unstructured<'a>) -> Result<Self, String> {
        Ok(bytes.0.to_vec())
    }
}
"#;

fn dependency(name: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n{more}")
}

/// A package whose two targets panic where the input has `foo` in it.
fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("fuzz/Cargo.toml", MANIFEST);
    let needs = "[dependencies]\narbitrary = { path = \"../arbitrary\" }\n";
    scratch.write("fuzz/libfuzzer-sys/Cargo.toml", dependency("libfuzzer-sys", needs));
    scratch.write("fuzz/libfuzzer-sys/src/lib.rs", LIBFUZZER);
    scratch.write("fuzz/arbitrary/Cargo.toml", dependency("arbitrary", ""));
    scratch.write("fuzz/arbitrary/src/lib.rs", ARBITRARY);
    for (name, of) in [("plain", "&[u8]"), ("typed", "Vec<u8>")] {
        let target = format!(
            "use libfuzzer_sys::fuzz_target;\n\nfuzz_target!(|data: {of}| {{\n    \
             assert!(!data.windows(3).any(|three| three == b\"foo\"), \"planted\");\n}});\n"
        );
        scratch.write(&format!("fuzz/fuzz_targets/{name}.rs"), target);
    }
    scratch
}

fn cargo(scratch: &Scratch, arguments: &[&str]) -> Output {
    let mut command = scratch.command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.current_dir(scratch.path().join("fuzz")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn tests_of_fuzz_targets_compile_without_seedsmith_and_fail_until_the_fix() {
    let scratch = project();
    // Two inputs: a short one, which is a literal, and a long one, which is a file.
    scratch.write("fuzz/artifacts/plain/crash-1", "some foo");
    scratch.write("fuzz/artifacts/typed/crash-2", format!("{}foo", "long ".repeat(40)));
    let test = ["--emit-test", "fuzz/tests/plain.rs", "--polish", "0"];
    let ended = scratch.run(&[&["fuzz/artifacts/plain/crash-1"][..], &test].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("is run by: cargo test --test plain"), "{}", ended.stderr);
    let triage = ["triage", "fuzz/artifacts/typed", "--emit-test", "fuzz/tests/typed.rs"];
    let ended = scratch.plain_seedsmith(&triage);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let text = scratch.read("fuzz/tests/typed.rs");
    assert!(text.contains("include_bytes!(\"typed-inputs/"), "{text}");
    for name in ["plain", "typed"] {
        let text = scratch.read(&format!("fuzz/tests/{name}.rs"));
        let root = scratch.path().to_str().unwrap();
        assert!(!text.contains(root) && !text.contains("extern crate seedsmith"), "{text}");
        let formatted = Command::new("rustfmt")
            .args(["--check", "--edition", "2021", &format!("fuzz/tests/{name}.rs")])
            .current_dir(scratch.path())
            .output()
            .unwrap();
        assert!(formatted.status.success(), "{}", said(&formatted));
    }
    let clippy = cargo(
        &scratch,
        &["clippy", "--offline", "--test", "plain", "--test", "typed", "--", "-D", "warnings"],
    );
    assert!(clippy.status.success(), "{}", said(&clippy));
    let run = ["test", "--offline", "--no-fail-fast", "--test", "plain", "--test", "typed"];
    let failed = cargo(&scratch, &run);
    assert_eq!(said(&failed).matches("0 passed; 1 failed").count(), 2, "{}", said(&failed));
    for name in ["plain", "typed"] {
        let path = format!("fuzz/fuzz_targets/{name}.rs");
        scratch.write(
            &path,
            scratch.read(&path).replace("assert!(!", "assert!(data.len() < 9999 || !"),
        );
    }
    let passed = cargo(&scratch, &run);
    assert_eq!(said(&passed).matches("1 passed; 0 failed").count(), 2, "{}", said(&passed));
}

fn tmin(scratch: &Scratch, arguments: &[&str]) -> Ended {
    scratch.run_foo(&[&["crash", "--polish", "0"][..], arguments].concat())
}

#[test]
fn the_test_of_a_command_is_a_script_that_runs_from_anywhere() {
    let scratch = Scratch::new();
    scratch.write("crash", "a foo");
    let ended = tmin(&scratch, &["--emit-test", "new/folder/t.sh"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("is run by: sh new/folder/t.sh"), "{}", ended.stderr);
    let script = scratch.path().join("new/folder/t.sh");
    let run = || Command::new(&script).current_dir("/").output().unwrap();
    let failed = run();
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(said(&failed).contains("fails: the_minimized_input_is_handled"), "{}", said(&failed));
    let text = scratch.read("new/folder/t.sh");
    std::fs::write(&script, text.replace("grep -q foo", "grep -q bar")).unwrap();
    assert_eq!(run().status.code(), Some(0));
}

#[test]
fn several_failures_of_a_command_are_one_test() {
    let scratch = Scratch::new();
    for name in ["a", "b"] {
        scratch.write(&format!("in/{name}"), format!("{name} foo"));
    }
    let mut all = vec!["in", "-o", "out", "--emit-test", "t.sh", "--all", "--"];
    all.extend(HAS_FOO);
    let ended = scratch.run(&all);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let run = Command::new(scratch.path().join("t.sh")).output().unwrap();
    assert_eq!((run.status.code(), said(&run).lines().count()), (Some(1), 2), "{}", said(&run));
}

#[test]
fn what_no_test_can_be_written_for_is_refused_before_the_search() {
    let scratch = Scratch::new();
    scratch.write("crash", "a foo");
    let ended = tmin(&scratch, &["--emit-test", "t.rs"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let why = "sh is a program, so the test is a shell script; name it t.sh";
    assert!(ended.stderr.contains(why), "{}", ended.stderr);
    let ended = tmin(&scratch, &["--emit-test", "crash"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("crash is an input, which is never replaced"),
        "{}",
        ended.stderr
    );
    assert_eq!(scratch.names(), ["crash"]);
}
