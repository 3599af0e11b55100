//! The exit codes, in one table for all commands, and errors that carry one.
//!
//! A code is part of the interface: scripts read it. Nothing here prints; the text of a
//! [`Trouble`] is one line, said by `report`.

use std::fmt;
use std::process::ExitCode;

/// How a program ended.
///
/// The numbers are documented for users and do not change. The help of each command lists those
/// that it ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// Done, also when nothing could go.
    Done = 0,
    /// The input doesn't show a failure.
    DoesNotFail = 1,
    /// Wrong arguments, no such input, a bad grammar or configuration file.
    Usage = 2,
    /// A budget ended; the best is written.
    BudgetOver = 3,
    /// The failure is not steady enough for the wanted confidence.
    Unsteady = 4,
    /// The target can't be found, built or run.
    Target = 5,
    /// Reading or writing failed.
    Files = 6,
    /// A bug of this program.
    OurBug = 70,
    /// `bisect` only: the commit cannot be tested, so git skips it.
    CannotTell = 125,
    /// `bisect` only: no commit can be tested, so git stops.
    StopsBisect = 128,
    /// SIGHUP came: the terminal was closed; the best is written.
    HungUp = 129,
    /// SIGINT came; the best is written.
    Interrupted = 130,
    /// SIGTERM came; the best is written.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Expected trouble: a line for the user and the code to end with.
///
/// It is printed by the reporter, once, at the end of the command.
#[derive(Debug)]
pub(super) struct Trouble {
    /// The code.
    pub exit: Exit,
    /// The error with its causes, and advice for the user.
    pub cause: anyhow::Error,
}

impl Trouble {
    /// Trouble that is reported by an error and its causes.
    pub(super) fn by(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Trouble { exit, cause: error.into() }
    }

    /// Trouble that is reported by `message` alone.
    pub(super) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Trouble { exit, cause: anyhow::anyhow!("{message}") }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.cause)
    }
}

/// Gives an error the code that it ends the program with.
pub(super) trait OrExit<T> {
    /// The value, or trouble that ends with `exit` and says `doing` before the error's own words.
    fn or_exit(self, exit: Exit, doing: impl FnOnce() -> String) -> Result<T, Trouble>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit, doing: impl FnOnce() -> String) -> Result<T, Trouble> {
        self.map_err(|error| Trouble { exit, cause: error.into().context(doing()) })
    }
}
