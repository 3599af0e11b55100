//! Finding the folder of the cargo-fuzz package that an input belongs to.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The nearest cargo-fuzz package above `input`, else above `here`; a folder called `fuzz` beside
/// one of the folders on the way counts too.
pub fn find(input: &Path, here: &Path) -> Option<PathBuf> {
    let input = here.join(input);
    [input.parent()?, here].into_iter().find_map(nearest)
}

fn nearest(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .flat_map(|folder| [folder.to_owned(), folder.join("fuzz")])
        .find(|folder| is_fuzz_package(folder))
}

/// Whether a manifest says `[package.metadata] cargo-fuzz = true`, as `cargo fuzz init` has it.
fn is_fuzz_package(folder: &Path) -> bool {
    // cargo would read it for certain, at the price of a process for every folder on the way.
    let says_so =
        Regex::new(r"(?m)^[^#\n]*\bcargo-fuzz\s*=\s*true\b").expect("the pattern is well-formed");
    fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| says_so.is_match(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(find(&fuzz.join("artifacts/a/crash"), &other), Some(fuzz.clone()));
        assert_eq!(find(&project.join("corpora/crashes/a/crash"), &other), Some(fuzz.clone()));
        assert_eq!(find(&other.join("crash"), &project.join("src")), Some(fuzz));
        assert_eq!(find(&other.join("crash"), &other), None);
    }
}
