//! The repository's fuzz targets as `tmin` builds them, and `tmin` runs on them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `tmin`, from the repository's root, without the test runner's variables that would change its
/// behaviour.
pub fn tmin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tmin"));
    command.current_dir(root());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SEEDSMITH_") {
            command.env_remove(name);
        }
    }
    command
}

/// The committed crash (not the short-named copy) of a target.
pub fn crash_of(target: &str) -> PathBuf {
    let folder = root().join("corpora/crashes").join(target);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            !name.ends_with(".min") && !name.starts_with('.') && name.len() > 40
        })
        .collect();
    files.sort();
    files.into_iter().next().expect("every target has a crash")
}

/// Runs `tmin` and gives the last event.
pub fn finished(command: &mut Command) -> Value {
    let output = command.output().expect("tmin can be started");
    assert_success(&output);
    last_event(&output)
}

pub fn last_event(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().expect("there is a last event");
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

pub fn assert_success(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Where cargo puts the executables of the repository's fuzz package.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("fuzz/target"), PathBuf::from)
}

/// A cargo in `folder` that is started by hand: it has none of this test's variables.
pub fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    const USERS: [&str; 3] = ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_INCREMENTAL"];
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let is_cargos = name.starts_with("CARGO_") && !USERS.contains(&&*name);
        if is_cargos || name.starts_with("SEEDSMITH_") || name == "RUSTFLAGS" {
            command.env_remove(&*name);
        }
    }
    command
}

/// clang's libFuzzer, for the variable `CUSTOM_LIBFUZZER_PATH` of libfuzzer-sys: compiling its own
/// for each kind of build would take a minute.
pub fn clangs_libfuzzer() -> String {
    let answer = Command::new("clang")
        .arg("-print-file-name=libclang_rt.fuzzer-x86_64.a")
        .output()
        .expect("clang is installed: scripts/test does that");
    String::from_utf8(answer.stdout).unwrap().trim().to_owned()
}

/// The executable that `tmin` built of a target: run `tmin` on the target first.
pub fn executable_of(target: &str) -> PathBuf {
    let folder = target_folder().join("seedsmith");
    let triples = std::fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!("{} should be there: {error}", folder.display());
    });
    triples
        .map(|entry| entry.unwrap().path().join("release").join(target))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{target} should have been built below {}", folder.display()))
}
