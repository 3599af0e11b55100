//! `seedsmith.toml`: options that hold for a fuzz package, or for one of its targets.
//!
//! A setting is an option of the command line under the same name, and is read by the same parser.
//! A setting is left out if the command line or the environment gives the same option, or options
//! with which it has no effect. A setting of a target replaces the one for all targets.

mod file;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches};

use crate::cargo_fuzz::input::{locate, target_name};
use crate::cargo_fuzz::listing::{has_target, no_target, package_of};
use crate::cli::command_line::{Arguments, Line, arguments};
use crate::cli::commands::option_names;
use crate::cli::exit::{Exit, Trouble};
use crate::event::AppliedSettings;
pub(super) use file::{Place, Setting, Settings};

/// The name of the file.
const NAME: &str = "seedsmith.toml";

/// Options that may be set. Those about one run, such as `--output`, may not.
const MAY_BE_SET: [&str; 20] = [
    "all-features",
    "features",
    "format",
    "grammar",
    "jobs",
    "keep-at-least",
    "match",
    "max-parse-time",
    "max-tests",
    "max-time",
    "max-total-time",
    "memory-limit",
    "no-default-features",
    "polish",
    "profile",
    "repeat",
    "same",
    "sanitizer",
    "start",
    "timeout",
];

/// Reads the arguments again with the settings of the package that the inputs belong to.
///
/// Returns the file and the settings that were applied, for the report; `None` without such a file.
///
/// # Errors
///
/// The file cannot be used, or a value in it is not one of its option. The message has the place in
/// the file.
pub(super) fn apply<A: Arguments>(
    args: &mut A,
    line: &Line,
    matches: &ArgMatches,
) -> Result<Option<AppliedSettings>, Trouble> {
    let Some((inputs, target)) = args.words() else { return Ok(None) };
    if !target.command.is_empty() || target.binary.is_some() {
        return Ok(None);
    }
    let near = inputs.first().map_or(Path::new(""), PathBuf::as_path);
    let Some(package) = package_of(target.fuzz_dir.as_deref(), near) else { return Ok(None) };
    let Some(path) = file_of(&package)? else { return Ok(None) };
    let names = match &target.target {
        Some(name) => BTreeSet::from([name.clone()]),
        None => targets_of(inputs),
    };
    let known = known();
    let settings = Settings::read(&path, &known)?;
    for (name, place) in settings.targets() {
        if !has_target(&package, name)
            && let Some(error) = no_target(&package, name)
        {
            return Err(wrong(&path, place, error));
        }
    }
    let name = names.first().filter(|_| names.len() == 1);
    let mut extra: Vec<OsString> = Vec::new();
    let mut values = Vec::new();
    let own = line.own(matches);
    for setting in settings.of(name.map(String::as_str)) {
        let Some(option) = option_of(line, own, setting, &path)? else { continue };
        let with = [&extra[..], &[option]].concat();
        let read = match line.read(&with) {
            Ok(read) => read,
            // The command line wins.
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => continue,
            Err(error) => return Err(wrong(&path, setting.value_at, first_line(&error))),
        };
        let mut changed = arguments::<A>(&read);
        if changed.check().is_err() && args.check().is_ok() {
            continue;
        }
        keep_words(args, &mut changed);
        *args = changed;
        extra = with;
        values.push((setting.name.clone(), setting.value.clone()));
    }
    let target = name.filter(|name| settings.has_target(name)).cloned();
    Ok((!values.is_empty()).then_some(AppliedSettings { file: path, target, values }))
}

/// Puts the words as they were resolved into arguments that were read again.
///
/// Which word is the target was found out before, and the settings do not change it.
fn keep_words<A: Arguments>(resolved: &mut A, read: &mut A) {
    if let (Some((inputs, target)), Some((read_inputs, read_target))) =
        (resolved.words(), read.words())
    {
        read_inputs.clone_from(inputs);
        read_target.target.clone_from(&target.target);
    }
}

/// The settings of a package: in its folder, or beside it.
///
/// Beside it counts only if the package's folder is called `fuzz`.
///
/// # Errors
///
/// There are both.
fn file_of(package: &Path) -> Result<Option<PathBuf>, Trouble> {
    let own = package.join(NAME);
    let beside = match package.parent().filter(|_| package.file_name().is_some()) {
        Some(parent) => parent.join(NAME),
        None => package.join("..").join(NAME),
    };
    // The folder above a package that is not called `fuzz` may be anything.
    let is_called_fuzz = std::path::absolute(package)
        .is_ok_and(|package| package.file_name().is_some_and(|name| name == "fuzz"));
    match (own.is_file(), is_called_fuzz && beside.is_file()) {
        (true, true) => Err(Trouble::new(
            Exit::Usage,
            format!("{} and {} are both there; keep one", own.display(), beside.display()),
        )),
        (true, false) => Ok(Some(own)),
        (false, true) => Ok(Some(beside)),
        (false, false) => Ok(None),
    }
}

