//! A task that minimizes and then asks many questions about a hang: with a short limit.
//!
//! Nearly every question of a generalization fails, and so each would take the long limit. The short
//! one is used for all of them, if the minimized input exceeds the long one too; else it is raised.

use super::limit::Limit;
use crate::event::Event;
use crate::search::Listener;
use crate::session::error::SessionError;
use crate::session::failing::FailingInput;
use seedsmith_engine::oracle::Oracle;

/// Runs `minimize` with the lowest limit under which its result is known to exceed the long one, and
/// leaves the oracle with that limit.
pub(in crate::session) fn minimized<R>(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    listener: &mut Listener<'_>,
    minimize: &mut dyn FnMut(&mut Oracle<'_>, &mut Listener<'_>) -> Result<R, SessionError>,
    input_of: fn(&R) -> &[u8],
) -> Result<R, SessionError> {
    let mut next = Some(Limit::short(failing, oracle, &failing.bytes)?);
    while let Some(limit) = next {
        listener(&Event::Note(&format!("searching with a limit of {limit}")));
        oracle.set_limits(limit.on(failing.limits));
        let found = minimize(oracle, listener)?;
        let Ok(confirmed) = failing.or_unconfirmed(failing.confirm(input_of(&found)))? else {
            // No time is left to look for another one.
            return Ok(found);
        };
        if confirmed.holds(failing.repeats) {
            return Ok(found);
        }
        next = limit.raised(failing.limits, std::time::Duration::ZERO);
        if matches!(limit, Limit::Memory(_)) {
            oracle.forget_memory();
        }
    }
    oracle.set_limits(failing.limits);
    minimize(oracle, listener)
}
