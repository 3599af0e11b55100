//! The deepest nesting of an input, level by level: brackets in brackets, tags in tags, records in
//! records.
//!
//! A [`Spine`] can be written anew with other levels: fewer, or one of them again and again. What a
//! level is made of decides how: text is put side by side, and of records the lengths are
//! computed from the inside outwards.

use std::borrow::Cow;
use std::ops::Range;

use super::field::Field;
use super::pairs::{self, Pair};
use super::records::{Record, Shape, shapes};
use super::tags;

/// A level: what opens it, up to the next one inside, and what closes it, from that one's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// From where it begins to where the next level does.
    pub open: Range<usize>,
    /// From where the next level ends to where it does; empty where it is never closed.
    pub close: Range<usize>,
    /// In records, the length within `open`.
    length: Option<Length>,
}

/// A length that says where a level ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Length {
    field: Field,
    counts_itself: bool,
}

/// Levels that lie in each other, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spine {
    /// The levels.
    pub levels: Vec<Level>,
    /// What the innermost level holds.
    pub core: Range<usize>,
}

/// What is made of a spine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// So many outer levels stay as they are.
    pub outer: usize,
    /// These levels come next, one in the other ...
    pub unit: Range<usize>,
    /// ... so many times.
    pub count: usize,
    /// Whether what surrounds the outermost level stays.
    pub is_around_kept: bool,
    /// Whether the core stays, and levels are closed.
    pub is_closed: bool,
}

/// The deepest nesting of each kind that has at least `least` levels.
///
/// Cost: a reading of the input for each of three families of pairs, and some thousand looks for
/// records.
pub fn spines(bytes: &[u8], least: usize) -> Vec<Spine> {
    let mut found: Vec<Spine> = Vec::new();
    for family in [tags::open_tags, pairs::open_brackets, pairs::open_words] {
        found.extend(of_pairs(&family(bytes), bytes.len()));
    }
    found.extend(of_records(bytes));
    found.retain(|spine| spine.levels.len() >= least);
    found.sort_by_key(|spine| std::cmp::Reverse(spine.levels.len()));
    found
}

/// The way from the outside to the deepest pair.
fn of_pairs(pairs: &[Pair], length: usize) -> Option<Spine> {
    // How many levels lie below each pair, the parents' from those of their children.
    let mut below = vec![0_u32; pairs.len()];
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let mut open: Vec<usize> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        open.truncate(pair.depth as usize);
        parents.push(open.last().copied());
        open.push(index);
    }
    for index in (0..pairs.len()).rev() {
        if let Some(parent) = parents[index] {
            below[parent] = below[parent].max(below[index] + 1);
        }
    }
    let deepest = (0..pairs.len()).max_by_key(|index| (pairs[*index].depth, length - index))?;
    let mut path: Vec<&Pair> = std::iter::successors(Some(deepest), |index| parents[*index])
        .map(|at| &pairs[at])
        .collect();
    path.reverse();
    let levels = path.iter().enumerate().map(|(index, pair)| {
        let whole = pair.whole();
        let inner = path.get(index + 1).map_or(pair.content(), |inner| inner.whole());
        Level { open: whole.start..inner.start, close: inner.end..whole.end, length: None }
    });
    Some(Spine { levels: levels.collect(), core: pairs[deepest].content() })
}

/// What opens a level: bytes up to the length, the length, bytes behind it.
type Opening<'b> = [Cow<'b, [u8]>; 3];

/// Where the outermost record may begin.
const LEAD: usize = 16;
/// Bytes between a record's header and the first record inside it.
const INDENT: usize = 8;
/// Records side by side that are looked at for the largest.
const SIBLINGS: usize = 64;

/// The deepest nesting of records that are written in one way.
fn of_records(bytes: &[u8]) -> Option<Spine> {
    let mut deepest: Option<Spine> = None;
    for shape in shapes() {
        for start in 0..LEAD.min(bytes.len()) {
            for indent in 0..=INDENT {
                let levels = deepest.as_ref().map_or(0, |spine| spine.levels.len());
                if let Some(spine) = record_path(bytes, shape, start, indent)
                    && spine.levels.len() > levels
                {
                    deepest = Some(spine);
                }
            }
        }
    }
    deepest
}

