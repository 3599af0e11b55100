//! DER and everything else that is made of tag, length and value as ASN.1's encoding rules have
//! it: long tags, long lengths, values inside values (ITU-T X.690, sections 8.1 and 10.1).
//!
//! An octet string whose bytes are themselves whole elements is looked into, as certificates'
//! extensions need it. Indefinite lengths are not DER.
//!
//! The tree has an iteration for each element, and in it a rule with three leaves: tag, length,
//! value. A value that is looked into has its elements in place of the leaf. Taking an element out
//! changes the lengths around it, which [`Structure::mend`] writes again.

use crate::structure::binary::field::{Encoding, Field};
use crate::structure::binary::structured::{Structure, StructurePart};
use crate::structure::trees::builder::TreeBuilder;
use crate::structure::trees::tree::{NodeKind, Tree};
use std::ops::Range;

/// The rule of an element.
const ELEMENT: u32 = 0;
/// The quantifier of the elements in a value.
const ELEMENTS: u32 = 0;
/// The token of a tag, of any length.
const TAG: u32 = 0;
/// The token of a length.
const LENGTH: u32 = 1;
/// The token of a value that is not looked into.
const VALUE: u32 = 2;

/// The bit of a tag that says that the value is made of elements.
const CONSTRUCTED: u8 = 0x20;
/// Certificates, keys, signatures and messages are sequences.
const SEQUENCE: u8 = 0x30;
/// An octet string is not constructed, but often holds DER.
const OCTET_STRING: u8 = 0x04;

/// Elements further inside are taken as plain values: rebuilding one takes a copy a level.
const MAX_DEPTH: usize = 128;

/// Elements in a tree, at most: some 200 MB. Later elements are read as plain values.
const MAX_ELEMENTS: usize = 1 << 20;

/// ASN.1's distinguished encoding rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Der;

impl Structure for Der {
    fn name(&self) -> &'static str {
        "der"
    }

    /// Cost: each byte is looked at once for each level of values that it is in.
    fn parse(&self, bytes: &[u8]) -> Option<Tree> {
        if bytes.first() != Some(&SEQUENCE) || bytes.len() > u32::MAX as usize - 1 {
            return None;
        }
        let outer = element(bytes, 0..bytes.len())?;
        // An empty sequence holds nothing to take out.
        if outer.value.end != bytes.len() || elements(bytes, &outer.value).is_none() {
            return None;
        }
        let mut builder = TreeBuilder::new();
        let mut left = MAX_ELEMENTS;
        grow(bytes, &[outer], 0, &mut left, &mut builder);
        Some(builder.finish(bytes.len() as u32))
    }

    /// The length in the shortest form, as DER asks for it.
    fn mend(&self, _: u32, parts: &mut [StructurePart<'_>]) {
        let [_, length, value] = parts else { return };
        length.bytes = length_of(value.bytes.len()).into();
    }

    fn is_free(&self, token: u32) -> bool {
        token == VALUE
    }
}

/// Where the parts of an element are.
struct Element {
    /// The bytes of the tag.
    tag: Range<usize>,
    /// The bytes of the length.
    length: Range<usize>,
    /// The bytes of the value.
    value: Range<usize>,
}

/// The element that begins a range and ends in it.
///
/// `None` for bytes that are not an element, or reach beyond the range.
fn element(bytes: &[u8], within: Range<usize>) -> Option<Element> {
    let rest = bytes.get(within.clone())?;
    let long = rest.first()? & 0x1F == 0x1F;
    let tag_width = if long { 2 + rest[1..].iter().position(|byte| byte & 0x80 == 0)? } else { 1 };
    let tag = within.start..within.start + tag_width;
    // 0x80 is the indefinite length.
    if *bytes.get(tag.end)? == 0x80 {
        return None;
    }
    let (length, field) = Field::read(bytes, tag.end, Encoding::Der)?;
    let start = tag.end + field.width;
    let end = start.checked_add(length)?;
    (end <= within.end).then_some(Element { length: tag.end..start, tag, value: start..end })
}

/// The elements that a range consists of; `None` if it is empty or holds anything else, or too
/// many.
///
/// `None` if the range is empty or is not elements from end to end.
fn elements(bytes: &[u8], range: &Range<usize>) -> Option<Vec<Element>> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let next = element(bytes, at..range.end)?;
        at = next.value.end;
        if found.len() == MAX_ELEMENTS {
            return None;
        }
        found.push(next);
    }
    (!found.is_empty()).then_some(found)
}

