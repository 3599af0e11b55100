//! The shell commands by which a person sees a failure again.
//!
//! They are text to be shown and copied: paths are given as seen from the current folder, and every
//! word is quoted where a shell would change it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::session::target::Origin;

/// Shell commands that run a target from `origin` on `file`, the most reliable one first; none if only
/// the target's name is known.
pub fn commands(origin: &Origin, file: &Path) -> Vec<String> {
    let raw = file.to_string_lossy();
    let file = quoted(file.as_os_str());
    match origin {
        Origin::Command(argv) => {
            let mut words: Vec<String> = argv
                .iter()
                .map(|word| quoted(word.to_string_lossy().replace("{}", &raw).as_ref()))
                .collect();
            if !argv.iter().any(|word| word.to_string_lossy().contains("{}")) {
                words.push(file);
            }
            vec![words.join(" ")]
        }
        Origin::Executable(executable) => {
            vec![format!("{} {file}", quoted(near(executable).as_os_str()))]
        }
        Origin::FuzzTarget { executable, folder, name, features } => {
            // Without a sanitizer, as it ran here; that needs no nightly compiler either.
            let mut cargo_fuzz = "cargo fuzz run -s none".to_owned();
            if !is_default_folder(folder) {
                cargo_fuzz += &format!(" --fuzz-dir {}", quoted(near(folder).as_os_str()));
            }
            if !features.is_empty() {
                cargo_fuzz += &format!(" --features {}", features.join(","));
            }
            vec![
                format!("{} {file}", quoted(near(executable).as_os_str())),
                format!("{cargo_fuzz} {name} {file}"),
            ]
        }
        Origin::Linked(name) => vec![format!("cargo fuzz run -s none {name} {file}")],
        Origin::Unknown(_) => Vec::new(),
    }
}

/// Whether `cargo fuzz` finds the package by itself: it looks for `fuzz` in the current folder and in
/// those above.
fn is_default_folder(folder: &Path) -> bool {
    let (Ok(folder), Ok(here)) = (std::path::absolute(folder), std::env::current_dir()) else {
        return false;
    };
    folder.file_name().is_some_and(|name| name == "fuzz")
        && folder.parent().is_some_and(|parent| here.starts_with(parent))
}

/// A path as seen from the current folder, if it is inside it.
fn near(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        // A bare name would be looked for in PATH.
        Ok(below) if below.components().count() == 1 => Path::new(".").join(below),
        Ok(below) if below.components().count() > 1 => below.to_owned(),
        _ => path.to_owned(),
    }
}

/// A word as it is typed in a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-+./:=@%,{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let argv = ["sh", "-c", "grep -q 'a b' $1", "sh", "{}"].map(OsString::from).to_vec();
        let shown = commands(&Origin::Command(argv), Path::new("x y"));
        assert_eq!(shown, [r"sh -c 'grep -q '\''a b'\'' $1' sh 'x y'"]);
        let shown = commands(&Origin::Command(vec!["check".into()]), Path::new("f"));
        assert_eq!(shown, ["check f"]);
    }

    #[test]
    fn a_target_of_which_only_the_name_is_known_has_no_command() {
        assert!(commands(&Origin::Unknown("parse".to_owned()), Path::new("f")).is_empty());
    }
}
