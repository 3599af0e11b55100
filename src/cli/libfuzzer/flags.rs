//! libFuzzer's command line: which flags mean something here, and which are the target's.
//!
//! The rules are libFuzzer's (`ParseFlags` and `FuzzerDriver` in its sources): a flag is
//! `-name=value`, the last one of a name counts, a word that begins with two dashes is no flag and
//! is ignored with a warning, and everything after `-ignore_remaining_args=1` is the target's.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

/// The task that libFuzzer is asked for.
///
/// Only the first two are done here; for anything else the target takes the place of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// `-minimize_crash=1`
    Minimize,
    /// `-cleanse_crash=1`
    Cleanse,
    /// Anything else, which is the target's own business.
    PassOn,
}

/// A command line of libFuzzer's, with the target before it.
///
/// All words are kept as they were typed, for the case that the target is started with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// The target's executable.
    pub target: PathBuf,
    /// All that follows it, as typed.
    pub arguments: Vec<OsString>,
    /// The task.
    pub mode: Mode,
    /// Files and folders, as typed.
    pub inputs: Vec<OsString>,
    /// `-exact_artifact_path`
    pub exact_path: Option<PathBuf>,
    /// `-artifact_prefix`
    pub prefix: OsString,
    /// `-max_total_time`, if it is more than 0.
    pub max_total_time: Option<Duration>,
    /// `-runs`, if it is more than 0.
    pub runs: Option<u64>,
    /// `-timeout`, if it is more than 0.
    pub timeout: Option<Duration>,
    /// `-rss_limit_mb`; 0 is no limit.
    pub memory_mb: Option<u64>,
    /// Whether `-detect_leaks=0` was given.
    pub ignores_leaks: bool,
}

/// Flags that libFuzzer removes before it starts the target again.
const OF_THE_PARENT: [&str; 3] = ["minimize_crash", "cleanse_crash", "exact_artifact_path"];
/// Words after this flag are neither flags nor inputs.
const REST: &str = "-ignore_remaining_args=1";

impl CommandLine {
    /// Reads the words after the program's own name; the first of them that is no flag is the
    /// target. `None` if there is no target.
    pub(super) fn read(words: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut words: Vec<OsString> = words.into_iter().collect();
        let at = words.iter().position(|word| !word.as_bytes().starts_with(b"-"))?;
        let target = words.remove(at).into();
        let mut line = CommandLine {
            target,
            arguments: words,
            mode: Mode::PassOn,
            inputs: Vec::new(),
            exact_path: None,
            prefix: OsString::from("./"),
            max_total_time: None,
            runs: None,
            timeout: None,
            memory_mb: None,
            ignores_leaks: false,
        };
        let (mut minimizes, mut cleanses, mut is_inner) = (false, false, false);
        for word in &line.arguments {
            let Some((name, value)) = flag(word) else {
                if !word.as_bytes().starts_with(b"-") {
                    line.inputs.push(word.clone());
                }
                continue;
            };
            match name {
                b"minimize_crash" => minimizes = number(value) != 0,
                b"cleanse_crash" => cleanses = number(value) != 0,
                b"minimize_crash_internal_step" => is_inner = number(value) != 0,
                b"exact_artifact_path" => line.exact_path = Some(value.into()),
                b"artifact_prefix" => line.prefix = value.to_owned(),
                b"max_total_time" => line.max_total_time = seconds(value),
                b"runs" => line.runs = positive(value),
                b"timeout" => line.timeout = seconds(value),
                b"rss_limit_mb" => line.memory_mb = u64::try_from(number(value)).ok(),
                b"detect_leaks" => line.ignores_leaks = number(value) == 0,
                b"ignore_remaining_args" if number(value) != 0 => break,
                _ => {}
            }
        }
        line.mode = match () {
            () if is_inner => Mode::PassOn,
            () if minimizes => Mode::Minimize,
            () if cleanses => Mode::Cleanse,
            () => Mode::PassOn,
        };
        Some(line)
    }

    /// The target's arguments for another input, without the flags that only the parent knows:
    /// those that libFuzzer gives to the processes that it starts.
    pub(super) fn arguments_for(&self, input: &OsStr) -> Vec<OsString> {
        let mut arguments = self.own_flags();
        // The words after it are the target's, and no inputs.
        let rest = arguments.iter().position(|word| word == REST);
        arguments.insert(rest.unwrap_or(arguments.len()), input.to_owned());
        arguments
    }

