//! The commands of the README and of a page of the manual, typed exactly so: at the root, and for `scripts/nightly` in a
//! scratch project of cargo-fuzz.
//!
//! Libraries are compiled once for the scratch project and this repository's fuzz package: versions
//! by the same lock file, in one target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::book::{agrees, without_progress};
use crate::built::{
    assert_success, cargo, clangs_libfuzzer, crash_of, executable_of, finished, root,
    target_folder, tmin,
};

/// The program of the manual has to make at least this share of the tests a second that the
/// repository's own `tmin` makes. Both have the parts optimized that each test runs through; one that
/// has not makes a third of the tests or less. On a machine with much else to do it was 0.69 once.
const LEAST_RATIO: f64 = 0.5;

/// The page that makes `tmin` a part of a fuzz package.
const PAGE: &str = "docs/src/package.md";

#[test]
fn the_first_command_of_the_readme_prints_what_the_readme_shows() {
    let block = block_of("README.md", "text");
    let (typed, shown) = block.split_once('\n').unwrap();
    assert_eq!(typed, "$ cargo run --bin tmin crash-abc");
    // Of an earlier run of this test; a run would continue from it and print less.
    let earlier = root().join("corpora/crashes/toml_header/crash-abc.min");
    std::fs::remove_file(&earlier).or_else(not_found).unwrap();
    // What the command runs is built already. Typed literally it compiles the library once more, because the dependencies of tests
    // ask more features of some crates: `scripts/nightly cases`.
    let is_exact = std::env::var_os("SEEDSMITH_HEAVY_CASES").is_some();
    let mut command = match is_exact {
        true => cargo(root(), &["run", "--bin", "tmin"]),
        false => tmin(),
    };
    let output = command.arg("crash-abc").output().unwrap();
    assert_success(&output);
    let printed = without_progress(&String::from_utf8_lossy(&output.stderr));
    // Before it are the lines of cargo, and of the build of the target.
    let shown = format!("…\n{shown}");
    assert!(agrees(&shown, &printed), "the README shows\n{shown}\nand it prints\n{printed}");
    let result = String::from_utf8_lossy(&output.stdout);
    assert_eq!(std::fs::read(root().join(result.trim())).unwrap().len(), 5, "{result}");
}

/// The fuzz package is what the page tells: its programs are built and run by `cases`, which costs one build of the library less
/// than a scratch project.
#[test]
fn the_documented_program_is_that_of_the_fuzz_package() {
    let read = |name: &str| std::fs::read_to_string(root().join("fuzz").join(name)).unwrap();
    let program = read("tmin.rs");
    let (_, program) = program.split_once("\n\n").expect("a comment is before it");
    assert_eq!(program, block_of(PAGE, "rust"));
    // What the page adds is there line for line, in sections of the same name; features and the dependency have more.
    let own = read("Cargo.toml");
    let block = block_of(PAGE, "toml");
    let (features, rest) = block.split_once("\n\n").unwrap();
    let (dependency, rest) = rest.split_once("\n\n").unwrap();
    for line in features.lines().skip(1) {
        let (name, listed) = line.split_once(" = ").unwrap();
        let own = own.lines().find_map(|own| own.strip_prefix(&format!("{name} = "))).unwrap();
        let listed = listed.trim_matches(['[', ']']).split(", ");
        assert!(listed.into_iter().all(|one| own.contains(one)), "{name}: {own}");
    }
    assert!(dependency.ends_with("optional = true }"), "{dependency}");
    assert!(
        own.lines()
            .any(|line| line.starts_with("seedsmith = ") && line.ends_with("optional = true }"))
    );
    let plain = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let (own, documented) = (plain(&own), plain(rest));
    for section in documented.split_inclusive(|line| line == "bench = false") {
        assert!(own.windows(section.len()).any(|lines| lines == section), "{section:?}");
    }
}

