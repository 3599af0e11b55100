//! One minimization on two builds of a target: it begins on an executable that is there, and continues
//! on one that is better for searching and is still being built.
//!
//! The first part ends after a fixed number of tests and waits for the build there, also where the
//! build was complete long before. So the candidates that are tested, and the result, do not depend
//! on how long the build takes. A search that ends before never uses the second build.
//!
//! Each part is a separate [`OpenSession`] with a baseline, a cache and a confirmation, and the second one
//! has to show the same failure; otherwise the search continues on the first executable. The journal
//! says in which part a run is, so that a killed run is continued there.

use std::path::Path;
use std::time::Instant;

use seedsmith_engine::StopReason;
use seedsmith_engine::internal::Budget;

use super::OpenSession;
use super::ended::{End, Remark};
use super::error::SessionError;
use super::failing::FailingInput;
use super::minimize::{Minimized, Options};
use super::sanitized::is_same_failure;
use super::saved::output::Output;
use super::saved::record::{FirstPart, first_part};
use super::target::OpenTarget;
use crate::event::{Counts, Event, NoteKind, Reporter};

/// Tests of the first part. A search that shrinks its input in less than half of these ends within
/// them: shrinking a small result further than deletion can takes 10,000 more (see
/// `reduce/polish.rs`), and with 2,000 nearly every search would wait for the build.
pub(crate) const FIRST_TESTS: u64 = 20_000;

/// Why the later build is not used.
const DOES_NOT_FAIL: &str = "the input does not fail without a sanitizer";
const FAILS_OTHERWISE: &str = "without a sanitizer the input fails in another way";
const BEST_DOES_NOT_FAIL: &str = "the best so far does not fail without a sanitizer";

/// A build that may not be complete.
pub(crate) trait LaterBuild {
    /// Waits for the build and opens it. `is_over` gives the reason to stop waiting, if there is one.
    /// The reporter gets a note that it has to wait. A second call gives the same target.
    fn opened(
        &self,
        is_over: &dyn Fn() -> Result<(), StopReason>,
        reporter: &mut dyn Reporter,
    ) -> Later<'_>;
}

/// The outcome of waiting for a build.
pub(crate) enum Later<'t> {
    /// It is open.
    Open(&'t OpenTarget),
    /// It cannot be built or opened; why, on one line.
    Failed(String),
    /// There was a reason to stop waiting.
    Over(StopReason),
}

/// A minimization that begins on one build and continues on another.
pub(crate) struct TwoBuilds<'t> {
    /// The build that is there.
    pub first: &'t OpenTarget,
    /// The one that is not.
    pub later: &'t dyn LaterBuild,
    /// The input's file.
    pub path: &'t Path,
    /// The input.
    pub input: &'t [u8],
    /// The options of both sessions; the budget is for both together.
    pub session: &'t super::Options,
    /// How to minimize.
    pub options: &'t Options,
    /// Where the result goes.
    pub output: Option<&'t Output>,
}

/// A failing input, and its minimization.
pub(crate) type Found<'t> = (FailingInput<'t>, Minimized);

impl<'t> TwoBuilds<'t> {
    /// Minimizes the input. The failing input that is returned has the target of the last part.
    ///
    /// # Errors
    ///
    /// Those of [`OpenSession::open`] on the first build, and those of [`OpenSession::minimize`].
    pub(crate) fn minimize(&self, reporter: &mut dyn Reporter) -> Result<Found<'t>, SessionError> {
        let started = Instant::now();
        let max_tests = self.session.budget.max_tests;
        let mut session = self.open(
            self.first,
            Budget {
                max_tests: Some(max_tests.map_or(FIRST_TESTS, |most| most.min(FIRST_TESTS))),
                ..self.session.budget.clone()
            },
            reporter,
        )?;
        let done = self
            .output
            .and_then(|output| first_part(session.failing(), output, self.options, FIRST_TESTS));
        let (part, minimized) = match done {
            Some(part) => (part, None),
            None => {
                let minimized = session.minimize(self.options, self.output, reporter)?;
                let is_first = minimized.stopped == Some(StopReason::Tests)
                    && max_tests.is_none_or(|most| most > FIRST_TESTS);
                if !is_first {
                    return Ok((session.into_failing(), minimized));
                }
                let best = Some(minimized.best.clone());
                (FirstPart { tests: minimized.counts.tests, best }, Some(minimized))
            }
        };
        let failing = session.into_failing();
        let second = SecondPart { of: self, part, failing, minimized, started };
        second.minimize(reporter)
    }

    fn open(
        &self,
        target: &'t OpenTarget,
        budget: Budget,
        reporter: &mut dyn Reporter,
    ) -> Result<OpenSession<'t>, SessionError> {
        let options = super::Options { budget, ..self.session.clone() };
        OpenSession::open(target, self.path, self.input, &options, reporter)
    }
}

/// The search after the first part.
struct SecondPart<'m, 't> {
    of: &'m TwoBuilds<'t>,
    part: FirstPart,
    /// The input on the first build.
    failing: FailingInput<'t>,
    /// The result of the first part, if this run has done it.
    minimized: Option<Minimized>,
    started: Instant,
}

/// The outcome of trying a build.
enum Tried<'t> {
    /// It shows the failure.
    Shows(Box<OpenSession<'t>>),
    /// It does not, for this reason.
    ShowsNot(String),
    /// There was no time to see.
    Over(StopReason),
}

