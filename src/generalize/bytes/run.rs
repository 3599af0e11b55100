//! Long runs of the same bytes: the least count that fails, and what may stand for the others.
//!
//! Where offsets in the input depend on the length of a run, it can get neither shorter nor longer. Then
//! the repetitions that are not needed are replaced by as many bytes of a class.

use std::ops::Range;

use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::outcome::Outcome;

use super::class::Class;
use super::spelling::{Piece, Spelling};
use crate::generalize::domain::Segment;

/// Runs of the same bytes this often are looked at as a whole.
const LONG_RUN: usize = 8;
/// The longest unit of such a run.
const LONGEST_UNIT: usize = 16;
/// Runs of the same bytes this often are enlarged: shorter ones have nothing to do with the size of a
/// stack.
const LONG_COUNT: usize = 1024;
/// By which part of it a run is enlarged. Where the stack begins differs by some kilobytes from process to
/// process, of eight megabytes.
pub(in crate::generalize) const ENLARGED: usize = 16;
/// Classes of what may stand for repetitions that are not needed.
const FILLERS: [Class; 4] = [Class::Any, Class::Printable, Class::Alphanumeric, Class::Space];

impl Spelling<'_, '_, '_> {
    /// The pieces of a run: one of any class, at least so many times the unit, or the unit so many
    /// times and then bytes of a class. Cost: about `log2` of the count, and six times that where
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

/// A count that fails in every process, where one that is minimal may depend on the process.
pub(in crate::generalize) fn enlarged_count(count: usize) -> usize {
    if count >= LONG_COUNT { count + count / ENLARGED } else { count }
}

/// The long runs of a text, with the length of what they repeat, and with 0 the stretches between.
pub(in crate::generalize) fn runs(text: &[u8]) -> Vec<(Range<usize>, usize)> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut at, mut plain) = (0, 0);
    while at < text.len() {
        let run = (1..=LONGEST_UNIT).find_map(|unit| {
            let rest = &text[at..];
            let same = rest.iter().zip(rest.get(unit..)?).take_while(|(a, b)| a == b).count();
            let times = same / unit + 1;
            (times >= LONG_RUN).then_some((unit, times * unit))
        });
        let Some((unit, length)) = run else {
            at += 1;
            continue;
        };
        if plain < at {
            found.push((plain..at, 0));
        }
        found.push((at..at + length, unit));
        at += length;
        plain = at;
    }
    if plain < text.len() {
        found.push((plain..text.len(), 0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_with_what_they_repeat() {
        let text = [b"a".as_slice(), &b"[".repeat(9), b"bc", &b"{\n".repeat(8), b"x"].concat();
        assert_eq!(runs(&text), [(0..1, 0), (1..10, 1), (10..12, 0), (12..28, 2), (28..29, 0)]);
        assert_eq!(runs(b"abcabc"), [(0..6, 0)]);
    }
}
