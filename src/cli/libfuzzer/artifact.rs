//! Where a result goes, and writing it so that a reader never sees half of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::flags::CommandLine;
use super::{End, Refusal};
use crate::aside;
use crate::corpus::content_name;
use crate::report::LibFuzzerLines;

/// How libFuzzer begins the names of its results.
const PREFIX: &str = "minimized-from-";

/// The file for the result.
#[derive(Debug)]
pub(super) struct Artifact {
    /// Its path.
    pub path: PathBuf,
    /// Whether the caller named it, and so expects it in any case.
    pub is_exact: bool,
}

impl Artifact {
    /// The place for the result of an `input`: the exact path, or libFuzzer's name for it.
    pub(super) fn of(line: &CommandLine, input: &[u8]) -> Self {
        match &line.exact_path {
            Some(path) => Artifact { path: path.clone(), is_exact: true },
            None => {
                let mut path = OsString::from(&line.prefix);
                path.push(format!("{PREFIX}{}", content_name(input)));
                Artifact { path: path.into(), is_exact: false }
            }
        }
    }

    /// Writes it, aside and then renamed; a device is written to.
    pub(super) fn write(&self, bytes: &[u8], lines: &mut LibFuzzerLines) -> Result<(), Refusal> {
        write(&self.path, bytes).map_err(|error| {
            lines.error(&format!("failed to write {}: {error}", self.path.display()));
            Refusal::Ends(End::Error)
        })
    }
}

/// Writes a file aside and renames it. A device, such as `/dev/null`, would be removed by that and
/// is written to.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes);
    }
    aside::write(path, bytes)
}
