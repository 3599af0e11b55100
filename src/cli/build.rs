//! Building a fuzz target: with plain `cargo build` on stable Rust, or with AddressSanitizer on
//! nightly.
//!
//! The flags are cargo-fuzz's own, but for the coverage that only a fuzzer needs (and
//! `--valid-if reaches=`): release, debug assertions, overflow checks, `--cfg fuzzing`. What is built lies in a folder of its own, so that
//! it never invalidates what cargo-fuzz built.

use std::ffi::OsString;
use std::io::{BufReader, IsTerminal, Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::cargo;
use super::exit::{Exit, OrExit, Trouble};
use super::package::{FuzzPackage, FuzzTarget};

/// What cargo-fuzz turns on too.
const FLAGS: [&str; 4] = ["--cfg", "fuzzing", "-Cdebug-assertions", "-Coverflow-checks"];
/// libFuzzer's counters, a byte a block, with a table of where they are.
const COVERAGE: [&str; 4] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
];
/// The encoding of `CARGO_ENCODED_RUSTFLAGS`: unit separators.
const SEPARATOR: &str = "\x1f";

/// What is built in besides the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Nothing.
    None,
    /// AddressSanitizer, which only nightly Rust has.
    Address,
    /// libFuzzer's coverage counters, and no sanitizer.
    Coverage,
}

/// A target that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The executable.
    pub executable: PathBuf,
    /// The triple it was built for.
    pub triple: String,
}

/// The features of the package that are turned on.
#[derive(Clone, Copy)]
enum Features<'a> {
    /// The default ones, and what the target asks for.
    Default,
    /// These and no others.
    Only(&'a [String]),
}

/// What a build that failed left to say.
struct Refusal {
    /// What the compiler said, as it would have said it.
    errors: String,
    /// What cargo said, unless the user saw it.
    said: String,
}

/// Builds `target`, or finds that it is built already. cargo tells its progress on a terminal.
pub fn build(
    package: &FuzzPackage,
    target: &FuzzTarget,
    sanitizer: Sanitizer,
    shows_progress: bool,
) -> Result<Built, Trouble> {
    if sanitizer == Sanitizer::Address && !cargo::has_nightly() {
        return Err(Trouble::new(
            Exit::Target,
            "AddressSanitizer needs nightly Rust: `rustup toolchain install nightly`",
        ));
    }
    let triple = cargo::host_triple().ok_or_else(|| {
        Trouble::new(Exit::Target, "rustc doesn't run; Rust comes from https://rustup.rs")
    })?;
    let shows_progress = shows_progress && std::io::stderr().is_terminal();
    let attempt = |features| {
        let command = build_command(package, target, sanitizer, &triple, features);
        run_build(command, &target.name, shows_progress)
    };
    // Only what the target asks for: a package of many targets would be built whole otherwise.
    let result = if !target.required_features.is_empty() {
        match attempt(Features::Only(&target.required_features))? {
            Err(_) if package.has_default_features => attempt(Features::Default)?,
            result => result,
        }
    } else if let Some(others) = &package.default_without_ours {
        match attempt(Features::Only(others))? {
            // A target that takes our library for itself.
            Err(refusal) if refusal.errors.contains("seedsmith") => attempt(Features::Default)?,
            result => result,
        }
    } else {
        attempt(Features::Default)?
    };
    match result {
        Ok(executable) => Ok(Built { executable, triple }),
        Err(refusal) => Err(Trouble::new(
            Exit::Target,
            format!(
                "target {} doesn't build; `{} --bin {}` in {} says the same\n{}{}",
                target.name,
                match sanitizer {
                    Sanitizer::None | Sanitizer::Coverage => "cargo build",
                    Sanitizer::Address => "RUSTFLAGS=-Zsanitizer=address cargo +nightly build",
                },
                target.name,
                package.folder.display(),
                refusal.errors,
                refusal.said
            )
            .trim_end(),
        )),
    }
}

fn build_command(
    package: &FuzzPackage,
    target: &FuzzTarget,
    sanitizer: Sanitizer,
    triple: &str,
    features: Features<'_>,
) -> Command {
    let (mut command, folder) = match sanitizer {
        Sanitizer::None => (cargo::command(), "seedsmith"),
        Sanitizer::Address => (cargo::nightly(), "seedsmith-address"),
        Sanitizer::Coverage => (cargo::command(), "seedsmith-coverage"),
    };
    command
        .args(["build", "--release", "--bin", &target.name, "--target", triple])
        .args(["--message-format", "json-diagnostic-rendered-ansi"])
        .arg("--manifest-path")
        .arg(package.folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(package.target_folder.join(folder))
        .env("CARGO_ENCODED_RUSTFLAGS", flags(sanitizer))
        .env_remove("RUSTFLAGS")
        // Stacks with lines, at a fraction of what full debug information costs to build.
        .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
    let features = match features {
        Features::Default => target.required_features.as_slice(),
        Features::Only(features) => {
            command.arg("--no-default-features");
            features
        }
    };
    if !features.is_empty() {
        command.arg("--features").arg(features.join(","));
    }
    command
}

/// The user's flags, then ours.
fn flags(sanitizer: Sanitizer) -> OsString {
    let users = match std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        Ok(encoded) => encoded,
        Err(_) => {
            let plain = std::env::var("RUSTFLAGS").unwrap_or_default();
            plain.split_whitespace().collect::<Vec<_>>().join(SEPARATOR)
        }
    };
    let more: &[&str] = match sanitizer {
        Sanitizer::None => &[],
        Sanitizer::Address => &["-Zsanitizer=address"],
        Sanitizer::Coverage => &COVERAGE,
    };
    let ours = [&FLAGS, more].concat().join(SEPARATOR);
    if users.is_empty() { ours.into() } else { format!("{users}{SEPARATOR}{ours}").into() }
}

fn run_build(
    mut command: Command,
    name: &str,
    shows_progress: bool,
) -> Result<Result<PathBuf, Refusal>, Trouble> {
    let doing = || format!("failed to run cargo to build {name}");
    // A file, not a pipe: nobody has to read it while cargo runs.
    let mut said = tempfile::tempfile().or_exit(Exit::Files, doing)?;
    command.stdout(Stdio::piped());
    if shows_progress {
        command.stderr(Stdio::inherit());
    } else {
        command.arg("--quiet").stderr(said.try_clone().or_exit(Exit::Files, doing)?);
    }
    let mut child = command.spawn().or_exit(Exit::Target, doing)?;
    let stdout = child.stdout.take().expect("it was asked for");
    let mut executable = None;
    let mut errors = String::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message.or_exit(Exit::Target, doing)? {
            Message::CompilerArtifact(artifact) if artifact.target.name == name => {
                executable = artifact.executable.or(executable);
            }
            Message::CompilerMessage(message)
                if matches!(
                    message.message.level,
                    DiagnosticLevel::Error | DiagnosticLevel::Ice
                ) =>
            {
                errors.push_str(message.message.rendered.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }
    let status = child.wait().or_exit(Exit::Target, doing)?;
    if let (true, Some(executable)) = (status.success(), executable) {
        return Ok(Ok(executable.into_std_path_buf()));
    }
    let mut text = String::new();
    // The file was written through a copy of this descriptor, which shares its position.
    said.rewind().and_then(|()| said.read_to_string(&mut text)).or_exit(Exit::Files, doing)?;
    Ok(Err(Refusal { errors, said: text }))
}
