//! Whether an executable is of the sources as they are now.
//!
//! cargo writes beside an executable which files of the user's it was made of (`TARGET.d`): those
//! of the package, of the packages that it depends on by path, and the files that their build
//! scripts read. The files are compared by time, as cargo does. Manifests, lock files, toolchain
//! files and cargo's configuration are not in that list and are looked for. Crates of a registry do
//! not change without the lock file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The files that cargo and rustup look for in the package's folder and in those above it.
const OF_FOLDERS: [&str; 5] =
    ["Cargo.lock", "rust-toolchain.toml", "rust-toolchain", ".cargo/config.toml", ".cargo/config"];
/// A package's manifest.
const MANIFEST: &str = "Cargo.toml";

/// How an executable compares with the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// Nothing that it was made of has changed since.
    Fresh,
    /// There is none.
    Missing,
    /// This file has changed since, or does not exist any more.
    Older(PathBuf),
    /// cargo left no list of its sources.
    Unknown,
}

/// Compares `executable` with the files that it was made of and with the manifests of the package in
/// `package`.
pub(crate) fn freshness(executable: &Path, package: &Path) -> Freshness {
    let Some(built) = changed(executable) else { return Freshness::Missing };
    let mut list = executable.as_os_str().to_owned();
    list.push(".d");
    let Ok(text) = fs::read_to_string(list) else { return Freshness::Unknown };
    let Some(sources) = sources(&text) else { return Freshness::Unknown };
    let package = std::path::absolute(package).unwrap_or_else(|_| package.to_owned());
    let mut folders: BTreeSet<PathBuf> = BTreeSet::from([package.clone()]);
    for source in sources {
        // Paths are relative if cargo's `build.dep-info-basedir` is set; that folder is not known
        // here.
        if changed(&source).is_none_or(|time| time > built) {
            return Freshness::Older(source);
        }
        folders.extend(source.parent().map(Path::to_owned));
    }
    let manifests = folders.iter().filter_map(|folder| {
        folder.ancestors().map(|above| above.join(MANIFEST)).find(|path| path.is_file())
    });
    // The manifest of a workspace has the profiles, and is above the package's.
    let above = package.ancestors();
    let settings = above
        .flat_map(|folder| OF_FOLDERS.into_iter().chain([MANIFEST]).map(|name| folder.join(name)));
    let files: BTreeSet<PathBuf> = manifests.chain(settings).collect();
    let newer = |path: &PathBuf| changed(path).is_some_and(|time| time > built);
    files.into_iter().find(newer).map_or(Freshness::Fresh, Freshness::Older)
}

/// When a file was changed last; `None` if there is none.
fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// The files in one of cargo's lists: `OUTPUT: FILE FILE`, where a blank in a name follows a
/// backslash.
fn sources(text: &str) -> Option<Vec<PathBuf>> {
    let (_, files) = text.lines().next()?.split_once(": ")?;
    let files = files.replace("\\ ", "\0");
    let names = files.split(' ').filter(|name| !name.is_empty());
    Some(names.map(|name| PathBuf::from(name.replace('\0', " "))).collect())
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    /// Writes a file and dates it back by `seconds_ago`.
    fn write(path: &Path, text: &str, seconds_ago: u64) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        let time = SystemTime::now() - Duration::from_secs(seconds_ago);
        File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn each_file_that_an_executable_was_made_of_makes_it_old() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let executable = at("project/fuzz/target/release/parse");
        let files = [
            "project/fuzz/fuzz_targets/parse.rs",
            "project/fuzz/Cargo.toml",
            "project/fuzz/Cargo.lock",
            "project/Cargo.toml",
            "project/rust-toolchain.toml",
            "project/.cargo/config.toml",
            "a library/src/lib.rs",
            "a library/Cargo.toml",
        ];
        let list = format!(
            "{}: {} {}\n",
            executable.display(),
            at(files[0]).display(),
            at("a library/src/lib.rs").display().to_string().replace(' ', "\\ ")
        );
        let package = at("project/fuzz");
        assert_eq!(freshness(&executable, &package), Freshness::Missing);
        write(&executable, "", 60);
        assert_eq!(freshness(&executable, &package), Freshness::Unknown);
        write(&at("project/fuzz/target/release/parse.d"), &list, 10);
        for file in files {
            write(&at(file), "", 100);
        }
        assert_eq!(freshness(&executable, &package), Freshness::Fresh);
        for file in files {
            write(&at(file), "", 10);
            assert_eq!(freshness(&executable, &package), Freshness::Older(at(file)), "{file}");
            write(&at(file), "", 100);
            assert_eq!(freshness(&executable, &package), Freshness::Fresh, "{file}");
        }
        fs::remove_file(at(files[6])).unwrap();
        assert_eq!(freshness(&executable, &package), Freshness::Older(at(files[6])));
    }
}
