//! The one loop over chunks: complements only, sizes fixed beforehand, largest first.
//!
//! Chunks of half the list, a quarter and so on, each size walked once from the back to the front
//! ([`Walk`]), and single elements until none of them can go. Where chunks go one after the other,
//! the next is tried twice as large, since each accepted step costs a crash. Two kinds of lists run
//! through it: elements whose spans are cut out of the best ([`delete_chunks`]), and elements that a
//! function writes ([`keep_chunks`]).

use std::collections::HashMap;
use std::ops::Range;

use super::chunk_limits::ChunkLimits;
use super::ddmin::{TestsLeft, complement};
use super::edit;
use super::removable::Removable;
use super::walk::Walk;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::LineOffsets;

/// Bytes around a cut that have to be equal for it to be like another one. A guess; not measured.
const CONTEXT_BYTES: usize = 16;
/// Cuts like each other that are tried. Two, so that the first and the last of a repetition can differ.
const MAX_ALIKE: u32 = 2;
/// Cuts of a sample that are tried before the rest is assumed to be like them. A guess at a number
/// that is still quick if each test may run into a limit; not measured.
const MAX_SAMPLE: usize = 1024;

/// The cuts of a sample that were proposed since the last success.
#[derive(Default)]
struct Sample {
    met: HashMap<Digest, u32>,
    taken: usize,
}

impl Sample {
    /// Whether a cut, with the bytes around it, was met seldom enough to be tried.
    fn takes(&mut self, source: &[u8], cuts: &[Range<usize>]) -> bool {
        let mut text = Vec::new();
        for cut in cuts {
            let from = cut.start.saturating_sub(CONTEXT_BYTES);
            let to = (cut.end + CONTEXT_BYTES).min(source.len());
            text.extend_from_slice(&cut.len().to_le_bytes());
            text.extend_from_slice(&source[from..to]);
        }
        let count = self.met.entry(Digest::of(&text)).or_insert(0);
        *count += 1;
        let is_taken = *count <= MAX_ALIKE;
        self.taken += usize::from(is_taken);
        is_taken
    }
}

/// A list whose chunks are tried in the order of a [`Walk`].
///
/// Duties of an implementation:
/// 1. [`Chunked::begin`] is called after each success; earlier proposals are forgotten.
/// 2. [`Chunked::next`] takes chunks from the walk and writes the candidate without one of them into
///    an empty buffer. It may pass over chunks, and may write several candidates of one chunk.
trait Chunked {
    /// Whether there are elements enough to remove some.
    fn has_enough(&self) -> bool;

    /// Begins to propose from the search's best.
    fn begin(&mut self, search: &Search<'_, '_>);

    /// The next chunk, with the candidate without it; `None` where the stream ends.
    fn next(&mut self, walk: &mut Walk, buffer: &mut Vec<u8>) -> Option<Range<usize>>;

    /// Forgets a chunk; it was removed.
    fn remove(&mut self, chunk: Range<usize>);
}

/// The one loop over chunks: proposes them in the order of the walk, removes each that can go, and
/// continues after it.
fn remove_chunks(
    search: &mut Search<'_, '_>,
    mut walk: Walk,
    list: &mut impl Chunked,
) -> Result<(), Stopped> {
    while list.has_enough() {
        list.begin(search);
        // The stream is read ahead of the answers, so each proposal carries the walk as it was.
        let mut ahead = walk;
        let accepted = search.first(|buffer| {
            let chunk = list.next(&mut ahead, buffer)?;
            Some((chunk, ahead))
        })?;
        let Some((chunk, reached)) = accepted else { break };
        walk = reached.behind(&chunk);
        list.remove(chunk);
    }
    Ok(())
}

/// Removes chunks of `list` from the best, as small as the `limits` say.
///
/// With [`ChunkLimits::SAMPLE`], only some of several similar chunks are tried. With
/// [`ChunkLimits::ALL`], no single element can be deleted in the end. Cost: about `2·m·log2(n/m)`
/// tests if `m` of `n` elements matter, at worst `O(m·n)`.
pub(crate) fn delete_chunks(
    search: &mut Search<'_, '_>,
    list: &mut impl Removable,
    limits: ChunkLimits,
) -> Result<(), Stopped> {
    delete_chunks_if(search, list, limits, |_| true)
}

