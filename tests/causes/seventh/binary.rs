//! Causes in small binary records. A character of these texts is one byte.

use crate::readers::{bytes, text_of as text};
use crate::two_sided::{TwoSided, one, word};

/// The causes.
pub const BINARY: &[TwoSided] = &[
    TwoSided {
        name: "seventh: binary: a length that is not that of the rest",
        grammar: "",
        input: "RC\u{1}\u{9}abcd",
        valid: |input| bytes(input).starts_with(b"RC") && input.chars().count() >= 4,
        fails: |input| {
            let all = bytes(input);
            usize::from(all[3]) != all.len() - 4
        },
        draw: |dice| {
            let body = if dice.below(5) == 0 { String::new() } else { word(dice, 9) };
            let said = if dice.below(2) == 0 { body.len() } else { dice.below(12) };
            let version = dice.below(4) as u8;
            text(&[b"RC", &[version, said as u8][..], body.as_bytes()].concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: binary: a width of two bytes above 1000",
        grammar: "",
        input: "IM\u{2}\u{80}\u{7}\u{10}\u{0}xyz",
        valid: |input| bytes(input).starts_with(b"IM") && input.chars().count() >= 7,
        fails: |input| {
            let all = bytes(input);
            u16::from_le_bytes([all[3], all[4]]) > 1000
        },
        draw: |dice| {
            let widths =
                [dice.below(1500), 990 + dice.below(25), dice.below(65536), dice.below(1000)];
            let width = (widths[dice.below(4)] as u16).to_le_bytes();
            let height = (dice.below(65536) as u16).to_le_bytes();
            let rest = one(dice, &["", "xyz", "q"]).as_bytes();
            text(&[b"IM\x02", &width[..], &height[..], rest].concat())
        },
        patterns: &[],
    },
];
