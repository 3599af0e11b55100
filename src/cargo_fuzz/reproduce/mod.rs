//! How a failure is seen again: the shell commands for a person, and the way for a regression test.
//!
//! They are text to be shown and copied: paths are given as seen from the current folder, and every
//! word is quoted where a shell would change it.

pub(crate) mod debugged;
pub(crate) mod manifest;
pub(crate) mod reach;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::session::target::{CommandLine, OpenTarget, Origin};
use seedsmith_engine::Limits;
use seedsmith_engine::Signature;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::observe_in_new_processes;
use seedsmith_engine::{CommandMode, CommandTarget, Workplace};

/// Shell commands that run a target from `origin` on `file`, the most reliable one first; none if only
/// the target's name is known.
///
/// Paths are written as seen from the current folder, and each word is quoted where a shell needs
/// that.
pub(crate) fn commands(origin: &Origin, file: &Path) -> Vec<String> {
    let raw = file.to_string_lossy();
    let file = quoted(file.as_os_str());
    match origin {
        Origin::Command { line, input } => vec![of_command(line, input, &raw)],
        Origin::Executable(executable) => {
            vec![format!("{} {file}", quoted(near(executable).as_os_str()))]
        }
        Origin::Harness(argv) => {
            let word = |word: &OsString| match word.to_string_lossy() {
                text if text.contains("{}") => quoted(text.replace("{}", &raw).as_ref()),
                _ => quoted(near(Path::new(word)).as_os_str()),
            };
            let words: Vec<String> = argv.iter().map(word).collect();
            vec![format!("{} < {file}", words.join(" "))]
        }
        Origin::FuzzTarget { executable, folder, name, cargo_fuzz } => {
            let mut command = "cargo fuzz run".to_owned();
            for word in cargo_fuzz {
                command += &format!(" {}", quoted(word.as_ref()));
            }
            if !is_default_folder(folder) {
                command += &format!(" --fuzz-dir {}", quoted(near(folder).as_os_str()));
            }
            vec![
                format!("{} {file}", quoted(near(executable).as_os_str())),
                format!("{command} {name} {file}"),
            ]
        }
        Origin::Linked(name) => vec![format!("cargo fuzz run -s none {name} {file}")],
        Origin::Unknown(_) => Vec::new(),
    }
}

/// The command on `file`: by its path if it is named, else in a folder where it has the input's name.
///
/// The command may look at the ending of the name, and at files beside it.
fn of_command(line: &CommandLine, input: &Path, file: &str) -> String {
    let words = |argv: &[OsString]| {
        let word = |word: &OsString| quoted(word.to_string_lossy().replace("{}", file).as_ref());
        argv.iter().map(word).collect::<Vec<_>>().join(" ")
    };
    let names_file = line.argv.iter().any(|word| word.to_string_lossy().contains("{}"));
    let quoted_file = quoted(OsStr::new(file));
    if names_file {
        return words(&line.argv);
    }
    if line.workplace == Workplace::Shared {
        return format!("{} < {quoted_file}", words(&line.argv));
    }
    let name = quoted(input.file_name().unwrap_or(OsStr::new("candidate")));
    let mut argv = line.argv.clone();
    if argv[0].to_string_lossy().contains('/') {
        argv[0] = std::path::absolute(&argv[0]).map_or(argv[0].clone(), Into::into);
    }
    let command = words(&argv);
    format!("d=$(mktemp -d) && cp {quoted_file} \"$d\"/{name} && (cd \"$d\" && {command} < {name})")
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
///
/// A word of letters, digits and harmless signs is left as it is. Any other is put between single
/// quotes, in which a shell reads nothing but the quote itself.
pub(crate) fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-+./:=@%,{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// How the whole program fails on `input`, which does not fail in a worker; `None` where it does not, where there is no program to
/// run, or where `budget` says that there is no time. Costs one process.
///
/// It finds failures in exit handlers and in threads that outlive the call. A worker ends before
/// those run.
pub(crate) fn fails_as_a_whole(
    target: &OpenTarget,
    input: &[u8],
    limits: Limits,
    budget: &Budget,
) -> Option<Signature> {
    let executable = match (&target.origin, &target.executable) {
        (Origin::Executable(_) | Origin::FuzzTarget { .. }, Some(executable)) => executable,
        _ => return None,
    };
    if target.target.is_slow() {
        // It was run as a whole.
        return None;
    }
    let arguments = vec![executable.clone().into_os_string(), "{}".into()];
    let program = CommandTarget::new(arguments, CommandMode::Executable).forking(false);
    let started = std::time::Instant::now();
    let is_over = || budget.check_time(started);
    let seen = observe_in_new_processes(&program, input, limits, 1, &is_over).ok()?;
    seen.first()?.signature().map(|signature| Signature::clone(signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let argv = ["sh", "-c", "grep -q 'a b' $1", "sh", "{}"].map(OsString::from).to_vec();
        let command =
            |argv| Origin::Command { line: CommandLine::new(argv), input: "a/in.c".into() };
        let shown = commands(&command(argv), Path::new("x y"));
        assert_eq!(shown, [r"sh -c 'grep -q '\''a b'\'' $1' sh 'x y'"]);
        let shown = commands(&command(vec!["check".into()]), Path::new("f"));
        assert_eq!(shown, [r#"d=$(mktemp -d) && cp f "$d"/in.c && (cd "$d" && check < in.c)"#]);
    }

    #[test]
    fn a_target_of_which_only_the_name_is_known_has_no_command() {
        assert!(commands(&Origin::Unknown("parse".to_owned()), Path::new("f")).is_empty());
    }
}