/// The targets that the paths of the inputs name.
///
/// Several inputs may belong to several targets.
fn targets_of(inputs: &[PathBuf]) -> BTreeSet<String> {
    let never = AtomicBool::new(false);
    let mut names = BTreeSet::new();
    for input in inputs {
        if input.is_dir() {
            names.extend(target_name(&input.join("any")));
        } else if let Ok(paths) = locate(input, &never) {
            names.extend(paths.iter().filter_map(|path| target_name(path)));
        }
    }
    names
}

/// The options that may be set and that a command has.
///
/// Options that name an input, a result or a target belong to one line, and may not be set.
fn known() -> BTreeSet<String> {
    let declared = option_names();
    MAY_BE_SET.into_iter().filter(|name| declared.contains(*name)).map(str::to_owned).collect()
}

/// The setting as an option of this command; `None` if the command has none, if it was given, or if
/// a flag is not set.
///
/// An option of the command line or of the environment wins, and so does one with which the setting
/// has no effect.
fn option_of(
    line: &Line,
    own: &ArgMatches,
    setting: &Setting,
    path: &Path,
) -> Result<Option<OsString>, Trouble> {
    let Some(argument) =
        line.declared().get_arguments().find(|one| one.get_long() == Some(&setting.name))
    else {
        return Ok(None);
    };
    let source = own.value_source(argument.get_id().as_str());
    if !matches!(source, None | Some(ValueSource::DefaultValue)) {
        return Ok(None);
    }
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return match setting.value.as_str() {
            "true" => Ok(Some(format!("--{}", setting.name).into())),
            "false" => Ok(None),
            _ => Err(wrong(path, setting.value_at, "expected true or false")),
        };
    }
    let value = match setting.name.as_str() {
        "grammar" => beside(path, &setting.value),
        _ => setting.value.clone(),
    };
    Ok(Some(format!("--{}={value}", setting.name).into()))
}

/// A grammar's name, or its files as they are named in the folder of `path`.
///
/// A file in a setting is meant relative to the file of settings, wherever the command is typed.
fn beside(path: &Path, grammar: &str) -> String {
    let file = |name: &str| {
        let file = path.with_file_name(name);
        if file.is_file() { file.display().to_string() } else { name.to_owned() }
    };
    grammar.split(',').map(file).collect::<Vec<_>>().join(",")
}

/// Trouble with the text at a place of the file.
fn wrong(path: &Path, Place { line, column }: Place, why: impl std::fmt::Display) -> Trouble {
    Trouble::new(Exit::Usage, format!("{}:{line}:{column}: {why}", path.display()))
}

/// The first line of clap's message, without its `error: `.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_a_package_are_in_it_or_beside_it_and_not_in_both() {
        let folder = tempfile::tempdir().unwrap();
        let fuzz = folder.path().join("fuzz");
        let other = folder.path().join("other");
        std::fs::create_dir_all(&fuzz).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        assert_eq!(file_of(&fuzz).unwrap(), None);
        let beside = folder.path().join(NAME);
        std::fs::write(&beside, "").unwrap();
        assert_eq!(file_of(&fuzz).unwrap(), Some(beside));
        assert_eq!(file_of(&other).unwrap(), None);
        std::fs::write(fuzz.join(NAME), "").unwrap();
        assert!(file_of(&fuzz).unwrap_err().to_string().ends_with("are both there; keep one"));
    }

    #[test]
    fn files_of_a_grammar_are_named_in_the_folder_of_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("A.g4"), "").unwrap();
        let found = beside(&at(NAME), "A.g4,B.g4");
        assert_eq!(found, format!("{},B.g4", at("A.g4").display()));
        assert_eq!(beside(&at(NAME), "json"), "json");
    }

    #[test]
    fn each_setting_is_an_option_but_those_of_builds_that_cargo_reads() {
        let declared = option_names();
        let of_cargo = ["all-features", "features", "no-default-features", "profile"];
        for name in MAY_BE_SET.iter().filter(|name| !of_cargo.contains(name)) {
            assert!(declared.contains(*name), "{name}");
        }
    }
}
