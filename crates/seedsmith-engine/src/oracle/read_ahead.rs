//! Candidates that an oracle has read ahead of the answer, in order, and how each is known.

use std::collections::VecDeque;

use crate::observation::Observation;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::NumberMap;

/// How a candidate that was read ahead is known.
pub(super) enum CandidateState {
    /// Not yet with the crew.
    /// The initial state, and the state after it was taken back.
    Proposed,
    /// With the crew.
    /// The number is the ticket.
    Running(u64),
    /// Consumed before.
    Consumed(Observation),
    /// Consumed by an earlier run; looked up again when its turn comes.
    Stored,
    /// Ran before, ahead of the order.
    Ahead(Observation),
    /// The same bytes are under way before this one.
    Duplicate,
}

/// A candidate that was read and not consumed. `M` is how the caller knows it.
pub(super) struct Pending<M> {
    /// How the caller knows it.
    pub tag: M,
    /// Its bytes.
    pub candidate: Vec<u8>,
    /// The digest of its bytes, by which the cache knows it.
    pub digest: Digest,
    /// How it is known.
    pub state: CandidateState,
}

/// The candidates that were read ahead of the answer, in candidate order.
pub(super) struct ReadAhead<M> {
    /// The candidates, the next one to be consumed first.
    pub queue: VecDeque<Pending<M>>,
    /// How many at the front of the queue are known, or with the crew.
    pub offered: usize,
    /// Digests that are with the crew.
    pub under_way: NumberMap<u128, ()>,
    /// Whether the stream has ended.
    pub is_exhausted: bool,
}

impl<M> Default for ReadAhead<M> {
    fn default() -> Self {
        ReadAhead {
            queue: VecDeque::new(),
            offered: 0,
            under_way: NumberMap::default(),
            is_exhausted: false,
        }
    }
}

impl<M> ReadAhead<M> {
    /// The next candidate. The caller has looked at the front of the queue.
    pub(super) fn pop(&mut self) -> Pending<M> {
        self.offered = self.offered.saturating_sub(1);
        self.queue.pop_front().expect("its front was just looked at")
    }
}

/// The result of consuming the reports that are ready.
pub(super) enum Progress<M> {
    /// The candidate that was asked for.
    Answer(Pending<M>),
    Consumed,
    /// No report was ready at the front.
    Nothing,
}
