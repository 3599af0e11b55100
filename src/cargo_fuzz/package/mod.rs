//! A cargo-fuzz package: its targets and the features that they need, as reported by cargo.
//!
//! It is read once, with `cargo metadata`; nothing is built and no network is used.

mod features;
pub(super) mod nearest;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{MetadataCommand, Package};

use crate::cargo_fuzz::cargo;
use features::{OUR_PROGRAMS, closure, default_without_ours};
use nearest::nearest;

/// A cargo-fuzz package.
#[derive(Clone, Debug)]
pub(super) struct FuzzPackage {
    /// The package's folder.
    pub folder: PathBuf,
    /// cargo's target folder, in which executables are built.
    pub target_folder: PathBuf,
    /// The fuzz targets, sorted by name.
    pub targets: Vec<FuzzTarget>,
    /// Whether the package has default features.
    pub has_default_features: bool,
    /// The default features without those that only bring a program of ours along, if there are
    /// such. A target that requires no features is built with these.
    pub default_without_ours: Option<Vec<String>>,
}

/// One fuzz target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FuzzTarget {
    /// The executable's name.
    pub name: String,
    /// Features without which cargo doesn't build it.
    pub required_features: Vec<String>,
    /// Whether the package's default features contain them.
    pub builds_by_default: bool,
}

/// Why a fuzz package, or a target of it, cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PackageError {
    /// The folder has no manifest.
    #[error("{} has no Cargo.toml: it is no fuzz package", folder.display())]
    NoManifest {
        /// The folder.
        folder: PathBuf,
    },
    /// The current folder, against which the manifest's path is resolved, cannot be found.
    #[error("cargo can't read {}", manifest.display())]
    CurrentFolder {
        /// The manifest.
        manifest: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// cargo cannot be started.
    #[error("cargo can't read {}", manifest.display())]
    Start {
        /// The manifest.
        manifest: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// cargo ran, and reported an error.
    #[error("cargo can't read {}: {message}", manifest.display())]
    Refused {
        /// The manifest.
        manifest: PathBuf,
        /// cargo's message, on one line.
        message: String,
    },
    /// The output of cargo cannot be understood.
    #[error("cargo can't read {}", manifest.display())]
    Metadata {
        /// The manifest.
        manifest: PathBuf,
        /// The parser's error.
        #[source]
        source: cargo_metadata::Error,
    },
    /// The manifest is a workspace's, and there is no package in its folder.
    #[error("{} holds no package", manifest.display())]
    NoPackage {
        /// The manifest.
        manifest: PathBuf,
    },
    /// The package has no target of that name.
    #[error("no target {name} in {}; {}", folder.display(), suggestion(near.as_deref(), targets))]
    NoTarget {
        /// The name.
        name: String,
        /// The package's folder.
        folder: PathBuf,
        /// The name of a target that was probably meant.
        near: Option<String>,
        /// The names of all targets, sorted.
        targets: Vec<String>,
    },
}

/// The end of a message about a name that no target has: the name that may be meant, and all that
/// there are.
fn suggestion(near: Option<&str>, targets: &[String]) -> String {
    match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!("there are: {}", targets.join(", ")),
    }
}

