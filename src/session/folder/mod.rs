//! Several files as one input: files are deleted first, then each file is shrunk; both steps are
//! repeated until nothing changes.
//!
//! Each step is a separate [`OpenSession`] with its guarantees: the list of files is an input, and
//! so is the content of each file. The folder on disk is always complete: a new one replaces the
//! old one in one step.

pub mod disk;

use std::path::Path;
use std::time::{Duration, Instant};

use seedsmith_engine::Signature;
use seedsmith_engine::internal::{Content, Files, FolderInput, Varies};

use super::error::SessionError;
use super::minimize::Options;
use super::target::OpenTarget;
use super::{End, OpenSession};
use crate::event::{Counts, Event, Reporter, StopReason};
use crate::reduce::{self, Polish, Strategy, UnitKind};

/// Rounds of deleting and shrinking, at most: each has to make something smaller, and few do after
/// the second.
const MAX_ROUNDS: usize = 8;

/// Opens the target for candidates that represent a folder.
pub(crate) type OpenOn<'a> = dyn Fn(FolderInput) -> OpenTarget + 'a;
/// How a file is reduced, by its path and content.
pub(crate) type HowToReduce<'a> = dyn Fn(&Path, &[u8], &str) -> reduce::Options + 'a;
/// Keeps a folder that fails, before it is announced. An error ends the run.
pub(crate) type Keep<'a> = dyn FnMut(&Files) -> std::io::Result<()> + 'a;

/// The result of minimizing a folder.
#[derive(Clone, Debug)]
pub(crate) struct FolderResult {
    /// The files that are left.
    pub files: Files,
    /// Their failure.
    pub signature: Signature,
    /// How the task ended.
    pub end: End,
    /// Counts of all steps.
    pub counts: Counts,
    /// Time from the first step to the last.
    pub elapsed: Duration,
}

/// The settings with which a folder is minimized.
///
/// The caller decides which command is run and where the result goes.
pub(crate) struct FolderTask<'a> {
    /// Opens the target.
    pub open: &'a OpenOn<'a>,
    /// The options of each session. The budget is for all of them together.
    pub options: &'a super::Options,
    /// Chooses reducers for a file.
    pub how: &'a HowToReduce<'a>,
    /// Keeps each folder that fails.
    pub keep: &'a mut Keep<'a>,
}

/// The state of a task.
struct State {
    files: Files,
    signature: Option<Signature>,
    counts: Counts,
    begun: Instant,
    stopped: Option<StopReason>,
    is_unsteady: bool,
}

