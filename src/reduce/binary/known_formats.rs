//! Deletes from formats that are known to the letter, with lengths and checksums mended.
//!
//! Parts go in runs, long ones first; then a part gives way to one of its kind inside it; then
//! the fields that mean nothing to the rest get shorter. A checksum lets nothing smaller through,
//! and where a format is nested every length around has to change at once.

use std::borrow::Cow;

use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Structure;
use seedsmith_grammar::internal::formats;
use seedsmith_grammar::internal::{FieldEdit, rebuild};
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// Deletes parts of PNG and DER and corrects lengths and checksums.
///
/// Parts go in runs, then a part gives way to one of its kind inside it, then free fields get shorter.
/// Other inputs cost nothing. Cost: some tests for each part.
pub static KNOWN_FORMATS: Reducer = Reducer {
    name: Cow::Borrowed("known-formats"),
    description: Cow::Borrowed("deletes parts of PNG and DER and corrects lengths and checksums"),
    activity: "deleting parts",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| match formats::recognise(search.best()) {
        Some(structure) => reduce(search, &*structure),
        None => Ok(()),
    }),
};

/// Inputs longer than this are left alone: each candidate is a copy. A guess; not measured.
const MAX_FORMAT_BYTES: usize = 4 << 20;
/// Descendants that are tried in the place of one part. A guess; not measured.
const MAX_HOISTS: usize = 64;

/// The fields of longer inputs are cut into no more than [`MAX_COARSE_RUNS`] runs. A guess; not
/// measured.
const MAX_SHORT_BYTES: usize = 4096;
/// Runs of a field in a long input, so that a large field is some 130 tests. A guess; not measured.
const MAX_COARSE_RUNS: usize = 64;

/// A way to change the best, without its bytes.
#[derive(Clone, Debug)]
enum Step {
    /// Leaves these out.
    Drop(Vec<NodeId>),
    /// Puts the second in the place of the first.
    Hoist(NodeId, NodeId),
    /// Leaves out a run of a field's bytes.
    Cut(NodeId, std::ops::Range<usize>),
}

/// Reduces the best, as long as it is of the format, until no step of these kinds pays.
pub fn reduce(search: &mut Search<'_, '_>, structure: &dyn Structure) -> Result<(), Stopped> {
    if search.best().len() > MAX_FORMAT_BYTES {
        return Ok(());
    }
    loop {
        let before = search.best().to_vec();
        for steps in [drops, hoists, cuts] {
            exhaust(search, structure, steps)?;
        }
        if search.best() == before {
            return Ok(());
        }
    }
}

/// Tries all steps of a kind in order; after a success it continues at the same place of the rest.
fn exhaust(
    search: &mut Search<'_, '_>,
    structure: &dyn Structure,
    steps: fn(&Tree, &dyn Structure) -> Vec<Step>,
) -> Result<(), Stopped> {
    let mut done = 0;
    loop {
        let base = search.best().to_vec();
        let Some(tree) = structure.parse(&base) else { return Ok(()) };
        let all = steps(&tree, structure);
        let mut stream = all.iter().enumerate().skip(done);
        let accepted = search.first(|buffer| {
            let (index, step) = stream.next()?;
            buffer.extend_from_slice(&rebuild(structure, &tree, &base, &edits(step, &tree, &base)));
            Some(index)
        })?;
        match accepted {
            Some(index) => done = index,
            None => return Ok(()),
        }
    }
}

/// The edits of a step on the tree of `base`.
fn edits(step: &Step, tree: &Tree, base: &[u8]) -> Vec<FieldEdit> {
    match step {
        Step::Drop(nodes) => {
            nodes.iter().map(|node| FieldEdit { node: *node, bytes: Vec::new() }).collect()
        }
        Step::Hoist(outer, inner) => {
            vec![FieldEdit { node: *outer, bytes: base[tree.span(*inner)].to_vec() }]
        }
        Step::Cut(node, cut) => {
            let bytes = &base[tree.span(*node)];
            vec![FieldEdit {
                node: *node,
                bytes: [&bytes[..cut.start], &bytes[cut.end..]].concat(),
            }]
        }
    }
}

/// Runs of parts, those of the outer parts first, long runs before short ones.
fn drops(tree: &Tree, _: &dyn Structure) -> Vec<Step> {
    let mut steps = Vec::new();
    for id in tree.ids().filter(|id| matches!(tree.node(*id).kind, NodeKind::Quantifier(_))) {
        let parts: Vec<NodeId> = tree.children(id).to_vec();
        for run in halves(parts.len()) {
            steps.push(Step::Drop(parts[run].to_vec()));
        }
    }
    steps
}

/// Every part that holds parts of its kind, with each of these, the largest gain first.
fn hoists(tree: &Tree, _: &dyn Structure) -> Vec<Step> {
    let mut steps = Vec::new();
    for outer in tree.ids().filter(|id| tree.rule(*id).is_some()) {
        let of_its_kind = |id: &NodeId| *id != outer && tree.rule(*id) == tree.rule(outer);
        let mut inner: Vec<NodeId> =
            tree.subtree(outer).filter(of_its_kind).take(MAX_HOISTS).collect();
        inner.sort_by_key(|id| tree.span(*id).len());
        steps.extend(inner.into_iter().map(|inner| Step::Hoist(outer, inner)));
    }
    steps
}