/// The same, but a candidate has to be worth a test.
pub(crate) fn delete_chunks_if(
    search: &mut Search<'_, '_>,
    list: &mut impl Removable,
    limits: ChunkLimits,
    is_worth_a_test: impl FnMut(&[u8]) -> bool,
) -> Result<(), Stopped> {
    let count = list.count();
    let fewest = limits.fewest_elements.max(1);
    let walk = Walk::new(count, (count / 2).min(limits.most_elements).max(fewest), fewest);
    let mut text = Text {
        list,
        limits,
        is_worth_a_test,
        base: Vec::new(),
        places: LineOffsets::default(),
        cuts: Vec::new(),
        before: Vec::new(),
        unmoved: None,
        sample: Sample::default(),
    };
    remove_chunks(search, walk, &mut text)
}

/// Elements of the best, of which a candidate is written by cutting their spans out.
struct Text<'l, L, W> {
    list: &'l mut L,
    limits: ChunkLimits,
    is_worth_a_test: W,
    /// The best when the stream began.
    base: Vec<u8>,
    /// The numbers in it that give the places of lines.
    places: LineOffsets,
    cuts: Vec<Range<usize>>,
    /// The cuts of the proposal before.
    before: Vec<Range<usize>>,
    /// A chunk that was proposed with places that follow the cut, and is proposed without that next.
    unmoved: Option<Range<usize>>,
    sample: Sample,
}

impl<L: Removable, W: FnMut(&[u8]) -> bool> Text<'_, L, W> {
    /// The next candidate, worth a test or not.
    fn propose(&mut self, walk: &mut Walk, buffer: &mut Vec<u8>) -> Option<Range<usize>> {
        if self.sample.taken > MAX_SAMPLE {
            return None;
        }
        if let Some(chunk) = self.unmoved.take() {
            edit::without(&self.base, &self.cuts, buffer);
            return Some(chunk);
        }
        let count = self.list.count();
        let chunk = loop {
            let chunk = walk.next(count)?;
            self.cuts.clear();
            self.list.cuts(chunk.clone(), &mut self.cuts);
            let bytes = self.cuts.iter().map(Range::len).sum::<usize>();
            // To remove either of two equal neighbours gives one candidate.
            if bytes >= self.limits.fewest_bytes
                && !edit::are_alike(&self.base, &self.before, &self.cuts)
                && (!self.limits.is_sample || self.sample.takes(&self.base, &self.cuts))
            {
                break chunk;
            }
        };
        self.before.clone_from(&self.cuts);
        let cuts = &self.cuts;
        match self.places.following(&self.base, |place| LineOffsets::after(cuts, place)) {
            None => edit::without(&self.base, cuts, buffer),
            Some(followed) => {
                edit::without(&followed, cuts, buffer);
                self.unmoved = Some(chunk.clone());
            }
        }
        Some(chunk)
    }
}

impl<L: Removable, W: FnMut(&[u8]) -> bool> Chunked for Text<'_, L, W> {
    fn has_enough(&self) -> bool {
        self.list.count() > 0
    }

    fn begin(&mut self, search: &Search<'_, '_>) {
        self.base = search.best().to_vec();
        self.places = LineOffsets::of(&self.base);
        self.before.clear();
        self.unmoved = None;
        self.sample = Sample::default();
    }

    fn next(&mut self, walk: &mut Walk, buffer: &mut Vec<u8>) -> Option<Range<usize>> {
        loop {
            let chunk = self.propose(walk, buffer)?;
            if (self.is_worth_a_test)(buffer) {
                return Some(chunk);
            }
            buffer.clear();
        }
    }

    fn remove(&mut self, chunk: Range<usize>) {
        self.list.remove(chunk);
    }
}

/// Removes chunks of `elements` as long as there are tests left, and single elements until none of
/// them can be removed; returns the elements that remain, at least one.
///
/// `render` writes a list of elements into an empty buffer. The rendering of the whole list is
/// assumed to fail. Cost: about `2·m·log2(n/m)` tests if `m` of `n` elements matter; if all do, `n`
/// and a few for the larger chunks.
pub(crate) fn keep_chunks<T: Clone>(
    search: &mut Search<'_, '_>,
    elements: Vec<T>,
    render: impl Fn(&[T], &mut Vec<u8>),
    tests_left: TestsLeft<'_>,
) -> Result<Vec<T>, Stopped> {
    let walk = Walk::new(elements.len(), elements.len() / 2, 1);
    let mut list = Rendered { elements, render, tests_left, left: 0, kept: Vec::new() };
    remove_chunks(search, walk, &mut list)?;
    Ok(list.elements)
}

