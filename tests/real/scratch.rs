//! What the README says, typed exactly so: at the root, and in a scratch project of cargo-fuzz.
//!
//! Libraries are compiled once for the scratch project and this repository's fuzz package: versions
//! by the same lock file, in one target folder.

use std::process::Command;

use crate::built::{assert_success, cargo, clangs_libfuzzer, root, target_folder};

#[test]
fn the_first_command_of_the_readme_works_as_typed() {
    let output = cargo(root(), &["run", "--bin", "tmin", "crash-abc"]).output().unwrap();
    assert_success(&output);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("→ 5 bytes"), "{told}");
    let result = String::from_utf8_lossy(&output.stdout);
    assert_eq!(std::fs::read(root().join(result.trim())).unwrap().len(), 5, "{result}");
}

#[test]
fn the_documented_program_works_in_a_scratch_project() {
    let scratch = tempfile::tempdir().unwrap();
    let project = scratch.path().join("project");
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
    // As `cargo fuzz init` writes it, and then the README's addition.
    write(
        "fuzz/Cargo.toml",
        &format!(
            "[package]\nname = \"project-fuzz\"\nversion = \"0.0.0\"\npublish = false\n\
             edition = \"2021\"\n\n[package.metadata]\ncargo-fuzz = true\n\n[dependencies]\n\
             libfuzzer-sys = \"0.4\"\nseedsmith = {{ path = {:?}, optional = true }}\n\n\
             [dependencies.project]\npath = \"..\"\n\n[workspace]\n\n[features]\n\
             default = [\"tmin\"]\ntmin = [\"dep:seedsmith\"]\n\n[[bin]]\nname = \"parse\"\n\
             path = \"fuzz_targets/parse.rs\"\ntest = false\ndoc = false\nbench = false\n\n\
             [[bin]]\nname = \"tmin\"\npath = \"tmin.rs\"\nrequired-features = [\"tmin\"]\n\
             test = false\ndoc = false\nbench = false\n\n\
             [profile.dev.package.seedsmith]\nopt-level = 1\n",
            root().to_str().unwrap()
        ),
    );
    write(
        "fuzz/fuzz_targets/parse.rs",
        "#![no_main]\nuse libfuzzer_sys::fuzz_target;\nfuzz_target!(|data: &[u8]| {\n    \
         if let Ok(text) = std::str::from_utf8(data) { project::parse(text) }\n});\n",
    );
    write(
        "fuzz/tmin.rs",
        "fn main() -> std::process::ExitCode {\n    seedsmith::cli::tmin_main()\n}\n",
    );
    write("fuzz/artifacts/parse/crash-abc", "some text <! in front of > the rest\n");
    std::fs::copy(root().join("fuzz/Cargo.lock"), fuzz.join("Cargo.lock")).unwrap();
    let output = cargo(&fuzz, &["run", "--bin", "tmin", "crash-abc"])
        .env("CARGO_TARGET_DIR", target_folder())
        .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
        .output()
        .unwrap();
    assert_success(&output);
    let result = String::from_utf8_lossy(&output.stdout);
    assert_eq!(std::fs::read(fuzz.join(result.trim())).unwrap(), b"<!>", "{result}");

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
