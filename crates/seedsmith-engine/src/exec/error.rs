//! Why a target cannot be run.
//!
//! Each variant is a case that a caller may handle, with its data. The messages name no option of any command.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use super::executable::ExecutableKind;

/// Why a target could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The operating system refused something that every run needs.
    #[error("{doing}")]
    System {
        /// The action, as a fragment that follows "failed to".
        doing: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The file cannot be read as an executable of this system (ELF, 64 bits).
    #[error("{} is not an executable: {reason}", path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// The message of the reader of executables.
        reason: String,
    },
    /// The runtime can't be injected into this executable.
    #[error("{} is not a libFuzzer executable that can be run in process ({})", path.display(), kind.reason())]
    NotInjectable {
        /// The executable.
        path: PathBuf,
        /// How it can be run instead.
        kind: ExecutableKind,
    },
    /// The runtime was injected, and does not find the function that it has to call.
    #[error("the preloaded runtime can't serve it")]
    RuntimeRefused,
    /// Leaks should count as failures, and the executable has no sanitizer that finds them.
    #[error("{} has no sanitizer that finds leaks", path.display())]
    NoLeakSanitizer {
        /// The executable.
        path: PathBuf,
    },
    /// An executable has no coverage counters, or no table of the places that they count.
    #[error(
        "{} has no coverage counters with a table of places; `cargo fuzz build` makes them, and \
         clang's -fsanitize=fuzzer", path.display()
    )]
    NoCoverageCounters {
        /// The executable.
        path: PathBuf,
    },
    /// Compares should be features, and the executable does not call back for them.
    #[error(
        "{} has no traced compares, or this processor is none on which they can be read (x86-64)",
        path.display()
    )]
    NoTracedCompares {
        /// The executable.
        path: PathBuf,
    },
    /// The table of places has another number of entries than there are counters.
    #[error("{} has a table of places that doesn't fit its counters", path.display())]
    BadCoverageTable {
        /// The executable.
        path: PathBuf,
    },
    /// No instrumented function has this name.
    #[error("{} has no instrumented function {function}{}", path.display(), there_are(similar))]
    NoSuchFunction {
        /// The executable.
        path: PathBuf,
        /// The name that was asked for.
        function: String,
        /// A few functions with similar names, in alphabetical order.
        similar: Vec<String>,
    },
    /// A command line without a program.
    #[error("the command is empty")]
    EmptyCommand,
    /// An input that does not fit into the memory that is shared with a worker.
    #[error("inputs of more than {} MB are not supported", max_bytes >> 20)]
    InputTooLarge {
        /// The size of the longest input that fits.
        max_bytes: usize,
    },
    /// A new process has no room for even one input.
    #[error("a new process has no room for the input")]
    NoRoomForInput,
    /// A limit of this process' address space (`RLIMIT_AS`) leaves no room for a slot's mapping.
    #[error(
        "the address space is limited to {} MB, and {} MB are needed: raise `ulimit -v`",
        limit_bytes >> 20, needed_bytes >> 20
    )]
    AddressSpaceLimit {
        /// The limit.
        limit_bytes: u64,
        /// The sum of the address space in use, the slot's, and the part that has to stay free.
        needed_bytes: u64,
    },
    /// The process that forks or starts the target's tests ended or does not answer.
    #[error("the target's zygote is gone: {0}")]
    ZygoteLost(ZygoteLoss),
}

impl TargetError {
    /// Wraps a system error together with the action that failed.
    pub fn system(doing: impl Into<String>, source: impl Into<io::Error>) -> Self {
        TargetError::System { doing: doing.into(), source: source.into() }
    }
}

/// How the process that forks or starts a target's tests was lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZygoteLoss {
    /// It ended before it could fork a worker.
    #[error("it ended with {status} while it was starting{}", after_colon(last_line))]
    EndedWhileStarting {
        /// How it ended.
        status: ExitStatus,
        /// The last line that it printed on stderr, if it printed one.
        last_line: Option<String>,
    },
    /// It could not fork a worker within the time that it has for that.
    #[error("it was not ready after {} s{}", after.as_secs(), after_colon(last_line))]
    NotReady {
        /// How long it was waited for.
        after: Duration,
        /// The last line that it printed on stderr, if it printed one.
        last_line: Option<String>,
    },
    /// It ended while it was serving, and so did those that were started in its place.
    #[error("it ended with {0}, again and again")]
    KeepsEnding(ExitStatus),
    /// It did not answer while it was serving, and neither did those that were started in its place.
    #[error("it did not answer, again and again")]
    KeepsHanging,
    /// The supervisor that starts the tests of a command ended.
    #[error("what starts a command's tests has ended")]
    SupervisorEnded,
    /// The thread that runs the tests of a command ended.
    #[error("the thread that runs commands ended")]
    ThreadEnded,
}

/// `; there are a, b`, or the empty text if there are none.
fn there_are(similar: &[String]) -> String {
    if similar.is_empty() { String::new() } else { format!("; there are {}", similar.join(", ")) }
}

/// `: line`, or nothing.
fn after_colon(line: &Option<String>) -> String {
    line.as_ref().map_or_else(String::new, |line| format!(": {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_not_there_is_told_with_those_that_are() {
        let error = |similar: &[&str]| TargetError::NoSuchFunction {
            path: "/bin/x".into(),
            function: "parse".to_owned(),
            similar: similar.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(error(&[]).to_string(), "/bin/x has no instrumented function parse");
        let shown = error(&["a::parser", "b::parser"]).to_string();
        assert!(shown.ends_with("function parse; there are a::parser, b::parser"), "{shown}");
    }

    #[test]
    fn a_lost_zygote_is_told_with_its_last_line_if_there_is_one() {
        let loss = |last_line| ZygoteLoss::NotReady { after: Duration::from_secs(60), last_line };
        assert_eq!(loss(None).to_string(), "it was not ready after 60 s");
        let shown = TargetError::ZygoteLost(loss(Some("no memory".to_owned()))).to_string();
        assert_eq!(shown, "the target's zygote is gone: it was not ready after 60 s: no memory");
    }
}
