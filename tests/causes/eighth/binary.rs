//! Causes in small binary records. A character of these texts is one byte.

use crate::readers::{bytes, records, text_of as text};
use crate::two_sided::{TwoSided, one, word};

/// The causes.
pub const BINARY: &[TwoSided] = &[
    TwoSided {
        name: "eighth: binary: an index that is not below the count",
        grammar: "",
        input: "PAL\u{4}\u{9}xyzw",
        valid: |input| bytes(input).starts_with(b"PAL") && input.chars().count() >= 5,
        fails: |input| {
            let all = bytes(input);
            all[4] >= all[3]
        },
        draw: |dice| {
            let count = dice.below(256);
            let near = (count + dice.below(3)).saturating_sub(1).min(255);
            let index = [near, dice.below(256)][dice.below(2)];
            let rest = one(dice, &["", "xyzw", "q"]).as_bytes();
            text(&[b"PAL", &[count as u8, index as u8][..], rest].concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: binary: a record of type 7 without data",
        grammar: "",
        input: "\u{2}\u{1}a\u{7}\u{0}\u{3}\u{2}bc",
        valid: |input| records(input).is_some(),
        fails: |input| records(input).into_iter().flatten().any(|record| record == (7, 0)),
        draw: |dice| {
            let mut all = Vec::new();
            for _ in 0..1 + dice.below(2) {
                let body = if dice.below(2) == 0 { String::new() } else { word(dice, 4) };
                let kind = [7, 7, 7, dice.below(12) as u8][dice.below(4)];
                all.extend([kind, body.len() as u8]);
                all.extend(body.as_bytes());
            }
            text(&all)
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: binary: a big-endian offset of two bytes from 100 to 199",
        grammar: "",
        input: "OF\u{1}\u{0}\u{96}tail",
        valid: |input| bytes(input).starts_with(b"OF") && input.chars().count() >= 5,
        fails: |input| {
            let all = bytes(input);
            (100..200).contains(&u16::from_be_bytes([all[3], all[4]]))
        },
        draw: |dice| {
            let near =
                [95 + dice.below(10), 195 + dice.below(10), dice.below(300), dice.below(65536)];
            let offset = (near[dice.below(4)] as u16).to_be_bytes();
            let kind = dice.below(4) as u8;
            text(
                &[b"OF", &[kind][..], &offset[..], one(dice, &["", "tail", "q"]).as_bytes()]
                    .concat(),
            )
        },
        patterns: &[],
    },
];
