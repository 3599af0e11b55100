//! What happens during a run, as data: the only thing that reporters and the journal see.
//!
//! Events are emitted by the search and the tasks; nobody below listens to them.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

pub use seedsmith_engine::counts::{Counts, StopReason};
use seedsmith_engine::observation::Observation;
use seedsmith_engine::signature::Signature;

/// What is known about how small the result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Minimality {
    /// Nothing is claimed.
    #[serde(rename = "none")]
    None,
    /// No single unit (byte, unless said otherwise) can be removed.
    #[serde(rename = "1-minimal")]
    OneMinimal,
    /// No single node of the parse tree can be removed.
    #[serde(rename = "1-tree-minimal")]
    OneTreeMinimal,
    /// Every shorter input was tested: none fails.
    #[serde(rename = "global")]
    Global,
}

/// What one run of a reducer achieved.
#[derive(Clone, Debug, Serialize)]
pub struct ReducerStats {
    /// The reducer's name, such as `ddmin(lines)`.
    pub reducer: String,
    /// What it asked for.
    #[serde(flatten)]
    pub counts: Counts,
    /// Size of the best before.
    pub bytes_before: usize,
    /// Size of the best after.
    pub bytes_after: usize,
    /// Wall time.
    pub elapsed: Duration,
}

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The input was found to fail, and the search begins.
    Started {
        /// Size of the input.
        bytes: usize,
        /// Who is hunted.
        signature: &'a Signature,
    },
    /// A reducer begins.
    ReducerStarted {
        /// Its name.
        reducer: &'a str,
    },
    /// A reducer ended.
    ReducerEnded(&'a ReducerStats),
    /// A better input was found, confirmed, and is about to be announced. The first listener
    /// writes it to disk.
    Reduced {
        /// The new best.
        best: &'a [u8],
        /// Counts until now.
        counts: Counts,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// Another failure than the hunted one was met for the first time.
    OtherFailure {
        /// Who it is.
        signature: &'a Arc<Signature>,
        /// The input that shows it.
        input: &'a [u8],
    },
    /// The search is alive; at most ten times a second.
    Progress {
        /// Counts until now.
        counts: Counts,
        /// Size of the best.
        bytes: usize,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// One consumed test, in candidate order; only where tracing is on.
    Tested {
        /// The candidate.
        candidate: &'a [u8],
        /// What was observed.
        observation: &'a Observation,
        /// Whether the cache answered.
        was_cached: bool,
    },
    /// Something that the user should know.
    Note(&'a str),
    /// Something that only a user who asks for details wants to know.
    Detail(&'a str),
}
