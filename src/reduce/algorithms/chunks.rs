//! The one loop over what may go from a text: complements only, sizes fixed beforehand, largest
//! first.
//!
//! Chunks of half the list, a quarter and so on, each size walked once from the back to the front
//! ([`Walk`]), and single elements until none of them can go. Where chunks go one after the other,
//! the next is tried twice as large, since each accepted step costs a crash.

use std::collections::HashMap;
use std::ops::Range;

use crate::reduce::algorithms::edit;
use crate::reduce::algorithms::walk::Walk;
use crate::search::Search;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::digest::Digest;
use seedsmith_grammar::structure::binary::line_offsets::LineOffsets;
use seedsmith_grammar::structure::units::Units;

/// A list of things of which any may be removed from the best.
///
/// Duties of an implementation:
/// 1. The spans of two elements are disjoint.
/// 2. After [`Removable::remove`] the spans are those of the input without the removed elements.
pub trait Removable {
    /// How many are left.
    fn count(&self) -> usize;

    /// Writes the spans of some elements into an empty list, ascending and disjoint.
    fn cuts(&self, elements: Range<usize>, cuts: &mut Vec<Range<usize>>);

    /// Forgets some elements; their bytes are gone.
    fn remove(&mut self, elements: Range<usize>);
}

impl Removable for Units {
    fn count(&self) -> usize {
        self.len()
    }

    fn cuts(&self, elements: Range<usize>, cuts: &mut Vec<Range<usize>>) {
        cuts.push(self.span(elements));
    }

    fn remove(&mut self, elements: Range<usize>) {
        Units::remove(self, elements);
    }
}

/// Elements of up to two spans each, such as an opener with its closer.
#[derive(Clone, Debug, Default)]
pub struct Couples {
    elements: Vec<[Range<usize>; 2]>,
}

impl Couples {
    /// Elements whose spans are disjoint; one of the two may be empty.
    pub fn new(elements: Vec<[Range<usize>; 2]>) -> Self {
        Couples { elements }
    }
}

impl Removable for Couples {
    fn count(&self) -> usize {
        self.elements.len()
    }

    fn cuts(&self, elements: Range<usize>, cuts: &mut Vec<Range<usize>>) {
        cuts.extend(self.elements[elements].iter().flatten().cloned());
        edit::join(cuts);
    }

    fn remove(&mut self, elements: Range<usize>) {
        let mut gone = Vec::new();
        self.cuts(elements.clone(), &mut gone);
        let mut before = 0;
        let shifts: Vec<(usize, usize)> = gone
            .iter()
            .map(|cut| {
                before += cut.len();
                (cut.end, before)
            })
            .collect();
        self.elements.drain(elements);
        for span in self.elements.iter_mut().flatten() {
            let behind = shifts.partition_point(|(end, _)| *end <= span.start);
            let shift = if behind == 0 { 0 } else { shifts[behind - 1].1 };
            *span = span.start - shift..span.end - shift;
        }
    }
}

/// The smallest chunk that is worth a test, and the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// Elements.
    pub elements: usize,
    /// Bytes of them together.
    pub bytes: usize,
    /// Whether what is like others that were refused is passed over.
    pub is_sample: bool,
    /// Elements that are taken together at most; half of all in any case.
    pub together: usize,
}

impl Least {
    /// Nothing is too small.
    pub const ONE: Least = Least { elements: 1, bytes: 0, is_sample: false, together: usize::MAX };
    /// Nothing is too small, but of what is alike only some are tried: for long repetitions, in
    /// which each place has a thousand like it.
    pub const SAMPLE: Least = Least { is_sample: true, ..Least::ONE };

    /// One element or two neighbours, where larger chunks have been seen in another way.
    pub const NEIGHBOURS: Least = Least { together: 2, ..Least::ONE };

    /// Chunks of so many elements.
    pub fn elements(elements: usize) -> Self {
        Least { elements, ..Least::ONE }
    }

    /// Whether single elements are worth a test.
    pub fn is_one(self) -> bool {
        self.elements <= 1 && self.bytes == 0
    }

    /// Chunks of a 256th of `length` bytes.
    pub fn part_of(length: usize) -> Self {
        Least { bytes: length / 256, ..Least::ONE }
    }
}

/// Bytes around a cut that make it like another one.
const AROUND: usize = 16;
/// Cuts that are alike which are tried.
const ALIKE: u32 = 2;
/// Cuts that are tried of a sample before the rest is taken to be like them.
const AT_MOST: usize = 1024;

/// What was proposed of a sample since the last success.
#[derive(Default)]
struct Sample {
    met: HashMap<Digest, u32>,
    taken: usize,
}

