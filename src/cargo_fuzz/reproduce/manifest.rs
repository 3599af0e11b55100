//! The lines that a package's `Cargo.toml` needs before cargo runs a test in it.

use std::fs;
use std::path::{Path, PathBuf};

use super::reach::relative;
use crate::regression::RustReach;

/// Lines for the manifest of the package that `test` is in, with the manifest's path; no lines where
/// cargo runs the test as it is.
///
/// They name the test, if it is not in a folder in which cargo looks for tests, and `arbitrary`, if
/// the target needs it. The user adds them; the manifest is not changed.
pub(crate) fn lines(test: &Path, reach: &RustReach) -> Option<(PathBuf, Vec<String>)> {
    let test = std::path::absolute(test).ok()?;
    let folder = test.parent()?;
    let manifest =
        folder.ancestors().map(|one| one.join("Cargo.toml")).find(|one| one.is_file())?;
    let text = fs::read_to_string(&manifest).ok()?;
    let package = manifest.parent()?;
    let mut lines = Vec::new();
    let is_found = folder == package.join("tests") && !text.contains("autotests = false");
    let path = relative(&test, package);
    if !is_found && !text.contains(&format!("{path:?}")) {
        let name = test.file_stem()?.to_string_lossy().into_owned();
        lines.push("[[test]]".to_owned());
        lines.push(format!("name = {name:?}"));
        lines.push(format!("path = {path:?}"));
    }
    let has_arbitrary = text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with("arbitrary ")
            || line.starts_with("arbitrary=")
            || line.ends_with(".arbitrary]")
    });
    if (reach.is_typed || reach.uses_arbitrary) && !has_arbitrary {
        lines.push("[dev-dependencies]".to_owned());
        lines.push("arbitrary = { version = \"1\", features = [\"derive\"] }".to_owned());
    }
    Some((manifest, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_in_the_folder_tests_needs_no_lines_and_one_elsewhere_does() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        fs::create_dir_all(at("tests")).unwrap();
        fs::create_dir_all(at("kit")).unwrap();
        fs::write(at("Cargo.toml"), "[package]\nname = \"p\"\n").unwrap();
        let bytes = RustReach::default();
        assert_eq!(lines(&at("tests/a.rs"), &bytes), Some((at("Cargo.toml"), Vec::new())));
        let (_, told) = lines(&at("kit/a.rs"), &bytes).unwrap();
        assert_eq!(told, ["[[test]]", "name = \"a\"", "path = \"kit/a.rs\""]);
        let typed = RustReach { is_typed: true, ..bytes };
        let (_, told) = lines(&at("tests/a.rs"), &typed).unwrap();
        assert_eq!(told[0], "[dev-dependencies]");
        fs::write(at("Cargo.toml"), "[package]\n[dependencies]\narbitrary = \"1\"\n").unwrap();
        assert_eq!(lines(&at("tests/a.rs"), &typed).unwrap().1.len(), 0);
    }
}