/// Goes from a record to the largest one inside it, as long as that is most of it.
fn record_path(bytes: &[u8], shape: Shape, start: usize, indent: usize) -> Option<Spine> {
    let mut levels = Vec::new();
    let mut record = shape.read(bytes, start, bytes.len())?;
    loop {
        let inside = record.body.clone();
        let mut inner: Option<Record> = None;
        let mut at = inside.start + indent;
        for _ in 0..SIBLINGS {
            let Some(next) = shape.read(bytes, at, inside.end) else { break };
            if next.span.end == at {
                break;
            }
            at = next.span.end;
            if inner.as_ref().is_none_or(|inner| inner.span.len() < next.span.len()) {
                inner = Some(next);
            }
        }
        let inner = inner.filter(|inner| inner.span.len() * 2 >= inside.len());
        let core = inner.as_ref().map_or(inside.clone(), |inner| inner.span.clone());
        levels.push(Level {
            open: record.span.start..core.start,
            close: core.end..record.span.end,
            length: Some(Length { field: record.length, counts_itself: shape.counts_itself }),
        });
        match inner {
            Some(inner) => record = inner,
            None => return Some(Spine { levels, core }),
        }
    }
}

impl Spine {
    /// What lies in front of the outermost level and behind it.
    fn around(&self, length: usize) -> [Range<usize>; 2] {
        let outermost = &self.levels[0];
        [0..outermost.open.start, outermost.close.end..length]
    }

    /// Whether levels have lengths, so that none can be left open.
    pub fn has_lengths(&self) -> bool {
        self.levels.iter().any(|level| level.length.is_some())
    }

