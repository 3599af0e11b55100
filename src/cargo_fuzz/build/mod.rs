//! Builds a fuzz target: with plain `cargo build` on stable Rust, or with AddressSanitizer on
//! nightly.
//!
//! The flags are those of cargo-fuzz (release, debug assertions, overflow checks, `--cfg fuzzing`)
//! without the coverage that only a fuzzer needs. Everything is built in a separate folder below the
//! package's target folder, so that nothing that cargo-fuzz built becomes stale.

pub(super) mod background;
pub(super) mod fresh;
pub(super) mod options;

use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;

use super::cargo::{self, Tool};
use super::instrumentation::Instrumentation;
use super::package::{FuzzPackage, FuzzTarget};
use crate::event::{Event, NoteKind, Reporter};
use fresh::{Freshness, freshness};
use options::CargoOptions;

/// A build of a target, before it is made.
#[derive(Clone, Copy)]
pub(super) struct Build<'a> {
    /// The package.
    pub package: &'a FuzzPackage,
    /// The target.
    pub target: &'a FuzzTarget,
    /// The instrumentation that the compiler adds.
    pub instrumentation: Instrumentation,
    /// The user's options for cargo.
    pub options: &'a CargoOptions,
    /// How much of it the user sees.
    pub shown: Shown,
    /// Whether something else runs beside it.
    pub is_beside: bool,
}

/// How much of builds a user sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Whether cargo prints its progress to stderr.
    pub cargo: bool,
    /// Whether it does so while a search runs beside it: two of them would share a line.
    pub cargo_beside: bool,
    /// How a user makes cargo's output visible; it is added to messages if that is hidden.
    pub hint: Option<&'static str>,
}

/// A target that was built.
#[derive(Clone, Debug)]
pub(super) struct Built {
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
pub(crate) enum BuildError {
    /// AddressSanitizer is wanted, and nightly Rust is not installed.
    #[error("AddressSanitizer needs nightly Rust: `rustup toolchain install nightly`")]
    NoNightly,
    /// Unstable flags are wanted, and nightly Rust is not installed.
    #[error("unstable flags of cargo need nightly Rust: `rustup toolchain install nightly`")]
    NoNightlyFlags,
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

impl Build<'_> {
    /// Builds the target, unless it is built already. The reporter gets a note about which build is
    /// made and why.
    pub(super) fn run(&self, reporter: &mut dyn Reporter) -> Result<Built, BuildError> {
        let triple = cargo::host_triple().ok_or(BuildError::NoRustc)?;
        if let Some(news) = self.news(&triple) {
            reporter.report(&Event::Note(NoteKind::Build, &news));
        }
        self.run_for(triple)
    }

    /// The message before the target is built; `None` if it is built already.
    pub(super) fn news(&self, triple: &str) -> Option<String> {
        let with = match self.instrumentation {
            Instrumentation::None => "without a sanitizer",
            Instrumentation::Address => "with AddressSanitizer",
            Instrumentation::Coverage => "with coverage counters",
        };
        let profile = self.target_folder().join(triple).join(self.options.profile_folder());
        let why = match freshness(&profile.join(&self.target.name), &self.package.folder) {
            Freshness::Fresh => return None,
            Freshness::Missing => ", first time".to_owned(),
            Freshness::Older(file) => format!(", because {} changed", shown_path(&file)),
            Freshness::Unknown => String::new(),
        };
        let hint = self.shown.hint.filter(|_| !self.shows_cargo());
        let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
        Some(format!("building `{}` {with}{why}{hint}", self.target.name))
    }

    /// Whether cargo prints its own progress: it does for the build that a user waits for.
    fn shows_cargo(&self) -> bool {
        if self.is_beside { self.shown.cargo_beside } else { self.shown.cargo }
    }

    /// Builds the target for that triple, and reports nothing before.
    pub(super) fn run_for(&self, triple: String) -> Result<Built, BuildError> {
        let (package, target) = (self.package, self.target);
        let needs_nightly =
            self.instrumentation == Instrumentation::Address || !self.options.unstable.is_empty();
        if needs_nightly && !cargo::has_nightly() {
            return Err(match self.instrumentation {
                Instrumentation::Address => BuildError::NoNightly,
                _ => BuildError::NoNightlyFlags,
            });
        }
        let attempt = |features: Features<'_>| {
            let command = self.command(&triple, features);
            run_build(command, &target.name, self.shows_cargo())
        };
        // With all default features, a package of many targets would be compiled whole for one of
        // them.
        let result = if self.options.chooses_features() {
            attempt(Features::Default)?
        } else if !target.required_features.is_empty() {
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
            Err(printed) => Err(self.failure(&printed)),
        }
    }

    /// The error for a build that failed, with the messages of cargo that matter to a user.
    fn failure(&self, printed: &Printed) -> BuildError {
        let cargo = match self.instrumentation {
            _ if !self.options.unstable.is_empty() => "cargo +nightly build",
            Instrumentation::None | Instrumentation::Coverage => "cargo build",
            Instrumentation::Address => "RUSTFLAGS=-Zsanitizer=address cargo +nightly build",
        };
        let mut words = self.options.feature_words(&[]);
        words.extend(self.options.unstable.iter().map(|flag| format!("-Z{flag}")));
        words.extend(self.options.profile.iter().map(|profile| format!("--profile {profile}")));
        let words: String = words.iter().map(|word| format!(" {word}")).collect();
        BuildError::Failed {
            target: self.target.name.clone(),
            folder: self.package.folder.clone(),
            command: format!("{cargo} --bin {}{words}", self.target.name),
            output: format!("{}{}", printed.errors, printed.messages).trim_end().to_owned(),
        }
    }

    /// cargo's target folder for this kind of build.
    fn target_folder(&self) -> PathBuf {
        let name = match self.instrumentation {
            Instrumentation::None => "seedsmith",
            Instrumentation::Address => "seedsmith-address",
            Instrumentation::Coverage => "seedsmith-coverage",
        };
        self.package.target_folder.join(self.options.folder(name))
    }

    /// The command that builds the target for `triple` with these features of its package.
    fn command(&self, triple: &str, features: Features<'_>) -> Command {
        let mut command = match self.instrumentation {
            _ if !self.options.unstable.is_empty() => cargo::nightly(),
            Instrumentation::Address => cargo::nightly(),
            Instrumentation::None | Instrumentation::Coverage => cargo::command(),
        };
        command
            .args(["build", "--profile", self.options.profile()])
            .args(["--bin", &self.target.name, "--target", triple])
            // Without colours: a report escapes every control character that is not its own.
            .args(["--message-format", "json"])
            .args(self.options.unstable.iter().map(|flag| format!("-Z{flag}")))
            .arg("--manifest-path")
            .arg(self.package.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.target_folder())
            .env("CARGO_ENCODED_RUSTFLAGS", self.instrumentation.flags())
            .env_remove("RUSTFLAGS")
            // Enough for stacks with line numbers, and much quicker to build than full debug
            // information.
            .env(self.options.debug_variable(), "line-tables-only");
        if self.is_beside {
            command.env("CARGO_TERM_PROGRESS_WHEN", "never");
        }
        match features {
            Features::Default => {
                command.args(self.options.feature_words(&self.target.required_features));
            }
            Features::Only(features) => {
                command.arg("--no-default-features");
                if !features.is_empty() {
                    command.arg("--features").arg(features.join(","));
                }
            }
        }
        command
    }
}

/// A path as seen from the current folder.
pub(crate) fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
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
