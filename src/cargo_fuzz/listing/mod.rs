//! Lists a fuzz package: its targets, the inputs that the fuzzer left for each, and which of them
//! were minimized. Nothing is built or run.

use crate::event::{Artifact, ArtifactKind, ArtifactResult, ListedTarget, Listing};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::choose::package_folder;
use super::package::{FuzzPackage, PackageError};
use crate::corpus::{is_ours, journal_of, result_name};
use crate::journal;

/// The folder of the fuzz package that `near` belongs to: `fuzz_dir`, else the nearest above `near` or
/// above the current folder. `None` if there is none.
pub(crate) fn package_of(fuzz_dir: Option<&Path>, near: &Path) -> Option<PathBuf> {
    package_folder(fuzz_dir, near).ok()
}

/// Whether the package in `folder` has a target of that name.
///
/// cargo is only asked where a look at the manifest leaves it open.
pub(crate) fn has_target(folder: &Path, name: &str) -> bool {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let is_mentioned = [format!("\"{name}\""), format!("'{name}'")];
    let is_mentioned = is_mentioned.iter().any(|quoted| manifest.contains(quoted.as_str()))
        || folder.join("src/bin").join(format!("{name}.rs")).is_file()
        || folder.join("src/bin").join(name).is_dir();
    is_mentioned && FuzzPackage::load(folder).is_ok_and(|package| package.target(name).is_some())
}

/// The names of the package's targets, sorted.
/// Runs `cargo metadata` once, without network. Fails if `folder` is no fuzz package.
pub(crate) fn target_names(folder: &Path) -> Result<Vec<String>, PackageError> {
    let package = FuzzPackage::load(folder)?;
    Ok(package.targets.into_iter().map(|target| target.name).collect())
}

/// The error for a name that no target of the package has.
pub(crate) fn no_target(folder: &Path, name: &str) -> Option<PackageError> {
    match FuzzPackage::load(folder) {
        Ok(package) => package.expect(name).err(),
        Err(error) => Some(error),
    }
}

/// Lists the package in `folder`.
/// Targets are sorted by name, and their artifacts by age, the newest first. One run of `cargo metadata`.
pub(crate) fn list(folder: &Path) -> Result<Listing, PackageError> {
    let target = |name: String| {
        let mut artifacts: Vec<Artifact> =
            folders(folder, &name).iter().flat_map(|folder| artifacts(folder)).collect();
        artifacts.sort_by(|left, right| {
            right.modified.cmp(&left.modified).then_with(|| left.path.cmp(&right.path))
        });
        ListedTarget { name, artifacts }
    };
    let targets = target_names(folder)?.into_iter().map(target).collect();
    Ok(Listing { folder: folder.to_owned(), targets })
}

/// Where inputs of a target are: cargo-fuzz' folder, and `corpora/crashes` beside the package.
fn folders(package: &Path, target: &str) -> [PathBuf; 2] {
    let beside = match package.parent() {
        Some(parent) if package.file_name().is_some() => parent.to_owned(),
        _ => package.join(".."),
    };
    [package.join("artifacts").join(target), beside.join("corpora/crashes").join(target)]
}

/// The inputs in a folder. Files that cannot be read are left out. In the order of the file system;
/// `list` sorts them. A folder that does not exist has none.
fn artifacts(folder: &Path) -> Vec<Artifact> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter_map(|path| artifact(path).ok().flatten()).collect()
}

/// The input at `path`; `None` if it is hidden, no file, or a result of ours.
fn artifact(path: PathBuf) -> io::Result<Option<Artifact>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = fs::metadata(&path)?;
    if name.starts_with('.') || !file.is_file() || is_ours(&path) {
        return Ok(None);
    }
    Ok(Some(Artifact {
        minimized: minimized(&path),
        bytes: file.len(),
        modified: file.modified()?,
        kind: ArtifactKind::of(&name),
        path,
    }))
}

/// The result that `tmin` wrote beside `input` under its usual name; none if there is no such file. A result
/// at another place is not found. The journal beside the result says whether the search ended.
fn minimized(input: &Path) -> Option<ArtifactResult> {
    let path = input.with_file_name(result_name(input.file_name()?));
    let bytes = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
    let ended = journal::read(&journal_of(&path)).ok().flatten().map(|past| past.ended);
    let is_complete =
        ended.as_ref().map(|ended| ended.as_ref().is_some_and(|ended| ended.stopped.is_none()));
    let failure = ended.flatten().and_then(|ended| ended.failure);
    Some(ArtifactResult { path, bytes, is_complete, failure })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_listed_with_its_kind_and_result_and_the_result_is_no_input() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [("crash-1", "abc"), ("crash-1.min", "a"), ("oom-2", ""), (".x", "")] {
            fs::write(at(name), text).unwrap();
        }
        let mut listed = artifacts(folder.path());
        listed.sort_by(|left, right| left.path.cmp(&right.path));
        let [crash, memory] = &listed[..] else { panic!("{listed:?}") };
        assert_eq!(
            (&crash.path, crash.bytes, crash.kind),
            (&at("crash-1"), 3, ArtifactKind::Crash)
        );
        let result =
            ArtifactResult { path: at("crash-1.min"), bytes: 1, is_complete: None, failure: None };
        assert_eq!(crash.minimized, Some(result));
        assert_eq!((memory.kind, &memory.minimized), (ArtifactKind::OutOfMemory, &None));
    }

    #[test]
    fn inputs_are_looked_for_in_the_package_and_beside_it() {
        let of = |package: &str| {
            folders(Path::new(package), "parse").map(|one| one.display().to_string())
        };
        assert_eq!(of("fuzz"), ["fuzz/artifacts/parse", "corpora/crashes/parse"]);
        assert_eq!(of("."), ["./artifacts/parse", "./../corpora/crashes/parse"]);
    }
}
