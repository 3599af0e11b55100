//! A regression test on disk, with the inputs beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::output::{OutputError, check_place, write_whole};
use crate::corpus::Originals;
use crate::regression::{Case, Reach, regression_test};

/// Makes the folder of a test, and sure that the test can be written and replaces no original.
///
/// It is called before the search, as for results.
pub(crate) fn check_test(path: &Path, originals: &Originals) -> Result<(), OutputError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(OutputError::writing(path))?;
    }
    check_place(path, originals)
}

/// Writes a test of `cases`: its inputs first, so that a test that is there is whole.
///
/// # Errors
///
/// The test or one of its inputs cannot be written.
pub(crate) fn write_test(
    path: &Path,
    reach: &Reach,
    about: &str,
    cases: &[Case],
) -> Result<(), OutputError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let test = regression_test(reach, about, &name, cases);
    fs::create_dir_all(folder).map_err(OutputError::writing(path))?;
    for (input, bytes) in &test.inputs {
        let place = folder.join(input);
        let own = place.parent().unwrap_or(folder);
        fs::create_dir_all(own).map_err(OutputError::writing(&place))?;
        write_whole(&place, bytes)?;
    }
    write_whole(path, test.text.as_bytes())?;
    if test.is_program
        && path.is_file()
        && let Ok(found) = fs::metadata(path)
    {
        let mode = found.permissions().mode();
        // Who may read it may run it; without success `sh FILE` runs it too.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2));
    }
    Ok(())
}
