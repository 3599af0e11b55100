//! Room for candidates in shared memory: a ring of bytes.
//!
//! Candidates are freed in the order in which they were allocated. The ring is kept as small as
//! the candidates allow, so that it stays in the processor's cache and little memory is touched.

/// Offsets of candidates under way.
pub(crate) struct Arena {
    /// Bytes of the arena.
    capacity: usize,
    /// Where the next allocation goes, if it fits.
    cursor: usize,
    /// Where the oldest allocation begins; `None` if there is none.
    oldest: Option<usize>,
    /// The ring wraps around here.
    limit: usize,
}

/// Bytes of the ring while candidates are small: roughly the size of the second-level cache of a
/// core of today's processors; a guess, not measured.
const SMALL_RING_BYTES: usize = 1 << 20;

impl Arena {
    /// An empty arena of `capacity` bytes, of which the first [`SMALL_RING_BYTES`] and `answers` are used until a
    /// larger candidate comes.
    ///
    /// `answers` are the bytes of all answers that a full queue has room for. Without them, a queue of inputs that
    /// report features was full before it had the inputs of one batch, and another slot waited for the next batch meanwhile.
    pub(super) fn new(capacity: usize, answers: usize) -> Self {
        let limit = (SMALL_RING_BYTES + answers).min(capacity);
        Arena { capacity, cursor: 0, oldest: None, limit }
    }

    /// Room for `length` bytes; `None` while older candidates are in the way.
    ///
    /// Gives an offset that is a multiple of 64. The ring grows only while it is empty: then no
    /// candidate has to be moved.
    pub(super) fn allocate(&mut self, length: usize) -> Option<usize> {
        // Aligned to cache lines, and at least one byte so that offsets distinguish candidates.
        let length = length.max(1).next_multiple_of(64);
        let Some(oldest) = self.oldest else {
            self.limit = self.limit.max(length.saturating_mul(2)).min(self.capacity);
            self.cursor = length;
            self.oldest = Some(0);
            return Some(0);
        };
        let offset = if self.cursor > oldest {
            if self.cursor + length <= self.limit {
                self.cursor
            } else if length < oldest {
                0
            } else {
                return None;
            }
        } else if self.cursor + length < oldest {
            self.cursor
        } else {
            return None;
        };
        self.cursor = offset + length;
        Some(offset)
    }

    /// Everything older than the allocation at `offset` is free.
    ///
    /// The caller gives the offset of the oldest candidate that is still in use.
    pub(super) fn free_before(&mut self, offset: usize) {
        self.oldest = Some(offset);
    }

    /// Everything is free.
    pub(super) fn clear(&mut self) {
        self.oldest = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_wraps_when_the_oldest_made_room() {
        let mut arena = Arena::new(SMALL_RING_BYTES, 0);
        let half = SMALL_RING_BYTES / 2;
        assert_eq!(arena.allocate(half), Some(0));
        assert_eq!(arena.allocate(half), Some(half));
        assert_eq!(arena.allocate(64), None);
        arena.free_before(half);
        assert_eq!(arena.allocate(64), Some(0));
        assert_eq!(arena.allocate(half), None);
        arena.clear();
        assert_eq!(arena.allocate(half), Some(0));
        let mut arena = Arena::new(2 * SMALL_RING_BYTES, half);
        assert_eq!(
            [0; 4].map(|_| arena.allocate(half)),
            [Some(0), Some(half), Some(2 * half), None]
        );
    }

    #[test]
    fn a_candidate_larger_than_the_ring_makes_it_grow() {
        let mut arena = Arena::new(1 << 30, 0);
        assert_eq!(arena.allocate(10 << 20), Some(0));
        assert_eq!(arena.allocate(10 << 20), Some(10 << 20));
        assert_eq!(arena.allocate(1), None);
    }
}
