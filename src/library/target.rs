//! The targets that a program can name: closures, functions, executables and commands, before they are
//! opened.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::session::repair::{OpenError, Validators};
use crate::session::target::open::{OpenTargetError, open_command, open_executable, open_linked};
use crate::session::target::{CommandLine, OpenTarget};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::{CommandMode, Workplace};
use seedsmith_engine::{Observation, Verdict};

/// The program, function or command that an input is run on. Nothing is started or read before a
/// task of a [`Session`](crate::Session) opens it.
#[derive(Clone)]
pub struct Target {
    source: Source,
}

/// A closure that says whether an input fails, shared by all threads of a task.
type Fails = Arc<Mutex<dyn FnMut(&[u8]) -> bool + Send>>;

#[derive(Clone)]
enum Source {
    Closure(Fails),
    Linked(String),
    Executable { path: PathBuf, finds_leaks: bool },
    Command(CommandLine),
}

impl Target {
    /// A closure that returns true for an input that fails.
    ///
    /// It is called in this process, so it must neither crash nor hang. For a repair, an input is
    /// valid if the closure returns false.
    ///
    /// ```
    /// use seedsmith::{MinimizeOptions, Session, Target};
    ///
    /// let target = Target::closure(|bytes| bytes.windows(2).any(|pair| pair == b"<<"));
    /// let minimized = Session::new(&target, b"select a << b;").minimize(&MinimizeOptions::new())?;
    /// assert_eq!(minimized.bytes(), b"<<");
    /// # Ok::<(), seedsmith::SessionError>(())
    /// ```
    pub fn closure(fails: impl FnMut(&[u8]) -> bool + Send + 'static) -> Self {
        Target { source: Source::Closure(Arc::new(Mutex::new(fails))) }
    }

    /// The function of this program that was given to [`serve`](crate::serve), which is the first
    /// thing that `main` calls. `name` is for messages.
    ///
    /// The function runs in workers, which are this program again, so it may crash and hang. It
    /// returns [`Verdict::Reject`](crate::Verdict::Reject) for invalid inputs.
    ///
    /// ```no_run
    /// use seedsmith::{MinimizeOptions, Session, Target};
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     seedsmith::serve(|bytes: &[u8]| {
    ///         let _ = std::str::from_utf8(bytes).map(str::parse::<f64>);
    ///     });
    ///     let target = Target::linked("parse");
    ///     let input = std::fs::read("crash-1")?;
    ///     let minimized = Session::new(&target, &input).minimize(&MinimizeOptions::new())?;
    ///     println!("{minimized}");
    ///     Ok(())
    /// }
    /// ```
    pub fn linked(name: impl Into<String>) -> Self {
        Target { source: Source::Linked(name.into()) }
    }

    /// A libFuzzer executable, as `cargo fuzz build` makes it; or a harness of AFL++ or honggfuzz.
    ///
    /// ```no_run
    /// use seedsmith::{MinimizeOptions, Session, Target};
    ///
    /// let target = Target::executable("fuzz/target/x86_64-unknown-linux-gnu/release/parse");
    /// let input = std::fs::read("fuzz/artifacts/parse/crash-1")?;
    /// let minimized = Session::new(&target, &input).minimize(&MinimizeOptions::new())?;
    /// println!("{minimized}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn executable(path: impl Into<PathBuf>) -> Self {
        Target { source: Source::Executable { path: path.into(), finds_leaks: false } }
    }

    /// A program and its arguments, one process a test. The argument `{}` is the file with the
    /// candidate, which is on standard input too.
    ///
    /// An input fails if the program ends with status 0 for it or crashes; the first runs of the
    /// input show which of the two it is. For a repair, status 0 means that an input is valid. Each test
    /// has a new folder as its current folder.
    ///
    /// ```
    /// use seedsmith::{MinimizeOptions, Session, Target};
    ///
    /// let target = Target::command(["grep", "-q", "BUG", "{}"]);
    /// let minimized = Session::new(&target, b"a BUG").minimize(&MinimizeOptions::new())?;
    /// assert_eq!(minimized.bytes(), b"BUG");
    /// # Ok::<(), seedsmith::SessionError>(())
    /// ```
    pub fn command<W: Into<OsString>>(words: impl IntoIterator<Item = W>) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        Target { source: Source::Command(CommandLine::new(words)) }
    }

    /// Runs a command in the current folder of this process, one test at a time, for programs that
    /// need files there. It has no effect on other targets.
    #[must_use]
    pub fn in_current_folder(mut self) -> Self {
        if let Source::Command(line) = &mut self.source {
            line.workplace = Workplace::Shared;
        }
        self
    }

    /// Counts memory leaks as failures, in an executable with a sanitizer that finds them. It has no
    /// effect on other targets.
    #[must_use]
    pub fn finding_leaks(mut self) -> Self {
        if let Source::Executable { finds_leaks, .. } = &mut self.source {
            *finds_leaks = true;
        }
        self
    }

    /// The target, ready to be run on candidates that are named like `input`.
    pub(crate) fn open(&self, input: &Path) -> Result<OpenTarget, OpenTargetError> {
        match &self.source {
            Source::Closure(fails) => {
                let fails = fails.clone();
                Ok(OpenTarget::new(Box::new(ClosureTarget::failing_if(move |bytes| {
                    ask(&fails, bytes)
                }))))
            }
            Source::Linked(name) => open_linked(name),
            Source::Executable { path, finds_leaks } => open_executable(path, *finds_leaks),
            Source::Command(line) if line.argv.is_empty() => Err(OpenTargetError::NoProgram),
            Source::Command(line) => Ok(open_command(line, input)),
        }
    }
}

/// The closure's result for `bytes`. A panic of it ends the task, and leaves the lock usable.
fn ask(fails: &Fails, bytes: &[u8]) -> bool {
    (fails.lock().unwrap_or_else(PoisonError::into_inner))(bytes)
}

impl fmt::Display for Target {
    /// The name that messages use.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Closure(_) => f.write_str("closure"),
            Source::Linked(name) => f.write_str(name),
            Source::Executable { path, .. } => path.display().fmt(f),
            Source::Command(line) => {
                f.write_str(&line.argv.first().cloned().unwrap_or_default().to_string_lossy())
            }
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

/// For repairs: an input that fails or is rejected is invalid.
impl Validators for Target {
    fn name(&self) -> String {
        self.to_string()
    }

    fn open(&self, input: &Path) -> Result<Box<dyn seedsmith_engine::Target>, OpenError> {
        match &self.source {
            Source::Closure(fails) => {
                let fails = fails.clone();
                Ok(Box::new(ClosureTarget::observing(move |bytes| {
                    let verdict = if ask(&fails, bytes) { Verdict::Reject } else { Verdict::Keep };
                    Observation::Returned(verdict)
                })))
            }
            Source::Command(line) if !line.argv.is_empty() => {
                Ok(Box::new(line.target(CommandMode::ExitZeroIsValid, input)))
            }
            _ => Ok(Target::open(self, input)?.target),
        }
    }
}
