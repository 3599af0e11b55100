//! Numbers of a binary input: one, two or four bytes at a place near its beginning, and how many bytes come after a place.
//!
//! Headers of binary formats have their numbers at fixed places. So a number is named by its offset, its width and its
//! order of bytes, and compared with the lengths that a header states: of the whole, and of what is after the number or
//! after the header. Only read where an input of the search has bytes that texts do not have (`Words::are_binary`).

use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::term::{Field, Term};

/// Offsets of numbers that are compared with each other, because pairs grow with the square: 84 of them.
const MAX_COMPARED_OFFSET: u8 = 8;
/// Bytes between a number and what it is the length of: none, or one more number, because headers are short.
const BYTES_BETWEEN: [u8; 5] = [0, 1, 2, 4, 8];

/// Whether an input has bytes that texts do not have: control characters, or no UTF-8.
pub(in crate::generalize::predicate) fn is_binary(input: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\r\x0c".contains(byte);
    input.iter().any(is_control) || std::str::from_utf8(input).is_err()
}

/// All numbers of the first bytes, alone and compared.
pub(in crate::generalize::predicate::read) fn of_fields(input: &[u8], found: &mut Features) {
    let fields: Vec<(Field, i128)> =
        Field::all().filter_map(|field| Some((field, field.value(input)?))).collect();
    for (field, value) in &fields {
        let term = Term::Field(*field);
        found.insert(Feature::Value(term.clone()), *value);
        found.insert(Feature::Multiple(term.clone(), 2), i128::from(value % 2 == 0));
        let length = Feature::Difference(term.clone(), Term::Bytes);
        found.insert(length, value - input.len() as i128);
        for between in BYTES_BETWEEN {
            let from = field.offset + field.width + between;
            let Some(rest) = input.len().checked_sub(usize::from(from)) else { continue };
            let difference = Feature::Difference(term.clone(), Term::Rest(from));
            found.insert(difference, value - rest as i128);
        }
    }
    let near = || fields.iter().filter(|(field, _)| field.offset < MAX_COMPARED_OFFSET);
    for field in Field::all().filter(|field| field.width() == 1) {
        let Some(value) = field.value(input) else { continue };
        for bit in 0..8 {
            found.insert(Feature::Bit(field, bit), value >> bit & 1);
        }
    }
    for (one, value) in near() {
        let is_like = |other: &Field| {
            (other.width, other.is_big) == (one.width, one.is_big)
                && other.offset >= one.offset + one.width
        };
        for (other, its) in near().filter(|(other, _)| is_like(other)) {
            if usize::from(other.offset) == one.end() && one.width < 4 {
                let product = Term::FieldProduct(*one, *other);
                found.insert(Feature::Value(product), value * its);
            }
            let (one, other) = (Term::Field(*one), Term::Field(*other));
            found.insert(Feature::Difference(one, other), value - its);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_several_bytes_is_read_in_both_orders_and_compared_with_the_rest() {
        let mut found = Features::new();
        of_fields(b"K\x00\x03abc", &mut found);
        let field = |width, is_big| Field { offset: 1, width, is_big };
        let value = |field: Field| found.get(&Feature::Value(Term::Field(field))).copied();
        assert_eq!(value(field(2, true)), Some(3));
        assert_eq!(value(field(2, false)), Some(768));
        let rest = Feature::Difference(Term::Field(field(2, true)), Term::Rest(3));
        assert_eq!(found.get(&rest).copied(), Some(0));
        let rate = field(4, false).value(b"K\x80\xbb\x00\x01abc");
        assert_eq!(rate, Some(0x0100_bb80));
        assert_eq!(field(4, true).written(b"Kabcd", 0x0102), Some(b"K\0\0\x01\x02".to_vec()));
        assert_eq!(field(2, true).written(b"Kabcd", 0x1_0000), None);
        assert!(is_binary(b"a\0") && is_binary(b"\xff") && !is_binary("a\n\u{e9}".as_bytes()));
    }
}
