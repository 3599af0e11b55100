//! Which chunks of a list are tried, in which order: complements only, each size walked once.
//!
//! It is what is left of ddmin when its subsets are dropped and its revisits too ('CDD', ICSE 2025;
//! the same holds for ProbDD): where no half of a list shows the failure, hardly a smaller subset
//! does.

use std::ops::Range;

use crate::reduce::algorithms::ddmin::{TestsLeft, complement};
use crate::search::Search;
use seedsmith_engine::oracle::Stopped;

/// Where a walk over chunks stands.
#[derive(Clone, Copy)]
pub struct Walk {
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
    pub fn new(count: usize, size: usize, least: usize) -> Self {
        Walk { size, least, end: count, tried: 0, probe: None, last_start: None }
    }

    /// The next chunk of `count` elements.
    pub fn next(&mut self, count: usize) -> Option<Range<usize>> {
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

    /// How the walk goes on, from here, behind the chunk that went: with one twice as large where
    /// chunks go one after the other.
    pub fn behind(self, chunk: &Range<usize>) -> Self {
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

/// Removes chunks of `elements` as long as there are tests left, and single ones until none of them
/// can go; what stays.
///
/// `render` writes a list of elements into an empty buffer. The rendering of the whole list is
/// taken to fail. Cost: about `2·m·log2(n/m)` tests if `m` of `n` elements matter, `n` and a few for
/// its larger chunks where all do.
pub fn drop_chunks<T: Clone>(
    search: &mut Search<'_, '_>,
    mut elements: Vec<T>,
    render: impl Fn(&[T], &mut Vec<u8>),
    tests_left: TestsLeft<'_>,
) -> Result<Vec<T>, Stopped> {
    let mut walk = Walk::new(elements.len(), elements.len() / 2, 1);
    let mut kept = Vec::new();
    while elements.len() > 1 {
        let mut ahead = walk;
        let mut left = tests_left(search);
        let accepted = search.first(|buffer| {
            left = left.checked_sub(1)?;
            let mut chunk = ahead.next(elements.len())?;
            // All of them together are hardly ever without need.
            while chunk.len() == elements.len() {
                chunk = ahead.next(elements.len())?;
            }
            complement(&elements, &chunk, &mut kept);
            render(&kept, buffer);
            Some((chunk, ahead))
        })?;
        let Some((chunk, reached)) = accepted else { break };
        walk = reached.behind(&chunk);
        elements.drain(chunk);
    }
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::algorithms::ddmin::ddmin;
    use crate::reduce::testing::{Found, reduce_by};

    fn drop_from(input: &[u8], fails: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Found {
        reduce_by(input, fails, |search| {
            let render = |kept: &[u8], out: &mut Vec<u8>| out.extend_from_slice(kept);
            drop_chunks(search, input.to_vec(), render, &|_| usize::MAX).map(|_| ())
        })
    }

    #[test]
    fn where_nothing_can_go_hardly_more_is_tried_than_each_element() {
        let found = drop_from(b"12345678", |bytes| bytes.len() == 8);
        // Two halves, four quarters, eight elements, where ddmin has 26.
        assert_eq!((found.best.as_slice(), found.tests), (&b"12345678"[..], 14));
    }

    #[test]
    fn one_of_many_is_found_by_halving() {
        let input: Vec<u8> = (0..128).collect();
        let found = drop_from(&input, |bytes| bytes.contains(&77));
        assert_eq!(found.best, [77]);
        assert!(found.tests <= 16, "{} tests", found.tests);
    }

    #[test]
    fn what_stays_is_1_minimal_after_fewer_tests_than_by_ddmin() {
        let input: Vec<u8> = (0..100).collect();
        let fails = |bytes: &[u8]| [3, 40, 41, 99].iter().all(|byte| bytes.contains(byte));
        let found = drop_from(&input, fails);
        assert_eq!(found.best, [3, 40, 41, 99]);
        let by_ddmin = reduce_by(&input, fails, |search| {
            ddmin(search, input.clone(), |kept, out| out.extend_from_slice(kept)).map(|_| ())
        });
        assert!(2 * found.tests < by_ddmin.tests, "{} and {}", found.tests, by_ddmin.tests);
    }

    #[test]
    fn no_more_tests_are_made_than_there_are() {
        let input: Vec<u8> = (0..100).collect();
        let found = reduce_by(
            &input,
            |bytes| bytes.contains(&9),
            |search| {
                let render = |kept: &[u8], out: &mut Vec<u8>| out.extend_from_slice(kept);
                let left = |search: &Search<'_, '_>| {
                    5_usize.saturating_sub(search.counts().tests as usize)
                };
                drop_chunks(search, input.clone(), render, &left).map(|_| ())
            },
        );
        assert!(found.tests <= 5, "{} tests", found.tests);
    }
}
