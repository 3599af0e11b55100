//! The names of the files that this program writes: results, their journals and observations, and
//! folders with other failures.
//!
//! A result is called like its input, with `.min` after it: no other program uses that name. Files
//! that only a later run of ours reads are in one hidden folder beside the result, so that other
//! tools that read the folder do not treat them as inputs. A name that would be too long for a file
//! system is cut, and has a hash of the whole name.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use seedsmith_grammar::Digest;

/// How the names of results end.
const RESULT: &str = ".min";
/// How the names of folders with other failures end.
const OTHER_FAILURES: &str = ".other-failures";
/// The folder beside a result in which its journal and observations are.
pub(crate) const STATE_FOLDER: &str = ".seedsmith";
/// How the names of journals end.
const JOURNAL: &str = ".journal.jsonl";
/// How the names of stored observations end.
const OBSERVATIONS: &str = ".observations";
/// The ending of the files that record which features each input of a corpus reached.
const FEATURES: &str = ".features";
/// The text between the name of a result that was set aside and the SHA-1 of its content.
const EARLIER: &str = ".earlier-";

/// The longest name that Linux's file systems take, in bytes (`NAME_MAX`).
const MAX_NAME_BYTES: usize = 255;

/// The name of the result of an input with the name `input`.
pub(crate) fn result_name(input: &OsStr) -> OsString {
    ending_with(input, RESULT)
}

/// The name of the result of an input whose name another input of the same run has too: with the
/// first digits of the SHA-1 of its content.
pub(crate) fn distinct_result_name(input: &OsStr, sha1: &str) -> OsString {
    ending_with(input, &format!("-{}{RESULT}", &sha1[..sha1.len().min(8)]))
}

/// Where the journal of a result is.
pub(crate) fn journal_of(result: &Path) -> PathBuf {
    state_of(result, JOURNAL)
}

/// Where the observations of the run that makes a result are.
pub(crate) fn observations_of(result: &Path) -> PathBuf {
    state_of(result, OBSERVATIONS)
}

/// Where the features of the inputs are from which the corpus `result` is chosen.
pub(crate) fn features_of(result: &Path) -> PathBuf {
    state_of(result, FEATURES)
}

/// Where a result goes that another one replaces; `sha1` is that of its content.
pub(crate) fn earlier_of(result: &Path, sha1: &str) -> PathBuf {
    state_of(result, &format!("{EARLIER}{}", &sha1[..sha1.len().min(8)]))
}

/// The folder for other failures that are met while a result is made.
pub(crate) fn other_failures_of(result: &Path) -> PathBuf {
    result.with_file_name(ending_with(result.file_name().unwrap_or_default(), OTHER_FAILURES))
}

/// The path of the input that a result belongs to by its name; any other path as it is. An input's
/// name may end with the ending of its language.
pub(crate) fn input_of(path: &Path) -> PathBuf {
    let name = path.file_name().map(OsStr::as_bytes);
    match name.and_then(|name| name.strip_suffix(RESULT.as_bytes())) {
        Some(input) if !input.is_empty() => path.with_file_name(OsStr::from_bytes(input)),
        _ => path.to_owned(),
    }
}

/// Whether the file or folder at `path` was left there by this program: a folder with other
/// failures, a result beside its input, or a result under another name whose journal is there.
///
/// Costs up to three looks at the disk.
pub(crate) fn is_ours(path: &Path) -> bool {
    is_ours_if(path, &|| path.is_dir(), true)
}

/// The same for a path whose kind the caller knows, or can find out. Without `has_state`, [`STATE_FOLDER`] is known not to be
/// beside it, and most files cost no look at the disk.
pub(super) fn is_ours_if(path: &Path, is_dir: &dyn Fn() -> bool, has_state: bool) -> bool {
    let Some(name) = path.file_name().map(OsStr::as_bytes) else { return false };
    if name.ends_with(OTHER_FAILURES.as_bytes()) || name == STATE_FOLDER.as_bytes() {
        return true;
    }
    let input = input_of(path);
    let is_beside_input = input != path && input.symlink_metadata().is_ok();
    (is_beside_input || has_state) && !is_dir() && (is_beside_input || journal_of(path).is_file())
}

