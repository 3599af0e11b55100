//! The pieces of a long run: the least count that fails, and what can replace the others.
//!
//! Where offsets in the input depend on the length of a run, it can get neither shorter nor longer. Then
//! the repetitions that are not needed are replaced by as many bytes of a class.

use std::ops::Range;

use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;

use super::class::Class;
use super::repeats::enlarged_count;
use super::spelling::{Piece, Spelling};
use crate::generalize::domain::Segment;

/// Classes of bytes that can replace repetitions that are not needed.
const FILLERS: [Class; 4] = [Class::Any, Class::Printable, Class::Alphanumeric, Class::Space];

impl Spelling<'_, '_, '_> {
    /// The pieces of a run: one of any class, or at least a number of repetitions of the unit, or a
    /// fixed number of them and then bytes of a class. Cost: about `log2` of the count, and six times that where
    /// the length is fixed.
    pub(super) fn run(&mut self, span: Range<usize>, unit: usize) -> Result<Vec<Piece>, Stopped> {
        if let (Some(segment), _) = self.classes(span.clone())? {
            return Ok(vec![Piece { span, segment, passes: None }]);
        }
        let unit = self.text[span.start..span.start + unit].to_vec();
        let count = span.len() / unit.len();
        let repeated = |least: usize| Segment::Repeated { unit: unit.clone(), least };
        if !self.holds(self.around(span.clone(), repeated(count)))? {
            return self.filled(span, unit.len());
        }
        let (before, after) = (self.text[..span.start].to_vec(), self.text[span.end..].to_vec());
        let fails = self.least(count, &mut |spelling, middle| {
            let candidate = [&before[..], &unit.repeat(middle), &after].concat();
            Ok(spelling.outcome(candidate)? == Outcome::Fail)
        })?;
        let least = enlarged_count(fails).min(count);
        Ok(vec![Piece { span, segment: repeated(least), passes: None }])
    }

    /// A run of fixed length: as many repetitions as are needed, and the others of a class.
    ///
    /// The widest of `FILLERS` is taken that can replace all repetitions but one; then bisection
    /// finds how many are needed.
    fn filled(&mut self, span: Range<usize>, unit: usize) -> Result<Vec<Piece>, Stopped> {
        let count = span.len() / unit;
        let middle = |kept: usize| span.start + kept * unit;
        for class in FILLERS {
            let filler = |kept: usize| {
                let length = span.end - middle(kept);
                Segment::Class { class, least: length, most: Some(length) }
            };
            if !self.holds(self.around(middle(count - 1)..span.end, filler(count - 1)))? {
                continue;
            }
            let kept = self.least(count - 1, &mut |spelling, kept| {
                let segments = spelling.around(middle(kept)..span.end, filler(kept));
                spelling.holds(segments)
            })?;
            let kept = enlarged_count(kept).min(count);
            if kept == count {
                break;
            }
            let required = Piece::text(&self.text, span.start..middle(kept));
            let filler =
                Piece { span: middle(kept)..span.end, segment: filler(kept), passes: None };
            return Ok(vec![required, filler]);
        }
        Ok(vec![Piece::text(&self.text, span)])
    }

    /// The least number that fails, of those up to one that does; none is known to pass.
    ///
    /// By bisection, so about `log2(fails)` calls of `holds`. It assumes that more repetitions fail
    /// too.
    fn least(
        &mut self,
        fails: usize,
        holds: &mut dyn FnMut(&mut Self, usize) -> Result<bool, Stopped>,
    ) -> Result<usize, Stopped> {
        let (mut fails, mut passes) = (fails, 0);
        while fails - passes > 1 {
            let middle = passes + (fails - passes) / 2;
            if holds(self, middle)? {
                fails = middle;
            } else {
                passes = middle;
            }
        }
        Ok(fails)
    }
}