/// Elements of which a candidate is written by a function.
struct Rendered<'t, T, R> {
    elements: Vec<T>,
    render: R,
    tests_left: TestsLeft<'t>,
    left: usize,
    kept: Vec<T>,
}

impl<T: Clone, R: Fn(&[T], &mut Vec<u8>)> Chunked for Rendered<'_, T, R> {
    fn has_enough(&self) -> bool {
        self.elements.len() > 1
    }

    fn begin(&mut self, search: &Search<'_, '_>) {
        self.left = (self.tests_left)(search);
    }

    fn next(&mut self, walk: &mut Walk, buffer: &mut Vec<u8>) -> Option<Range<usize>> {
        self.left = self.left.checked_sub(1)?;
        let mut chunk = walk.next(self.elements.len())?;
        // All of them together are hardly ever without need.
        while chunk.len() == self.elements.len() {
            chunk = walk.next(self.elements.len())?;
        }
        complement(&self.elements, &chunk, &mut self.kept);
        (self.render)(&self.kept, buffer);
        Some(chunk)
    }

    fn remove(&mut self, chunk: Range<usize>) {
        self.elements.drain(chunk);
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::algorithms::chunks::*;
    use crate::reduce::algorithms::ddmin::ddmin;
    use crate::reduce::testing::{Found, reduce_by};
    use seedsmith_grammar::internal::split;
    use seedsmith_grammar::internal::{UnitKind, Units};

    #[test]
    fn scattered_elements_stay_and_single_ones_were_all_tried() {
        let input: Vec<u8> = (0..100).collect();
        let fails = |bytes: &[u8]| [3, 40, 41, 99].iter().all(|byte| bytes.contains(byte));
        let found = reduce_by(&input, fails, |search| {
            let mut units = Units::bytes(search.best().len());
            delete_chunks(search, &mut units, ChunkLimits::ALL)
        });
        assert_eq!(found.best, [3, 40, 41, 99]);
        assert!(found.tests < 70, "{} tests", found.tests);
    }

    #[test]
    fn elements_that_go_only_after_a_later_one_are_tried_again() {
        // A digit may go only when no greater one is left.
        let fails = |bytes: &[u8]| bytes.is_sorted() && bytes.iter().eq(&b"12345"[..bytes.len()]);
        let found = reduce_by(b"12345", fails, |search| {
            let mut units = Units::bytes(search.best().len());
            delete_chunks(search, &mut units, ChunkLimits::ALL)
        });
        assert_eq!(found.best, b"");
    }

    #[test]
    fn chunks_that_go_in_a_row_grow() {
        let input = [&b"(".repeat(301)[..], b"!", &b")".repeat(700)].concat();
        // Neither halves nor quarters can go: 300 must stay in front, and they are checked first.
        let fails = |bytes: &[u8]| {
            bytes.iter().take_while(|byte| **byte == b'(').count() >= 300 && bytes.contains(&b'!')
        };
        let found = reduce_by(&input, fails, |search| {
            let mut units = Units::bytes(search.best().len());
            delete_chunks(search, &mut units, ChunkLimits::ALL)
        });
        assert_eq!(found.best.len(), 301);
        assert!(found.accepted < 14, "{} accepted", found.accepted);
    }

    #[test]
    fn of_what_is_alike_a_sample_is_tried() {
        let input = [&b"begin ".repeat(3000)[..], b"x y", &b" end".repeat(3000)].concat();
        let count = |bytes: &[u8], word: &[u8]| {
            bytes.windows(word.len()).filter(|window| *window == word).count()
        };
        let fails =
            move |bytes: &[u8]| count(bytes, b"begin ") == 3000 && count(bytes, b" end") == 3000;
        let found = reduce_by(&input, fails, |search| {
            let mut units = split(search.best(), UnitKind::Tokens);
            delete_chunks(search, &mut units, ChunkLimits::SAMPLE)
        });
        assert!(found.best.len() < input.len() - 2, "{} bytes", found.best.len());
        assert!(found.tests < 4000, "{} tests", found.tests);
    }

    fn drop_from(input: &[u8], fails: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Found {
        reduce_by(input, fails, |search| {
            let render = |kept: &[u8], out: &mut Vec<u8>| out.extend_from_slice(kept);
            keep_chunks(search, input.to_vec(), render, &|_| usize::MAX).map(|_| ())
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
                keep_chunks(search, input.clone(), render, &left).map(|_| ())
            },
        );
        assert!(found.tests <= 5, "{} tests", found.tests);
    }
}
