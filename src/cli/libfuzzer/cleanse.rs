//! `-cleanse_crash=1`: bytes that do not matter become blanks.

use std::path::Path;

use super::artifact::Artifact;
use super::flags::CommandLine;
use super::minimize::{read, refusal};
use super::run;
use super::{End, Refusal};
use crate::cli::interrupt::Interrupt;
use crate::event::Event;
use crate::report::LibFuzzerLines;
use crate::session::OpenSession;
use crate::session::cleanse::Cleansing;
use crate::session::error::SessionError;

/// Replaces bytes that do not matter, and writes the result. libFuzzer does it where a session
/// cannot.
pub(super) fn run(
    line: &CommandLine,
    interrupt: &Interrupt,
    lines: &mut LibFuzzerLines,
) -> Result<End, Refusal> {
    let ([input], Some(_)) = (line.inputs.as_slice(), &line.exact_path) else {
        lines.error("-cleanse_crash should be given one input file and -exact_artifact_path");
        return Ok(End::Error);
    };
    let path = Path::new(input);
    let bytes = read(path, interrupt, lines)?;
    let artifact = Artifact::of(line, &bytes);
    // libFuzzer's flag holds for each process, so a run of cleansing has no limit but its caller's.
    let deadline = line.max_total_time.and(run::deadline(line));
    let (plan, _) = run::plan(line, deadline, interrupt)?;
    let mut target = run::open(line, false)?;
    let mut hear = |_: &Event<'_>| {};
    let mut session = OpenSession::open(&target, path, &bytes, &plan.session, &mut hear);
    if matches!(session, Err(SessionError::DoesNotFail(_))) && !line.ignores_leaks {
        drop(session);
        match run::open(line, true) {
            Ok(looking_for_leaks) => target = looking_for_leaks,
            Err(refusal) => return Err(refusal),
        }
        session = OpenSession::open(&target, path, &bytes, &plan.session, &mut hear);
    }
    let mut session = match session {
        Ok(session) => session,
        Err(SessionError::DoesNotFail(_)) => {
            lines.did_not_crash(path);
            return Ok(End::Done);
        }
        Err(error) => return Err(refusal(error, interrupt)),
    };
    let mut failed = None;
    let flag = interrupt.flag();
    let cleansed = session.cleanse(&mut |step| match step {
        Cleansing::Attempt(attempt) => lines.cleansing(attempt, bytes.len()),
        Cleansing::Replaced { index, byte, input } if failed.is_none() => {
            match artifact.write(input, lines) {
                Ok(()) => lines.cleansed(index, byte),
                Err(refusal) => {
                    failed = Some(refusal);
                    flag.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            }
        }
        Cleansing::Replaced { .. } => {}
    });
    if let Some(refusal) = failed {
        return Err(refusal);
    }
    cleansed.map_err(|error| refusal(error, interrupt))?;
    Ok(if interrupt.exit().is_some() { End::Interrupted } else { End::Done })
}