/// Runs of bytes of the free fields, long runs first.
fn cuts(tree: &Tree, structure: &dyn Structure) -> Vec<Step> {
    let is_free = |id: &NodeId| matches!(tree.node(*id).kind, NodeKind::Token(token) if structure.is_free(token));
    let is_long = tree.span(NodeId::ROOT).len() > MAX_SHORT_BYTES;
    let of_field = |id: NodeId| {
        let length = tree.span(id).len();
        let least = if is_long { length / MAX_COARSE_RUNS } else { 0 };
        halves(length).filter(move |cut| cut.len() > least).map(move |cut| Step::Cut(id, cut))
    };
    tree.ids().filter(is_free).flat_map(of_field).collect()
}

/// All of `0..length`, its halves, their halves, down to single places; the later ones first, as
/// the beginning of an input determines how the rest is read.
fn halves(length: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let sizes = std::iter::successors(Some(length), |size| (*size > 1).then(|| size.div_ceil(2)));
    sizes.filter(|size| *size > 0).flat_map(move |size| {
        (0..length.div_ceil(size)).rev().map(move |at| at * size..length.min((at + 1) * size))
    })
}

#[cfg(test)]
mod tests {
    use crate::reduce::binary::known_formats::*;
    use crate::reduce::testing::reduce_by;
    use seedsmith_grammar::internal::formats::{Der, Png, recognise};

    fn chunk(name: &str, data: &[u8]) -> Vec<u8> {
        let body = [name.as_bytes(), data].concat();
        let crc = crc32fast::hash(&body).to_be_bytes();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc].concat()
    }

    /// The chunks' types and data, if all lengths and checksums are right.
    fn chunks(mut bytes: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        bytes = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let length = u32::from_be_bytes(*bytes.first_chunk()?) as usize;
            let body = bytes.get(4..8 + length)?;
            let crc = bytes.get(8 + length..12 + length)?;
            if crc != crc32fast::hash(body).to_be_bytes() {
                return None;
            }
            found.push((body[..4].to_vec(), body[4..].to_vec()));
            bytes = &bytes[12 + length..];
        }
        Some(found)
    }

    #[test]
    fn a_png_is_cut_down_to_the_chunk_that_fails_with_its_checksum_right() {
        let mut input = b"\x89PNG\r\n\x1a\n".to_vec();
        input.extend(chunk("IHDR", &[1; 13]));
        for index in 0..40_u8 {
            input.extend(chunk(if index == 23 { "zTXt" } else { "tEXt" }, &vec![index; 300]));
        }
        input.extend(chunk("IEND", b""));
        let fails = |bytes: &[u8]| {
            let bad = |(name, data): &(Vec<u8>, Vec<u8>)| name == b"zTXt" && data.contains(&23);
            let is_right = |all: Vec<(Vec<u8>, Vec<u8>)>| {
                all.first().is_some_and(|(name, _)| name == b"IHDR") && all.iter().any(bad)
            };
            chunks(bytes).is_some_and(is_right)
        };
        let found = reduce_by(&input, fails, |search| reduce(search, &Png));
        let mut least = b"\x89PNG\r\n\x1a\n".to_vec();
        least.extend(chunk("IHDR", b""));
        least.extend(chunk("zTXt", &[23]));
        assert_eq!(found.best, least);
        assert!(found.tests < 400, "{} tests", found.tests);
        assert_eq!(recognise(&input).unwrap().name(), "png");
    }

    #[test]
    fn nested_sequences_are_cut_with_every_length_around_them() {
        fn make(tag: u8, value: &[u8]) -> Vec<u8> {
            let length = match value.len() {
                short @ 0..0x80 => vec![short as u8],
                long => vec![0x82, (long >> 8) as u8, long as u8],
            };
            [&[tag][..], &length, value].concat()
        }
        // A name, a time and an extension, many times, five levels deep.
        let mut input = Vec::new();
        for index in 0..30_u8 {
            let time = make(0x17, if index == 17 { b"9901x1000000Z" } else { b"990101000000Z" });
            let name = make(0x30, &make(0x31, &make(0x0C, &[b'n'; 60])));
            let extension = make(0x04, &make(0x30, &make(0x02, &[index])));
            input.extend(make(0x30, &[name, make(0x30, &time), extension].concat()));
        }
        let input = make(0x30, &make(0x30, &input));
        // Strict: every element is whole, and a time holds an `x`.
        fn has_bad_time(bytes: &[u8], depth: usize) -> Option<bool> {
            let (mut at, mut is_bad) = (0, false);
            while at < bytes.len() {
                let (length, width) = match *bytes.get(at + 1)? {
                    short @ 0..0x80 => (usize::from(short), 1),
                    long => {
                        let rest = bytes.get(at + 2..at + 2 + usize::from(long & 0x7F))?;
                        (rest.iter().fold(0, |n, b| n << 8 | usize::from(*b)), 1 + rest.len())
                    }
                };
                let value = bytes.get(at + 1 + width..at + 1 + width + length)?;
                is_bad |= match bytes[at] {
                    0x17 => depth > 0 && value.contains(&b'x'),
                    0x30 | 0x31 => has_bad_time(value, depth + 1)?,
                    _ => false,
                };
                at += 1 + width + length;
            }
            Some(is_bad)
        }
        let found = reduce_by(
            &input,
            |bytes| has_bad_time(bytes, 0) == Some(true),
            |search| reduce(search, &Der),
        );
        assert_eq!(found.best, b"\x30\x03\x17\x01x");
        assert!(found.tests < 400, "{} tests", found.tests);
        assert_eq!(recognise(&input).unwrap().name(), "der");
    }

    #[test]
    fn halves_cover_everything_at_each_size() {
        let runs: Vec<_> = halves(5).collect();
        assert_eq!(runs[0], 0..5);
        assert_eq!(runs.iter().filter(|run| run.len() == 1).count(), 6);
        assert_eq!(halves(0).count(), 0);
        assert_eq!(halves(1).count(), 1);
    }
}
