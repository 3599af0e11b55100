//! Finds a failing input by its name and reads it.
//!
//! The start of a file's name is enough if no other file in its folder begins with it. A bare name
//! that is no file is looked for in the folders where cargo-fuzz and this repository keep crashes, so
//! that `crash-abc` is enough inside a project. The path of an input also contains the names of the
//! fuzz targets to which it may belong.

mod error;
mod named;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::corpus::{self, Inputs, Listed, ReadError, read_input, read_standard_input};
use crate::event::{Event, NoteKind, Reporter};
pub(crate) use error::InputError;
use named::look_for;
pub(crate) use named::{crashes_of, of_target};

/// A file with a failing input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Its path, as a user would write it.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Names of targets that appear in its path; several if the same bytes are in several folders.
    pub target_names: Vec<String>,
}

impl Input {
    /// Whether its name is one that libFuzzer gives to an input that leaks memory.
    pub(crate) fn is_leak(&self) -> bool {
        let name = self.path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("leak-"))
    }
}

/// Finds the input that `named` means and reads it; it has at least one byte.
///
/// # Errors
///
/// There is no such file, several are meant, or the file cannot be an input: a folder, a device, an
/// empty file, or one that is too large.
pub(crate) fn find(named: &Path, interrupt: &AtomicBool) -> Result<Input, InputError> {
    let paths = locate(named, interrupt)?;
    let path = paths.first().expect("at least one path is found");
    let target_names = paths.iter().filter_map(|path| target_name(path)).collect();
    Ok(Input { path: path.clone(), bytes: read(path, interrupt)?, target_names })
}

/// Reads an input from standard input; it has at least one byte.
pub(crate) fn standard_input(interrupt: &AtomicBool) -> Result<Input, InputError> {
    let path = PathBuf::from("stdin");
    let bytes = read_standard_input(interrupt).map_err(|error| match refused(&path, error) {
        Ok(refused) => refused,
        Err(source) => InputError::Read { path: path.clone(), source },
    })?;
    if bytes.is_empty() {
        return Err(InputError::Empty { path });
    }
    Ok(Input { path, bytes, target_names: Vec::new() })
}

/// The files that `named` means: one, or several with the same bytes.
///
/// Several files are read and compared, because copies of one crash in several folders are no
/// reason to ask the user.
pub(crate) fn locate(named: &Path, interrupt: &AtomicBool) -> Result<Vec<PathBuf>, InputError> {
    let paths = if named.exists() { vec![named.to_owned()] } else { look_for(named)? };
    if let Some((path, copies @ [_, ..])) = paths.split_first() {
        let bytes = read(path, interrupt)?;
        for copy in copies {
            if read(copy, interrupt)? != bytes {
                return Err(InputError::Several { named: named.to_owned(), paths });
            }
        }
    }
    Ok(paths)
}

/// The input files in `named`, which are files and folders, in the order of the names, and how many
/// hidden ones were left out. No file is opened, unless a bare name means several copies.
///
/// `output` is where results go; inputs in it don't count. The reporter gets a note about each
/// entry of a folder that cannot be read.
pub(crate) fn files(
    named: &[PathBuf],
    output: Option<&Path>,
    interrupt: &AtomicBool,
    reporter: &mut dyn Reporter,
) -> Result<(Vec<PathBuf>, usize), InputError> {
    let (mut files, mut hidden) = (Vec::new(), 0);
    for named in named {
        if !named.is_dir() {
            // Inputs are read more than once, which a pipe does not allow.
            if named.exists() && !named.is_file() {
                return Err(InputError::NoFileNorFolder { path: named.clone() });
            }
            files.extend(locate(named, interrupt)?);
            continue;
        }
        let walk = corpus::walk(named, output, interrupt)
            .map_err(|source| InputError::Walk { path: named.clone(), source })?;
        for one in walk.passed_over {
            let text = format!("passed over: {}: {}", one.path.display(), one.why);
            reporter.report(&Event::Note(NoteKind::Input, &text));
        }
        hidden += walk.hidden;
        files.extend(walk.files);
    }
    Ok((files, hidden))
}

/// The inputs that `named` means, files and folders, each content once, in the order of the names.
///
/// `output` and the listener are as for [`files`]. A file that is named itself and larger than an
/// input may be is an error.
pub(crate) fn gather(
    named: &[PathBuf],
    output: Option<&Path>,
    interrupt: &AtomicBool,
    reporter: &mut dyn Reporter,
) -> Result<Inputs, InputError> {
    let (files, hidden) = files(named, output, interrupt, reporter)?;
    let inputs = Inputs { hidden, ..corpus::list(files, interrupt) };
    if interrupt.load(Ordering::Relaxed) {
        return Err(InputError::Interrupted);
    }
    if let Some(path) = inputs.too_large.iter().find(|path| named.contains(path)) {
        return Err(InputError::TooLarge { path: path.clone() });
    }
    if inputs.inputs.is_empty() && inputs.passed_over.is_empty() {
        return Err(InputError::None { named: named.to_vec() });
    }
    Ok(inputs)
}

