//! Where a command runs if the original input does not show its failure in a new folder.
//!
//! A command that depends on the user's folder fails in another way elsewhere, so the original
//! input is tried in one place after the other. Each step is announced.

use std::path::Path;

use seedsmith_engine::{CommandMode, Workplace};
use seedsmith_engine::{Limits, TargetError};

use crate::cargo_fuzz::input::Input;
use crate::cargo_fuzz::request::CommandLine;
use crate::event::{Event, NoteKind, Reporter};
use crate::session::target::start;

/// How the second place is announced.
const WITH_PATHS: &str = "with arguments that name files as absolute paths";
/// How the last place is announced. The user's folder is shared by all tests, so they cannot run
/// side by side.
const HERE: &str = "in this folder, one test at a time (--cwd keep does so at once)";

/// The command in the place after the one where `input` did not fail; `None` after the last place.
///
/// The places come in the order of `Workplace`: a new folder, a new folder with absolute paths (only if an
/// argument names a file), and the user's folder. Nothing is run here; the caller tries the new place.
/// `is_one_of_many` reports the change as a detail and not as a note.
pub(crate) fn next(
    line: &CommandLine,
    input: &Path,
    is_one_of_many: bool,
    reporter: &mut dyn Reporter,
) -> Option<CommandLine> {
    let names_files = line.target(CommandMode::ByFirstRuns, input).names_files();
    let (workplace, how) = match line.workplace {
        Workplace::Private if names_files => (Workplace::PrivateWithPaths, WITH_PATHS),
        Workplace::Private | Workplace::PrivateWithPaths => (Workplace::Shared, HERE),
        Workplace::Shared => return None,
    };
    let said = format!("it does not fail in a new folder: trying {how}");
    match is_one_of_many {
        // Some of them are expected not to fail.
        true => reporter.report(&Event::Detail(&said)),
        false => reporter.report(&Event::Note(NoteKind::Target, &said)),
    }
    Some(CommandLine { workplace, ..line.clone() })
}

/// The validator in the first place where it ends on `first` as it does in this folder, where the user has
/// tried it. Costs two or three runs, and one if it does not end in time.
///
/// # Errors
///
/// The validator cannot be run in one of the places.
pub(crate) fn of_validator(
    line: CommandLine,
    first: &Input,
    limits: Limits,
    reporter: &mut dyn Reporter,
) -> Result<CommandLine, TargetError> {
    if let Some(note) = start::note(&line.argv[0]) {
        reporter.report(&Event::Note(NoteKind::Target, &note));
    }
    if line.workplace == Workplace::Shared {
        return Ok(line);
    }
    let end_in = |workplace| -> Result<_, TargetError> {
        let line = CommandLine { workplace, ..line.clone() };
        line.target(CommandMode::ExitZeroIsValid, &first.path).end_of(&first.bytes, limits)
    };
    let here = end_in(Workplace::Shared)?;
    // One that does not end here in time would take as long in each place.
    if here.0.is_none() {
        return Ok(line);
    }
    if end_in(Workplace::Private)? == here {
        return Ok(line);
    }
    let target = line.target(CommandMode::ExitZeroIsValid, &first.path);
    let (workplace, how) = match Workplace::PrivateWithPaths {
        with_paths if target.names_files() && end_in(with_paths)? == here => {
            (with_paths, WITH_PATHS)
        }
        _ => (Workplace::Shared, HERE),
    };
    reporter.report(&Event::Note(
        NoteKind::Target,
        &format!("the validator ends otherwise in a new folder: run {how}"),
    ));
    Ok(CommandLine { workplace, ..line })
}
