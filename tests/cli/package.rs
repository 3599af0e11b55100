//! Finding and building targets of a cargo-fuzz package. The targets here have no dependencies:
//! they export libFuzzer's entry themselves, so that nothing has to be fetched.

use crate::scratch::Scratch;

const MANIFEST: &str = r#"
[package]
name = "scratch-fuzz"
version = "0.0.0"
edition = "2021"

[package.metadata]
cargo-fuzz = true

[workspace]

# A panic that reaches the end of an `extern "C"` function prints its stack with all names: 50 ms for each failing run.
[profile.dev]
panic = "abort"

[profile.release]
panic = "abort"

[features]
heavy = []

[[bin]]
name = "finds_foo"
path = "fuzz_targets/finds_foo.rs"

[[bin]]
name = "finds_bar"
path = "fuzz_targets/finds_bar.rs"

[[bin]]
name = "finds_all"
path = "fuzz_targets/finds_all.rs"
required-features = ["heavy"]

[[bin]]
name = "broken"
path = "fuzz_targets/broken.rs"
required-features = ["heavy"]
"#;

/// A fuzz target that panics where the input contains `needle`.
fn target(needle: &str) -> String {
    format!(
        r#"
#[no_mangle]
#[inline(never)]
pub extern "C" fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32 {{
    assert!(cfg!(fuzzing) && cfg!(debug_assertions));
    let data = unsafe {{ std::slice::from_raw_parts(data, size) }};
    if data.windows(3).any(|window| window == b"{needle}") {{
        panic!("found {needle}");
    }}
    0
}}

fn main() {{
    let path = std::env::args_os().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    LLVMFuzzerTestOneInput(bytes.as_ptr(), bytes.len());
}}
"#
    )
}

pub fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("fuzz/Cargo.toml", MANIFEST);
    scratch.write("fuzz/fuzz_targets/finds_foo.rs", target("foo"));
    scratch.write("fuzz/fuzz_targets/finds_bar.rs", target("bar"));
    scratch.write("fuzz/fuzz_targets/finds_all.rs", target("all"));
    scratch.write("fuzz/fuzz_targets/broken.rs", "fn main() { wrong }");
    scratch
}

#[test]
fn a_crash_finds_its_target_by_its_path() {
    let scratch = project();
    let input = "some foo here";
    scratch.write("fuzz/artifacts/finds_foo/crash-1234", input);
    let ended = scratch.run(&["crash-12", "--polish", "0", "-v"]);
    let result = "fuzz/artifacts/finds_foo/crash-1234.min";
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), format!("{result}\n").as_str()));
    assert_eq!(scratch.read(result), "foo");
    for line in [
        "tmin: hunting panic at fuzz_targets/finds_foo.rs:8:9: found foo\n",
        "\n  failure     panic at fuzz_targets/finds_foo.rs:8:9: found foo\n",
        &format!("/release/finds_foo {result}\n"),
        &format!("cargo fuzz run -s none finds_foo {result}\n"),
    ] {
        assert!(ended.stderr.contains(line), "{line:?} is not in {}", ended.stderr);
    }
}

