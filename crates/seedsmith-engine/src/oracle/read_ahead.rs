//! What an oracle has read ahead of the answer: candidates in order, and how each is known.

use std::collections::VecDeque;

use crate::observation::Observation;
use seedsmith_grammar::digest::{Digest, NumberMap};

/// How a candidate that was read ahead is known.
pub(super) enum State {
    /// Not yet with the crew.
    Proposed,
    /// With the crew.
    Running(u64),
    /// Consumed before.
    Consumed(Observation),
    /// Consumed by an earlier run; looked up again when its turn comes.
    Stored,
    /// Ran before, ahead of the order.
    Ahead(Observation),
    /// The same bytes are under way in front of this one.
    Duplicate,
}

pub(super) struct Pending<M> {
    pub tag: M,
    pub candidate: Vec<u8>,
    pub digest: Digest,
    pub state: State,
}

/// What was read ahead of the answer, in candidate order.
pub(super) struct ReadAhead<M> {
    pub queue: VecDeque<Pending<M>>,
    /// How many at the front of the queue are known, or with the crew.
    pub offered: usize,
    /// Digests that are with the crew.
    pub under_way: NumberMap<u128, ()>,
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
    pub fn pop(&mut self) -> Pending<M> {
        self.offered = self.offered.saturating_sub(1);
        self.queue.pop_front().expect("its front was just looked at")
    }
}

pub(super) enum Progress<M> {
    Answer(Pending<M>),
    Consumed,
    Nothing,
}
