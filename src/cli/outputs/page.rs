//! `--html FILE`: what a page says of the run that made it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cargo_fuzz::reproduce::quoted;
use crate::cli::arguments::groups::VERSION;
use crate::cli::exit::{Exit, Trouble};
use crate::corpus::Originals;
use crate::report::{CorpusPage, GroupsPage, Made, MinimizedPage, Reporters};
use crate::session::saved::output::{OutputError, refuse_originals};

/// The command as it was typed, the version and the time.
///
/// The program is named without its folder: the command is the same on another machine.
pub(crate) fn made() -> Made {
    let mut words = std::env::args_os();
    let program = words.next().map(PathBuf::from).unwrap_or_default();
    let program = program.file_name().map(quoted).unwrap_or_default();
    let rest = words.map(|word| quoted(&word));
    let command: Vec<String> = [program].into_iter().chain(rest).collect();
    Made { command: command.join(" "), version: VERSION, when: SystemTime::now() }
}

/// Adds the page of `tmin`, if one is wanted, to the reporters.
///
/// It is called before the search. A place that is refused, or that cannot be written, ends the command.
pub(crate) fn add_minimized(
    path: Option<&Path>,
    (originals, may_replace): (&Originals, bool),
    are_many: bool,
    report: &mut Reporters,
) -> Result<(), Trouble> {
    let Some(path) = path else { return Ok(()) };
    refuse_originals(path, originals)?;
    report.add(Box::new(MinimizedPage::begin(path, may_replace, made(), are_many)?));
    Ok(())
}

/// The same for `triage`.
pub(crate) fn add_groups(
    path: Option<&Path>,
    originals: &Originals,
    report: &mut Reporters,
) -> Result<(), Trouble> {
    let Some(path) = path else { return Ok(()) };
    refuse_originals(path, originals)?;
    let page = GroupsPage::begin(path, made()).map_err(|error| match error {
        // No option of triage replaces a file.
        OutputError::NoPage { .. } => Trouble::by(Exit::Files, error),
        error => error.into(),
    });
    report.add(Box::new(page?));
    Ok(())
}

/// The same for `cmin` and `coverage`, whose inputs are the files and everything below the folders `named`.
pub(crate) fn add_corpus(
    path: Option<&Path>,
    named: &[PathBuf],
    report: &mut Reporters,
) -> Result<(), Trouble> {
    let Some(path) = path else { return Ok(()) };
    refuse_originals(path, &Originals::of(named.iter().cloned()))?;
    let page = CorpusPage::begin(path, made()).map_err(|error| match error {
        // No option of these commands replaces a file.
        OutputError::NoPage { .. } => Trouble::by(Exit::Files, error),
        error => error.into(),
    });
    report.add(Box::new(page?));
    Ok(())
}
