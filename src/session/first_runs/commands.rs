//! Checks of commands before a search: does the exit status depend on the input, and which facts
//! distinguish one crash from another?

use seedsmith_engine::Request;
use seedsmith_engine::SameFailure;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::Random;

use crate::event::{Event, NoteKind, Reporter};
use crate::session::error::SessionError;
use crate::session::failing::stopped_at_once;
use crate::session::target::OpenTarget;

/// Size of a random input that no sensible oracle calls failing: with 64 bytes it contains a given
/// word of three letters once in 270,000 times.
const RANDOM_INPUT_BYTES: usize = 64;

/// Refuses a command whose status says that the empty input and random bytes fail too. Says so where
/// only the empty one does: then that is the result. Costs a run, and one more in these cases.
///
/// # Errors
///
/// [`SessionError::Trivial`] for such a command, unless `allows_trivial`.
pub(crate) fn check_status(
    target: &OpenTarget,
    oracle: &mut Oracle<'_>,
    allows_trivial: bool,
    reporter: &mut dyn Reporter,
) -> Result<(), SessionError> {
    if allows_trivial {
        return Ok(());
    }
    let mut random = Random::new(0);
    let bytes: Vec<u8> = (0..RANDOM_INPUT_BYTES).map(|_| random.below(256) as u8).collect();
    let mut fails = |candidate: &[u8]| {
        let seen = oracle.observe(candidate, Request::default());
        seen.map(|seen| seen.signature().is_some())
            .map_err(|stopped| stopped_at_once(target, stopped))
    };
    if !fails(b"")? {
        return Ok(());
    }
    if fails(&bytes)? {
        return Err(SessionError::Trivial { name: target.name.clone() });
    }
    reporter.report(&Event::Note(
        NoteKind::FirstRuns,
        "the empty file counts as failing, so the result has 0 bytes",
    ));
    Ok(())
}

/// Notes which failures count as the same if no report gives the place of the crash.
pub(crate) fn say_what_counts(judge: &SameFailure, reporter: &mut dyn Reporter) {
    let signature = &judge.signature;
    if signature.place.is_none() && signature.frames.is_empty() {
        let kind = &signature.kind;
        reporter.report(&Event::Note(NoteKind::FirstRuns, &format!("the program prints no report that says where it failed: any {kind} counts as the same")));
    }
}
