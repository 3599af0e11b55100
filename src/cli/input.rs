//! Finding and reading the input.
//!
//! A name that is no file is looked for in the places where crashes lie, so that
//! `tmin crash-abc` does in a project what people mean.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{Exit, OrExit, Trouble};
use crate::corpus::{self, Inputs, Listed};
use crate::report::Report;

/// Folders with a folder for each target, as seen from where a user stands.
const CRASH_FOLDERS: [&str; 4] =
    ["fuzz/artifacts", "artifacts", "corpora/crashes", "../corpora/crashes"];

/// A file with a failing input.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it lies, as the user would name it.
    pub path: PathBuf,
    /// Its bytes; at least one where it was named.
    pub bytes: Vec<u8>,
    /// Names of targets that the path tells; several if the same file lies in several folders.
    pub target_names: Vec<String>,
}

impl Input {
    /// Whether libFuzzer named it as one that leaks.
    pub fn is_leak(&self) -> bool {
        let name = self.path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("leak-"))
    }
}

/// Finds the input that `named` means and reads it.
pub fn find(named: &Path) -> Result<Input, Trouble> {
    let paths = locate(named)?;
    let path = paths.first().expect("what is found is at least one path");
    let target_names = paths.iter().filter_map(|path| target_name(path)).collect();
    Ok(Input { path: path.clone(), bytes: read(path)?, target_names })
}

/// The files that `named` means: one, or several with the same bytes.
pub fn locate(named: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let paths = if named.exists() { vec![named.to_owned()] } else { look_for(named)? };
    if let Some((path, copies @ [_, ..])) = paths.split_first() {
        let bytes = read(path)?;
        for copy in copies {
            if read(copy)? != bytes {
                return Err(several(named, &paths));
            }
        }
    }
    Ok(paths)
}

/// Reads an input that was found before, empty or not.
pub fn load(listed: &Listed) -> Result<Input, Trouble> {
    let path = &listed.path;
    let bytes =
        fs::read(path).or_exit(Exit::Files, || format!("failed to read {}", path.display()))?;
    let paths = std::iter::once(path).chain(&listed.copies);
    let target_names = paths.filter_map(|path| target_name(path)).collect();
    Ok(Input { path: path.clone(), bytes, target_names })
}

/// The inputs that several names and folders mean, each content once, in the order of the names.
///
/// `output` is where results go; inputs there don't count. What can't be read is told.
pub fn gather(
    named: &[PathBuf],
    output: Option<&Path>,
    report: &mut Report,
) -> Result<Inputs, Trouble> {
    let mut files = Vec::new();
    for named in named {
        if !named.is_dir() {
            // Inputs are read more than once, and a pipe can't be.
            if named.exists() && !named.is_file() {
                let why = "is neither a file nor a folder; put what it gives into a file";
                return Err(Trouble::new(Exit::Usage, format!("{} {why}", named.display())));
            }
            files.extend(locate(named)?);
            continue;
        }
        let walk = corpus::walk(named, output)
            .or_exit(Exit::Files, || format!("failed to read {}", named.display()))?;
        for one in walk.passed_over {
            report.say(&format!("passed over: {}: {}", one.path.display(), one.why));
        }
        files.extend(walk.files);
    }
    let inputs = corpus::list(files);
    if inputs.inputs.is_empty() && inputs.passed_over.is_empty() {
        let names: Vec<String> = named.iter().map(|path| path.display().to_string()).collect();
        let why = format!(
            "no inputs in {}; hidden files and our own results don't count",
            names.join(", ")
        );
        return Err(Trouble::new(Exit::Usage, why));
    }
    Ok(inputs)
}

/// Reads a file that has to have something in it.
pub fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    if path.is_dir() {
        return Err(Trouble::new(
            Exit::Usage,
            format!("{} is a directory; name one of the files in it", path.display()),
        ));
    }
    let bytes = fs::read(path).map_err(|error| {
        let exit = match error.kind() {
            io::ErrorKind::NotFound => Exit::Usage,
            _ => Exit::Files,
        };
        Trouble::new(exit, format!("failed to read {}: {error}", path.display()))
    })?;
    if bytes.is_empty() {
        return Err(Trouble::new(
            Exit::Usage,
            format!("{} is empty: nothing is smaller than that", path.display()),
        ));
    }
    Ok(bytes)
}

/// The folder's name below the last `artifacts` or `crashes` in a path.
fn target_name(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let folders: Vec<_> = path.parent()?.iter().collect();
    let above = folders.iter().rposition(|name| *name == "artifacts" || *name == "crashes")?;
    Some(folders.get(above + 1)?.to_str()?.to_owned())
}

fn look_for(named: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let missing = |but: String| Trouble::new(Exit::Usage, but);
    let is_bare = named.components().count() == 1;
    let Some(name) = named.to_str().filter(|name| is_bare && !name.starts_with('.')) else {
        return Err(missing(format!("no such file: {}", named.display())));
    };
    let files = crash_files().or_exit(Exit::Files, || "failed to look for crashes".to_owned())?;
    let named_so = |exactly: bool| -> Vec<PathBuf> {
        let fits = |path: &&PathBuf| {
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if exactly { file_name == name } else { file_name.starts_with(name) }
        };
        files.iter().filter(fits).cloned().collect()
    };
    let exact = named_so(true);
    if !exact.is_empty() {
        return Ok(exact);
    }
    let begun = named_so(false);
    match begun.as_slice() {
        [] => Err(missing(format!(
            "no such file: {name}; nor does a crash begin with that in {} or here",
            CRASH_FOLDERS.map(|folder| format!("{folder}/*/")).join(", ")
        ))),
        [first, rest @ ..] if rest.iter().all(|path| path.file_name() == first.file_name()) => {
            Ok(begun)
        }
        _ => Err(several(named, &begun)),
    }
}

/// Every file in a crash folder or here that may be an input, sorted.
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

/// Adds what lies in `folder`, but for hidden files and results.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(here)? {
        let name = entry?.file_name();
        let is_ours = corpus::is_ours(&name);
        let is_hidden = name.to_str().is_some_and(|name| name.starts_with('.'));
        let path = folder.join(name);
        if !is_ours && !is_hidden && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn several(named: &Path, paths: &[PathBuf]) -> Trouble {
    let list: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    Trouble::new(
        Exit::Usage,
        format!("{} is one of several; name one: {}", named.display(), list.join(", ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_below_artifacts_or_crashes_names_the_target() {
        let name = |path: &str| target_name(Path::new(path));
        assert_eq!(name("/p/fuzz/artifacts/parse/crash-1").as_deref(), Some("parse"));
        assert_eq!(name("/p/corpora/crashes/xml/deep/crash-1").as_deref(), Some("xml"));
        assert_eq!(name("/p/fuzz/artifacts/crash-1"), None);
        assert_eq!(name("/p/crash-1"), None);
    }
}