impl<'t> SecondPart<'_, 't> {
    fn minimize(self, reporter: &mut dyn Reporter) -> Result<Found<'t>, SessionError> {
        let budget = &self.of.session.budget;
        let is_over = || budget.check_time(self.started);
        let tried = match self.of.later.opened(&is_over, reporter) {
            Later::Over(reason) => Tried::Over(reason),
            Later::Failed(why) => Tried::ShowsNot(why),
            Later::Open(target) => self.try_on(target, reporter)?,
        };
        let session = match tried {
            Tried::Over(reason) => return self.ended_early(reason),
            Tried::Shows(session) => {
                reporter.report(&Event::Note(
                    NoteKind::Build,
                    "the search continues on the build without a sanitizer",
                ));
                *session
            }
            Tried::ShowsNot(why) => {
                reporter.report(&Event::Note(
                    NoteKind::Build,
                    &format!("{why}: the search continues on the first build"),
                ));
                match self.of.open(self.failing.target, self.budget(), reporter) {
                    Err(SessionError::Stopped(reason)) => return self.ended_early(reason),
                    opened => opened?,
                }
            }
        };
        self.search(session, reporter)
    }

    /// The rest of the budget.
    fn budget(&self) -> Budget {
        let whole = &self.of.session.budget;
        let spent = self.spent().tests;
        Budget {
            max_tests: whole.max_tests.map(|most| most.saturating_sub(spent)),
            max_time: whole.max_time.map(|most| most.saturating_sub(self.started.elapsed())),
            interrupt: whole.interrupt.clone(),
        }
    }

    /// The cost of the first part, as far as it counts for this run: a run that is resumed counts
    /// as one that was never stopped.
    fn spent(&self) -> Counts {
        match &self.minimized {
            Some(minimized) => minimized.counts,
            None if self.of.options.resumes => {
                Counts { calls: self.part.tests, tests: self.part.tests, ..Counts::default() }
            }
            None => Counts::default(),
        }
    }

    /// Opens the later build and looks whether it shows the same failure, for the input and for the
    /// best.
    fn try_on(
        &self,
        target: &'t OpenTarget,
        reporter: &mut dyn Reporter,
    ) -> Result<Tried<'t>, SessionError> {
        let mut session = match self.of.open(target, self.budget(), reporter) {
            Ok(session) => session,
            Err(SessionError::Stopped(reason)) => return Ok(Tried::Over(reason)),
            Err(SessionError::Target { source, .. }) => {
                return Ok(Tried::ShowsNot(format!(
                    "the build without a sanitizer cannot be run ({source})"
                )));
            }
            Err(_) => return Ok(Tried::ShowsNot(DOES_NOT_FAIL.to_owned())),
        };
        if !is_same_failure(session.failing(), &self.failing) {
            let instead = &session.failing().baseline.signature;
            return Ok(Tried::ShowsNot(format!("{FAILS_OTHERWISE} ({instead})")));
        }
        let shows = self.part.best.as_ref().map_or(Ok(true), |best| session.shows(best));
        match shows {
            Ok(true) => Ok(Tried::Shows(Box::new(session))),
            Ok(false) => Ok(Tried::ShowsNot(BEST_DOES_NOT_FAIL.to_owned())),
            Err(SessionError::Stopped(reason)) => Ok(Tried::Over(reason)),
            Err(error) => Err(error),
        }
    }

    /// Continues the search, and returns the result of both parts together.
    fn search(
        self,
        mut session: OpenSession<'t>,
        reporter: &mut dyn Reporter,
    ) -> Result<Found<'t>, SessionError> {
        let spent = self.spent();
        let before = self.started.elapsed();
        let is_begun = self.minimized.is_some();
        let mut both = |event: &Event<'_>| match event {
            Event::Started { .. } if is_begun => {}
            Event::Reduced { best, counts, elapsed } => reporter.report(&Event::Reduced {
                best,
                counts: spent + *counts,
                elapsed: before + *elapsed,
            }),
            Event::Progress { counts, bytes, elapsed } => reporter.report(&Event::Progress {
                counts: spent + *counts,
                bytes: *bytes,
                elapsed: before + *elapsed,
            }),
            _ => reporter.report(event),
        };
        let (options, output) = (self.of.options, self.of.output);
        let mut minimized = session.minimize_after(Some(&self.part), options, output, &mut both)?;
        let failing = session.into_failing();
        minimized.counts = spent + minimized.counts;
        minimized.elapsed = self.started.elapsed();
        if let Some(first) = self.minimized {
            minimized.recalled += first.recalled;
            minimized.stats.splice(..0, first.stats);
            let mut other_failures = first.other_failures;
            other_failures
                .retain(|one| minimized.other_failures.iter().all(|other| other.path != one.path));
            minimized.other_failures.splice(..0, other_failures);
        }
        let executables = (&self.failing.target.executable, &failing.target.executable);
        if let (Some(first), Some(later)) = executables
            && first != later
        {
            let (first, later) = (first.clone(), later.clone());
            minimized.remarks.push(Remark::TwoBuilds { first, later });
        }
        Ok((failing, minimized))
    }

    /// The first part's result, where the run ends for this reason before the second begins.
    fn ended_early(self, reason: StopReason) -> Result<Found<'t>, SessionError> {
        let Some(mut minimized) = self.minimized else {
            return Err(SessionError::Stopped(reason));
        };
        minimized.stopped = Some(reason);
        if minimized.end != End::Unsteady {
            minimized.end = End::Stopped(reason);
        }
        minimized.elapsed = self.started.elapsed();
        Ok((self.failing, minimized))
    }
}
