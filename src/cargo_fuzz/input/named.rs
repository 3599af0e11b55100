//! Looks for the file that the start of a name means.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::InputError;
use crate::corpus;

/// Folders that have a subfolder for each target, relative to the current folder.
const CRASH_FOLDERS: [&str; 4] =
    ["fuzz/artifacts", "artifacts", "corpora/crashes", "../corpora/crashes"];

/// The files that `named`, which is no file itself, is the start of.
///
/// A bare name is looked for in the folders for crashes and here: files of that name, else those that
/// begin with it. A path is looked for in its own folder.
pub(super) fn look_for(named: &Path) -> Result<Vec<PathBuf>, InputError> {
    let no_file = || InputError::NoFile { path: named.to_owned() };
    let name = named.file_name().and_then(|name| name.to_str()).ok_or_else(no_file)?;
    if name.starts_with('.') {
        return Err(no_file());
    }
    let is_bare = named.components().count() == 1;
    let mut files = Vec::new();
    if is_bare {
        files = crash_files().map_err(InputError::Search)?;
    } else if let Some(folder) = named.parent().filter(|folder| folder.is_dir()) {
        add_files(folder, &mut files).map_err(InputError::Search)?;
        files.sort();
    }
    let found = begun_with(name, files);
    match found.as_slice() {
        [] if is_bare => {
            Err(InputError::NoCrash { name: name.to_owned(), searched: &CRASH_FOLDERS })
        }
        [] => Err(no_file()),
        [first, rest @ ..] if rest.iter().all(|path| path.file_name() == first.file_name()) => {
            Ok(found)
        }
        _ => Err(InputError::Several { named: named.to_owned(), paths: found }),
    }
}

/// The files that are called `name`, else those whose names begin with it.
///
/// A file of exactly that name wins, so that a name which is the start of another one can be typed.
fn begun_with(name: &str, files: Vec<PathBuf>) -> Vec<PathBuf> {
    let name_of =
        |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let exact = |path: &PathBuf| name_of(path).is_some_and(|own| own == name);
    if files.iter().any(exact) {
        return files.into_iter().filter(|path| exact(path)).collect();
    }
    let begins = |path: &PathBuf| name_of(path).is_some_and(|own| own.starts_with(name));
    files.into_iter().filter(begins).collect()
}

/// The crash of the fuzz target `target` that `named` means: a file of that name in the target's own
/// folders for crashes, or the only one that begins with it. `None` if there is none.
pub(crate) fn of_target(named: &Path, target: &str) -> Result<Option<PathBuf>, InputError> {
    let Some(name) = named.to_str().filter(|_| named.components().count() == 1) else {
        return Ok(None);
    };
    let mut found = begun_with(name, crashes_of(target).map_err(InputError::Search)?);
    match found.len() {
        0 => Ok(None),
        1 => Ok(found.pop()),
        _ => Err(InputError::Several { named: named.to_owned(), paths: found }),
    }
}

/// The files in the folders for crashes of one fuzz target, as seen from the current folder, sorted.
pub(crate) fn crashes_of(target: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in CRASH_FOLDERS.map(|folder| Path::new(folder).join(target)) {
        if folder.is_dir() {
            add_files(&folder, &mut files)?;
        }
    }
    files.sort();
    Ok(files)
}

/// Every file in a folder for crashes or in the current folder that may be an input, sorted.
fn crash_files() -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in CRASH_FOLDERS {
        let Ok(targets) = fs::read_dir(folder) else { continue };
        for target in targets {
            let target = target?.path();
            if target.is_dir() {
                add_files(&target, &mut files)?;
            }
        }
    }
    add_files(Path::new(""), &mut files)?;
    files.sort();
    Ok(files)
}

/// Adds the files in `folder` that are neither hidden nor results of ours.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(here)? {
        let name = entry?.file_name();
        let is_hidden = name.to_str().is_some_and(|name| name.starts_with('.'));
        let path = folder.join(name);
        if !is_hidden && path.is_file() && !corpus::is_ours(&path) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_fuzz::input::find;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_start_of_a_path_is_enough_if_one_file_begins_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["crash-da39", "crash-da40", "crash-ff", "crash-ff.min"] {
            fs::write(at(name), name).unwrap();
        }
        let find = |name: &str| find(&at(name), &AtomicBool::new(false));
        assert_eq!(find("crash-da39").unwrap().path, at("crash-da39"));
        // A result of ours is no crash.
        assert_eq!(find("crash-f").unwrap().path, at("crash-ff"));
        let several = find("crash-da").unwrap_err();
        let lines = ["crash-da39", "crash-da40"].map(|name| format!("\n  {}", at(name).display()));
        let why = format!(
            "2 files begin with {}; name one of them:{}",
            at("crash-da").display(),
            lines.concat()
        );
        assert_eq!(several.to_string(), why);
        assert!(matches!(find("leak-"), Err(InputError::NoFile { .. })));
    }
}
