//! The folders in which fuzzers save their findings: which of the files are inputs, and which facts
//! about the failure are in a name.
//!
//! Only names are read, never contents, and only names that a fuzzer gives: every other file in a
//! folder counts as an input. Checked with the folders of AFL++ 4.04, afl.rs 0.18, honggfuzz 2.6,
//! bolero 0.13, Go 1.19 and libFuzzer 14. The names that libafl and Jazzer give were only read
//! about, not seen in real folders.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// AFL++'s folders within the folder of one of its processes. A resumed run renames them to
/// `crashes.2026-11-22-…`.
const AFL_FINDINGS: [&str; 2] = ["crashes", "hangs"];
/// Always in the folder of one of AFL++'s processes.
const AFL_STATISTICS: &str = "fuzzer_stats";
/// In AFL++'s folders of findings, beside them.
const AFL_README: &str = "README.txt";
/// Always in a folder with honggfuzz's findings, beside which its corpus may lie.
const HONGGFUZZ_REPORT: &str = "HONGGFUZZ.REPORT.TXT";
/// How the names of honggfuzz's findings end.
const HONGGFUZZ_FINDING: &str = ".fuzz";
/// bolero's folder beside the source of a test; below it is a folder for each test.
const BOLERO_FOLDER: &str = "__fuzz__";
/// Of which this one holds the findings.
const BOLERO_FINDINGS: &str = "crashes";
/// Endings of files that libafl writes beside an input, in versions that do not hide them.
const LIBAFL_ENDINGS: [&str; 2] = [".lafl_lock", ".metadata"];
/// How the names of inputs begin that take too long: libFuzzer's, Atheris' and Jazzer's; and
/// honggfuzz's, which is the signal of its timer.
const TIMEOUTS: [&str; 2] = ["timeout-", "SIGVTALRM.PC."];

/// Which names in `folder` are those of inputs, or of folders with inputs. `has` says whether a name is in it.
pub(crate) fn inputs_among<'f>(
    folder: &Path,
    has: &'f dyn Fn(&OsStr) -> bool,
) -> impl Fn(&OsStr) -> bool + 'f {
    let has_one = |name: &str| has(name.as_ref());
    let is_afls = has_one(AFL_STATISTICS) && AFL_FINDINGS.into_iter().any(has_one);
    let is_honggfuzzs = has_one(HONGGFUZZ_REPORT);
    let is_boleros = folder.iter().any(|part| part == BOLERO_FOLDER) && has_one(BOLERO_FINDINGS);
    let has_readme =
        folder.file_name().is_some_and(|name| is_afl_findings(&name.to_string_lossy()));
    move |whole| {
        let name = &*whole.to_string_lossy();
        let before = |ending: &&str| whole.as_bytes().strip_suffix(ending.as_bytes());
        match () {
            () if is_afls => is_afl_findings(name),
            () if is_honggfuzzs => name.ends_with(HONGGFUZZ_FINDING),
            () if is_boleros => name == BOLERO_FINDINGS,
            () if has_readme && name == AFL_README => false,
            () => match LIBAFL_ENDINGS.iter().find_map(before) {
                Some(input) => !has(OsStr::from_bytes(input)),
                None => !is_jazzers_reproducer(name),
            },
        }
    }
}

/// Whether the path of an input says that the fuzzer took it for a hang.
pub(crate) fn expects_hang(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    TIMEOUTS.iter().any(|begin| name.starts_with(begin)) || is_afl_hang(path)
}

/// Whether AFL++ calls an input a hang: one that takes longer than a second by default, which is
/// far less than other fuzzers allow.
pub(crate) fn is_afl_hang(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).map(OsStr::to_string_lossy);
    let is_in_hangs = folder.is_some_and(|folder| is_named(&folder, "hangs"));
    is_in_hangs && (name.starts_with("id:") || name.starts_with("id_"))
}

fn is_afl_findings(name: &str) -> bool {
    AFL_FINDINGS.iter().any(|findings| is_named(name, findings))
}

/// `crashes`, or `crashes.` and a date.
fn is_named(name: &str, expected: &str) -> bool {
    name.strip_prefix(expected).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// `Crash_1f….java`, beside the input `crash-1f…`.
fn is_jazzers_reproducer(name: &str) -> bool {
    let digest = name.strip_prefix("Crash_").and_then(|rest| rest.strip_suffix(".java"));
    digest.is_some_and(|digest| digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &str, names: &[&str]) -> Vec<String> {
        let has = |name: &OsStr| names.iter().any(|one| *one == name);
        let is_input = inputs_among(Path::new(folder), &has);
        names.iter().filter(|name| is_input(name.as_ref())).map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn of_afls_folder_crashes_and_hangs_are_read_without_their_readme() {
        let instance = ["cmdline", "crashes", "crashes.2026-11-22-10:00:00", "fuzz_bitmap"];
        let more = ["fuzzer_setup", "fuzzer_stats", "hangs", "plot_data", "queue"];
        let names = [&instance[..], &more].concat();
        assert_eq!(
            kept("out/default", &names),
            ["crashes", "crashes.2026-11-22-10:00:00", "hangs"]
        );
        let crash = "id:000000,sig:06,src:000000,time:23,execs:857,op:havoc,rep:2";
        assert_eq!(kept("out/default/crashes", &["README.txt", crash]), [crash]);
        assert_eq!(kept("out/default/crashes.2026-11-22-10:00:00", &["README.txt"]), [""; 0]);
        // A folder of another fuzzer's seeds keeps its README.
        assert_eq!(kept("seeds", &["README.txt", "queue"]), ["README.txt", "queue"]);
    }

    #[test]
    fn of_honggfuzzs_folder_its_findings_are_read() {
        let crash = "SIGABRT.PC.7ffff7a.STACK.18.CODE.-6.ADDR.0.INSTR.mov____%eax,%ebp.fuzz";
        let names = ["HONGGFUZZ.REPORT.TXT", crash, "input"];
        assert_eq!(kept("hfuzz_workspace/parse", &names), [crash]);
    }

    #[test]
    fn of_boleros_folder_crashes_are_read() {
        let folder = "src/__fuzz__/tests__parse";
        assert_eq!(kept(folder, &["afl_state", "corpus", "crashes"]), ["crashes"]);
        assert_eq!(kept("other", &["corpus", "crashes"]), ["corpus", "crashes"]);
    }

    #[test]
    fn what_libafl_and_jazzer_write_beside_an_input_is_none() {
        let names = ["8f2a", "8f2a.metadata", "8f2a.lafl_lock", "song.metadata"];
        assert_eq!(kept("solutions", &names), ["8f2a", "song.metadata"]);
        let names = ["Crash_1f0e.java", "Crash_test.java", "crash-1f0e"];
        assert_eq!(kept(".", &names), ["Crash_test.java", "crash-1f0e"]);
    }

    #[test]
    fn names_tell_which_inputs_are_hangs() {
        for hang in [
            "out/default/hangs/id:000000,src:000008",
            "out/default/hangs.2026-11-22/id:000000,src:000008",
            "artifacts/parse/timeout-0a1b",
            "w/SIGVTALRM.PC.55.STACK.1.CODE.0.ADDR.0.INSTR.x.fuzz",
        ] {
            assert!(expects_hang(Path::new(hang)), "{hang}");
        }
        for other in ["out/default/crashes/id:000000,sig:06", "hangs/mine", "crash-1", "a/timeout"]
        {
            assert!(!expects_hang(Path::new(other)), "{other}");
        }
        assert!(!is_afl_hang(Path::new("artifacts/parse/timeout-0a1b")));
    }
}