fn state_of(result: &Path, ending: &str) -> PathBuf {
    let name = ending_with(result.file_name().unwrap_or_default(), ending);
    result.with_file_name(STATE_FOLDER).join(name)
}

/// `name` with `ending`, as a name of a file. Of one that would be too long the end is replaced by a
/// hash.
fn ending_with(name: &OsStr, ending: &str) -> OsString {
    let mut bytes = name.as_bytes().to_vec();
    if bytes.len() + ending.len() > MAX_NAME_BYTES {
        let hash = format!("-{:016x}", Digest::of(&bytes).0 as u64);
        let mut cut = MAX_NAME_BYTES - ending.len() - hash.len();
        // Not within a character, if the name is text.
        while cut > 0 && bytes[cut] & 0xc0 == 0x80 {
            cut -= 1;
        }
        bytes.truncate(cut);
        bytes.extend(hash.as_bytes());
    }
    bytes.extend(ending.as_bytes());
    OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_named_after_its_input_and_its_state_is_in_a_hidden_folder() {
        assert_eq!(result_name("crash-1".as_ref()), "crash-1.min");
        let distinct = distinct_result_name("crash-1".as_ref(), "a9993e364706816aba3e");
        assert_eq!(distinct, "crash-1-a9993e36.min");
        let result = Path::new("out/crash-1.min");
        assert_eq!(input_of(result), Path::new("out/crash-1"));
        assert_eq!(input_of(Path::new("a/.min")), Path::new("a/.min"));
        assert_eq!(journal_of(result), Path::new("out/.seedsmith/crash-1.min.journal.jsonl"));
        assert_eq!(observations_of(result), Path::new("out/.seedsmith/crash-1.min.observations"));
        assert_eq!(other_failures_of(result), Path::new("out/crash-1.min.other-failures"));
        assert_eq!(
            earlier_of(result, "a9993e364706816a"),
            Path::new("out/.seedsmith/crash-1.min.earlier-a9993e36")
        );
    }

    #[test]
    fn every_name_can_be_written_however_long_the_inputs_is_and_names_stay_distinct() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(STATE_FOLDER)).unwrap();
        for letter in ["x", "é"] {
            let name = |last: &str| format!("{}{last}", letter.repeat(254 / letter.len()));
            let names = ["a", "b"].map(|last| result_name(name(last).as_ref()));
            assert_ne!(names[0], names[1]);
            assert!(names[0].to_str().is_some(), "a character was cut");
            let result = folder.path().join(&names[0]);
            let state =
                [journal_of(&result), observations_of(&result), earlier_of(&result, "a9993e36")];
            for path in state.iter().chain([&result]) {
                std::fs::write(path, "").unwrap();
            }
            std::fs::create_dir(other_failures_of(&result)).unwrap();
            assert!(is_ours(&result) && is_ours(&other_failures_of(&result)));
        }
    }

    #[test]
    fn a_result_is_known_by_its_input_or_its_journal_and_other_files_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at(STATE_FOLDER)).unwrap();
        for name in ["crash", "crash.min", "jquery.min", "small", ".min", "minimized-from-1"] {
            std::fs::write(at(name), "").unwrap();
        }
        std::fs::write(journal_of(&at("small")), "").unwrap();
        // A name that a user may give to the output folder of `afl-cmin`.
        std::fs::create_dir_all(at("corpus")).unwrap();
        std::fs::create_dir_all(at("corpus.min")).unwrap();
        let ours = ["crash.min", "small", "small.other-failures", STATE_FOLDER];
        assert!(ours.iter().all(|name| is_ours(&at(name))));
        // The last of these names is one that libFuzzer gives to a minimized input.
        let inputs = ["crash", "jquery.min", ".min", "corpus.min", "minimized-from-1"];
        assert!(inputs.iter().all(|name| !is_ours(&at(name))));
    }
}