/// `scripts/nightly manual` runs it: it builds the library twice.
#[test]
fn the_documented_program_works_in_a_scratch_project() {
    let scratch = tempfile::tempdir().unwrap();
    let project = scratch_project(scratch.path());
    let fuzz = project.join("fuzz");
    let output = cargo(&fuzz, &["run", "--bin", "tmin", "crash-abc"])
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_PROFILE_DEV_DEBUG", "none")
        .output()
        .unwrap();
    assert_success(&output);
    let result = String::from_utf8_lossy(&output.stdout);
    assert_eq!(std::fs::read(fuzz.join(result.trim())).unwrap(), b"<!>", "{result}");

    let documented = target_folder().join("debug/tmin");
    let ratio = tests_a_second(&documented) / tests_a_second(Path::new(env!("CARGO_BIN_EXE_tmin")));
    assert!(ratio >= LEAST_RATIO, "the documented tmin makes {ratio:.2} of the tests a second");

    // Nothing of `tmin` runs from here on: it need not be quick.
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    std::fs::write(fuzz.join("Cargo.toml"), manifest.replace("opt-level = 1", "opt-level = 0"))
        .unwrap();
    let output = Command::new("cargo-fuzz")
        .current_dir(&project)
        .args(["fuzz", "build", "-s", "none", "--dev"])
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_PROFILE_DEV_DEBUG", "none")
        .env("CUSTOM_LIBFUZZER_PATH", clangs_libfuzzer())
        .output()
        .expect("cargo-fuzz is installed: scripts/test does that");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo fuzz builds the package with tmin in it: {told}");
}

/// A package with a fuzz target and what the manual's page adds to it. Gives its folder.
fn scratch_project(scratch: &Path) -> PathBuf {
    let project = scratch.join("project");
    let fuzz = project.join("fuzz");
    for folder in ["src", "fuzz/fuzz_targets", "fuzz/artifacts/parse"] {
        std::fs::create_dir_all(project.join(folder)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(project.join(name), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"project\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    write(
        "src/lib.rs",
        "pub fn parse(text: &str) { if let Some((_, rest)) = text.split_once(\"<!\") { \
         assert!(!rest.contains('>'), \"planted\"); } }\n",
    );
    // As `cargo fuzz init` writes it, and then the manual's addition, word for word.
    let path = format!("path = {:?}", root().to_str().unwrap());
    let addition = block_of(PAGE, "toml").replace("path = \"…\"", &path);
    assert!(addition.contains(&path), "the page leaves the path open");
    write(
        "fuzz/Cargo.toml",
        &format!(
            "[package]\nname = \"project-fuzz\"\nversion = \"0.0.0\"\npublish = false\n\
             edition = \"2021\"\n\n[package.metadata]\ncargo-fuzz = true\n\n\
             [dependencies.libfuzzer-sys]\nversion = \"0.4\"\n\n\
             [dependencies.project]\npath = \"..\"\n\n[workspace]\n\n\
             [[bin]]\nname = \"parse\"\npath = \"fuzz_targets/parse.rs\"\ntest = false\n\
             doc = false\nbench = false\n\n{addition}"
        ),
    );
    write(
        "fuzz/fuzz_targets/parse.rs",
        "#![no_main]\nuse libfuzzer_sys::fuzz_target;\nfuzz_target!(|data: &[u8]| {\n    \
         if let Ok(text) = std::str::from_utf8(data) { project::parse(text) }\n});\n",
    );
    write("fuzz/tmin.rs", &block_of(PAGE, "rust"));
    write("fuzz/artifacts/parse/crash-abc", "some text <! in front of > the rest\n");
    std::fs::copy(root().join("fuzz/Cargo.lock"), fuzz.join("Cargo.lock")).unwrap();
    project
}

/// Nothing to do if a file is not there.
fn not_found(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// A page's only block of code in that language.
fn block_of(page: &str, language: &str) -> String {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let (_, after) = text.split_once(&format!("```{language}\n")).expect("the page has it");
    after.split_once("```").expect("the block ends").0.to_owned()
}

/// Tests that a build of `tmin` makes in a second: the best of several runs, because others use the
/// machine.
fn tests_a_second(program: &Path) -> f64 {
    // Builds the target, if no other test has done so.
    finished(
        tmin()
            .args(["--json", "--force", "-o"])
            .arg(std::env::temp_dir().join("built"))
            .arg(crash_of("toml_header")),
    );
    let scratch = tempfile::tempdir().unwrap();
    let one = |number: usize| {
        let ended = finished(
            Command::new(program)
                .arg(crash_of("toml_header"))
                .args(["--json", "--jobs", "1", "--binary"])
                .arg(executable_of("toml_header"))
                .arg("-o")
                .arg(scratch.path().join(number.to_string())),
        );
        let of = |name: &str| ended[name].as_f64().expect("the last event has it");
        of("tests") * 1000.0 / of("elapsed_ms").max(1.0)
    };
    (0..7).map(one).fold(0.0, f64::max)
}