impl Sample {
    /// Whether what is cut, with what is around it, was met seldom enough to be tried.
    fn takes(&mut self, source: &[u8], cuts: &[Range<usize>]) -> bool {
        let mut text = Vec::new();
        for cut in cuts {
            let from = cut.start.saturating_sub(AROUND);
            let to = (cut.end + AROUND).min(source.len());
            text.extend_from_slice(&cut.len().to_le_bytes());
            text.extend_from_slice(&source[from..to]);
        }
        let count = self.met.entry(Digest::of(&text)).or_insert(0);
        *count += 1;
        let is_taken = *count <= ALIKE;
        self.taken += usize::from(is_taken);
        is_taken
    }
}

/// Removes chunks of `list` from the best, down to the `least`.
///
/// With [`Least::SAMPLE`] of what looks alike only some are tried. With [`Least::ONE`], no single
/// element can go in the end. Cost: about `2·m·log2(n/m)` tests if `m` of `n` elements matter, at
/// worst `O(m·n)`.
pub fn sweep(
    search: &mut Search<'_, '_>,
    list: &mut impl Removable,
    least: Least,
) -> Result<(), Stopped> {
    sweep_if(search, list, least, |_| true)
}

/// The same, but a candidate has to be worth a test.
pub fn sweep_if(
    search: &mut Search<'_, '_>,
    list: &mut impl Removable,
    least: Least,
    mut is_worth_a_test: impl FnMut(&[u8]) -> bool,
) -> Result<(), Stopped> {
    let count = list.count();
    let fewest = least.elements.max(1);
    let mut walk = Walk::new(count, (count / 2).min(least.together).max(fewest), fewest);
    let mut cuts = Vec::new();
    let mut before = Vec::new();
    while list.count() > 0 {
        let base = search.best().to_vec();
        let places = LineOffsets::of(&base);
        let count = list.count();
        let mut ahead = walk;
        let mut unmoved: Option<Range<usize>> = None;
        before.clear();
        let mut sample = Sample::default();
        let mut propose = |buffer: &mut Vec<u8>| {
            if sample.taken > AT_MOST {
                return None;
            }
            if let Some(chunk) = unmoved.take() {
                edit::without(&base, &cuts, buffer);
                return Some((chunk, ahead));
            }
            let mut chunk = ahead.next(count)?;
            loop {
                cuts.clear();
                list.cuts(chunk.clone(), &mut cuts);
                let is_worth_it = cuts.iter().map(Range::len).sum::<usize>() >= least.bytes;
                if is_worth_it
                    && !edit::are_alike(&base, &before, &cuts)
                    && (!least.is_sample || sample.takes(&base, &cuts))
                {
                    break;
                }
                chunk = ahead.next(count)?;
            }
            before.clone_from(&cuts);
            match places.following(&base, |place| LineOffsets::after(&cuts, place)) {
                None => edit::without(&base, &cuts, buffer),
                Some(followed) => {
                    edit::without(&followed, &cuts, buffer);
                    unmoved = Some(chunk.clone());
                }
            }
            Some((chunk, ahead))
        };
        let accepted = search.first(|buffer| {
            loop {
                let motion = propose(buffer)?;
                if is_worth_a_test(buffer) {
                    return Some(motion);
                }
                buffer.clear();
            }
        })?;
        let Some((chunk, reached)) = accepted else { break };
        walk = reached.behind(&chunk);
        list.remove(chunk);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;
    use seedsmith_grammar::structure::units::UnitKind;
    use seedsmith_grammar::structure::units::split;

    #[test]
    fn scattered_elements_stay_and_single_ones_were_all_tried() {
        let input: Vec<u8> = (0..100).collect();
        let fails = |bytes: &[u8]| [3, 40, 41, 99].iter().all(|byte| bytes.contains(byte));
        let found = reduce_by(&input, fails, |search| {
            let mut units = Units::bytes(search.best().len());
            sweep(search, &mut units, Least::ONE)
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
            sweep(search, &mut units, Least::ONE)
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
            sweep(search, &mut units, Least::ONE)
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
            sweep(search, &mut units, Least::SAMPLE)
        });
        assert!(found.best.len() < input.len() - 2, "{} bytes", found.best.len());
        assert!(found.tests < 4000, "{} tests", found.tests);
    }

    #[test]
    fn both_spans_of_a_couple_go_together() {
        let mut couples = Couples::new(vec![[0..1, 9..10], [1..3, 8..9], [4..5, 5..6]]);
        couples.remove(1..2);
        let mut cuts = Vec::new();
        couples.cuts(0..2, &mut cuts);
        assert_eq!(cuts, [0..1, 2..4, 6..7]);
    }
}
