//! Result folders of shards that an earlier run has filled.

use std::path::Path;

use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::report::Reporters;
use crate::session::corpora::{Change, Part};

/// Deletes what an earlier run of the shard has left in `folder` if the inputs or the validator were other ones, and reports
/// it. Returns whether they were.
///
/// The work on an input depends on all inputs, so that nothing of it is kept.
pub(crate) fn delete_outdated(
    part: &Part,
    folder: &Path,
    report: &mut Reporters,
) -> Result<bool, Trouble> {
    let deleted = part.delete_outdated(folder);
    let change =
        deleted.or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))?;
    let Some(change) = change else { return Ok(false) };
    let what = match change {
        Change::Inputs => "inputs were added or removed",
        Change::Validator => "the validator was changed",
    };
    report.say(&format!("{what} since {} was written: the shard runs again", folder.display()));
    Ok(true)
}