/// Reads an input that was listed before; it may be empty.
pub(crate) fn load(listed: &Listed, interrupt: &AtomicBool) -> Result<Input, InputError> {
    let path = listed.path.clone();
    let bytes = read_input(&path, interrupt).map_err(|error| match refused(&path, error) {
        Ok(refused) => refused,
        Err(source) => InputError::Read { path: path.clone(), source },
    })?;
    let paths = std::iter::once(&path).chain(&listed.copies);
    let target_names = paths.filter_map(|path| target_name(path)).collect();
    Ok(Input { path, bytes, target_names })
}

/// Reads a file that has at least one byte.
pub(crate) fn read(path: &Path, interrupt: &AtomicBool) -> Result<Vec<u8>, InputError> {
    let shown = || path.to_owned();
    if path.is_dir() {
        return Err(InputError::Directory { path: shown() });
    }
    let bytes = read_input(path, interrupt).map_err(|error| match refused(path, error) {
        Ok(refused) => refused,
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            InputError::Vanished { path: shown(), source }
        }
        Err(source) => InputError::Read { path: shown(), source },
    })?;
    if bytes.is_empty() {
        return Err(InputError::Empty { path: shown() });
    }
    Ok(bytes)
}

/// Why the file at `path` is refused; otherwise the system's error.
fn refused(path: &Path, error: ReadError) -> Result<InputError, io::Error> {
    let path = path.to_owned();
    match error {
        ReadError::NotAFile => Ok(InputError::NotAFile { path }),
        ReadError::TooLarge => Ok(InputError::TooLarge { path }),
        ReadError::Interrupted => Ok(InputError::Interrupted),
        ReadError::System(source) => Err(source),
    }
}

/// The name of the folder inside the last `artifacts` or `crashes` in a path.
pub(crate) fn target_name(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let folders: Vec<_> = path.parent()?.iter().collect();
    let above = folders.iter().rposition(|name| *name == "artifacts" || *name == "crashes")?;
    Some(folders.get(above + 1)?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_folder_below_artifacts_or_crashes_names_the_target() {
        let name = |path: &str| target_name(Path::new(path));
        assert_eq!(name("/p/fuzz/artifacts/parse/crash-1").as_deref(), Some("parse"));
        assert_eq!(name("/p/corpora/crashes/xml/deep/crash-1").as_deref(), Some("xml"));
        assert_eq!(name("/p/fuzz/artifacts/crash-1"), None);
        assert_eq!(name("/p/crash-1"), None);
    }

    #[test]
    fn a_folder_an_empty_file_and_a_missing_one_are_different_errors() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("empty");
        fs::write(&file, "").unwrap();
        let (find, gone) = (|path| find(path, &AtomicBool::new(false)), folder.path().join("gone"));
        let read = |path| read(path, &AtomicBool::new(false));
        assert!(matches!(find(folder.path()), Err(InputError::Directory { .. })));
        assert!(matches!(find(&file), Err(InputError::Empty { .. })));
        assert!(matches!(read(&gone), Err(InputError::Vanished { .. })));
        assert!(matches!(find(&gone), Err(InputError::NoFile { .. })));
        assert!(matches!(find(Path::new("/dev/zero")), Err(InputError::NotAFile { .. })));
    }

    #[test]
    fn inputs_of_files_and_folders_are_gathered_in_order_and_each_content_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        for (name, text) in [("b", "1"), ("in/a", "1"), ("in/c", "2")] {
            fs::write(at(name), text).unwrap();
        }
        let never = AtomicBool::new(false);
        let mut quiet = |_: &Event<'_>| {};
        let gathered = gather(&[at("b"), at("in")], None, &never, &mut quiet).unwrap();
        let paths: Vec<_> = gathered.inputs.iter().map(|one| one.path.clone()).collect();
        assert_eq!(paths, [at("b"), at("in/c")]);
        fs::create_dir(at("empty")).unwrap();
        let empty = gather(&[at("empty")], None, &never, &mut quiet);
        assert!(matches!(empty, Err(InputError::None { .. })));
        let device = gather(&["/dev/null".into()], None, &never, &mut quiet);
        assert!(matches!(device, Err(InputError::NoFileNorFolder { .. })));
    }
}
