//! Which files below a folder are inputs.
//!
//! This program's files (results, other failures, journals) are beside the inputs and never count
//! as inputs; nor do hidden files, nor other files that a fuzzer leaves beside its findings. A link
//! to a file is an input, a link to a folder is not followed: it may lead in a circle. The order is
//! by name, on any file system.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::findings::inputs_among;
use super::names::{STATE_FOLDER, is_ours, is_ours_if};

/// The inputs found below a folder.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// The inputs, by name: a folder's files and folders in one order.
    pub files: Vec<PathBuf>,
    /// Files that may be inputs and can't be read, with the reason.
    pub passed_over: Vec<PassedOver>,
    /// Hidden files and folders that were left out; this program's own folder is not counted.
    pub hidden: usize,
}

/// Something that looked like an input and was not taken.
#[derive(Debug)]
pub(crate) struct PassedOver {
    /// Its path.
    pub path: PathBuf,
    /// Why, as a fragment after "passed over:".
    pub why: String,
}

/// Finds the inputs below `root`, folders within folders included. `output` is where results go:
/// if that is a folder below `root`, it is left out.
///
/// Returns the inputs found until then when `interrupt` is set. Fails only if `root` itself can't
/// be read. Costs a look at each folder, and at each entry that is no regular file; no file is opened.
///
/// Memory: the paths of all inputs.
pub(crate) fn walk(root: &Path, output: Option<&Path>, interrupt: &AtomicBool) -> io::Result<Walk> {
    let output = output.and_then(|path| path.canonicalize().ok());
    // If one folder is both input and output, its files are still the inputs.
    let output = output.filter(|path| root.canonicalize().is_ok_and(|root| root != *path));
    let mut found = Walk::default();
    let mut waiting = vec![(root.to_owned(), true)];
    // Depth first, so that one list sorted by name comes out; no recursion, whatever the depth.
    while let Some((path, is_folder)) = waiting.pop() {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        if !is_folder {
            found.files.push(path);
            continue;
        }
        let is_output =
            output.as_ref().is_some_and(|output| path.canonicalize().is_ok_and(|p| p == *output));
        if is_output {
            continue;
        }
        let read = fs::read_dir(&path).and_then(|entries| entries.map(name_and_kind).collect());
        let mut entries: Vec<(OsString, bool)> = match read {
            Ok(entries) => entries,
            Err(error) if path == root => return Err(error),
            Err(error) => {
                found.pass_over(path, error.to_string());
                continue;
            }
        };
        entries.sort_unstable();
        let has = |name: &OsStr| entries.binary_search_by(|(one, _)| (**one).cmp(name)).is_ok();
        let has_state = has(STATE_FOLDER.as_ref());
        let is_input = inputs_among(&path, &has);
        for (name, is_plain) in entries.iter().rev() {
            if !is_input(name) {
                continue;
            }
            let (path, is_plain) = (path.join(name), *is_plain);
            if is_hidden(name) {
                found.hidden += usize::from(!is_ours(&path));
                continue;
            }
            if is_ours_if(&path, &|| !is_plain && path.is_dir(), has_state) {
                continue;
            }
            if is_plain {
                waiting.push((path, false));
                continue;
            }
            match kind_of(&path) {
                Ok(Kind::File) => waiting.push((path, false)),
                Ok(Kind::Folder) => waiting.push((path, true)),
                Ok(Kind::Other(why)) => found.pass_over(path, why.to_owned()),
                Err(error) => found.pass_over(path, error.to_string()),
            }
        }
    }
    found.passed_over.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

/// The name of an entry, and whether it is known to be a regular file: most file systems say so in the list of names.
fn name_and_kind(entry: io::Result<fs::DirEntry>) -> io::Result<(OsString, bool)> {
    entry.map(|entry| (entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_file())))
}

