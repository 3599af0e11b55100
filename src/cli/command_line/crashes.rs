//! The crashes of a package with the commands that minimize them, for a line that names none.

use std::cmp::Reverse;
use std::path::Path;

use crate::cargo_fuzz::input::crashes_of;
use crate::cargo_fuzz::listing::{list, package_of};
use crate::cli::command_line::Line;
use crate::cli::exit::{Exit, Trouble};
use crate::event::Artifact;

/// Commands that are shown; a message says how many more there are. Five lines leave the message
/// itself on the screen.
const MAX_SHOWN_COMMANDS: usize = 5;

/// The newest crashes of the package that the current folder is in, those without a result first.
/// `None` if there is no such package, or if cargo cannot read it.
pub(super) fn of_package(line: &Line) -> Option<String> {
    let listing = list(&package_of(None, Path::new(""))?).ok()?;
    let mut artifacts: Vec<&Artifact> =
        listing.targets.iter().flat_map(|target| &target.artifacts).collect();
    let folder = listing.folder.display();
    if artifacts.is_empty() {
        return Some(format!(
            "INPUT is missing, and {folder}/artifacts has no crash; cargo fuzz run TARGET searches \
             for one"
        ));
    }
    artifacts.sort_by_key(|artifact| (artifact.minimized.is_some(), Reverse(artifact.modified)));
    let paths = artifacts.iter().map(|artifact| artifact.path.as_path());
    let shown = commands(line, paths);
    Some(format!("INPUT is missing; these are the inputs that the fuzzer left in {folder}:{shown}"))
}

/// The trouble with a line that names a target and no input of it.
pub(super) fn of_target(line: &Line, target: &str) -> Trouble {
    let crashes = crashes_of(target).unwrap_or_default();
    let why = if crashes.is_empty() {
        format!(
            "{target} is a fuzz target and no input; it has no crashes yet (cargo fuzz run {target} \
             searches for one)"
        )
    } else {
        let shown = commands(line, crashes.iter().map(|path| path.as_path()));
        format!("{target} is a fuzz target and no input; these are its inputs:{shown}")
    };
    Trouble::new(Exit::Usage, why)
}

/// A line for each path with the command that minimizes it, and how many more there are.
fn commands<'p>(line: &Line, paths: impl ExactSizeIterator<Item = &'p Path>) -> String {
    let more = paths.len().saturating_sub(MAX_SHOWN_COMMANDS);
    let typed = line.typed();
    let mut text: String = paths
        .take(MAX_SHOWN_COMMANDS)
        .map(|path| format!("\n  {typed} {}", path.display()))
        .collect();
    if more > 0 {
        text += &format!("\n  and {more} more: `seedsmith list` shows all");
    }
    text
}
