//! Lists of things that may be cut out of the best: units, and couples of spans that go together.

use std::ops::Range;

use super::edit;
use seedsmith_grammar::internal::Units;

/// A list of things of which any may be removed from the best.
///
/// Duties of an implementation:
/// 1. The spans of two elements are disjoint.
/// 2. After [`Removable::remove`] the spans are those of the input without the removed elements.
pub(crate) trait Removable {
    /// How many are left.
    fn count(&self) -> usize;

    /// Writes the spans of some elements into an empty list, ascending and disjoint.
    fn cuts(&self, elements: Range<usize>, cuts: &mut Vec<Range<usize>>);

    /// Forgets some elements, whose bytes were removed, and moves the spans of those after them.
    /// Cost: a look at each element that is left.
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
pub(crate) struct Couples {
    elements: Vec<[Range<usize>; 2]>,
}

impl Couples {
    /// Elements whose spans are disjoint, also those of different elements; one of the two may be
    /// empty.
    pub(crate) fn new(elements: Vec<[Range<usize>; 2]>) -> Self {
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
        // By how much a span moves depends on the cuts before it: sums once, then a search for each span,
        // because a list can have a hundred thousand couples.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spans_of_a_couple_go_together() {
        let mut couples = Couples::new(vec![[0..1, 9..10], [1..3, 8..9], [4..5, 5..6]]);
        couples.remove(1..2);
        let mut cuts = Vec::new();
        couples.cuts(0..2, &mut cuts);
        assert_eq!(cuts, [0..1, 2..4, 6..7]);
    }
}