/// Whether a name begins with a dot.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The kind of an entry of a folder.
enum Kind {
    /// A regular file, or a link to one.
    File,
    /// A folder, not a link to one.
    Folder,
    /// It is passed over, for this reason.
    Other(&'static str),
}

/// Follows a link to see which kind of file it leads to. Fails for a link to nothing.
fn kind_of(path: &Path) -> io::Result<Kind> {
    let own = fs::symlink_metadata(path)?.file_type();
    let meant = fs::metadata(path)?.file_type();
    Ok(match () {
        () if meant.is_file() => Kind::File,
        () if meant.is_dir() && own.is_symlink() => Kind::Other("a link to a folder"),
        () if meant.is_dir() => Kind::Folder,
        () => Kind::Other("neither a file nor a folder"),
    })
}

impl Walk {
    /// Notes something that is not taken.
    fn pass_over(&mut self, path: PathBuf, why: String) {
        self.passed_over.push(PassedOver { path, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk_all(root: &Path, output: Option<&Path>) -> io::Result<Walk> {
        walk(root, output, &AtomicBool::new(false))
    }

    fn folder_of(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        folder
    }

    fn names(root: &Path, walk: &Walk) -> Vec<String> {
        let below = |path: &PathBuf| path.strip_prefix(root).unwrap().display().to_string();
        walk.files.iter().map(below).collect()
    }

    #[test]
    fn inputs_come_by_name_without_what_is_hidden_or_ours() {
        let folder = folder_of(&[
            "b",
            "a/2",
            "a/1",
            "c",
            ".hidden",
            ".git/x",
            "c.min",
            "small.other-failures/panic",
            "d.min",
            "small",
            ".seedsmith/small.journal.jsonl",
            ".seedsmith/small.observations",
        ]);
        let walk = walk_all(folder.path(), None).unwrap();
        assert_eq!(names(folder.path(), &walk), ["a/1", "a/2", "b", "c", "d.min"]);
        assert!(walk.passed_over.is_empty());
        assert_eq!(walk.hidden, 2);
    }

    #[test]
    fn the_folder_of_a_fuzzer_gives_its_findings() {
        let folder = folder_of(&[
            "out/default/fuzzer_stats",
            "out/default/queue/id:000000",
            "out/default/crashes/README.txt",
            "out/default/crashes/id:000000,sig:06",
            "out/default/hangs/id:000000",
        ]);
        let walk = walk_all(folder.path(), None).unwrap();
        let found = ["out/default/crashes/id:000000,sig:06", "out/default/hangs/id:000000"];
        assert_eq!(names(folder.path(), &walk), found);
    }

    #[test]
    fn an_output_folder_below_is_left_out_and_the_folder_itself_is_not() {
        let folder = folder_of(&["a", "out/x"]);
        let below = folder.path().join("out");
        let outside = walk_all(folder.path(), Some(&below)).unwrap();
        assert_eq!(names(folder.path(), &outside), ["a"]);
        let same = walk_all(folder.path(), Some(folder.path())).unwrap();
        assert_eq!(names(folder.path(), &same), ["a", "out/x"]);
    }

    #[test]
    fn a_link_to_a_file_is_an_input_and_no_other_link_is_followed() {
        let folder = folder_of(&["a"]);
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
        };
        link("a", "file-link");
        link(".", "circle");
        link("nowhere", "broken");
        let walk = walk_all(folder.path(), None).unwrap();
        assert_eq!(names(folder.path(), &walk), ["a", "file-link"]);
        let passed_over: Vec<_> = walk.passed_over.iter().map(|one| one.why.as_str()).collect();
        assert_eq!(passed_over, ["No such file or directory (os error 2)", "a link to a folder"]);
    }

    #[test]
    fn an_end_that_was_asked_for_ends_the_walk() {
        let folder = folder_of(&["a", "b"]);
        let walk = walk(folder.path(), None, &AtomicBool::new(true)).unwrap();
        assert!(walk.files.is_empty());
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(walk_all(Path::new("no/such/folder"), None).is_err());
    }
}
