//! Which of the words is a fuzz target and which are inputs.
//!
//! `TARGET INPUT` is cargo-fuzz' order, and `INPUT` alone is enough because its path names the target.
//! Existing files and targets decide: a word that is no file and names a target is the target.
//! Nothing is guessed if it is both.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::cargo_fuzz::input::{locate, of_target};
use crate::cargo_fuzz::listing::{has_target, package_of, target_names};
use crate::cargo_fuzz::{InputError, nearest};
use crate::cli::arguments::groups::TargetArgs;
use crate::cli::command_line::crashes;
use crate::cli::command_line::{Arguments, Line};
use crate::cli::exit::{Exit, Trouble};

/// The INPUT that is standard input.
const STANDARD_INPUT: &str = "-";
/// The placeholder for the input's path in a command of AFL++.
const AFL_INPUT: &str = "@@";

/// Trouble with the words of the line.
fn usage(why: impl std::fmt::Display) -> Trouble {
    Trouble::new(Exit::Usage, why)
}

/// Takes the word that names a target from the inputs.
///
/// It reads the package's manifest and looks at which files exist. No target is built and cargo is
/// not started.
///
/// # Errors
///
/// A word is neither an input nor a target, or it is both; and the line ends like one that was
/// meant for another tool.
pub(super) fn settle(args: &mut impl Arguments, line: &Line) -> Result<(), Trouble> {
    let Some((inputs, target)) = args.words() else { return Ok(()) };
    if !target.command.is_empty() {
        return check_command(&target.command, line);
    }
    if target.binary.is_some() {
        return Ok(());
    }
    let near = inputs.first().map_or(Path::new(""), PathBuf::as_path);
    let Some(package) = package_of(target.fuzz_dir.as_deref(), near) else {
        return match program_among(inputs, true) {
            Some(at) => Err(forgotten(line, &inputs[at])),
            None => Ok(()),
        };
    };
    if target.target.is_none() {
        take_target(inputs, target, &package, line)?;
    }
    if let Some(target) = &target.target {
        for input in inputs.iter_mut().filter(|input| !input.exists()) {
            if let Some(found) = of_target(input, target)? {
                *input = found;
            }
        }
    }
    match program_among(inputs, false) {
        Some(at) => Err(forgotten(line, &inputs[at])),
        None => Ok(()),
    }
}

/// Looks for the word among `inputs` that names a target of `package`, and moves it to the options:
/// the first of several words, or the second of two.
fn take_target(
    inputs: &mut Vec<PathBuf>,
    target: &mut TargetArgs,
    package: &Path,
    line: &Line,
) -> Result<(), Trouble> {
    let named = |word: &Path| bare(word).is_some_and(|name| has_target(package, name));
    let at = match inputs.as_slice() {
        [only] if !only.exists() && named(only) => {
            return Err(crashes::of_target(line, &only.to_string_lossy()));
        }
        [first, _, ..] if named(first) => 0,
        [_, last] if named(last) => 1,
        [first, _, ..] if !first.exists() => return suggest(first, package),
        _ => return Ok(()),
    };
    if inputs[at].exists() {
        let name = inputs[at].display();
        return Err(usage(format!(
            "{name} is a file here and a fuzz target too; say ./{name} for the file, or --target \
             {name} for the target"
        )));
    }
    target.target = bare(&inputs.remove(at)).map(str::to_owned);
    Ok(())
}

/// Names the target that was probably meant by a word that is neither a target nor an input.
fn suggest(word: &Path, package: &Path) -> Result<(), Trouble> {
    let Some(name) = bare(word) else { return Ok(()) };
    let names = target_names(package).unwrap_or_default();
    let Some(near) = nearest(name, names.iter().map(String::as_str)) else { return Ok(()) };
    // The start of a crash's name may differ from a target's name in few letters.
    if !is_no_input(word) {
        return Ok(());
    }
    Err(usage(format!(
        "{name} is neither a file nor a fuzz target; did you mean the target {near}?"
    )))
}

/// The word as the name of a target: one part, and neither hidden nor standard input.
fn bare(word: &Path) -> Option<&str> {
    let name = word.to_str()?;
    let is_one = word.components().count() == 1 && !name.contains('/');
    (is_one && !name.starts_with('.') && name != STANDARD_INPUT).then_some(name)
}

/// The first word that is a program: one in `PATH` that is no file here and no start of a crash's
/// name, or, if `counts_files`, an executable file.
fn program_among(words: &[PathBuf], counts_files: bool) -> Option<usize> {
    let is_program = |(at, word): (usize, &PathBuf)| {
        if word.exists() {
            return counts_files && word.is_file() && is_executable(word);
        }
        let is_in_path = || bare(word).is_some_and(|name| in_path(name).is_some());
        at > 0 && is_in_path() && is_no_input(word)
    };
    words.iter().enumerate().position(is_program)
}

/// Whether a word is neither a file nor the start of a crash's name.
fn is_no_input(word: &Path) -> bool {
    let found = locate(word, &AtomicBool::new(false));
    matches!(found, Err(InputError::NoFile { .. } | InputError::NoCrash { .. }))
}

