//! Identifies the executable that is run, because observations of one do not hold for another. Also
//! gives the user's name for it, which does not change when it is built again.

use std::fs;
use std::path::Path;

use crate::session::target::{CommandLine, Leaks, OpenTarget, Origin};
use seedsmith_engine::internal::inspect;
use seedsmith_grammar::Digest;

/// Text that differs for any two targets that may behave differently.
///
/// An executable is identified by its build id (its bytes, if it has none). A command is identified
/// by its words, how it is run, and the bytes of the files that it names; programs that those start
/// in turn are not known.
pub(crate) fn identity(target: &OpenTarget) -> String {
    match (&target.origin, &target.executable) {
        (Origin::Command { line, .. }, _) => of_command(line),
        // The name says what else decides an outcome, such as the coverage that is kept.
        (Origin::Unknown(name), Some(executable)) => format!("{}, {name}", of_file(executable)),
        (_, Some(executable)) => {
            let leaks = if target.leaks == Leaks::Found { ", leaks" } else { "" };
            of_file(executable) + leaks
        }
        (_, None) => target.name.clone(),
    }
}

/// The user's name for the target. It stays the same when the target is built again.
pub(crate) fn description(target: &OpenTarget) -> String {
    let described = match &target.origin {
        Origin::Command { line, .. } => {
            let words: Vec<String> = line.argv.iter().map(|word| format!("{word:?}")).collect();
            return format!("command {}", words.join(" "));
        }
        Origin::Executable(path) => format!("executable {}", path.display()),
        Origin::Harness(_) => format!("harness {}", target.name),
        // With and without a sanitizer: a search begins on one build and continues on another.
        Origin::FuzzTarget { folder, name, .. } => {
            return format!("{name} in {}", folder.display());
        }
        Origin::Linked(name) | Origin::Unknown(name) => name.clone(),
    };
    let inspected = target.executable.as_ref().and_then(|path| inspect(path).ok());
    match inspected.and_then(|inspected| inspected.sanitizer) {
        Some(sanitizer) => format!("{described} with the {sanitizer} sanitizer"),
        None => described,
    }
}

/// The build id of an executable, else the digest of its bytes. A file that cannot be read has its
/// path and nothing else.
pub(crate) fn of_file(executable: &Path) -> String {
    match inspect(executable).ok().and_then(|inspected| inspected.build_id) {
        Some(build_id) => format!("build-id {build_id}"),
        None => match fs::read(executable) {
            Ok(bytes) => format!("xxh3 {:?}", Digest::of(&bytes)),
            Err(_) => executable.display().to_string(),
        },
    }
}

/// The words of a command with the digests of those that are files, and how it is run.
fn of_command(line: &CommandLine) -> String {
    let conditions: Vec<String> = line.fails_if.iter().map(ToString::to_string).collect();
    format!(
        "command {} in {:?}, fails if {conditions:?}, unresolved {}",
        of_words(line),
        line.workplace,
        line.unresolved_status
    )
}

/// The words of a command with the digests of those that are files: a script that was edited may answer differently.
pub(crate) fn of_words(line: &CommandLine) -> String {
    let words = line.argv.iter().map(|word| {
        let path = Path::new(word);
        match path.is_file().then(|| fs::read(path)) {
            Some(Ok(bytes)) => format!("{word:?} (xxh3 {:?})", Digest::of(&bytes)),
            _ => format!("{word:?}"),
        }
    });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_by_its_words_and_the_files_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("check");
        let argv = vec!["sh".into(), script.clone().into(), "{}".into()];
        let line = CommandLine::new(argv);
        fs::write(&script, "exit 0").unwrap();
        let first = of_command(&line);
        assert_eq!(of_command(&line), first);
        fs::write(&script, "exit 1").unwrap();
        assert_ne!(of_command(&line), first);
        let other = CommandLine { unresolved_status: 7, ..line.clone() };
        assert_ne!(of_command(&other), of_command(&line));
    }
}