    /// The flags that the target sees, without inputs.
    ///
    /// Those of the parent are left out: the target would start to minimize by itself.
    pub(super) fn own_flags(&self) -> Vec<OsString> {
        let mut flags = Vec::new();
        let mut is_rest = false;
        for word in &self.arguments {
            let name = flag(word).map(|(name, _)| name);
            let is_parents = OF_THE_PARENT.iter().any(|one| name == Some(one.as_bytes()));
            if is_rest || !(is_parents || self.inputs.contains(word)) {
                flags.push(word.clone());
            }
            is_rest |= word == REST;
        }
        flags
    }
}

/// The name and value of `-name=value`.
fn flag(word: &OsStr) -> Option<(&[u8], &OsStr)> {
    let bytes = word.as_bytes().strip_prefix(b"-")?;
    if bytes.starts_with(b"-") {
        return None;
    }
    let at = bytes.iter().position(|byte| *byte == b'=')?;
    Some((&bytes[..at], OsStr::from_bytes(&bytes[at + 1..])))
}

/// A number as C's `strtol` reads it: text after its digits is ignored, and no digits are 0.
fn number(value: &OsStr) -> i64 {
    let text = value.to_string_lossy();
    let text = text.trim_start();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = digits.find(|one: char| !one.is_ascii_digit()).unwrap_or(digits.len());
    match digits[..end].parse::<i64>() {
        Ok(number) => sign * number,
        Err(_) if end == 0 => 0,
        Err(_) => sign * i64::MAX,
    }
}

/// The number, if it is one above 0: libFuzzer reads 0 as no limit.
fn positive(value: &OsStr) -> Option<u64> {
    u64::try_from(number(value)).ok().filter(|number| *number > 0)
}

/// The number as seconds, if it is one above 0.
fn seconds(value: &OsStr) -> Option<Duration> {
    positive(value).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> CommandLine {
        CommandLine::read(words.split(' ').map(OsString::from)).unwrap()
    }

    fn joined(words: &[OsString]) -> String {
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_command_line_of_clusterfuzz_is_read() {
        let line = read(
            "/out/target -timeout=25 -rss_limit_mb=2560 -max_total_time=145 \
             -exact_artifact_path=/tmp/out -minimize_crash=1 -artifact_prefix=/tmp/work/ -dict=d \
             /tmp/crash",
        );
        assert_eq!((line.mode, line.target.to_str()), (Mode::Minimize, Some("/out/target")));
        assert_eq!(line.exact_path.as_deref(), Some("/tmp/out".as_ref()));
        assert_eq!(line.max_total_time, Some(Duration::from_secs(145)));
        assert_eq!((line.timeout, line.memory_mb), (Some(Duration::from_secs(25)), Some(2560)));
        assert_eq!((line.prefix.to_str(), line.runs), (Some("/tmp/work/"), None));
        assert_eq!(line.inputs, ["/tmp/crash"]);
        let flags = "-timeout=25 -rss_limit_mb=2560 -max_total_time=145 -artifact_prefix=/tmp/work/ -dict=d";
        assert_eq!(joined(&line.own_flags()), flags);
        assert_eq!(joined(&line.arguments_for("other".as_ref())), format!("{flags} other"));
    }

    #[test]
    fn the_last_flag_of_a_name_counts_and_what_is_after_the_last_one_is_the_targets() {
        let line = read(
            "-minimize_crash=0 t in -minimize_crash=1 --runs=3 -runs=-1 -x=y \
             -ignore_remaining_args=1 -minimize_crash=0 more",
        );
        assert_eq!((line.mode, line.runs), (Mode::Minimize, None));
        assert_eq!(line.inputs, ["in"]);
        assert_eq!(
            joined(&line.arguments_for("in2".as_ref())),
            "--runs=3 -runs=-1 -x=y in2 -ignore_remaining_args=1 -minimize_crash=0 more"
        );
    }

    #[test]
    fn what_is_neither_of_the_two_modes_is_passed_on() {
        for words in ["t", "t corpus -fork=2", "t -merge=1 a b", "t -minimize_crash=0 x"] {
            assert_eq!(read(words).mode, Mode::PassOn, "{words}");
        }
        let inner = read("t -minimize_crash=1 -minimize_crash_internal_step=1 x");
        assert_eq!(inner.mode, Mode::PassOn);
        assert_eq!(read("t -cleanse_crash=1 x").mode, Mode::Cleanse);
        assert!(CommandLine::read(["-help=1".into()]).is_none());
    }

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        for (text, expected) in [
            ("12", 12),
            ("-1", -1),
            ("5x", 5),
            ("x", 0),
            ("", 0),
            ("99999999999999999999", i64::MAX),
        ] {
            assert_eq!(number(text.as_ref()), expected, "{text}");
        }
    }
}
