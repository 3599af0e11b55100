//! How a task ended, and remarks about the quality of its result. Both are data: the caller adds
//! the exit code and advice.

use std::fmt;
use std::io;
use std::path::PathBuf;

use seedsmith_engine::StopReason;

/// How a task ended that has a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The search was complete.
    Complete,
    /// The search was stopped; the result is the best until then.
    Stopped(StopReason),
    /// Not even the input fails steadily enough in new processes.
    Unsteady,
}

/// Something to know about a result.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) enum Remark {
    /// The search was stopped; a later session with the same output continues from here.
    Continues,
    /// Continued with the kept observations, some tests are repeated: not all could be kept.
    ObservationsLost,
    /// So many results of tests were taken from an earlier run.
    Recalled(usize),
    /// The inputs of other failures could not be written.
    OtherFailuresNotWritten(io::Error),
    /// So many signatures of other failures were more than are kept.
    OtherFailuresLeftOut(usize),
    /// The journal could not be written to its end.
    JournalIncomplete(io::Error),
    /// Not even the input fails often enough in new processes.
    Unsteady,
    /// The target could not be run any more, for this reason; the result is the best until then.
    TargetLost(String),
    /// There was no time to run the result in new processes, or this kept it from being run.
    NotConfirmed(Option<String>),
    /// A smaller input fails only without a sanitizer.
    SmallerWithoutSanitizer,
    /// Under the sanitizer neither the input nor the result shows this failure, but this.
    OtherWithSanitizer(String),
    /// Under the sanitizer the input shows this failure, and the result another one.
    ResultOtherWithSanitizer(String),
    /// The search began on one executable and continued on another.
    TwoBuilds {
        /// The first executable.
        first: PathBuf,
        /// The one on which the result was found.
        later: PathBuf,
    },
    /// A smaller input may exceed the limit too: each test takes seconds now.
    SmallerMayExceed,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Continues => {
                f.write_str("a later run with the same output continues from here")
            }
            Remark::ObservationsLost => {
                f.write_str("not every answer could be kept: continuing repeats some tests")
            }
            Remark::Recalled(count) => write!(
                f,
                "{count} results reused from the earlier run (counted as tests, not as executions)"
            ),
            Remark::OtherFailuresNotWritten(error) => {
                write!(f, "the other failures could not be written: {error}")
            }
            Remark::OtherFailuresLeftOut(count) => {
                write!(f, "{count} more signatures of other failures were not kept")
            }
            Remark::JournalIncomplete(error) => write!(f, "the journal is not complete: {error}"),
            Remark::Unsteady => {
                f.write_str("not even the input fails often enough in new processes")
            }
            Remark::TargetLost(why) => {
                write!(f, "the search ended because the target cannot be run any more: {why}")
            }
            Remark::NotConfirmed(None) => {
                f.write_str("the result was not run in new processes: the time was over")
            }
            Remark::NotConfirmed(Some(why)) => {
                write!(f, "the result could not be run in new processes: {why}")
            }
            Remark::SmallerWithoutSanitizer => {
                f.write_str("a smaller one fails only without a sanitizer")
            }
            Remark::OtherWithSanitizer(instead) => {
                write!(f, "with a sanitizer neither input nor result fails so: {instead}")
            }
            Remark::ResultOtherWithSanitizer(instead) => {
                write!(f, "with a sanitizer the result shows something else: {instead}")
            }
            Remark::TwoBuilds { first, later } => {
                let (first, later) = (first.display(), later.display());
                write!(f, "the search began on {first} and continued on {later}")
            }
            Remark::SmallerMayExceed => {
                f.write_str("a smaller one may hang too: each test takes seconds now")
            }
        }
    }
}
