//! Prints clap's error for a line that it cannot read, with a tip on how to continue.

use crate::event::{Event, Reporter};
use std::error::Error as _;
use std::ffi::OsStr;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cargo_fuzz::nearest;
use crate::cli::command_line::positional::{forgotten_program, with_dashes};
use crate::cli::command_line::{Line, crashes, other_tools};
use crate::cli::exit::Exit;
use crate::report::{ReportOptions, Reporters};

/// Prints the error and ends the program.
///
/// The code is clap's: 0 after help, 2 after a mistake.
pub(super) fn end(line: &Line, error: clap::Error) -> ! {
    if lacks_input(&error)
        && let Some(name) = one_input(line)
        && let Some(text) = crashes::of_package(line)
    {
        Reporters::new(name, ReportOptions::default(), None)
            .report(&Event::Failed { message: &text, exit: Exit::Usage as u8 });
        std::process::exit(Exit::Usage as i32);
    }
    let error = with_tips(line, error);
    // git would take the exit code 2 of `bisect` for a commit that fails.
    if line.declared().get_name() == "bisect" && error.use_stderr() {
        // If stderr is closed the error cannot be printed.
        error.print().ok();
        std::process::exit(Exit::StopsBisect as i32);
    }
    error.exit()
}

/// The name of the command, if it is one that takes a single crash.
///
/// For these a line without an input can be completed with a crash of the package.
fn one_input(line: &Line) -> Option<&'static str> {
    let name = line.declared().get_name();
    ["tmin", "run", "generalize"].into_iter().find(|one| *one == name)
}

/// Whether nothing but the input is missing.
fn lacks_input(error: &clap::Error) -> bool {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing,
        _ => return false,
    };
    error.kind() == ErrorKind::MissingRequiredArgument
        && missing.iter().all(|missing| missing.starts_with("<INPUT"))
}

/// The same error with a tip of ours, if there is one.
///
/// The message of clap stays as it is. Tips are about options of other tools, about programs
/// without `--`, and about inputs that are missing.
pub(super) fn with_tips(line: &Line, mut error: clap::Error) -> clap::Error {
    let invalid = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(invalid)) => invalid.clone(),
        _ => return error,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let tip = match forgotten_program(line) {
                Some(program) => Some(after_dashes(line, program)),
                None => {
                    let typed = typed(line, &invalid);
                    // clap names a short option by its letter: of `-runs=1`, `-r`.
                    if other_tools::is_libfuzzers(typed) {
                        let whole = ContextValue::String(typed.to_owned());
                        error.insert(ContextKind::InvalidArg, whole);
                    }
                    other_tools::tip(typed)
                        .or_else(|| other_tools::tip(&invalid))
                        .map(str::to_owned)
                }
            };
            // clap's own tip is about a value that begins with a dash; here a command follows `--`.
            error.remove(ContextKind::Suggested);
            if let Some(tip) = tip {
                error.remove(ContextKind::SuggestedArg);
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![styled(tip)]));
            }
        }
        ErrorKind::ValueValidation => {
            if let Some(near) = nearest_value(&error) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(near));
            }
        }
        _ => {}
    }
    error
}

/// The text as clap prints its own tips.
fn styled(text: String) -> StyledStr {
    text.into()
}

/// The tip for a line in which `--` is missing before the program.
fn after_dashes(line: &Line, program: &OsStr) -> String {
    let shown = Path::new(program).display();
    format!("the command that tests INPUT comes after --: {}", with_dashes(line, program)).replacen(
        "the command",
        &format!("{shown} is a program, and the command"),
        1,
    )
}

/// The word of the line in which clap found the option `invalid`.
fn typed<'w>(line: &'w Line, invalid: &'w str) -> &'w str {
    let words = line.words.iter().filter_map(|word| word.to_str());
    words.filter(|word| word.starts_with(invalid)).max_by_key(|word| word.len()).unwrap_or(invalid)
}

/// The value that was probably meant. The error messages of our value parsers list the names at
/// their end.
fn nearest_value(error: &clap::Error) -> Option<String> {
    let wrong = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(wrong)) => wrong,
        _ => return None,
    };
    let message = error.source()?.to_string();
    let (_, names) = message.split_once(" is none of ")?;
    // A value such as frames=3 is compared by its name.
    let name = |value: &str| value.split('=').next().unwrap_or_default().to_owned();
    let names: Vec<&str> = names.split(", ").collect();
    let bare: Vec<String> = names.iter().map(|one| name(one)).collect();
    let wrong = name(wrong);
    let near = nearest(&wrong, bare.iter().map(String::as_str))?;
    let at = bare.iter().position(|one| one == near)?;
    Some(names[at].to_owned())
}
