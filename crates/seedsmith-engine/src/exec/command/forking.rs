//! When a command is forked where it stands instead of started anew.
//!
//! A fork has to give what a start gives. So an input on which the program is known to end well is
//! run by forks first, more than once: what an earlier fork has used up (a temporary folder that
//! the program made before it stood) is missing then. The first fork that
//! ends well is checked against a start. Whatever speaks against forks ends them for all slots of
//! the command; and what has to be the program's own word, its first runs and those that confirm a
//! result, is never asked of a fork.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::fork_server::ForkServer;

/// Runs of the known input by forks before they are trusted.
pub(super) const TRIALS: u32 = 2;
/// Forks that end well and are checked against starts.
const CHECKS: u32 = 1;
/// What the slots of a command know of its forks.
#[derive(Default)]
pub(super) struct Knowledge(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// An input on which a started program ended with status 0.
    good: Option<Vec<u8>>,
    /// The shortest such run.
    start: Option<Duration>,
    checks: u32,
    is_refused: bool,
}

impl Knowledge {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A start has ended with status 0.
    pub fn learn(&self, candidate: &[u8], took: Duration) {
        let mut known = self.known();
        known.good.get_or_insert_with(|| candidate.to_vec());
        known.start = Some(known.start.map_or(took, |start| start.min(took)));
    }

    /// The input to try forks on and how long a start takes; `None` where there is to be no fork.
    pub fn trial(&self) -> Option<(Vec<u8>, Duration)> {
        let known = self.known();
        known.good.clone().zip(known.start).filter(|_| !known.is_refused)
    }

    /// No forks from now on.
    pub fn refuse(&self) {
        self.known().is_refused = true;
    }

    /// Whether the next fork that ends well is to be checked.
    pub fn wants_check(&self) -> bool {
        self.known().checks < CHECKS
    }

    /// A check has agreed.
    pub fn agree(&self) {
        self.known().checks += 1;
    }
}

/// A slot's way to its fork server.
#[derive(Default)]
pub(super) enum Stage {
    /// Nothing was tried.
    #[default]
    Before,
    /// The program stands, with that limit of memory.
    Stands(ForkServer, u64),
    /// Each test is a start.
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_are_tried_once_a_start_has_ended_well_and_never_when_refused() {
        let knowledge = Knowledge::default();
        assert_eq!(knowledge.trial(), None);
        knowledge.learn(b"x", Duration::from_millis(8));
        knowledge.learn(b"y", Duration::from_millis(6));
        assert_eq!(knowledge.trial(), Some((b"x".to_vec(), Duration::from_millis(6))));
        knowledge.refuse();
        assert_eq!(knowledge.trial(), None);
    }
}
