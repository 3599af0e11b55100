//! `generalize --kit`: where the folder goes, and the command that judges a fix with it.

use std::io;
use std::path::Path;

use crate::cargo_fuzz::reproduce::quoted;
use crate::cargo_fuzz::reproduce::reach::{NoTest, reach as reach_of};
use crate::regression::Reach;
use crate::session::folder::disk;
use crate::session::saved::output::OutputError;
use crate::session::target::{OpenTarget, Origin};
use seedsmith_engine::Signature;
use seedsmith_engine::internal::Files;

/// How a regression test in the kit reaches the target.
pub(crate) fn reach(
    target: &OpenTarget,
    folder: &Path,
    signature: &Signature,
) -> Result<Reach, NoTest> {
    match reach_of(target, &folder.join("regression.rs"), signature) {
        Err(NoTest::NotRust { .. }) => reach_of(target, &folder.join("regression.sh"), signature),
        reach => reach,
    }
}

/// The command that judges a fix, as it is typed where the kit is.
///
/// Paths are written as seen from there, so that the folder can be moved with the program.
pub(crate) fn command(target: &OpenTarget, folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    let judge = format!("seedsmith judge {}", quoted(name));
    match &target.origin {
        Origin::Command { line, .. } => {
            let words: Vec<String> = line.argv.iter().map(|word| quoted(word)).collect();
            format!("{judge} -- {}", words.join(" "))
        }
        Origin::Executable(executable) => {
            let name = executable.file_name().unwrap_or(executable.as_os_str());
            format!("{judge} --binary {}", quoted(name))
        }
        Origin::Harness(argv) => {
            let program = argv.first().map(|word| quoted(word)).unwrap_or_default();
            format!("{judge} --binary {program}")
        }
        Origin::FuzzTarget { .. } | Origin::Linked(_) | Origin::Unknown(_) => judge,
    }
}

/// Leaves the kit in its place, whole or not at all.
pub(crate) fn leave(files: &Files, folder: &Path) -> Result<(), OutputError> {
    let failed = |source: io::Error| OutputError::Write { path: folder.to_owned(), source };
    disk::leave(files, folder).map_err(failed)
}
