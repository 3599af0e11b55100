//! `-minimize_crash=1`: one session in place of libFuzzer's loop of processes.
//!
//! The first and the last run are libFuzzer's own, in processes as it starts them: their output
//! holds the reports that callers read, and the sanitizer's names for the two failures (dedup
//! tokens), which have to be the same.

use std::path::Path;
use std::time::Instant;

use super::artifact::Artifact;
use super::bests::Bests;
use super::flags::CommandLine;
use super::run::{self, Shown};
use super::{End, Refusal};
use crate::cli::interrupt::Interrupt;
use crate::corpus::read_input;
use crate::event::Event;
use crate::report::{LibFuzzerLines, note_in_words};
use crate::session::OpenSession;
use crate::session::error::SessionError;
use seedsmith_engine::internal::ScratchFolder;

/// libFuzzer refuses to minimize inputs that are smaller.
const MIN_INPUT_BYTES: usize = 2;

/// Minimizes the only input.
///
/// The target is run on the file before and after the search, in processes as libFuzzer starts
/// them. Callers read their output.
///
/// # Errors
///
/// A [`Refusal`]: then the target is started in place of this program, and libFuzzer does the task.
pub(super) fn run(
    line: &CommandLine,
    interrupt: &Interrupt,
    lines: &mut LibFuzzerLines,
) -> Result<End, Refusal> {
    let [input] = line.inputs.as_slice() else {
        lines.error("-minimize_crash should be given one input file");
        return Ok(End::Error);
    };
    let path = Path::new(input);
    let bytes = read(path, interrupt, lines)?;
    if line.max_total_time.is_none() && line.runs.is_none() {
        lines.default_time(run::DEFAULT_SECONDS);
    }
    let deadline = run::deadline(line);
    lines.minimizing(path, bytes.len());
    lines.executing(&run::command_line(line, path));
    let first = shown(line, path, deadline, interrupt)?;
    if !first.is_crash {
        lines.pass_on(&first.output);
        lines.did_not_crash(path);
        return Ok(End::Error);
    }
    lines.caused_a_crash(path, bytes.len());
    let token = first.dedup_token();
    if let Some(token) = &token {
        lines.dedup_token(1, token);
    }
    let mut job =
        Job { line, interrupt, deadline, token, artifact: Artifact::of(line, &bytes), lines };
    let best = match bytes.len() {
        0..MIN_INPUT_BYTES => None,
        _ => job.search(path, &bytes, first.is_leak())?,
    };
    let result = job.settle(&bytes, best)?;
    match result {
        Some(best) => job.lines.not_beyond(&job.artifact.path, best.len()),
        None => {
            let path = if job.artifact.is_exact { &job.artifact.path } else { path };
            job.lines.not_beyond(path, bytes.len());
        }
    }
    Ok(if interrupt.exit().is_some() { End::Interrupted } else { End::Done })
}

/// Reads an input of libFuzzer's, which may be empty.
///
/// It is read whole, since it is run more than once.
pub(super) fn read(
    path: &Path,
    interrupt: &Interrupt,
    lines: &mut LibFuzzerLines,
) -> Result<Vec<u8>, Refusal> {
    read_input(path, &interrupt.flag()).map_err(|error| {
        lines.error(&format!("failed to read {}: {error}", path.display()));
        Refusal::Ends(End::Error)
    })
}

/// Why libFuzzer has to do it where a session ended with an error.
///
/// An input that does not fail in process is one of the reasons: its failure may need libFuzzer's
/// own `main`.
pub(super) fn refusal(error: SessionError, interrupt: &Interrupt) -> Refusal {
    match error {
        SessionError::Stopped(_) if interrupt.exit().is_some() => Refusal::Ends(End::Interrupted),
        error => Refusal::ByTarget(format!("{:#}", anyhow::Error::from(error))),
    }
}

/// Runs the target once on the file, within the time that is left.
fn shown(
    line: &CommandLine,
    path: &Path,
    deadline: Option<Instant>,
    interrupt: &Interrupt,
) -> Result<Shown, Refusal> {
    run::run_on(line, path.as_os_str(), run::left(deadline), interrupt)
        .map_err(|error| Refusal::ByTarget(error.to_string()))
}

/// The task, and the file for its result.
///
/// It lives as long as the program: there is one input in a line.
struct Job<'a> {
    line: &'a CommandLine,
    interrupt: &'a Interrupt,
    deadline: Option<Instant>,
    token: Option<String>,
    artifact: Artifact,
    lines: &'a mut LibFuzzerLines,
}

/// The result of a search.
struct Found {
    best: Vec<u8>,
    bests: Bests,
}

