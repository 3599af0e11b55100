//! Finds the deepest nestings of an input: of brackets, words, tags, records, and of text whose
//! shape recurs.
//!
//! Nothing is known of the input's format. Each nesting found is a guess: a wrong one costs tests,
//! never correctness.

use crate::structure::binary::field::Encoding;
use crate::structure::binary::records::{BinaryRecord, RecordShape, record_shapes};
use crate::structure::nesting::chain::{Level, LevelLength, NestingChain};
use crate::structure::nesting::pairs::{self, Pair};
use crate::structure::nesting::tags;
use crate::structure::units::tokens::{is_word, tokens};

/// The deepest nesting of each kind that has at least `least` levels; if asked for, also the longest
/// stretch `with_forms` that recur.
///
/// Cost: a reading of the input for each of three families of pairs, and some thousand looks for
/// records.
pub fn nesting_chains(bytes: &[u8], least: usize, with_forms: bool) -> Vec<NestingChain> {
    let mut found: Vec<NestingChain> = Vec::new();
    for family in [tags::open_tags, pairs::open_brackets, pairs::open_words] {
        found.extend(of_pairs(&family(bytes), bytes.len()));
    }
    found.extend(of_records(bytes));
    found.retain(|spine| spine.levels.len() >= least);
    // A few levels more or less make no difference.
    found.sort_by_key(|spine| std::cmp::Reverse(spine.levels.len() / 64));
    // A form explains less than a nest: it comes last.
    if with_forms {
        found.extend(of_forms(bytes, least));
    }
    found
}

/// The way from the outside to the deepest pair.
/// `None` if there is no pair. Of equally deep pairs the first is taken. Cost: once through the
/// pairs.
fn of_pairs(pairs: &[Pair], length: usize) -> Option<NestingChain> {
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
    let levels = path.windows(2).map(|two| {
        let (whole, inner) = (two[0].whole(), two[1].whole());
        Level { open: whole.start..inner.start, close: inner.end..whole.end, length: None }
    });
    Some(NestingChain { levels: levels.collect(), core: pairs[deepest].whole() })
}

/// Where the outermost record may begin.
///
/// Room for a header before the first record; a guess, not measured.
const MAX_FIRST_RECORD_OFFSET: usize = 16;
/// Bytes between a record's header and the first record inside it.
///
/// A guess, not measured.
const MAX_INDENT_BYTES: usize = 8;
/// Records side by side that are looked at for the largest.
///
/// Bounds the cost of an input of many small records; a guess, not measured.
const MAX_SIBLINGS: usize = 64;

/// The deepest nestings of records, one for each way to write a length, those of the fewest kinds
/// first: shifted by some bytes, records look like others of more kinds.
///
/// Encodings that vary in width and fixed ones can read the same bytes; the chain with the fewest
/// kinds of levels is kept for each encoding.
fn of_records(bytes: &[u8]) -> Vec<NestingChain> {
    let mut found: Vec<NestingChain> = Vec::new();
    let mut deepest = 2;
    for shape in record_shapes() {
        for start in 0..MAX_FIRST_RECORD_OFFSET.min(bytes.len()) {
            for indent in 0..=MAX_INDENT_BYTES {
                let Some(spine) = record_path(bytes, shape, start, indent) else { continue };
                if spine.levels.len() * 8 >= deepest * 7 {
                    deepest = deepest.max(spine.levels.len());
                    found.push(spine);
                }
            }
        }
    }
    found.retain(|spine| spine.levels.len() * 8 >= deepest * 7);
    found.sort_by_cached_key(|spine| spine.kinds(bytes));
    let mut encodings: Vec<Encoding> = Vec::new();
    found.retain(|spine| {
        let length = spine.levels.first().and_then(|level| level.length);
        let encoding = length.map(|length| length.field.encoding);
        let is_new = encoding.is_some_and(|encoding| !encodings.contains(&encoding));
        encodings.extend(encoding);
        is_new
    });
    found
}

/// Goes from a record to the largest one inside it, as long as that is most of it.
/// `None` if there is no record at `start`.
fn record_path(
    bytes: &[u8],
    shape: RecordShape,
    start: usize,
    indent: usize,
) -> Option<NestingChain> {
    let mut levels = Vec::new();
    let mut record = shape.read(bytes, start, bytes.len())?;
    loop {
        let inside = record.body.clone();
        let mut inner: Option<BinaryRecord> = None;
        let mut at = inside.start + indent;
        for _ in 0..MAX_SIBLINGS {
            let Some(next) = shape.read(bytes, at, inside.end) else { break };
            if next.span.end == at {
                break;
            }
            at = next.span.end;
            if inner.as_ref().is_none_or(|inner| inner.span.len() < next.span.len()) {
                inner = Some(next);
            }
        }
        let Some(inner) = inner.filter(|inner| inner.span.len() * 2 >= inside.len()) else {
            return Some(NestingChain { levels, core: record.span });
        };
        levels.push(Level {
            open: record.span.start..inner.span.start,
            close: inner.span.end..record.span.end,
            length: Some(LevelLength { field: record.length, counts_itself: shape.counts_itself }),
        });
        record = inner;
    }
}

