//! Result folders of shards that an earlier run has filled.

use std::path::Path;

use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::report::Reporters;
use crate::session::corpora::Part;

/// Deletes what an earlier run of the shard has left in `folder` if the inputs were other ones, and says so. Whether they
/// were.
///
/// The work on an input depends on all inputs, so that nothing of it is kept.
pub(crate) fn delete_outdated(
    part: &Part,
    folder: &Path,
    report: &mut Reporters,
) -> Result<bool, Trouble> {
    let deleted = part.delete_outdated(folder);
    let is_outdated =
        deleted.or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))?;
    if is_outdated {
        report.say(&format!(
            "inputs were added or removed since {} was written: the shard runs again",
            folder.display()
        ));
    }
    Ok(is_outdated)
}
