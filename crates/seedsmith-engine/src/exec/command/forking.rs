//! When the tests of a command are forks of one process instead of starts.
//!
//! A fork has to end as a start does. So forks are first tried on an input on which the program ends
//! with status 0, more than once: a later fork shows whether an earlier one has used something up (a
//! temporary folder that the program made before it was forked). The first fork that ends with status
//! 0 is checked against a start. If any of this fails, no slot of the command uses forks any more. The
//! first runs of an input and the runs that confirm a result are always starts.
//!
//! Until a validator has accepted an input, two texts that it rejects are used instead, if it prints
//! different messages about them: forks have to end and print as the starts did. A program that did
//! not find its input would print the same about both. The first text that a fork accepts then has to
//! be accepted by a start and by further forks.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::fork_server::ForkServer;
use crate::exec::os::process::Ended;

/// Runs of each known input by forks before they are trusted: two, because the second fork is the first
/// one that can lack what another fork has used up.
pub(super) const TRIAL_FORKS: u32 = 2;
/// Forks that end well and are checked against starts. Each costs a start, and one shows whether forks
/// see their own input.
const CHECKED_FORKS: u32 = 1;
/// Longer output is not kept for comparison. A guess; not measured.
const MAX_COMPARED_BYTES: usize = 16 << 10;

/// How a run ended whose program rejected its input: the exit status and its output, without the path of the
/// candidate's folder, which differs from slot to slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    /// The exit status, which is not 0.
    status: i32,
    /// Its standard output.
    stdout: Vec<u8>,
    /// Its standard error.
    stderr: Vec<u8>,
}

impl Rejection {
    /// `None` for any other end of a run, and where too much was printed.
    pub(super) fn of(ended: &Ended, folder: &Path) -> Option<Self> {
        let status = ended.status?.code().filter(|code| *code != 0)?;
        let printed = ended.stdout.len() + ended.stderr.len();
        if ended.fills_memory || printed > MAX_COMPARED_BYTES {
            return None;
        }
        let without = |text: &[u8]| without(text, folder.as_os_str().as_bytes());
        Some(Rejection { status, stdout: without(&ended.stdout), stderr: without(&ended.stderr) })
    }
}

/// `text` without any occurrence of `part`.
fn without(text: &[u8], part: &[u8]) -> Vec<u8> {
    let mut rest = text;
    let mut out = Vec::with_capacity(text.len());
    while let Some((first, others)) = rest.split_first() {
        match rest.strip_prefix(part).filter(|_| !part.is_empty()) {
            Some(after) => rest = after,
            None => {
                out.push(*first);
                rest = others;
            }
        }
    }
    out
}

/// An input, and how starts end on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KnownEnd {
    /// With status 0.
    Good(Vec<u8>),
    /// Rejected, with that output.
    Rejected(Vec<u8>, Rejection),
}

/// The known inputs on which forks are tried before they are trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// One input that ends well, or two that are rejected with different output.
    pub known: Vec<KnownEnd>,
    /// How long a start takes.
    pub start: Duration,
}

impl Attempt {
    /// Whether it shows only how the program rejects.
    pub(super) fn is_by_rejections(&self) -> bool {
        !matches!(self.known.first(), Some(KnownEnd::Good(_)))
    }
}

/// The knowledge that the slots of a command share about its forks.
#[derive(Default)]
pub(super) struct Knowledge(Mutex<Learnt>);

#[derive(Default)]
struct Learnt {
    /// An input on which a started program ended with status 0.
    good: Option<Vec<u8>>,
    /// Rejected inputs: at most two, with different output.
    rejected: Vec<(Vec<u8>, Rejection)>,
    /// The shortest run of a start.
    start: Option<Duration>,
    checks: u32,
    is_refused: bool,
    /// Whether forks did not reject as starts do: the program may print something new each time.
    is_refused_by_rejections: bool,
}

impl Knowledge {
    /// The knowledge, locked.
    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A start has ended with status 0.
    ///
    /// The first such input is kept; of the times the shortest.
    pub(super) fn learn(&self, candidate: &[u8], took: Duration) {
        let mut learnt = self.learnt();
        learnt.good.get_or_insert_with(|| candidate.to_vec());
        learnt.start = Some(learnt.start.map_or(took, |start| start.min(took)));
    }

