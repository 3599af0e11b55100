//! The output of `--version`, and the build script that finds the commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;

use crate::repository::{git, init};
use crate::scratch::{Ended, Scratch};

/// This package's build script as a program, in the folder `scripts`.
fn build_script(scratch: &Scratch) -> PathBuf {
    let script = scratch.path().join("build-script");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "--crate-name", "build_script", "-o"]);
    let status = command.arg(&script).arg(source).status().unwrap();
    assert!(status.success());
    script
}

/// The text that the script writes for the package in `root`, and the paths that it asks cargo to
/// watch.
fn built(script: &Path, root: &Path, features: &[&str]) -> (String, Vec<String>) {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(script);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_FEATURE_") {
            command.env_remove(name);
        }
    }
    command.env("CARGO_MANIFEST_DIR", root).env("CARGO_PKG_VERSION", "1.2.3");
    command.env("OUT_DIR", out.path());
    for feature in features {
        command.env(format!("CARGO_FEATURE_{feature}"), "1");
    }
    let ended = Ended::of(command.output().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let watched =
        ended.stdout.lines().filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="));
    let watched = watched.map(str::to_owned).collect();
    (std::fs::read_to_string(out.path().join("version.txt")).unwrap(), watched)
}

#[test]
fn every_program_prints_its_version_with_the_features() {
    let scratch = Scratch::new();
    let line = Regex::new(concat!(
        r"^(tmin|seedsmith|cargo seedsmith) ",
        env!("CARGO_PKG_VERSION"),
        r"( \([0-9a-f]{12,} \d{4}-\d\d-\d\d\))? features: cli( [a-z]+)*\n$"
    ));
    let line = line.unwrap();
    for name in ["tmin", "seedsmith", "cargo-seedsmith"] {
        let ended = Ended::of(scratch.program(name).arg("--version").output().unwrap());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(line.is_match(&ended.stdout), "{}", ended.stdout);
        assert!(ended.stdout.starts_with(&name.replace('-', " ")), "{}", ended.stdout);
    }
}

#[test]
fn a_version_names_the_commit_of_the_packages_own_repository_only() {
    let scratch = Scratch::new();
    let script = build_script(&scratch);
    let root = scratch.path().join("package");
    std::fs::create_dir_all(root.join("vendored")).unwrap();
    let of_package = |features: &[&str]| built(&script, &root, features);
    assert_eq!(of_package(&["CLI"]).0, "1.2.3 features: cli");

    init(&root);
    assert_eq!(of_package(&["CLI"]).0, "1.2.3 features: cli", "there is no commit yet");
    let commit = |message: &str| {
        let day = ["-c", "core.abbrev=12", "commit", "--quiet", "--allow-empty", "-m", message];
        git(&root, &day);
        let words = git(&root, &["log", "-1", "--abbrev=12", "--format=%h %cs"]);
        format!("1.2.3 ({words}) features: cli languages")
    };
    let first = commit("One");
    assert_eq!(of_package(&["CLI", "LANGUAGES"]).0, first);
    let second = commit("Two");
    assert_eq!(of_package(&["CLI", "LANGUAGES"]).0, second);
    assert_ne!(first, second);

    // A fuzz target with the library is not built again for a commit.
    let (text, watched) = of_package(&["MUTATOR"]);
    assert_eq!(
        (text.as_str(), watched.as_slice()),
        ("1.2.3 features: mutator", &["build.rs".to_owned()][..])
    );
    let vendored = built(&script, &root.join("vendored"), &["CLI"]);
    assert_eq!(vendored.0, "1.2.3 features: cli", "the repository around it is the user's");
}

#[test]
fn a_version_is_renewed_by_what_changes_the_commit_and_by_nothing_else() {
    let scratch = Scratch::new();
    let script = build_script(&scratch);
    let root = scratch.path().join("package");
    std::fs::create_dir_all(&root).unwrap();
    init(&root);
    git(&root, &["commit", "--quiet", "--allow-empty", "-m", "One"]);
    let watched = || {
        let (_, mut watched) = built(&script, &root, &["CLI"]);
        assert_eq!(watched.remove(0), "build.rs");
        // A path that does not exist is one that always counts as changed.
        assert!(watched.iter().all(|path| Path::new(path).exists()), "{watched:?}");
        let end = |path: String| path.rsplit_once(".git/").unwrap().1.to_owned();
        watched.into_iter().map(end).collect::<Vec<_>>()
    };
    assert_eq!(watched(), ["HEAD", "refs/heads/main"]);
    git(&root, &["pack-refs", "--all"]);
    assert_eq!(watched(), ["HEAD", "packed-refs", "logs/HEAD"]);
    git(&root, &["checkout", "--quiet", "--detach"]);
    assert_eq!(watched(), ["HEAD", "packed-refs", "logs/HEAD"]);
}
