//! The commands by which a person sees the failure again.

use std::path::{Path, PathBuf};

use crate::session::target::Origin;

/// Shell commands that run the target on `file`, the surest first.
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
        Origin::Linked(name) | Origin::Unknown(name) => {
            vec![format!("cargo fuzz run -s none {name} {file}")]
        }
    }
}

/// Whether `cargo fuzz` finds the package without being told: it looks for `fuzz` in this folder
/// and in those above.
fn is_default_folder(folder: &Path) -> bool {
    let (Ok(folder), Ok(here)) = (std::path::absolute(folder), std::env::current_dir()) else {
        return false;
    };
    folder.file_name().is_some_and(|name| name == "fuzz")
        && folder.parent().is_some_and(|parent| here.starts_with(parent))
}

/// A path as seen from here, if it lies below.
fn near(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        // A bare name would be looked for in PATH.
        Ok(below) if below.components().count() == 1 => Path::new(".").join(below),
        Ok(below) if below.components().count() > 1 => below.to_owned(),
        _ => path.to_owned(),
    }
}

/// A word as a shell reads it back.
fn quoted(word: &std::ffi::OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-+./:=@%,{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    #[test]
    fn a_command_is_told_as_it_would_be_typed() {
        let argv = ["sh", "-c", "grep -q 'a b' $1", "sh", "{}"].map(OsString::from).to_vec();
        let shown = commands(&Origin::Command(argv), Path::new("x y"));
        assert_eq!(shown, [r"sh -c 'grep -q '\''a b'\'' $1' sh 'x y'"]);
        let shown = commands(&Origin::Command(vec!["check".into()]), Path::new("f"));
        assert_eq!(shown, ["check f"]);
    }
}