impl Job<'_> {
    /// Searches; the best is on disk all the while. `None` where nothing smaller fails.
    ///
    /// A best that cannot be written ends the search.
    fn search(
        &mut self,
        path: &Path,
        bytes: &[u8],
        is_leak: bool,
    ) -> Result<Option<Found>, Refusal> {
        let (plan, mut options) = run::plan(self.line, self.deadline, self.interrupt)?;
        let target = run::open(self.line, is_leak && !self.line.ignores_leaks)?;
        plan.structure
            .complete(&mut options.reduction, (path, bytes), &target.name)
            .map_err(|error| Refusal::ByTarget(error.to_string()))?;
        let (mut bests, mut failed) = (Bests::default(), None);
        let interrupt = self.interrupt;
        let flag = interrupt.flag();
        let (artifact, lines) = (&self.artifact, &mut *self.lines);
        let mut hear = |event: &Event<'_>| match event {
            // An empty input is none to libFuzzer, nor to those that call it.
            Event::Reduced { best, .. } if !best.is_empty() && failed.is_none() => {
                match artifact.write(best, lines) {
                    Ok(()) => bests.push(best),
                    Err(refusal) => {
                        failed = Some(refusal);
                        flag.store(true, std::sync::atomic::Ordering::Relaxed);
                    }
                }
            }
            Event::Note(kind, text) => lines.info(&note_in_words(*kind, text)),
            _ => {}
        };
        let session = OpenSession::open(&target, path, bytes, &plan.session, &mut hear);
        let mut session = session.map_err(|error| refusal(error, interrupt))?;
        let ended = session.minimize(&options, None, &mut hear);
        if let Some(refusal) = failed {
            return Err(refusal);
        }
        let minimized = ended.map_err(|error| refusal(error, interrupt))?;
        let counts = minimized.counts;
        self.lines.info(&format!("{} tests, {} runs", counts.tests, counts.executions));
        let best = match minimized.best.is_empty() {
            false => minimized.best,
            true => self.one_byte(bytes)?,
        };
        Ok((best.len() < bytes.len()).then_some(Found { best, bests }))
    }

    /// A single byte that fails where the empty input does; else the input.
    ///
    /// libFuzzer does not take an empty file, so the smallest result has a byte.
    fn one_byte(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        for byte in [bytes[0], b' ', 0] {
            if self.is_same(&[byte])?.is_some() {
                return Ok(vec![byte]);
            }
        }
        Ok(bytes.to_vec())
    }

    /// Runs the target on `best` in a new process, and returns its output if that is a crash with
    /// the input's dedup token.
    fn is_same(&self, best: &[u8]) -> Result<Option<Shown>, Refusal> {
        let failed = |error: std::io::Error| Refusal::ByTarget(error.to_string());
        let folder = ScratchFolder::new().map_err(failed)?;
        let file = folder.path().join("minimized");
        std::fs::write(&file, best).map_err(failed)?;
        self.shows_same(&file)
    }

    /// Runs the target on the file. Returns its output, if the sanitizer gives the failure the same
    /// name as that of the input.
    fn shows_same(&self, file: &Path) -> Result<Option<Shown>, Refusal> {
        let seen = shown(self.line, file, self.deadline, self.interrupt)?;
        Ok((seen.is_crash && seen.dedup_token() == self.token).then_some(seen))
    }

    /// Writes the file that is kept: the best, an earlier one if the sanitizer gives the best's
    /// failure another name, or the input if the caller expects a file. Returns the result, if
    /// there is one that is smaller than the input.
    fn settle(&mut self, bytes: &[u8], found: Option<Found>) -> Result<Option<Vec<u8>>, Refusal> {
        let mut result = None;
        if let Some(found) = found {
            // After an interrupt nothing more is run; each step was seen to fail.
            if self.interrupt.exit().is_some() || run::left(self.deadline).is_zero() {
                result = Some(found.best);
            } else {
                result = self.confirmed(found)?;
            }
        }
        match &result {
            Some(best) => {
                self.artifact.write(best, self.lines)?;
                let prefix = self.line.prefix.to_string_lossy();
                self.lines.written(&prefix, &self.artifact.path, best);
            }
            None if self.artifact.is_exact => self.artifact.write(bytes, self.lines)?,
            None => {
                std::fs::remove_file(&self.artifact.path).ok();
            }
        }
        Ok(result)
    }

    /// The smallest input of the search that shows the same failure in a new process. `None` if
    /// none does. The result of the search is written first, so that something is there if the run
    /// is killed.
    fn confirmed(&mut self, found: Found) -> Result<Option<Vec<u8>>, Refusal> {
        let Found { best, bests } = found;
        self.artifact.write(&best, self.lines)?;
        self.lines.executing(&run::command_line(self.line, &self.artifact.path));
        if let Some(shown) = self.shows_same(&self.artifact.path)? {
            self.lines.pass_on(&shown.output);
            if let Some(token) = shown.dedup_token() {
                self.lines.dedup_token(2, &token);
            }
            return Ok(Some(best));
        }
        self.lines.mismatch();
        let mut failed = None;
        let earlier = bests.last_that(|best| match self.is_same(best) {
            Ok(same) => Some(same.is_some()),
            Err(refusal) => {
                failed = Some(refusal);
                None
            }
        });
        match failed {
            Some(refusal) => Err(refusal),
            None => Ok(earlier.map(<[u8]>::to_vec)),
        }
    }
}
