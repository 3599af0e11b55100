//! Which chunks of a list are worth a test: by their elements, their bytes, and how many are alike.

/// Which chunks of a list are worth a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkLimits {
    /// The fewest elements of a chunk.
    pub fewest_elements: usize,
    /// The fewest bytes of a chunk.
    pub fewest_bytes: usize,
    /// The most elements of a chunk; half of all in any case.
    pub most_elements: usize,
    /// Whether chunks are passed over that are like others that were refused.
    pub is_sample: bool,
}

impl ChunkLimits {
    /// No chunk is too small.
    pub(crate) const ALL: ChunkLimits = ChunkLimits {
        fewest_elements: 1,
        fewest_bytes: 0,
        most_elements: usize::MAX,
        is_sample: false,
    };

    /// No chunk is too small, but of those that are alike only some are tried: for long repetitions, in
    /// which each place has a thousand like it.
    pub(crate) const SAMPLE: ChunkLimits = ChunkLimits { is_sample: true, ..ChunkLimits::ALL };

    /// One element or two neighbours, where larger chunks have been tried in another way.
    pub(crate) const NEIGHBOURS: ChunkLimits = ChunkLimits { most_elements: 2, ..ChunkLimits::ALL };

    /// Chunks of at least `elements` elements.
    pub(crate) fn of_elements(elements: usize) -> Self {
        ChunkLimits { fewest_elements: elements, ..ChunkLimits::ALL }
    }

    /// Chunks of a 256th of `length` bytes or more. A smaller part of a long best is not worth a crash
    /// (note of 2026-11-21 on flat reducers).
    pub(crate) fn share_of(length: usize) -> Self {
        ChunkLimits { fewest_bytes: length / 256, ..ChunkLimits::ALL }
    }

    /// Whether single elements are worth a test.
    pub(crate) fn has_single_elements(self) -> bool {
        self.fewest_elements <= 1 && self.fewest_bytes == 0
    }
}
