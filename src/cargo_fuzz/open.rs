//! Opens fuzz targets of a package: executables built for a search, and those that cargo-fuzz has
//! built.
//!
//! It does not choose among targets, and opens a new one at each call.

use std::path::{Path, PathBuf};

use super::build::{Build, BuildError};
use super::cargo;
use super::instrumentation::Instrumentation;
use crate::event::Reporter;
use crate::session::target::open::{OpenTargetError, open_executable};
use crate::session::target::{OpenTarget, Origin};
use seedsmith_engine::TargetError;
use seedsmith_engine::internal::inspect;

/// Why a fuzz target cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum FuzzTargetError {
    /// It cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The executable that was built, or named, cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenTargetError),
}

/// An executable that can neither be read nor run.
impl From<TargetError> for FuzzTargetError {
    fn from(error: TargetError) -> Self {
        FuzzTargetError::Open(error.into())
    }
}

/// Builds a fuzz target without a sanitizer and opens it.
///
/// Where cargo-fuzz has left a build with a sanitizer, the target knows of it, and a result is run
/// there at the end.
pub(super) fn open_fuzz_target(
    build: &Build<'_>,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, FuzzTargetError> {
    let built = build.run(reporter)?;
    let sanitized = built_by_cargo_fuzz(build, &built.triple);
    open_built(build, built.executable, has_sanitizer(&sanitized).then_some(sanitized))
}

/// Opens the executable of a fuzz target that was built without a sanitizer; `sanitized` is the
/// executable of the same target with one.
pub(super) fn open_built(
    build: &Build<'_>,
    executable: PathBuf,
    sanitized: Option<PathBuf>,
) -> Result<OpenTarget, FuzzTargetError> {
    let opened = open_executable(&executable, false)?;
    // Without a sanitizer, as it runs here; that needs no nightly compiler either.
    let origin = origin(build, executable, Some("none"));
    Ok(OpenTarget { name: build.target.name.clone(), origin, sanitized, ..opened })
}

/// Opens an executable that cargo-fuzz built of a fuzz target.
///
/// Its origin has the options by which `cargo fuzz run` builds the same, so that the printed
/// commands do.
pub(super) fn open_theirs(
    build: &Build<'_>,
    executable: PathBuf,
) -> Result<OpenTarget, FuzzTargetError> {
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

/// Where the executable comes from, with the words that make `cargo fuzz run` build it: sanitizer,
/// profile and features. No sanitizer at all means cargo-fuzz's default.
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
) -> Result<OpenTarget, FuzzTargetError> {
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
) -> Result<OpenTarget, FuzzTargetError> {
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
) -> Result<OpenTarget, FuzzTargetError> {
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