/// Adds the elements' nodes. It calls itself no deeper than [`MAX_DEPTH`].
fn grow(bytes: &[u8], all: &[Element], depth: usize, left: &mut usize, builder: &mut TreeBuilder) {
    let leaf = |builder: &mut TreeBuilder, token: u32, range: &Range<usize>| {
        builder.leaf(NodeKind::Token(token), range.start as u32, range.end as u32);
    };
    builder.open(NodeKind::Quantifier(ELEMENTS), all[0].tag.start as u32);
    for element in all {
        let start = element.tag.start as u32;
        builder.open(NodeKind::Iteration, start);
        builder.open(NodeKind::Rule { rule: ELEMENT, alternative: 0 }, start);
        leaf(builder, TAG, &element.tag);
        leaf(builder, LENGTH, &element.length);
        let tag = bytes[element.tag.start];
        let may_hold = tag & CONSTRUCTED != 0 || tag == OCTET_STRING;
        let has_room = may_hold && depth < MAX_DEPTH && *left > 0;
        let inner = if has_room { elements(bytes, &element.value) } else { None };
        match inner.filter(|inner| inner.len() <= *left) {
            Some(inner) => {
                *left -= inner.len();
                grow(bytes, &inner, depth + 1, left, builder);
            }
            None => leaf(builder, VALUE, &element.value),
        }
        builder.close();
        builder.close();
    }
    builder.close();
}

/// A length in the fewest bytes.
fn length_of(length: usize) -> Vec<u8> {
    if length < 0x80 {
        return vec![length as u8];
    }
    let bytes = length.to_be_bytes();
    let first = bytes.iter().position(|byte| *byte != 0).expect("the length isn't 0");
    [&[0x80 | (bytes.len() - first) as u8], &bytes[first..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::binary::structured::{FieldEdit, rebuild};

    fn make(tag: u8, value: &[u8]) -> Vec<u8> {
        [&[tag][..], &length_of(value.len()), value].concat()
    }

    #[test]
    fn lengths_are_written_short_and_long() {
        assert_eq!(length_of(0), [0]);
        assert_eq!(length_of(127), [127]);
        assert_eq!(length_of(128), [0x81, 128]);
        assert_eq!(length_of(65_536), [0x83, 1, 0, 0]);
    }

    #[test]
    fn what_goes_inside_is_told_to_every_length_around_it() {
        let long = make(0x0C, &[b'x'; 200]);
        let inner = |rest: &[u8]| make(0x30, &[&make(0x04, &make(0x02, &[7])), rest].concat());
        let outer = |rest: &[u8]| make(0x30, &inner(rest));
        let input = outer(&long);
        let tree = Der.parse(&input).unwrap();
        assert_eq!(tree.render(&input), input);
        let last = tree.ids().rfind(|id| tree.node(*id).kind == NodeKind::Iteration).unwrap();
        let without = rebuild(&Der, &tree, &input, &[FieldEdit { node: last, bytes: Vec::new() }]);
        assert_eq!(without, outer(b""));
        assert!(Der.parse(&without).is_some());
    }

    #[test]
    fn long_tags_are_read_and_broken_elements_are_not() {
        let input = make(0x30, &[0xBF, 0x81, 0x01, 0x02, 0x05, 0x00]);
        let tree = Der.parse(&input).unwrap();
        assert_eq!(tree.render(&input), input);
        let elements = tree.ids().filter(|id| tree.rule(*id).is_some()).count();
        assert_eq!(elements, 3);
        for broken in
            [&b"\x30\x80\x00\x00"[..], b"\x30\x05\x02\x01", b"\x30\x00", b"\x31\x02\x05\0"]
        {
            assert!(Der.parse(broken).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn a_value_of_too_many_elements_is_a_plain_one() {
        let few = make(0x30, &[5, 0].repeat(1_000));
        let many = make(0x30, &[5, 0].repeat(MAX_ELEMENTS + 1));
        let input = make(0x30, &[&few[..], &many].concat());
        let tree = Der.parse(&input).unwrap();
        let elements = tree.ids().filter(|id| tree.rule(*id).is_some()).count();
        assert_eq!(elements, 3 + 1_000);
        assert_eq!(tree.render(&input), input);
    }

    #[test]
    fn deep_nesting_ends_in_a_plain_value() {
        let mut input = make(0x05, b"");
        for _ in 0..2_000 {
            input = make(0x30, &input);
        }
        let tree = Der.parse(&input).unwrap();
        assert_eq!(tree.render(&input), input);
        assert!(tree.height() < 3 * MAX_DEPTH + 10);
    }
}