#[test]
fn required_features_are_turned_on() {
    let scratch = project();
    scratch.write("corpora/crashes/finds_all/crash-1", "all of it");
    let ended = scratch.run(&["crash-1", "--polish", "0"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("cargo fuzz run -s none --features heavy finds_all "),
        "{}",
        ended.stderr
    );
}

#[test]
fn the_options_of_a_build_reach_cargo_in_every_command() {
    let scratch = project();
    let wants = "#[cfg(not(feature = \"heavy\"))]\ncompile_error!(\"the feature is off\");\n";
    scratch.write("fuzz/fuzz_targets/finds_foo.rs", wants.to_owned() + &target("foo"));
    scratch.write("fuzz/artifacts/finds_foo/crash-1", "a foo");
    let ended = scratch.run(&["crash-1", "--polish", "0", "--all-features", "--profile", "dev"]);
    let result = "fuzz/artifacts/finds_foo/crash-1.min";
    assert_eq!((ended.code, scratch.read(result).as_str()), (Some(0), "foo"), "{}", ended.stderr);
    for text in ["/debug/finds_foo fuzz", "cargo fuzz run -s none --dev --all-features finds_foo"] {
        assert!(ended.stderr.contains(text), "{text:?} is not in {}", ended.stderr);
    }
    // Another profile has another folder, and commands that need no other build find the same one.
    let run = |arguments: &[&str]| {
        let heavy = ["fuzz/artifacts/finds_foo/crash-1", "--features", "heavy"];
        scratch.plain_seedsmith(&[&arguments[..1], &heavy, &arguments[1..]].concat())
    };
    let ended = run(&["run"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("building `finds_foo`"), "{}", ended.stderr);
    // Triage ends with 1 if something fails.
    let ended = run(&["triage", "--no-default-features"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let ended = scratch.run(&["crash-1", "-o", "other"]);
    assert_eq!(ended.code, Some(5), "{}", ended.stderr);
    assert!(ended.stderr.contains("the feature is off"), "{}", ended.stderr);
}

#[test]
fn a_target_is_built_without_what_only_brings_tmin_along() {
    let scratch = project();
    let (light, _) = MANIFEST.split_once("[[bin]]\nname = \"finds_all\"").unwrap();
    let features = "default = [\"light\", \"tmin\"]\nlight = []\ntmin = [\"dep:seedsmith\"]\n";
    let program = "[[bin]]\nname = \"tmin\"\npath = \"tmin.rs\"\nrequired-features = [\"tmin\"]\n\
                   [dependencies]\nseedsmith = { path = \"../seedsmith\", optional = true }\n";
    scratch.write("fuzz/Cargo.toml", light.replace("heavy = []", features) + program);
    scratch.write("fuzz/tmin.rs", "fn main() {}");
    scratch.write("seedsmith/Cargo.toml", "[package]\nname = \"seedsmith\"\nversion = \"9.9.9\"\n");
    scratch.write("seedsmith/src/lib.rs", "compile_error!(\"tmin's own part is compiled\");");
    let wants = "#[cfg(not(feature = \"light\"))]\ncompile_error!(\"another feature is gone\");\n";
    scratch.write("fuzz/fuzz_targets/finds_foo.rs", wants.to_owned() + &target("foo"));
    scratch.write("corpora/crashes/finds_foo/crash-1", "a foo");
    let ended = scratch.run(&["crash-1", "--polish", "0", "-o", "small"]);
    assert_eq!((ended.code, scratch.read("small").as_str()), (Some(0), "foo"), "{}", ended.stderr);

    // A target that takes the library for itself is built with it.
    scratch.write("seedsmith/src/lib.rs", "");
    let takes = "extern crate seedsmith;\n".to_owned();
    scratch.write("fuzz/fuzz_targets/finds_bar.rs", takes + &target("bar"));
    scratch.write("corpora/crashes/finds_bar/crash-2", "a bar");
    let ended = scratch.run(&["crash-2", "--polish", "0", "-o", "bar"]);
    assert_eq!((ended.code, scratch.read("bar").as_str()), (Some(0), "bar"), "{}", ended.stderr);
}

#[test]
fn an_input_from_elsewhere_goes_to_the_target_that_it_fails_on() {
    let scratch = project();
    scratch.write("only-bar", "a bar");
    let ended = scratch.run(&["only-bar", "-o", "small"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let trying = "tmin: only-bar is not in a folder of a target: trying the 2 of fuzz\n";
    assert!(ended.stderr.starts_with(trying), "{}", ended.stderr);
    assert_eq!(scratch.read("small"), "bar");
    scratch.write("both", "foo and bar");
    let ended = scratch.run(&["both"]);
    let line = "tmin: error: both fails on finds_bar, finds_foo; choose with --target\n";
    assert!(ended.stderr.ends_with(line), "{}", ended.stderr);
    assert_eq!(ended.code, Some(5));
    scratch.write("none", "nothing");
    let ended = scratch.run(&["none"]);
    let line = "tmin: error: none fails on none of finds_bar, finds_foo; \
                say which it belongs to with --target\n";
    assert!(ended.stderr.ends_with(line), "{}", ended.stderr);
    assert_eq!(ended.code, Some(5));
}

#[test]
fn a_target_that_is_not_there_is_told_with_what_was_meant() {
    let scratch = project();
    scratch.write("crash", "foo");
    let ended = scratch.run(&["crash", "--target", "find_fo"]);
    let line = "tmin: error: no target find_fo in fuzz; did you mean finds_foo?\n";
    assert_eq!((ended.stderr.as_str(), ended.code), (line, Some(5)));
    let ended = scratch.run(&["crash", "--target", "something"]);
    let line = "tmin: error: no target something in fuzz; \
                there are: broken, finds_all, finds_bar, finds_foo\n";
    assert_eq!((ended.stderr.as_str(), ended.code), (line, Some(5)));
}

#[test]
fn a_target_that_does_not_build_is_told_with_the_compilers_words() {
    let scratch = project();
    scratch.write("crash", "foo");
    let ended = scratch.run(&["crash", "--target", "broken"]);
    assert_eq!(ended.code, Some(5));
    let first = "tmin: building `broken` without a sanitizer, first time; -v shows cargo\n\
                 tmin: error: target broken doesn't build; \
                 `cargo build --bin broken` in fuzz says the same\n";
    assert!(ended.stderr.starts_with(first), "{}", ended.stderr);
    assert!(ended.stderr.contains("cannot find value `wrong`"), "{}", ended.stderr);
}

#[test]
fn one_name_for_several_crashes_is_not_enough() {
    let scratch = project();
    scratch.write("fuzz/artifacts/finds_foo/crash-11", "foo");
    scratch.write("fuzz/artifacts/finds_foo/crash-12", "foo!");
    let ended = scratch.run(&["crash-1"]);
    let line = "tmin: error: 2 files begin with crash-1; name one of them:\n  \
                fuzz/artifacts/finds_foo/crash-11\n  fuzz/artifacts/finds_foo/crash-12\n";
    assert_eq!((ended.stderr.as_str(), ended.code), (line, Some(2)));
}