/// Whether it is a file that may be executed.
fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

/// The program that is started under this name.
pub(super) fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let files = std::env::split_paths(&path).map(|folder| folder.join(name));
    files.into_iter().find(|file| file.is_file() && is_executable(file))
}

/// The first word of a line that is a program, if the line has no `--`.
pub(super) fn forgotten_program(line: &Line) -> Option<&OsStr> {
    let words = line.words.get(line.options_at()..)?;
    if words.iter().any(|word| word == "--") {
        return None;
    }
    let is_program = |word: &&OsStr| {
        let path = Path::new(word);
        let is_bare = bare(path).is_some_and(|name| !path.exists() && in_path(name).is_some());
        is_bare || (path.components().count() > 1 && path.is_file() && is_executable(path))
    };
    let mut later = words.iter().skip(1).map(|word| word.as_os_str());
    later.find(|word| !word.as_encoded_bytes().starts_with(b"-") && is_program(word))
}

/// The line as it was probably meant, with `--` before the program.
pub(super) fn with_dashes(line: &Line, program: &OsStr) -> String {
    let at = line.options_at();
    let words = line.words.get(at..).unwrap_or_default();
    let shown = words.iter().flat_map(|word| {
        let dashes = (word == program).then(|| "--".to_owned());
        dashes.into_iter().chain([word.to_string_lossy().into_owned()])
    });
    format!("{} {}", line.typed(), shown.collect::<Vec<_>>().join(" "))
}

/// The message for a program that was typed without `--` before it, with the line as it was
/// probably meant.
fn forgotten(line: &Line, program: &Path) -> Trouble {
    let mut meant = with_dashes(line, program.as_os_str());
    // The program may come before its input.
    if line.words.get(line.options_at()).is_some_and(|first| first == program.as_os_str()) {
        meant = format!("{} INPUT -- {} {{}}", line.typed(), program.display());
    }
    usage(format!(
        "{} is a program and no input; a command that tests INPUT comes after --:\n  {meant}",
        program.display()
    ))
}

/// Refuses a command that cannot have been meant.
///
/// Each of these mistakes would show much later, as an input that does not fail or as one that
/// always fails.
fn check_command(command: &[std::ffi::OsString], line: &Line) -> Result<(), Trouble> {
    let program = &command[0];
    let shown = program.to_string_lossy();
    if shown.starts_with('-') {
        return Err(usage(format!(
            "{shown} is no program; after -- comes a command that tests INPUT. libFuzzer's options \
             are for seedsmith-libfuzzer"
        )));
    }
    let has_input = command.iter().any(|word| word.to_string_lossy().contains("{}"));
    if !has_input && command.iter().any(|word| word == AFL_INPUT) {
        let words = command.iter().map(|word| word.to_string_lossy().replace(AFL_INPUT, "{}"));
        let meant = words.collect::<Vec<_>>().join(" ");
        return Err(usage(format!(
            "{AFL_INPUT} is AFL++'s word for the input's path; here it is {{}}:\n  {} INPUT -- {meant}",
            line.typed()
        )));
    }
    check_program(Path::new(program))
}

/// Refuses a program that cannot be started.
fn check_program(program: &Path) -> Result<(), Trouble> {
    let shown = program.display();
    let target = |why: String| Err(Trouble::new(Exit::Target, why));
    if let Some(name) = bare(program) {
        if in_path(name).is_some() {
            return Ok(());
        }
        return target(match name.split_once(' ') {
            Some(_) => format!("no program {name:?} in PATH; a shell's line is -- sh -c '{name}'"),
            None if program.is_file() => {
                format!("no program {name} in PATH; the file here is ./{name}")
            }
            None => format!("no program {name} in PATH"),
        });
    }
    if program.is_dir() {
        return target(format!("{shown} is a folder and no program"));
    }
    if !program.exists() {
        return target(format!("no such program: {shown}"));
    }
    if !is_executable(program) {
        return target(format!(
            "{shown} is not executable; `chmod +x {shown}` makes it so, or name its interpreter, \
             as in -- sh {shown} {{}}"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_target_is_one_word_that_is_not_hidden() {
        assert_eq!(bare(Path::new("parse")), Some("parse"));
        for no_name in ["./parse", "a/parse", "parse/", "-", ".hidden", "/parse", ""] {
            assert_eq!(bare(Path::new(no_name)), None, "{no_name}");
        }
    }

    #[test]
    fn a_word_that_is_a_program_is_found_behind_the_first_and_an_executable_file_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("check");
        fs::write(&file, "#!/bin/sh\n").unwrap();
        let words = |words: &[&str]| words.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(program_among(&words(&["no-such-input", "sh"]), false), Some(1));
        assert_eq!(program_among(&words(&["sh", "no-such-input"]), false), None);
        assert_eq!(program_among(std::slice::from_ref(&file), true), None);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(program_among(std::slice::from_ref(&file), true), Some(0));
        assert_eq!(program_among(&[file], false), None);
    }
}
