//! Causes in small binary records. A character of these texts is one byte.

use crate::readers::{bytes, text_of};
use crate::two_sided::{TwoSided, one, word};

/// The causes.
pub const BINARY: &[TwoSided] = &[
    TwoSided {
        name: "ninth: binary: a big-endian length of two bytes that is more than what follows",
        grammar: "",
        input: "MSG\u{0}\u{9}abcd",
        valid: |input| bytes(input).starts_with(b"MSG") && input.chars().count() >= 5,
        fails: |input| {
            let all = bytes(input);
            usize::from(u16::from_be_bytes([all[3], all[4]])) > all.len() - 5
        },
        draw: |dice| {
            let body = if dice.below(5) == 0 { String::new() } else { word(dice, 9) };
            let near = (body.len() + dice.below(4)).saturating_sub(1);
            let said = [near, dice.below(20), dice.below(600), body.len()][dice.below(4)] as u16;
            text_of(&[b"MSG", &said.to_be_bytes()[..], body.as_bytes()].concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: binary: a version of 3 or more with a flag byte of 0",
        grammar: "",
        input: "VX\u{5}\u{0}\u{10}data",
        valid: |input| bytes(input).starts_with(b"VX") && input.chars().count() >= 5,
        fails: |input| {
            let all = bytes(input);
            all[2] >= 3 && all[3] == 0
        },
        draw: |dice| {
            let version = [dice.below(6), 2 + dice.below(2), dice.below(256)][dice.below(3)] as u8;
            let flags = [0, 0, dice.below(4), dice.below(256)][dice.below(4)] as u8;
            let rest = one(dice, &["", "data", "q"]).as_bytes();
            text_of(&[b"VX", &[version, flags, dice.below(256) as u8][..], rest].concat())
        },
        patterns: &[],
    },
];
