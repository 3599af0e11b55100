//! Which cargo-fuzz package an input belongs to, and which of the package's targets: the one that was
//! named, else those that the input's path names, else all that are built by default.
//!
//! Nothing is started here: packages are recognised by the text of their manifests, and if several
//! targets are left, the input is run on each of them later.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::input::Input;
use super::open::FuzzTargetError;
use super::package::{FuzzPackage, FuzzTarget, PackageError};
use seedsmith_engine::Stopped;

/// Why no target was opened for an input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ChooseError {
    /// The current folder cannot be found.
    #[error("failed to find the current folder")]
    CurrentFolder(#[source] io::Error),
    /// No folder above the input or above the current folder is a cargo-fuzz package.
    #[error("no cargo-fuzz package above {} or here", input.display())]
    NoPackage {
        /// The input's path.
        input: PathBuf,
    },
    /// The package cannot be read, or has no target of the wanted name.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The package has no targets.
    #[error("{} has no fuzz target", folder.display())]
    NoTargets {
        /// The package's folder.
        folder: PathBuf,
    },
    /// The target cannot be built or opened.
    #[error(transparent)]
    Open(#[from] FuzzTargetError),
    /// The target is open, and cannot be run.
    #[error("failed to run {target}")]
    Run {
        /// The target's name.
        target: String,
        /// Why.
        #[source]
        source: Stopped,
    },
    /// The input fails on none of the targets that it was run on.
    #[error("{} fails on none of {}", input.display(), targets.join(", "))]
    FailsOnNone {
        /// The input's path.
        input: PathBuf,
        /// The names of all targets that were considered.
        targets: Vec<String>,
    },
    /// The input fails on more than one target.
    #[error("{} fails on {}", input.display(), targets.join(", "))]
    FailsOnSeveral {
        /// The input's path.
        input: PathBuf,
        /// The names of the targets.
        targets: Vec<String>,
    },
    /// The interrupt flag was set while targets were tried.
    #[error("interrupted while targets were tried")]
    Interrupted,
}

/// The folder of the package: `fuzz_dir`, else the nearest package above `input` or above the current
/// folder.
pub(super) fn package_folder(
    fuzz_dir: Option<&Path>,
    input: &Path,
) -> Result<PathBuf, ChooseError> {
    let here = std::env::current_dir().map_err(ChooseError::CurrentFolder)?;
    let folder = match fuzz_dir {
        Some(folder) => folder.to_owned(),
        None => find_package(input, &here)
            .ok_or_else(|| ChooseError::NoPackage { input: input.to_owned() })?,
    };
    // Relative, because it appears in messages and in the command that reproduces the failure.
    let folder = folder.strip_prefix(&here).map(Path::to_owned).unwrap_or(folder);
    Ok(if folder.as_os_str().is_empty() { Path::new(".").to_owned() } else { folder })
}

/// The nearest cargo-fuzz package above `input`, else above `here`. A folder called `fuzz` in one of
/// the folders on the way up counts too.
fn find_package(input: &Path, here: &Path) -> Option<PathBuf> {
    let input = here.join(input);
    [input.parent()?, here].into_iter().find_map(nearest_package)
}

/// The first folder from `start` upwards that is a cargo-fuzz package or has one in its folder
/// `fuzz`.
fn nearest_package(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .flat_map(|folder| [folder.to_owned(), folder.join("fuzz")])
        .find(|folder| is_fuzz_package(folder))
}

/// Whether a manifest contains `[package.metadata] cargo-fuzz = true`, which `cargo fuzz init` writes.
fn is_fuzz_package(folder: &Path) -> bool {
    // A line is enough: asking cargo would start a process for every folder on the way up.
    let marker =
        Regex::new(r"(?m)^[^#\n]*\bcargo-fuzz\s*=\s*true\b").expect("the pattern is well-formed");
    fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| marker.is_match(&text))
}

/// The targets that `input` may belong to: at least one.
pub(super) fn candidates<'p>(
    package: &'p FuzzPackage,
    name: Option<&str>,
    input: &Input,
) -> Result<Vec<&'p FuzzTarget>, ChooseError> {
    if let Some(name) = name {
        return Ok(vec![package.expect(name)?]);
    }
    let named: Vec<&FuzzTarget> =
        input.target_names.iter().filter_map(|name| package.target(name)).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let light: Vec<&FuzzTarget> =
        package.targets.iter().filter(|target| target.builds_by_default).collect();
    let all: Vec<&FuzzTarget> = package.targets.iter().collect();
    let chosen = if light.is_empty() { all } else { light };
    if chosen.is_empty() {
        return Err(ChooseError::NoTargets { folder: package.folder.clone() });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(targets: &[(&str, bool)]) -> FuzzPackage {
        let target = |(name, builds_by_default): &(&str, bool)| FuzzTarget {
            name: (*name).to_owned(),
            required_features: Vec::new(),
            builds_by_default: *builds_by_default,
        };
        FuzzPackage {
            folder: "fuzz".into(),
            target_folder: "fuzz/target".into(),
            targets: targets.iter().map(target).collect(),
            has_default_features: false,
            default_without_ours: None,
        }
    }

    fn input(target_names: &[&str]) -> Input {
        Input {
            path: "crash".into(),
            bytes: b"x".to_vec(),
            target_names: target_names.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[test]
    fn a_given_name_counts_before_the_path_and_the_path_before_the_rest() {
        let package = package(&[("a", true), ("b", true), ("heavy", false)]);
        let names = |name, input: &Input| -> Vec<String> {
            let chosen = candidates(&package, name, input).unwrap();
            chosen.into_iter().map(|target| target.name.clone()).collect()
        };
        assert_eq!(names(Some("heavy"), &input(&["a"])), ["heavy"]);
        assert_eq!(names(None, &input(&["b"])), ["b"]);
        assert_eq!(names(None, &input(&["elsewhere"])), ["a", "b"]);
    }

    #[test]
    fn a_package_without_targets_and_a_name_without_target_are_different_errors() {
        let none = candidates(&package(&[]), None, &input(&[])).unwrap_err();
        assert!(matches!(none, ChooseError::NoTargets { .. }), "{none}");
        let wrong = candidates(&package(&[("a", true)]), Some("b"), &input(&[])).unwrap_err();
        assert!(matches!(wrong, ChooseError::Package(PackageError::NoTarget { .. })), "{wrong}");
    }

    #[test]
    fn the_nearest_fuzz_package_is_found_from_the_input_and_from_here() {
        let root = tempfile::tempdir().unwrap();
        let make = |folder: &str, manifest: &str| {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            folder
        };
        make("project", "[package]\nname = \"p\"\n# cargo-fuzz = true\n");
        let fuzz = make("project/fuzz", "[package.metadata]\ncargo-fuzz = true\n");
        let other = root.path().join("other");
        let project = root.path().join("project");
        fs::create_dir_all(project.join("src")).unwrap();
        fs::create_dir_all(&other).unwrap();
        assert_eq!(find_package(&fuzz.join("artifacts/a/crash"), &other), Some(fuzz.clone()));
        assert_eq!(
            find_package(&project.join("corpora/crashes/a/crash"), &other),
            Some(fuzz.clone())
        );
        assert_eq!(find_package(&other.join("crash"), &project.join("src")), Some(fuzz));
        assert_eq!(find_package(&other.join("crash"), &other), None);
    }
}
