//! Causes in small binary records. A character of these texts is one byte.

use crate::readers::{bytes, records, text_of};
use crate::two_sided::{TwoSided, one, word};

/// The causes.
pub const BINARY: &[TwoSided] = &[
    TwoSided {
        name: "tenth: binary: an image of more than 1000 pixels",
        grammar: "",
        input: "IM\u{40}\u{30}\u{1}rest",
        valid: |input| bytes(input).starts_with(b"IM") && input.chars().count() >= 5,
        fails: |input| {
            let all = bytes(input);
            u32::from(all[2]) * u32::from(all[3]) > 1000
        },
        draw: |dice| {
            let (width, height) = (dice.below(256), dice.below(64));
            let height = match dice.below(2) {
                0 => (1000 / width.max(1) + dice.below(4)).saturating_sub(1).min(255),
                _ => height,
            };
            let rest = one(dice, &["", "rest", "q"]).as_bytes();
            let head = [width as u8, height as u8, dice.below(256) as u8];
            text_of(&[b"IM", &head[..], rest].concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: binary: a record of type 5 that is longer than 4 bytes",
        grammar: "",
        input: "\u{1}\u{2}ab\u{5}\u{7}cdefghi\u{9}\u{0}",
        valid: |input| records(input).is_some(),
        fails: |input| {
            records(input).into_iter().flatten().any(|(kind, length)| kind == 5 && length > 4)
        },
        draw: |dice| {
            let mut all = Vec::new();
            for _ in 0..1 + dice.below(3) {
                let body = word(dice, 8);
                all.extend([[5, 5, dice.below(9) as u8][dice.below(3)], body.len() as u8]);
                all.extend(body.as_bytes());
            }
            text_of(&all)
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: binary: the flags 1 and 8 together",
        grammar: "",
        input: "FL\u{2}\u{d}tail",
        valid: |input| bytes(input).starts_with(b"FL") && input.chars().count() >= 4,
        fails: |input| bytes(input)[3] & 9 == 9,
        draw: |dice| {
            let flags = [dice.below(16), dice.below(256), 9 | dice.below(256)][dice.below(3)] as u8;
            let rest = one(dice, &["", "tail", "q"]).as_bytes();
            text_of(&[b"FL", &[dice.below(4) as u8, flags][..], rest].concat())
        },
        patterns: &[],
    },
];
