//! Where the result goes, and what may be lost there: nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Trouble};
use super::plan::OutputPlan;
use crate::aside::Aside;
use crate::corpus::{RESULT, content_name};
use crate::session::saved::record::journal_path;

/// The place of the result of one input.
#[derive(Clone, Debug)]
pub struct Output {
    /// The result's path.
    pub path: PathBuf,
    /// What lies there now.
    pub existing: Option<Vec<u8>>,
    /// Whether the same command, typed again, may go on from what it finds there.
    pub can_go_on: bool,
}

impl Output {
    /// Finds the place for the result of `bytes`, read from `input`, and makes sure that it can be
    /// written.
    pub fn of(plan: &OutputPlan, input: &Path, bytes: &[u8]) -> Result<Self, Trouble> {
        let own_name = format!("{RESULT}{}", content_name(bytes));
        let path = match &plan.path {
            None => input.with_file_name(&own_name),
            Some(path) if path.is_dir() => path.join(&own_name),
            Some(path) => path.clone(),
        };
        // Reading a device might never end.
        if !path.is_dir() {
            refuse_no_file(&path)?;
        }
        let existing = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unwritable(&path, &error)),
        };
        let is_ours = path.file_name().is_some_and(|name| *name == *own_name);
        let is_resumed = plan.resumes && journal_path(&path).is_file();
        if existing.is_some() && !is_ours && !is_resumed && !plan.may_replace {
            return Err(Trouble::new(
                Exit::Files,
                format!("{} is there already; --force replaces it", path.display()),
            ));
        }
        // Nobody wants to learn at the end that the result can't be kept.
        Aside::beside(&path).map_err(|error| unwritable(&path, &error))?;
        Ok(Output { path, existing, can_go_on: is_ours })
    }
}

/// Refuses a place that something else than a file has: renamed to, a device would be gone.
pub fn refuse_no_file(path: &Path) -> Result<(), Trouble> {
    if path.exists() && !path.is_file() {
        let why = format!("{} is no file; name another place", path.display());
        return Err(Trouble::new(Exit::Files, why));
    }
    Ok(())
}

/// The result can't be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Trouble {
    Trouble::new(
        Exit::Files,
        format!("failed to write {}: {error}; name another place with -o", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(path: Option<&Path>, may_replace: bool) -> OutputPlan {
        OutputPlan { path: path.map(Path::to_owned), may_replace, resumes: false }
    }

    #[test]
    fn the_result_is_named_after_the_input_and_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("crash");
        let output = Output::of(&plan(None, false), &input, b"abc").unwrap();
        let name = "minimized-from-a9993e364706816aba3e25717850c26c9cd0d89d";
        assert_eq!(output.path, folder.path().join(name));
        let output = Output::of(&plan(Some(folder.path()), false), Path::new("x"), b"abc").unwrap();
        assert_eq!(output.path, folder.path().join(name));
    }

    #[test]
    fn a_file_that_is_not_ours_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = folder.path().join("theirs");
        fs::write(&theirs, "x").unwrap();
        let refused = Output::of(&plan(Some(&theirs), false), Path::new("in"), b"abc").unwrap_err();
        assert_eq!(refused.exit, Exit::Files);
        let output = Output::of(&plan(Some(&theirs), true), Path::new("in"), b"abc").unwrap();
        assert_eq!(output.existing.as_deref(), Some(&b"x"[..]));
    }
}
