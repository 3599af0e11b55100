//! Builds a fuzz target: with plain `cargo build` on stable Rust, or with AddressSanitizer on
//! nightly.
//!
//! The flags are those of cargo-fuzz (release, debug assertions, overflow checks, `--cfg fuzzing`)
//! without the coverage that only a fuzzer needs. Everything is built in a separate folder below the
//! package's target folder, so that nothing that cargo-fuzz built becomes stale.

use std::io::{self, BufReader, Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::cargo::{self, Tool};
use super::instrumentation::Instrumentation;
use super::package::{FuzzPackage, FuzzTarget};

/// A target that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The executable.
    pub executable: PathBuf,
    /// The triple it was built for.
    pub triple: String,
}

/// Which features of the package are turned on.
#[derive(Clone, Copy)]
enum Features<'a> {
    /// The default ones, and those that the target requires.
    Default,
    /// These and no others.
    Only(&'a [String]),
}

/// The messages of a build that failed.
struct Printed {
    /// The compiler's errors, rendered without colours.
    errors: String,
    /// cargo's own messages, if the user has not seen them yet.
    messages: String,
}

/// Why a target cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// AddressSanitizer is wanted, and nightly Rust is not installed.
    #[error("AddressSanitizer needs nightly Rust: `rustup toolchain install nightly`")]
    NoNightly,
    /// `rustc` cannot be started.
    #[error("rustc doesn't run; Rust comes from https://rustup.rs")]
    NoRustc,
    /// cargo cannot be started, or its messages cannot be read.
    #[error("failed to run cargo to build {target}")]
    Cargo {
        /// The target's name.
        target: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The temporary file for cargo's messages cannot be written or read.
    #[error("failed to run cargo to build {target}")]
    TemporaryFile {
        /// The target's name.
        target: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The target does not compile.
    #[error("target {target} doesn't build; `{command}` in {} says the same{}", folder.display(), lines(output))]
    Failed {
        /// The target's name.
        target: String,
        /// The package's folder.
        folder: PathBuf,
        /// A command that shows the same errors in that folder.
        command: String,
        /// The errors of compiler and cargo, several lines.
        output: String,
    },
}

/// `output` after a line break, if there is any.
fn lines(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!("\n{output}") }
}

/// Builds `target`, unless it is built already. With `shows_progress` cargo prints its progress to
/// stderr.
pub fn build(
    package: &FuzzPackage,
    target: &FuzzTarget,
    instrumentation: Instrumentation,
    shows_progress: bool,
) -> Result<Built, BuildError> {
    if instrumentation == Instrumentation::Address && !cargo::has_nightly() {
        return Err(BuildError::NoNightly);
    }
    let triple = cargo::host_triple().ok_or(BuildError::NoRustc)?;
    let attempt = |features| {
        let command = build_command(package, target, instrumentation, &triple, features);
        run_build(command, &target.name, shows_progress)
    };
    // With all default features, a package of many targets would be compiled whole for one of them.
    let result = if !target.required_features.is_empty() {
        match attempt(Features::Only(&target.required_features))? {
            Err(_) if package.has_default_features => attempt(Features::Default)?,
            result => result,
        }
    } else if let Some(others) = &package.default_without_ours {
        match attempt(Features::Only(others))? {
            // The target itself uses our library.
            Err(printed) if printed.errors.contains("seedsmith") => attempt(Features::Default)?,
            result => result,
        }
    } else {
        attempt(Features::Default)?
    };
    match result {
        Ok(executable) => Ok(Built { executable, triple }),
        Err(printed) => Err(failure(package, target, instrumentation, &printed)),
    }
}

fn failure(
    package: &FuzzPackage,
    target: &FuzzTarget,
    instrumentation: Instrumentation,
    printed: &Printed,
) -> BuildError {
    let cargo = match instrumentation {
        Instrumentation::None | Instrumentation::Coverage => "cargo build",
        Instrumentation::Address => "RUSTFLAGS=-Zsanitizer=address cargo +nightly build",
    };
    BuildError::Failed {
        target: target.name.clone(),
        folder: package.folder.clone(),
        command: format!("{cargo} --bin {}", target.name),
        output: format!("{}{}", printed.errors, printed.messages).trim_end().to_owned(),
    }
}

fn build_command(
    package: &FuzzPackage,
    target: &FuzzTarget,
    instrumentation: Instrumentation,
    triple: &str,
    features: Features<'_>,
) -> Command {
    let (mut command, folder) = match instrumentation {
        Instrumentation::None => (cargo::command(), "seedsmith"),
        Instrumentation::Address => (cargo::nightly(), "seedsmith-address"),
        Instrumentation::Coverage => (cargo::command(), "seedsmith-coverage"),
    };
    command
        .args(["build", "--release", "--bin", &target.name, "--target", triple])
        // Without colours: a report escapes every control character that is not its own.
        .args(["--message-format", "json"])
        .arg("--manifest-path")
        .arg(package.folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(package.target_folder.join(folder))
        .env("CARGO_ENCODED_RUSTFLAGS", instrumentation.flags())
        .env_remove("RUSTFLAGS")
        // Enough for stacks with line numbers, and much quicker to build than full debug information.
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

/// The executable, or the messages of a build that failed.
fn run_build(
    mut command: Command,
    name: &str,
    shows_progress: bool,
) -> Result<Result<PathBuf, Printed>, BuildError> {
    let no_cargo = |source| BuildError::Cargo { target: name.to_owned(), source };
    let no_file = |source| BuildError::TemporaryFile { target: name.to_owned(), source };
    // A file, not a pipe: no thread has to read it while cargo runs.
    let mut messages = tempfile::tempfile().map_err(no_file)?;
    command.stdout(Stdio::piped());
    if shows_progress {
        command.stderr(Stdio::inherit());
    } else {
        command.arg("--quiet").stderr(messages.try_clone().map_err(no_file)?);
    }
    let mut tool = Tool::start(&mut command).map_err(no_cargo)?;
    let stdout = tool.child.stdout.take().expect("it was set to a pipe above");
    let mut executable = None;
    let mut errors = String::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        match message.map_err(no_cargo)? {
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
    let status = tool.wait().map_err(no_cargo)?;
    if let (true, Some(executable)) = (status.success(), executable) {
        return Ok(Ok(executable.into_std_path_buf()));
    }
    let mut text = String::new();
    // cargo wrote through a copy of this descriptor, and the two share one position.
    messages.rewind().and_then(|()| messages.read_to_string(&mut text)).map_err(no_file)?;
    Ok(Err(Printed { errors, messages: text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_messages_follow_after_a_line_break() {
        let failed = |output: &str| BuildError::Failed {
            target: "a".to_owned(),
            folder: "fuzz".into(),
            command: "cargo build --bin a".to_owned(),
            output: output.to_owned(),
        };
        let first = "target a doesn't build; `cargo build --bin a` in fuzz says the same";
        assert_eq!(failed("").to_string(), first);
        assert_eq!(failed("error: x").to_string(), format!("{first}\nerror: x"));
    }
}