impl FuzzPackage {
    /// Asks cargo about the package in `folder`. Needs no network and builds nothing.
    pub(super) fn load(folder: &Path) -> Result<Self, PackageError> {
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            return Err(PackageError::NoManifest { folder: folder.to_owned() });
        }
        let mut ask: Command =
            MetadataCommand::new().manifest_path(&manifest).no_deps().cargo_command();
        cargo::clear_environment(&mut ask);
        let answer = match cargo::output(ask.stdin(Stdio::null())) {
            Ok(answer) => answer,
            Err(source) => return Err(PackageError::Start { manifest, source }),
        };
        if !answer.status.success() {
            let message = String::from_utf8_lossy(&answer.stderr);
            let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
            let message = lines.collect::<Vec<_>>().join(" ");
            return Err(PackageError::Refused { manifest, message });
        }
        let metadata = match MetadataCommand::parse(String::from_utf8_lossy(&answer.stdout)) {
            Ok(metadata) => metadata,
            Err(source) => return Err(PackageError::Metadata { manifest, source }),
        };
        let own = match std::path::absolute(&manifest) {
            Ok(own) => own,
            Err(source) => return Err(PackageError::CurrentFolder { manifest, source }),
        };
        let mut packages = metadata.packages.iter();
        let Some(package) =
            packages.find(|package| is_same_file(package.manifest_path.as_std_path(), &own))
        else {
            return Err(PackageError::NoPackage { manifest });
        };
        Ok(FuzzPackage {
            folder: folder.to_owned(),
            target_folder: metadata.target_directory.clone().into_std_path_buf(),
            targets: targets(package),
            has_default_features: package.features.get("default").is_some_and(|on| !on.is_empty()),
            default_without_ours: default_without_ours(package),
        })
    }

    /// The target called `name`.
    pub(super) fn target(&self, name: &str) -> Option<&FuzzTarget> {
        self.targets.iter().find(|target| target.name == name)
    }

    /// The target called `name`, or an error that suggests which one was meant.
    pub(super) fn expect(&self, name: &str) -> Result<&FuzzTarget, PackageError> {
        self.target(name).ok_or_else(|| {
            let names = || self.targets.iter().map(|one| one.name.as_str());
            PackageError::NoTarget {
                name: name.to_owned(),
                folder: self.folder.clone(),
                near: nearest(name, names()).map(str::to_owned),
                targets: names().map(str::to_owned).collect(),
            }
        })
    }
}

/// The binaries of the package, sorted by name, without our own programs and without the one that
/// runs.
fn targets(package: &Package) -> Vec<FuzzTarget> {
    let defaults = closure(&package.features, "default");
    let own_name = std::env::current_exe().ok();
    let own_name = own_name.as_deref().and_then(Path::file_name);
    let is_fuzz_target = |name: &str| {
        !OUR_PROGRAMS.contains(&name) && own_name.is_none_or(|own| own.to_str() != Some(name))
    };
    let mut targets: Vec<FuzzTarget> = package
        .targets
        .iter()
        .filter(|target| target.is_bin() && is_fuzz_target(&target.name))
        .map(|target| FuzzTarget {
            name: target.name.clone(),
            required_features: target.required_features.clone(),
            builds_by_default: target.required_features.iter().all(|one| defaults.contains(one)),
        })
        .collect();
    targets.sort_by(|left, right| left.name.cmp(&right.name));
    targets
}

/// Whether two paths name one file, links resolved.
fn is_same_file(left: &Path, right: &Path) -> bool {
    left == right
        || left
            .canonicalize()
            .is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(names: &[&str]) -> FuzzPackage {
        let target = |name: &&str| FuzzTarget {
            name: (*name).to_owned(),
            required_features: Vec::new(),
            builds_by_default: true,
        };
        FuzzPackage {
            folder: "fuzz".into(),
            target_folder: "fuzz/target".into(),
            targets: names.iter().map(target).collect(),
            has_default_features: false,
            default_without_ours: None,
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest_target_or_with_all() {
        let package = package(&["decode", "parse"]);
        assert_eq!(package.expect("parse").unwrap().name, "parse");
        let error = package.expect("prase").unwrap_err();
        assert_eq!(error.to_string(), "no target prase in fuzz; did you mean parse?");
        let error = package.expect("something").unwrap_err();
        assert_eq!(error.to_string(), "no target something in fuzz; there are: decode, parse");
    }

    #[test]
    fn a_folder_without_a_manifest_and_a_broken_manifest_are_different_errors() {
        let folder = tempfile::tempdir().unwrap();
        let error = FuzzPackage::load(folder.path()).unwrap_err();
        assert!(matches!(error, PackageError::NoManifest { .. }), "{error}");
        std::fs::write(folder.path().join("Cargo.toml"), "[package").unwrap();
        let error = FuzzPackage::load(folder.path()).unwrap_err();
        assert!(matches!(error, PackageError::Refused { .. }), "{error}");
    }
}