    /// A start of a validator has rejected `candidate`.
    pub(super) fn learn_rejection(&self, candidate: &[u8], rejection: Rejection, took: Duration) {
        let mut learnt = self.learnt();
        learnt.start = Some(learnt.start.map_or(took, |start| start.min(took)));
        if learnt.rejected.len() < 2 && learnt.rejected.iter().all(|(_, known)| *known != rejection)
        {
            learnt.rejected.push((candidate.to_vec(), rejection));
        }
    }

    /// The inputs on which forks are tried; `None` while forks are not allowed.
    pub(super) fn attempt(&self) -> Option<Attempt> {
        let learnt = self.learnt();
        if learnt.is_refused {
            return None;
        }
        let known = match (&learnt.good, learnt.rejected.as_slice()) {
            (Some(good), _) => vec![KnownEnd::Good(good.clone())],
            (None, [one, other]) if !learnt.is_refused_by_rejections => [one, other]
                .map(|(text, rejection)| KnownEnd::Rejected(text.clone(), rejection.clone()))
                .to_vec(),
            _ => return None,
        };
        Some(Attempt { known, start: learnt.start? })
    }

    /// No forks from now on.
    ///
    /// For all slots, and permanently.
    pub(super) fn refuse(&self) {
        self.learnt().is_refused = true;
    }

    /// No forks until something has ended with status 0.
    pub(super) fn refuse_by_rejections(&self) {
        self.learnt().is_refused_by_rejections = true;
    }

    /// Whether the next fork that ends well has to be checked.
    pub(super) fn wants_check(&self) -> bool {
        self.learnt().checks < CHECKED_FORKS
    }

    /// A check has agreed.
    pub(super) fn agree(&self) {
        self.learnt().checks += 1;
    }
}

/// A slot's way to its fork server.
#[derive(Default)]
pub(super) enum ForkStage {
    /// Nothing was tried.
    #[default]
    Before,
    /// Each test is a fork of this server's program, or a start where that is needed.
    Forks {
        /// The server.
        server: ForkServer,
        /// The limit of memory with which it was started, in megabytes; 0 is no limit.
        memory_mb: u64,
        /// Whether forks were tried on inputs that the program rejects, and on no other.
        is_tried_by_rejections: bool,
    },
    /// Each test is a start.
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_are_tried_once_a_start_has_ended_well_and_never_when_refused() {
        let knowledge = Knowledge::default();
        assert_eq!(knowledge.attempt(), None);
        knowledge.learn(b"x", Duration::from_millis(8));
        knowledge.learn(b"y", Duration::from_millis(6));
        let attempt = knowledge.attempt().expect("something has ended well");
        assert_eq!(attempt.known, [KnownEnd::Good(b"x".to_vec())]);
        assert_eq!(attempt.start, Duration::from_millis(6));
        knowledge.refuse();
        assert_eq!(knowledge.attempt(), None);
    }

    #[test]
    fn two_rejections_that_differ_are_enough_until_one_of_them_is_not_repeated() {
        let knowledge = Knowledge::default();
        let rejected = |said: &[u8]| Rejection { status: 1, stdout: vec![], stderr: said.to_vec() };
        let took = Duration::from_millis(8);
        for text in [b"x", b"y"] {
            knowledge.learn_rejection(text, rejected(b"no"), took);
            assert_eq!(knowledge.attempt(), None, "a program that reads nothing says that too");
        }
        knowledge.learn_rejection(b"z", rejected(b"not so"), took);
        let attempt = knowledge.attempt().expect("two rejections differ");
        assert!(attempt.is_by_rejections() && attempt.known.len() == 2);
        knowledge.refuse_by_rejections();
        assert_eq!(knowledge.attempt(), None);
        knowledge.learn(b"good", took);
        assert!(knowledge.attempt().is_some_and(|attempt| !attempt.is_by_rejections()));
    }

    #[test]
    fn what_differs_between_slots_is_not_compared() {
        assert_eq!(without(b"/a/b/x:1: no /a/b/x", b"/a/b"), b"/x:1: no /x");
        assert_eq!(without(b"same", b""), b"same");
    }
}