/// Tokens after which text of one form begins again, at most.
///
/// A guess, not measured: a term of a sum has two or three tokens, a statement some more.
const MAX_PERIOD_TOKENS: usize = 16;

/// The longest stretch of text that has one form again and again, such as the terms of a sum: each
/// time is a level that is never closed. Words and numbers are of one form.
///
/// Cost: for each period once through the tokens.
fn of_forms(bytes: &[u8], least: usize) -> Option<NestingChain> {
    let units = tokens(bytes);
    let form = |index: usize| {
        let first = bytes[units.start(index)];
        if is_word(first) { b'a' } else { first }
    };
    let forms: Vec<u8> = (0..units.len()).map(form).collect();
    let mut longest: Option<(usize, usize, usize)> = None;
    for period in 1..=MAX_PERIOD_TOKENS.min(forms.len() / 2) {
        let mut at = 0;
        while at + period < forms.len() {
            let alike = forms[at..].iter().zip(&forms[at + period..]);
            let count = alike.take_while(|(left, right)| left == right).count() / period + 1;
            let size = units.span(at..(at + count * period).min(forms.len())).len();
            if count >= least && longest.is_none_or(|(_, _, other)| other * 10 < size * 9) {
                longest = Some((at, period, size));
            }
            at += 1.max((count - 1) * period);
        }
    }
    let (from, period, size) = longest?;
    let end = units.start(from) + size;
    let starts = (from..).step_by(period).take_while(|at| units.start(*at) < end);
    let levels = starts.map(|at| Level {
        open: units.start(at)..units.start(at + period).min(end),
        close: end..end,
        length: None,
    });
    Some(NestingChain { levels: levels.collect(), core: end..end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::nesting::chain::NewLevels;

    fn again(bytes: &[u8], outer: usize, level: usize, count: usize) -> (NestingChain, NewLevels) {
        let spine = nesting_chains(bytes, 2, false).swap_remove(0);
        let unit = vec![spine.shell(bytes, level)];
        (spine, NewLevels { outer, unit, count, is_around_kept: true, is_closed: true })
    }

    fn written(bytes: &[u8], spine: &NestingChain, rebuilt: &NewLevels) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(spine.rebuild(bytes, rebuilt, &mut out));
        out
    }

    #[test]
    fn a_spine_leads_to_the_deepest_pair() {
        let text = b"f(a, [b, {c}], [[[d]], e], g) h";
        let spine = &nesting_chains(text, 2, false)[0];
        let opens: Vec<&[u8]> =
            spine.levels.iter().map(|level| &text[level.open.clone()]).collect();
        assert_eq!(opens, [&b"(a, [b, {c}], "[..], b"[", b"["]);
        assert_eq!(&text[spine.core.clone()], b"[d]");
        let shell = spine.shell(text, 1);
        assert_eq!((&shell.before[..], &shell.close[..]), (&b"["[..], &b", e]"[..]));
    }

    #[test]
    fn a_level_is_repeated_with_and_without_what_is_around() {
        let text = b"x(a[b[]c]d)y";
        let (spine, rebuilt) = again(text, 1, 1, 3);
        assert_eq!(written(text, &spine, &rebuilt), b"x(a[b[b[b[]c]c]c]d)y");
        let rebuilt = NewLevels { outer: 0, is_around_kept: false, ..rebuilt };
        assert_eq!(written(text, &spine, &rebuilt), b"[b[b[b[]c]c]c]");
        let rebuilt = NewLevels { is_closed: false, ..rebuilt };
        assert_eq!(written(text, &spine, &rebuilt), b"[b[b[b");
        assert_eq!(spine.most(&rebuilt, text.len(), 7), 3);
    }

    #[test]
    fn what_is_never_closed_nests_too() {
        assert_eq!(nesting_chains(b"f {{{{", 2, false)[0].levels.len(), 3);
        assert_eq!(nesting_chains(b"<a><b><c>text", 2, false)[0].levels.len(), 2);
        assert_eq!(nesting_chains(b"begin begin x begin", 2, false)[0].levels.len(), 2);
    }

    #[test]
    fn what_has_one_form_again_and_again_is_a_level_each_time() {
        let text = b"let sum = a1 + 22 * (b) + ccc + 4 + e5 + 66 ;";
        let spine = of_forms(text, 4).unwrap();
        let levels: Vec<&[u8]> =
            spine.levels.iter().map(|level| &text[level.open.clone()]).collect();
        assert_eq!(levels, [&b" + ccc"[..], b" + 4", b" + e5", b" + 66"]);
        assert_eq!(of_forms(text, 5), None);
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
        let spine = nesting_chains(&bytes, 64, false)
            .into_iter()
            .find(|spine| spine.levels.len() == 299)
            .expect("all records but the innermost");
        let unit = vec![spine.shell(&bytes, 30)];
        let rebuilt =
            NewLevels { outer: 20, unit, count: 180, is_around_kept: true, is_closed: true };
        let out = written(&bytes, &spine, &rebuilt);
        let core = b"\x04\x02ok";
        let is_as_made = out == (0..201).fold(core.to_vec(), |inside, _| make(&inside));
        assert!(is_as_made, "{} bytes", out.len());
    }
}
