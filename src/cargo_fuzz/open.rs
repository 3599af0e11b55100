//! Opens a target from each kind of source: a command, an executable, a fuzz target that is built
//! first, or a function of this program.
//!
//! This is the only place that knows all kinds. It does not choose among targets, and opens a new one
//! at each call.

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::build::{Build, BuildError};
use super::cargo;
use super::command::start;
use super::harness::{Harness, IS_HARNESS};
use super::instrumentation::Instrumentation;
use super::request::CommandLine;
use crate::corpus::input_of;
use crate::event::Reporter;
use crate::session::target::{Leaks, OpenTarget, Origin};
use seedsmith_engine::exec::command::folder::input::FolderInput;
use seedsmith_engine::exec::command::{CommandMode, CommandTarget};
use seedsmith_engine::exec::executable::{ExecutableKind, inspect, mentions};
use seedsmith_engine::exec::injected::{InjectedOptions, InjectedTarget};
use seedsmith_engine::exec::linked::LinkedTarget;
use seedsmith_engine::exec::reach::features::FeatureKind;
use seedsmith_engine::exec::{Target, TargetError};

/// Why a target cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such file.
    #[error("no such executable: {}", path.display())]
    NoExecutable {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The current folder, against which the path is resolved, cannot be found.
    #[error("failed to find {}", path.display())]
    CurrentFolder {
        /// The path as it was given.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The executable was not made by libFuzzer.
    #[error("{} is not a libFuzzer executable: {}", path.display(), kind.reason())]
    NotLibFuzzer {
        /// The path as it was given.
        path: PathBuf,
        /// Which kind of executable it is instead.
        kind: ExecutableKind,
    },
    /// The executable is a harness that has to be run by a command.
    #[error("{} {why}", path.display())]
    OtherHarness {
        /// The path as it was given.
        path: PathBuf,
        /// What it is, and what runs it.
        why: &'static str,
    },
    /// The executable can neither be read nor run.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The function of this program cannot be run.
    #[error("failed to use {name}, which is part of this program")]
    Linked {
        /// The name of its fuzz target.
        name: String,
        /// Why.
        #[source]
        source: TargetError,
    },
    /// The fuzz target cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Opens a program, which reports by its exit status whether the failure shows, or crashes itself.
///
/// The file that it is given has the name of `input`: some programs look at the extension.
pub fn open_command(line: &CommandLine, input: &Path) -> OpenTarget {
    OpenTarget {
        name: line.argv[0].to_string_lossy().into_owned(),
        origin: Origin::Command { line: line.clone(), input: input.to_owned() },
        note: start::note(&line.argv[0]),
        ..OpenTarget::new(Box::new(line.target(CommandMode::ByFirstRuns, &input_of(input))))
    }
}

/// Opens the same program for folders of the name `input`: `{}` is a folder.
pub fn open_command_on(line: &CommandLine, input: &Path, folder: FolderInput) -> OpenTarget {
    let target = line.target(CommandMode::ByFirstRuns, input).with_folder(folder);
    OpenTarget {
        name: line.argv[0].to_string_lossy().into_owned(),
        origin: Origin::Command { line: line.clone(), input: input.to_owned() },
        note: start::note(&line.argv[0]),
        ..OpenTarget::new(Box::new(target))
    }
}

/// Opens the function that this program serves as the fuzz target `name`.
pub fn open_linked(name: &str) -> Result<OpenTarget, OpenError> {
    let target = LinkedTarget::new(name)
        .map_err(|source| OpenError::Linked { name: name.to_owned(), source })?;
    Ok(OpenTarget {
        name: name.to_owned(),
        executable: std::env::current_exe().ok(),
        origin: Origin::Linked(name.to_owned()),
        ..OpenTarget::new(Box::new(target))
    })
}

/// Opens a libFuzzer executable as it is. With `finds_leaks`, leaks count as failures, if something in
/// the executable finds them.
pub fn open_executable(executable: &Path, finds_leaks: bool) -> Result<OpenTarget, OpenError> {
    open_with(executable, InjectedOptions { finds_leaks, ..InjectedOptions::default() })
}

/// Opens a libFuzzer executable that is started with these flags, which its `LLVMFuzzerInitialize`
/// sees.
pub fn open_with_flags(
    executable: &Path,
    flags: Vec<OsString>,
    finds_leaks: bool,
) -> Result<OpenTarget, OpenError> {
    let options = InjectedOptions { arguments: flags, finds_leaks, ..InjectedOptions::default() };
    open_with(executable, options)
}

/// Opens a libFuzzer executable for which an input is valid if one of the `watched` counters changes
/// (see [`counters_of`]).
///
/// [`counters_of`]: seedsmith_engine::exec::reach::counters_of
pub fn open_watched(executable: &Path, watched: Vec<Range<u64>>) -> Result<OpenTarget, OpenError> {
    open_with(executable, InjectedOptions { watched, ..InjectedOptions::default() })
}

/// Opens a libFuzzer executable whose reports have the features of its coverage counters.
pub fn open_covering(executable: &Path, kind: FeatureKind) -> Result<OpenTarget, OpenError> {
    open_with(executable, InjectedOptions { features: Some(kind), ..InjectedOptions::default() })
}

fn open_with(path: &Path, options: InjectedOptions) -> Result<OpenTarget, OpenError> {
    if !path.is_file() {
        return Err(OpenError::NoExecutable { path: path.to_owned() });
    }
    // A bare name would be looked for in PATH when it is run as a command.
    let executable = std::path::absolute(path)
        .map_err(|source| OpenError::CurrentFolder { path: path.to_owned(), source })?;
    let inspected = inspect(&executable)?;
    let kind = inspected.kind;
    let leaks = match inspected.can_find_leaks() {
        true if options.finds_leaks => Leaks::Found,
        true => Leaks::Ignored,
        false => Leaks::Unknown,
    };
    let finds_leaks = leaks == Leaks::Found;
    let is_watched = !options.watched.is_empty() || options.features.is_some();
    let harness = if is_watched { None } else { Harness::of(&inspected) };
    let mut origin = Origin::Executable(executable.clone());
    let (target, note): (Box<dyn Target>, _) = match (kind, harness) {
        (_, Some(harness)) => {
            let argv = harness.command(&executable);
            let argv =
                argv.map_err(|why| OpenError::OtherHarness { path: path.to_owned(), why })?;
            origin = Origin::Harness(argv.clone());
            let target = CommandTarget::new(argv, CommandMode::Executable);
            (Box::new(target.finding_leaks(finds_leaks)), Some(IS_HARNESS))
        }
        (ExecutableKind::LibFuzzer, None) => {
            let options = InjectedOptions { finds_leaks, ..options };
            (Box::new(InjectedTarget::new(&executable, options)?), None)
        }
        // libFuzzer's own messages are still there after stripping.
        (ExecutableKind::Stripped | ExecutableKind::Static, None)
            if !is_watched && mentions(&executable, &["libFuzzer"]) =>
        {
            let argv = vec![executable.clone().into(), "{}".into()];
            let target = CommandTarget::new(argv, CommandMode::Executable);
            (Box::new(target.finding_leaks(finds_leaks)), Some(kind.reason()))
        }
        _ => return Err(OpenError::NotLibFuzzer { path: path.to_owned(), kind }),
    };
    let shown = path.display();
    Ok(OpenTarget {
        name: executable.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        origin,
        executable: Some(executable),
        note: note
            .map(|why| format!("{shown}: {why}, so each test starts it again, which is slow")),
        leaks,
        ..OpenTarget::new(target)
    })
}

/// Builds a fuzz target without a sanitizer and opens it.
pub(super) fn open_fuzz_target(
    build: &Build<'_>,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, OpenError> {
    let built = build.run(reporter)?;
    let sanitized = built_by_cargo_fuzz(build, &built.triple);
    open_built(build, built.executable, has_sanitizer(&sanitized).then_some(sanitized))
}

/// Opens what was built of a fuzz target without a sanitizer; `sanitized` is the executable of the
/// same target with one.
pub(super) fn open_built(
    build: &Build<'_>,
    executable: PathBuf,
    sanitized: Option<PathBuf>,
) -> Result<OpenTarget, OpenError> {
    let opened = open_executable(&executable, false)?;
    // Without a sanitizer, as it runs here; that needs no nightly compiler either.
    let origin = origin(build, executable, Some("none"));
    Ok(OpenTarget { name: build.target.name.clone(), origin, sanitized, ..opened })
}

/// Opens an executable that cargo-fuzz built of a fuzz target.
pub(super) fn open_theirs(build: &Build<'_>, executable: PathBuf) -> Result<OpenTarget, OpenError> {
    let opened = open_executable(&executable, false)?;
    let sanitizer = match inspect(&executable)?.sanitizer {
        None => Some("none"),
        Some("memory") => Some("memory"),
        Some("thread") => Some("thread"),
        Some("leak") => Some("leak"),
        // cargo-fuzz's default.
        Some(_) => None,
    };
    let origin = origin(build, executable, sanitizer);
    Ok(OpenTarget { name: build.target.name.clone(), origin, ..opened })
}

fn origin(build: &Build<'_>, executable: PathBuf, sanitizer: Option<&str>) -> Origin {
    let mut cargo_fuzz: Vec<String> = Vec::new();
    cargo_fuzz.extend(sanitizer.into_iter().flat_map(|one| ["-s".to_owned(), one.to_owned()]));
    if build.options.profile_folder() == "debug" {
        cargo_fuzz.push("--dev".to_owned());
    }
    let required: &[String] = match build.target.builds_by_default {
        true => &[],
        false => &build.target.required_features,
    };
    cargo_fuzz.extend(build.options.feature_words(required));
    Origin::FuzzTarget {
        executable,
        folder: build.package.folder.clone(),
        name: build.target.name.clone(),
        cargo_fuzz,
    }
}

/// Builds a fuzz target with libFuzzer's coverage counters and opens it.
pub(super) fn open_with_coverage(
    build: &Build<'_>,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, OpenError> {
    let build = Build { instrumentation: Instrumentation::Coverage, ..*build };
    let built = build.run(reporter)?;
    Ok(OpenTarget { name: build.target.name.clone(), ..open_executable(&built.executable, false)? })
}

/// Opens a fuzz target with AddressSanitizer: the executable that cargo-fuzz built, if there is one,
/// else one that is built now.
pub(super) fn open_sanitized(
    build: &Build<'_>,
    finds_leaks: bool,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, OpenError> {
    let triple = cargo::host_triple().unwrap_or_default();
    let theirs = built_by_cargo_fuzz(build, &triple);
    if !has_sanitizer(&theirs) {
        return build_sanitized(build, finds_leaks, reporter);
    }
    let opened = open_executable(&theirs, finds_leaks)?;
    Ok(OpenTarget { name: build.target.name.clone(), ..opened })
}

/// Builds a fuzz target with AddressSanitizer and opens it, whatever cargo-fuzz left.
pub(super) fn build_sanitized(
    build: &Build<'_>,
    finds_leaks: bool,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, OpenError> {
    let built = Build { instrumentation: Instrumentation::Address, ..*build }.run(reporter)?;
    let opened = open_executable(&built.executable, finds_leaks)?;
    Ok(OpenTarget { name: build.target.name.clone(), ..opened })
}

/// Where `cargo fuzz build` puts a target's executable.
fn built_by_cargo_fuzz(build: &Build<'_>, triple: &str) -> PathBuf {
    build.package.target_folder.join(triple).join("release").join(&build.target.name)
}

/// Whether an executable has a sanitizer.
pub(super) fn has_sanitizer(executable: &Path) -> bool {
    executable.is_file() && inspect(executable).is_ok_and(|inspected| inspected.sanitizer.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_executable_that_is_missing_and_one_that_is_no_fuzzer_are_different_errors() {
        let error = open_executable(Path::new("no/such/file"), false).err().unwrap();
        assert!(matches!(error, OpenError::NoExecutable { .. }), "{error}");
        let own = std::env::current_exe().unwrap();
        let error = open_executable(&own, false).err().unwrap();
        assert!(matches!(error, OpenError::NotLibFuzzer { .. }), "{error}");
    }

    #[test]
    fn a_command_is_called_by_its_program_and_keeps_its_words() {
        let line = CommandLine::new(vec!["check".into(), "{}".into()]);
        let opened = open_command(&line, Path::new("a.json"));
        assert_eq!((opened.name.as_str(), opened.leaks), ("check", Leaks::Unknown));
        assert!(
            matches!(opened.origin, Origin::Command { line: kept, .. } if kept.argv == line.argv)
        );
    }
}