impl FolderTask<'_> {
    /// Minimizes the folder called `name`.
    ///
    /// # Errors
    ///
    /// The folder does not fail, the target cannot be run, or a folder cannot be written. After the
    /// first step, an error of a session ends the task with the smallest folder so far.
    pub(crate) fn run(
        &mut self,
        name: &Path,
        files: Files,
        reporter: &mut dyn Reporter,
    ) -> Result<FolderResult, SessionError> {
        let mut state = State {
            files,
            signature: None,
            counts: Counts::default(),
            begun: Instant::now(),
            stopped: None,
            is_unsteady: false,
        };
        for _ in 0..MAX_ROUNDS {
            let before = state.files.clone();
            self.step(&mut state, (name, Varies::Chosen), reporter)?;
            // The largest first, as they are now; a link has nothing to shrink.
            let mut order: Vec<usize> = (0..state.files.files.len()).collect();
            order.sort_by_key(|index| std::cmp::Reverse(state.files.files[*index].len()));
            for index in order {
                if state.is_over() || state.files.files[index].is_empty() {
                    continue;
                }
                let path = name.join(&state.files.files[index].path);
                self.step(&mut state, (&path, Varies::Content(index)), reporter)?;
            }
            if state.is_over() || state.files == before {
                break;
            }
        }
        let end = match state.stopped {
            _ if state.is_unsteady => End::Unsteady,
            Some(reason) => End::Stopped(reason),
            None => End::Complete,
        };
        let State { files, signature, counts, begun, .. } = state;
        let signature = signature.expect("the first session has a signature");
        Ok(FolderResult { files, signature, end, counts, elapsed: begun.elapsed() })
    }

    /// Deletes files, or shrinks one.
    fn step(
        &mut self,
        state: &mut State,
        (path, varies): (&Path, Varies),
        reporter: &mut dyn Reporter,
    ) -> Result<(), SessionError> {
        let input = match varies {
            Varies::Chosen => state.files.list(),
            Varies::Content(index) => match &state.files.files[index].content {
                Content::Bytes(bytes, _) => bytes.to_vec(),
                Content::Link(_) => return Ok(()),
            },
        };
        let target = (self.open)(FolderInput { files: state.files.clone(), varies });
        let mut options = self.options.clone();
        let spent = state.begun.elapsed();
        let budget = &mut options.budget;
        budget.max_time = budget.max_time.map(|time| time.saturating_sub(spent));
        budget.max_tests = budget.max_tests.map(|tests| tests.saturating_sub(state.counts.tests));
        let mut session = match OpenSession::open(&target, path, &input, &options, reporter) {
            Ok(session) => session,
            // The folder failed a moment ago: the result so far is kept.
            Err(error) if state.signature.is_some() => return state.end_by(error),
            Err(error) => return Err(error),
        };
        let signature = session.failing().baseline.signature.clone();
        match &state.signature {
            None => {
                state.signature = Some(Signature::clone(&signature));
                self.kept(&state.files)?;
            }
            Some(first) if !self.options.sameness.is_same(first, &signature) => {
                state.is_unsteady = true;
                return Ok(());
            }
            Some(_) => {}
        }
        let reduction = match varies {
            Varies::Chosen => reduce::Options {
                strategy: Strategy::Ddmin,
                format: UnitKind::Lines,
                polish: Polish::Tests(0),
                ..reduce::Options::default()
            },
            Varies::Content(_) => (self.how)(path, &input, &target.name),
        };
        let folder_of = |candidate: &[u8]| match varies {
            Varies::Chosen => state.files.chosen(candidate),
            Varies::Content(index) => state.files.with_content(index, candidate),
        };
        let mut failed = None;
        let interrupt = options.budget.interrupt.clone();
        let minimized = session.minimize(
            &Options { reduction, ..Options::default() },
            None,
            &mut |event: &Event<'_>| {
                if let Event::Reduced { best, .. } = event
                    && failed.is_none()
                    && let Err(error) = (self.keep)(&folder_of(best))
                {
                    interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
                    failed = Some(error);
                }
                reporter.report(event);
            },
        );
        if let Some(error) = failed {
            return Err(not_written(error));
        }
        let minimized = match minimized {
            Ok(minimized) => minimized,
            Err(error) => return state.end_by(error),
        };
        state.counts.calls += minimized.counts.calls;
        state.counts.tests += minimized.counts.tests;
        state.counts.cache_hits += minimized.counts.cache_hits;
        state.counts.executions += minimized.counts.executions;
        state.files = folder_of(&minimized.best);
        match minimized.end {
            End::Complete => {}
            End::Stopped(reason) => state.stopped = Some(reason),
            End::Unsteady => state.is_unsteady = true,
        }
        self.kept(&state.files)
    }

    /// Gives the files to the caller, who writes them to the place of the result.
    fn kept(&mut self, files: &Files) -> Result<(), SessionError> {
        (self.keep)(files).map_err(not_written)
    }
}

impl State {
    /// Whether no further step should be tried: the budget ended, or the folder does not fail
    /// steadily.
    fn is_over(&self) -> bool {
        self.stopped.is_some() || self.is_unsteady
    }

    /// Ends the task with the result so far if the error allows it: if the budget ended, or the
    /// folder does not fail any more. Any other error is returned.
    fn end_by(&mut self, error: SessionError) -> Result<(), SessionError> {
        match error {
            SessionError::Stopped(reason) => self.stopped = Some(reason),
            SessionError::DoesNotFail(_) | SessionError::TooRare { .. } => self.is_unsteady = true,
            error => return Err(error),
        }
        Ok(())
    }
}

/// The path is known where the folder is written.
fn not_written(source: std::io::Error) -> SessionError {
    let path = "the folder of the result".into();
    SessionError::Write { path, source, rescued: None, best: Vec::new() }
}
