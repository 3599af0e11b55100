//! Which chunks of a list are tried, in which order: complements only, each size walked once.
//!
//! It is ddmin without its subsets and its revisits ('CDD', ICSE 2025;
//! the same holds for ProbDD): where no half of a list shows the failure, hardly a smaller subset
//! does.

use std::ops::Range;

/// The position of a walk over chunks.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    /// Elements a chunk.
    size: usize,
    /// The smallest size that is walked.
    least: usize,
    /// The next chunk ends before this element.
    end: usize,
    /// Elements tried one by one since the last success.
    tried: usize,
    /// Chunks went one after the other, so one of this many elements is tried first.
    probe: Option<usize>,
    /// Where the chunk began that went last.
    last_start: Option<usize>,
}

impl Walk {
    /// From the back of `count` elements to the front, in chunks of `size` and its halves down to
    /// `least`; single elements until none can go.
    pub(crate) fn new(count: usize, size: usize, least: usize) -> Self {
        Walk { size, least, end: count, tried: 0, probe: None, last_start: None }
    }

    /// The next chunk of `count` elements, as a range of their indices; nothing at the end of the walk.
    ///
    /// `count` is the length of the list now, which shrinks with each success.
    pub(crate) fn next(&mut self, count: usize) -> Option<Range<usize>> {
        // At the front of the list the walk begins again at its back, with chunks of half the size. Single
        // elements are walked again and again until each was refused since the last success.
        if self.end == 0 {
            if self.size > self.least {
                self.size = (self.size / 2).max(self.least);
            } else if self.least > 1 {
                return None;
            }
            self.end = count;
        }
        if let Some(size) = self.probe.take()
            && size < self.end
        {
            return Some(self.end - size..self.end);
        }
        if self.size == 1 {
            if self.tried >= count {
                return None;
            }
            self.tried += 1;
        }
        let start = self.end.saturating_sub(self.size);
        let chunk = start..self.end;
        self.end = start;
        (!chunk.is_empty()).then_some(chunk)
    }

    /// The walk after a chunk was removed: it continues before that chunk, with one twice as large
    /// where chunks go one after the other.
    pub(crate) fn behind(self, chunk: &Range<usize>) -> Self {
        let is_in_a_row = self.last_start == Some(chunk.end);
        Walk {
            tried: 0,
            end: chunk.start,
            probe: is_in_a_row.then_some(2 * chunk.len()),
            last_start: Some(chunk.start),
            ..self
        }
    }
}