    /// What tells a level from one of another kind: its bytes but for the length.
    pub fn kind<'b>(&self, bytes: &'b [u8], level: usize) -> [&'b [u8]; 3] {
        let Level { open, close, length } = &self.levels[level];
        let number = match length {
            Some(Length { field, .. }) => field.at..field.at + field.width,
            None => open.end..open.end,
        };
        [&bytes[open.start..number.start], &bytes[number.end..open.end], &bytes[close.clone()]]
    }

    /// The bytes that [`Spine::rebuild`] replaces, and by how many.
    pub fn replaced(&self, rebuilt: &Rebuilt, length: usize, out: usize) -> (Range<usize>, usize) {
        let [before, behind] = self.around(length);
        match (rebuilt.is_around_kept, rebuilt.is_closed) {
            (true, true) => (before.end..behind.start, out - before.len() - behind.len()),
            (true, false) => (before.end..length, out - before.len()),
            _ => (0..length, out),
        }
    }

    /// How often the unit fits at most into `room` bytes of input.
    pub fn most(&self, rebuilt: &Rebuilt, length: usize, room: usize) -> usize {
        let size = |level: &Level| {
            level.open.len() + if rebuilt.is_closed { level.close.len() } else { 0 }
        };
        let fixed: usize = self.levels[..rebuilt.outer].iter().map(size).sum();
        let [before, behind] = self.around(length);
        let around = if rebuilt.is_around_kept { before.len() } else { 0 }
            + if rebuilt.is_around_kept && rebuilt.is_closed { behind.len() } else { 0 };
        let core = if rebuilt.is_closed { self.core.len() } else { 0 };
        let unit: usize = self.levels[rebuilt.unit.clone()].iter().map(size).sum();
        room.saturating_sub(fixed + around + core) / unit.max(1)
    }

    /// Writes `bytes`, whose spine this is, with other levels; `false` if a length does not fit.
    pub fn rebuild(&self, bytes: &[u8], rebuilt: &Rebuilt, out: &mut Vec<u8>) -> bool {
        let unit = std::iter::repeat_n(rebuilt.unit.clone(), rebuilt.count).flatten();
        let levels: Vec<&Level> =
            (0..rebuilt.outer).chain(unit).map(|level| &self.levels[level]).collect();
        let [before, behind] = self.around(bytes.len());
        if rebuilt.is_around_kept {
            out.extend_from_slice(&bytes[before]);
        }
        let Some(openings) = self.openings(bytes, &levels, rebuilt.is_closed) else { return false };
        for opening in openings.iter().rev() {
            opening.iter().for_each(|piece| out.extend_from_slice(piece));
        }
        if rebuilt.is_closed {
            out.extend_from_slice(&bytes[self.core.clone()]);
            for level in levels.iter().rev() {
                out.extend_from_slice(&bytes[level.close.clone()]);
            }
            if rebuilt.is_around_kept {
                out.extend_from_slice(&bytes[behind]);
            }
        }
        true
    }

    /// What opens each level, the innermost first, in pieces, with the lengths that it comes to.
    fn openings<'b>(
        &self,
        bytes: &'b [u8],
        levels: &[&Level],
        is_closed: bool,
    ) -> Option<Vec<Opening<'b>>> {
        let mut inside = if is_closed { self.core.len() } else { 0 };
        let mut openings = Vec::with_capacity(levels.len());
        for level in levels.iter().rev() {
            if is_closed {
                inside += level.close.len();
            }
            let opening: Opening<'b> = match level.length {
                None => [bytes[level.open.clone()].into(), (&[]).into(), (&[]).into()],
                Some(Length { field, counts_itself }) => {
                    let behind = field.at + field.width..level.open.end;
                    inside += behind.len();
                    let own = if counts_itself { field.width } else { 0 };
                    let length = field.spell(inside + own)?;
                    [bytes[level.open.start..field.at].into(), length.into(), bytes[behind].into()]
                }
            };
            // What lies behind the length is counted already.
            inside += match level.length {
                None => level.open.len(),
                Some(_) => opening[0].len() + opening[1].len(),
            };
            openings.push(opening);
        }
        Some(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(bytes: &[u8], rebuilt: &Rebuilt) -> Vec<u8> {
        let spine = &spines(bytes, 2)[0];
        let mut out = Vec::new();
        assert!(spine.rebuild(bytes, rebuilt, &mut out));
        out
    }

    #[test]
    fn a_spine_leads_to_the_deepest_pair() {
        let text = b"f(a, [b, {c}], [[[d]], e], g) h";
        let spine = &spines(text, 2)[0];
        let opens: Vec<&[u8]> =
            spine.levels.iter().map(|level| &text[level.open.clone()]).collect();
        assert_eq!(opens, [&b"(a, [b, {c}], "[..], b"[", b"[", b"["]);
        assert_eq!(&text[spine.core.clone()], b"d");
        assert_eq!(spine.kind(text, 1), [&b"["[..], b"", b", e]"]);
    }

    #[test]
    fn a_level_is_repeated_with_and_without_what_is_around() {
        let rebuilt =
            Rebuilt { outer: 1, unit: 1..2, count: 3, is_around_kept: true, is_closed: true };
        let text = b"x(a[b[]c]d)y";
        assert_eq!(again(text, &rebuilt), b"x(a[b[b[bc]c]c]d)y");
        let rebuilt = Rebuilt { outer: 0, is_around_kept: false, ..rebuilt };
        assert_eq!(again(text, &rebuilt), b"[b[b[bc]c]c]");
        let rebuilt = Rebuilt { is_closed: false, ..rebuilt };
        assert_eq!(again(text, &rebuilt), b"[b[b[b");
        assert_eq!(spines(text, 2)[0].most(&rebuilt, text.len(), 7), 3);
    }

    #[test]
    fn what_is_never_closed_nests_too() {
        assert_eq!(spines(b"f {{{{", 2)[0].levels.len(), 4);
        assert_eq!(spines(b"<a><b><c>text", 2)[0].levels.len(), 3);
        assert_eq!(spines(b"begin begin x begin", 2)[0].levels.len(), 3);
    }

    #[test]
    fn records_get_the_lengths_that_they_come_to() {
        let make = |inside: &[u8]| {
            let body = [&b"\x02\x01\x07"[..], inside, b"\x05\x00"].concat();
            match body.len() {
                short @ 0..0x80 => [&[0x30, short as u8][..], &body].concat(),
                long @ 0x80..0x100 => [&[0x30, 0x81, long as u8][..], &body].concat(),
                long => [&[0x30, 0x82, (long >> 8) as u8, long as u8][..], &body].concat(),
            }
        };
        let nested = |depth| (0..depth).fold(b"\x04\x02ok".to_vec(), |inside, _| make(&inside));
        let bytes = nested(300);
        let spine = &spines(&bytes, 64)[0];
        assert_eq!(spine.levels.len(), 300);
        let rebuilt =
            Rebuilt { outer: 20, unit: 30..31, count: 180, is_around_kept: true, is_closed: true };
        let mut out = Vec::new();
        assert!(spine.rebuild(&bytes, &rebuilt, &mut out));
        let core = b"\x02\x01\x07\x04\x02ok\x05\x00";
        let is_as_made = out == (0..200).fold(core.to_vec(), |inside, _| make(&inside));
        assert!(is_as_made, "{} bytes", out.len());
    }
}
