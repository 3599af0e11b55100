//! Conditions under which a run counts as failing, as the user gives them.

use std::fmt;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};

use crate::exec::os::process::Ended;
use crate::signature::{Kind, Signature};

/// One condition. A run fails if any of several holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// The program exits with this status.
    Status(i32),
    /// A signal ends the program, or a child of the shell that it is.
    Signal,
    /// The program does not end within the limit.
    Timeout,
    /// Its standard output matches.
    Stdout(Regex),
    /// Its standard error matches.
    Stderr(Regex),
}

impl FromStr for Condition {
    /// The reason why the text is no condition, for a person.
    type Err = String;

    /// Reads `status=N`, `signal`, `timeout`, `stdout=REGEX` or `stderr=REGEX`. In a pattern `^`
    /// and `$` are the ends of a line.
    fn from_str(text: &str) -> Result<Self, String> {
        // As grep has it, a pattern can hold for a line.
        let pattern = |text: &str| {
            let pattern = RegexBuilder::new(text).multi_line(true).build();
            pattern.map_err(|error| error.to_string())
        };
        match text.split_once('=') {
            None if text == "signal" => Ok(Condition::Signal),
            None if text == "timeout" => Ok(Condition::Timeout),
            Some(("status", number)) => match number.parse() {
                Ok(number @ 0..=255) => Ok(Condition::Status(number)),
                _ => Err(format!("{number:?} is no exit status (0 to 255)")),
            },
            Some(("stdout", text)) => Ok(Condition::Stdout(pattern(text)?)),
            Some(("stderr", text)) => Ok(Condition::Stderr(pattern(text)?)),
            _ => Err(format!(
                "{text:?} is none of status=N, signal, timeout, stdout=REGEX, stderr=REGEX"
            )),
        }
    }
}

/// As it is read.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Status(status) => write!(f, "status={status}"),
            Condition::Signal => f.write_str("signal"),
            Condition::Timeout => f.write_str("timeout"),
            Condition::Stdout(pattern) => write!(f, "stdout={pattern}"),
            Condition::Stderr(pattern) => write!(f, "stderr={pattern}"),
        }
    }
}

/// The signature of a run that has ended by itself, if a condition holds. With `crash`, a death by
/// a signal has the signature of the crash; all other conditions of the user are one failure.
///
/// Conditions are looked at in their order, and the first one that holds decides. `crash` costs a
/// search of the output, so it is called only where `signal` is among the conditions.
pub(super) fn failure(
    conditions: &[Condition],
    ended: &Ended,
    crash: impl Fn() -> Option<Signature>,
) -> Option<Signature> {
    let code = ended.status.and_then(|status| status.code());
    for condition in conditions {
        let holds = match condition {
            Condition::Status(wanted) => code == Some(*wanted),
            Condition::Stdout(pattern) => pattern.is_match(&String::from_utf8_lossy(&ended.stdout)),
            Condition::Stderr(pattern) => pattern.is_match(&String::from_utf8_lossy(&ended.stderr)),
            // It would not have ended.
            Condition::Timeout => false,
            Condition::Signal => {
                let signalled = crash().filter(|_| super::report::signal(ended).is_some());
                if signalled.is_some() {
                    return signalled;
                }
                false
            }
        };
        if holds {
            return Some(Signature::of_kind(Kind::Command));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    fn fails(conditions: &[&str], status: i32, stdout: &str, stderr: &str) -> bool {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| text.parse().unwrap()).collect();
        let ended = Ended {
            status: Some(ExitStatus::from_raw(status)),
            fills_memory: false,
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        let crash = || Some(Signature::of_kind(Kind::Abort));
        failure(&conditions, &ended, crash).is_some()
    }

    #[test]
    fn conditions_are_spelled_as_they_are_read_and_others_are_refused() {
        for text in ["status=7", "signal", "timeout", "stdout=a+b", "stderr=x=y"] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
        }
        for text in ["status", "status=300", "status=x", "signal=11", "stdout=(", "exit=1", ""] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_run_fails_if_any_of_several_conditions_holds() {
        assert!(fails(&["status=3"], 3 << 8, "", ""));
        assert!(!fails(&["status=3"], 4 << 8, "", ""));
        assert!(fails(&["status=3", "stderr=oops"], 0, "", "well: oops!"));
        assert!(!fails(&["stdout=oops"], 0, "", "oops"));
        assert!(fails(&["stdout=^oops$"], 0, "well\noops\n", ""));
        assert!(fails(&["signal"], 6, "", ""));
        assert!(!fails(&["signal"], 6 << 8, "", ""));
        assert!(!fails(&["timeout"], 0, "", ""));
    }
}
