//! A session: one input on one target, with the options of all its tasks.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{GeneralizeOptions, MinimizeOptions, RepairOptions, Repaired, Target};
use crate::event::{Reporter, Silent};
use crate::session::error::SessionError;
use crate::session::generalize::{Generalization, Named};
use crate::session::language::StructureChoice;
use crate::session::minimize::Minimized;
use crate::session::repair::{RepairError, RunOptions, repair_text};
use crate::session::target::OpenTarget;
use crate::session::{self, OpenSession};
use seedsmith_engine::Repeat;
use seedsmith_engine::Rule;

/// One input on one target, and the tasks that can be done with it.
///
/// Each task opens the target, and repeats the input before anything else. An input that it finds has
/// failed in a worker that had run nothing before, and is run again in new processes at the end. Results are the
/// same for any number of [`jobs`](Session::jobs).
///
/// ```
/// use std::time::Duration;
/// use seedsmith::{Event, MinimizeOptions, Session, Target};
///
/// let target = Target::closure(|bytes| bytes.contains(&b'<'));
/// let mut steps = 0;
/// let minimized = Session::new(&target, b"a < b")
///     .named("query.sql")
///     .max_time(Duration::from_secs(60))
///     .reporter(|event: &Event<'_>| steps += usize::from(matches!(event, Event::Reduced { .. })))
///     .minimize(&MinimizeOptions::new())?;
/// assert_eq!(minimized.bytes(), b"<");
/// assert!(steps > 0);
/// # Ok::<(), seedsmith::SessionError>(())
/// ```
pub struct Session<'a> {
    target: &'a Target,
    input: Vec<u8>,
    name: PathBuf,
    options: session::Options,
    reporter: Box<dyn Reporter + 'a>,
}

impl<'a> Session<'a> {
    /// A session with `input` on `target`: one job, no limits, and the default rule for the same
    /// failure. Nothing is run yet.
    pub fn new(target: &'a Target, input: &[u8]) -> Self {
        Session {
            target,
            input: input.to_vec(),
            name: PathBuf::from("input"),
            options: session::Options::default(),
            reporter: Box::new(Silent),
        }
    }

    /// The name of the input's file, which does not have to exist. A command is given files of this
    /// name, and its ending shows the input's language.
    #[must_use]
    pub fn named(mut self, name: impl Into<PathBuf>) -> Self {
        self.name = name.into();
        self
    }

    /// How many workers run side by side, at most. Only the speed depends on it.
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.options.jobs = jobs;
        self
    }

    /// Ends a task after `tests` different candidates, with the best until then.
    #[must_use]
    pub fn max_tests(mut self, tests: u64) -> Self {
        self.options.budget.max_tests = Some(tests);
        self
    }

    /// Ends a task after that time, with the best until then.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.options.budget.max_time = Some(time);
        self
    }

    /// Ends a task, with the best until then, when another thread or a signal handler sets the flag.
    #[must_use]
    pub fn interrupted_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.options.budget.interrupt = flag;
        self
    }

    /// How much processor time one test may take; an input that takes longer hangs. By default it
    /// is ten times the input's time, and ten seconds at most.
    #[must_use]
    pub fn test_time(mut self, limit: Duration) -> Self {
        self.options.limits = self.options.limits.with_time(limit);
        self.options.fits_time = false;
        self
    }

    /// How many megabytes (2^20 bytes) of memory one test may take; 0 is no limit. The default is 2048.
    #[must_use]
    pub fn test_memory_mb(mut self, limit: u64) -> Self {
        self.options.limits.memory_mb = limit;
        self
    }

    /// When two failures are the same. The default compares the facts that distinguish bugs, by the
    /// kind of failure: the place of a panic, some functions of a crash.
    #[must_use]
    pub fn same(mut self, rule: Rule) -> Self {
        self.options.sameness.rule = rule;
        self
    }

    /// Runs each candidate up to `times` times, for a failure that does not always show. By default
    /// the first runs of the input show how often.
    #[must_use]
    pub fn repeat(mut self, times: u32) -> Self {
        self.options.repeat = Repeat::Times(times);
        self
    }

    /// Passes each event of a task to `reporter`, in this thread; a closure that takes `&Event` is
    /// a reporter. A better input is on disk, if it is saved at all, before the reporter gets its
    /// event.
    #[must_use]
    pub fn reporter(mut self, reporter: impl Reporter + 'a) -> Self {
        self.reporter = Box::new(reporter);
        self
    }

    /// Searches for the smallest input with the same failure, and saves it if the options name a file.
    ///
    /// # Errors
    ///
    /// The input does not fail, or too rarely; the target cannot be run; the result cannot be written.
    /// A limit that ends the search is no error.
    pub fn minimize(&mut self, options: &MinimizeOptions) -> Result<Minimized, SessionError> {
        let output = options.output_of(&self.name, &self.input)?;
        let target = self.target.open(&self.name)?;
        let task = options.task((&self.name, &self.input), &target.name)?;
        let mut session = self.open(&target)?;
        session.minimize(&task, output.as_ref(), &mut *self.reporter)
    }

    /// Finds the pattern that makes the input fail, and makes further inputs that fail.
    ///
    /// # Errors
    ///
    /// As for [`Session::minimize`].
    pub fn generalize(
        &mut self,
        options: &GeneralizeOptions,
    ) -> Result<Generalization, SessionError> {
        let target = self.target.open(&self.name)?;
        let StructureChoice { language, .. } = options.structure();
        let named = Named::of(&language, (&self.name, &self.input), &target.name)
            .map_err(|error| SessionError::Language(error.into()))?;
        let session = self.open(&target)?;
        session.generalize(named, &options.task(), &mut *self.reporter)
    }

    /// Searches for a valid input that is as close as possible to this one, which is invalid.
    ///
    /// The reporter gets no events, and the rules for failures have no effect.
    ///
    /// # Errors
    ///
    /// The target cannot be run, is not deterministic, or accepts everything. It is no error if no
    /// valid input is found.
    pub fn repair(&self, options: &RepairOptions) -> Result<Repaired, RepairError> {
        let run = RunOptions {
            repair: options.options(),
            jobs: self.options.jobs,
            limits: self.options.limits,
            budget: self.options.budget.clone(),
            ..RunOptions::default()
        };
        repair_text(self.target, &self.input, &run).map(Repaired::from)
    }

    fn open<'t>(&mut self, target: &'t OpenTarget) -> Result<OpenSession<'t>, SessionError> {
        let (name, input) = (&self.name, &self.input);
        OpenSession::open(target, name, input, &self.options, &mut *self.reporter)
    }
}
