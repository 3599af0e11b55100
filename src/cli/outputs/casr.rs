//! `triage --casr`: a folder with a report of each failing input, and what a report says about this system.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cargo_fuzz::reproduce::commands;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::corpus::Group;
use crate::event::Crash;
use crate::report::{System, casrep};
use crate::session::corpora::CorpusPlace;
use crate::session::saved::output::write_whole;
use crate::session::sort::Failing;
use crate::session::stack::StackNames;

/// The folder that `--casr` names.
pub(crate) struct CasrFolder(PathBuf);

impl CasrFolder {
    /// The folder, which must be new or empty: a report of an earlier run would be counted as one of this run.
    ///
    /// Called before anything is run. Nothing is created.
    pub(crate) fn open(path: &Path) -> Result<Self, Trouble> {
        CorpusPlace::New(path.to_owned()).check().map_err(|error| {
            Trouble::new(Exit::Usage, format!("{error}; --casr takes a new folder"))
        })?;
        Ok(CasrFolder(path.to_owned()))
    }

    /// Writes the reports. The folder is created also if there is nothing to report.
    ///
    /// Reads the debug information of each target once: tens of milliseconds. The first error ends the command;
    /// reports that are written by then are complete.
    pub(crate) fn write(self, groups: &[Group<Failing>]) -> Result<(), Trouble> {
        let CasrFolder(folder) = self;
        fs::create_dir_all(&folder)
            .or_exit(Exit::Files, || format!("failed to create {}", folder.display()))?;
        let names = &mut StackNames::default();
        let system = system();
        let mut taken = BTreeSet::new();
        for failing in groups.iter().flat_map(|group| &group.members) {
            let path = &failing.input.path;
            let command_line = commands(&failing.target.origin, path).into_iter().next();
            let crash = Crash::of(failing, command_line.unwrap_or_default(), names);
            let name = file_name(path, &failing.input.sha1, &mut taken);
            write_whole(&folder.join(name), casrep(&crash, &system, SystemTime::now()).as_bytes())?;
        }
        Ok(())
    }
}

/// `NAME.casrep`. Of inputs in several folders that have the same name, the later ones get the beginning of
/// their digest too.
fn file_name(input: &Path, sha1: &str, taken: &mut BTreeSet<String>) -> String {
    /// Digits of a digest: enough for names that differ in nothing else.
    const DIGITS: usize = 12;
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    let plain = format!("{name}.casrep");
    if taken.insert(plain.clone()) {
        return plain;
    }
    let with_digest = format!("{name}-{}.casrep", &sha1[..DIGITS.min(sha1.len())]);
    taken.insert(with_digest.clone());
    with_digest
}

/// This system, as `uname -a` and `/etc/os-release` describe it. What cannot be read is empty.
fn system() -> System {
    let kernel = |name: &str| {
        let text = fs::read_to_string(Path::new("/proc/sys/kernel").join(name)).unwrap_or_default();
        text.trim().to_owned()
    };
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let of_release = |key: &str| {
        let line = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
    };
    let uname = ["ostype", "hostname", "osrelease", "version"].map(kernel);
    System {
        uname: format!("{} {} GNU/Linux", uname.join(" "), std::env::consts::ARCH),
        os: of_release("NAME"),
        os_release: of_release("VERSION_ID"),
        // As Debian names architectures.
        architecture: match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_one_name_get_reports_of_different_names() {
        let mut taken = BTreeSet::new();
        let mut of = |path: &str, sha1: &str| file_name(Path::new(path), sha1, &mut taken);
        assert_eq!(of("a/crash", "0123456789abcdef"), "crash.casrep");
        assert_eq!(of("b/crash", "fedcba9876543210"), "crash-fedcba987654.casrep");
        assert_eq!(of("b/other", "0"), "other.casrep");
    }
}
