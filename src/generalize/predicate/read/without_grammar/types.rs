//! Which types of records of a binary input come before which others: a palette before the image, a key before what it
//! encrypts.

use crate::generalize::predicate::name::Name;
use std::collections::BTreeMap;

use super::records::{Layout, layouts, type_name};
use crate::generalize::predicate::feature::{Feature, Features, OF_TYPE};
use crate::generalize::predicate::read::order::{Of, of_two};
use crate::generalize::predicate::read::wanted::Wanted;
use crate::generalize::predicate::read::{Words, outline};

/// Types whose order is looked at, because pairs grow with the square: 30 pairs with six features each. Not measured.
const MAX_ORDERED_TYPES: usize = 6;

/// Takes in which types of records come before which others, for each layout of an input.
///
/// Another layout has other records, so their names say which it is, but for the most usual one.
pub(in crate::generalize::predicate::read) fn of_types(
    input: &[u8],
    words: &Words,
    found: &mut Features,
) {
    for (layout, records) in layouts(input).filter(|(layout, _)| layout.kind > 0) {
        let among = if layout == Layout::USUAL {
            String::new()
        } else {
            format!(" among {}", layout.name())
        };
        let mut typed: BTreeMap<Name, Vec<outline::Part<'_>>> = BTreeMap::new();
        for (leaf, record) in records.iter().enumerate() {
            let kind = layout.number(&input[record.kind.clone()]);
            if let Some(word) = words.name(type_name(kind).as_bytes()) {
                let (text, start) = (&input[record.span()], record.kind.start as u32);
                let part = outline::Part { text, start, leaf, is_text: false };
                typed.entry(format!("{OF_TYPE}{word}{among}").into()).or_default().push(part);
            }
        }
        let named: Vec<(&Name, Vec<&outline::Part<'_>>)> =
            typed.iter().map(|(name, parts)| (name, parts.iter().collect())).collect();
        for (name, parts) in &named {
            found.insert(Feature::Count((*name).clone()), parts.len() as i128);
        }
        let named: Vec<_> = named.iter().map(|(name, parts)| (*name, &parts[..])).collect();
        of_two(&named[..named.len().min(MAX_ORDERED_TYPES)], Of::Input(&Wanted::ALL), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_types_is_read_of_each_layout() {
        let is_before = |input: &[u8]| {
            let words = Words::of([&b"\x02\x00\x01\x00"[..]]);
            let mut found = Features::new();
            of_types(input, &words, &mut found);
            let [two, one] = ["type 2", "type 1"].map(|name| format!("{OF_TYPE}{name:?}"));
            Feature::MissingBefore(two.into(), one.into()).value(&found)
        };
        assert_eq!(is_before(b"\x02\x00\x01\x01a"), Some(1));
        assert_eq!(is_before(b"\x01\x01a\x02\x00\x01\x00"), Some(0));
    }
}
