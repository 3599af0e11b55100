//! The rule for whether a run shows the failure: for most targets any failure counts, for a command
//! it depends on the first runs of the original input.

use crate::observation::Observation;
use crate::signature::Kind;

/// The rule for whether a run shows the failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecidedBy {
    /// Every failure counts.
    #[default]
    Anything,
    /// A command's exit status: 0 says that the failure shows, as for C-Reduce.
    Status,
    /// A command's death by a signal, or the report that it prints.
    Crash,
    /// The user's conditions; `hangs` if a run that does not end counts.
    Conditions {
        /// Whether a run that does not end counts.
        hangs: bool,
    },
}

/// The first runs of a command showed different things, none of them in most runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided;

impl DecidedBy {
    /// Whether a failure of that kind can be the one that is looked for.
    pub fn counts(self, kind: &Kind) -> bool {
        match self {
            DecidedBy::Anything => true,
            DecidedBy::Status => *kind == Kind::Command,
            DecidedBy::Crash => !matches!(kind, Kind::Command | Kind::Timeout),
            DecidedBy::Conditions { hangs } => hangs || *kind != Kind::Timeout,
        }
    }

    /// The rule that the first runs of a command decide, in which status 0 was observed as
    /// [`Kind::Command`]: its status, or a crash if most of the failing runs crashed.
    ///
    /// Each observation comes with the number of runs that showed it. Crashes have to be the
    /// majority of the failures; a draw, or a majority for the status beside any crash, is
    /// undecided.
    pub(super) fn of(seen: &[(Observation, u32)]) -> Result<Self, Undecided> {
        let count = |decided: DecidedBy| -> u32 {
            let is_it = |seen: &Observation| {
                seen.signature().is_some_and(|signature| decided.counts(&signature.kind))
            };
            seen.iter().filter(|(seen, _)| is_it(seen)).map(|(_, count)| count).sum()
        };
        match (count(DecidedBy::Status), count(DecidedBy::Crash)) {
            (_, 0) => Ok(DecidedBy::Status),
            (succeeded, crashed) if crashed > succeeded => Ok(DecidedBy::Crash),
            _ => Err(Undecided),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::observation::Verdict;
    use crate::signature::Signature;

    #[test]
    fn status_decides_unless_most_runs_crash_and_a_mixture_is_undecided() {
        let failed = |kind| Observation::Failed(Arc::new(Signature::of_kind(kind)));
        let of = |succeeded, crashed, returned| {
            DecidedBy::of(&[
                (failed(Kind::Command), succeeded),
                (failed(Kind::Abort), crashed),
                (Observation::Returned(Verdict::Keep), returned),
            ])
        };
        assert_eq!(of(5, 0, 0), Ok(DecidedBy::Status));
        assert_eq!(of(3, 0, 2), Ok(DecidedBy::Status));
        assert_eq!(of(0, 5, 0), Ok(DecidedBy::Crash));
        assert_eq!(of(0, 2, 3), Ok(DecidedBy::Crash));
        assert_eq!(of(2, 3, 0), Ok(DecidedBy::Crash));
        assert_eq!(of(3, 2, 0), Err(Undecided));
        assert_eq!(DecidedBy::of(&[(failed(Kind::Timeout), 1)]), Ok(DecidedBy::Status));
        assert!(!DecidedBy::Status.counts(&Kind::Timeout));
    }
}
