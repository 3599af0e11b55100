//! What may be at a place: anything of a symbol, a range of numbers, or a spelled pattern.

use seedsmith_grammar::NodeKind;
use seedsmith_grammar::internal::TokenId;
use seedsmith_grammar::internal::{Drawn, Symbol, random_depth};
use seedsmith_grammar::{Dice, Word};

use super::bytes::class::{Class, sorts};
use crate::generalize::draws::sampler::Sampler;

/// A piece of a spelled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// These bytes.
    Text(Vec<u8>),
    /// Bytes of a class, `least` to `most` of them.
    Class {
        /// The class.
        class: Class,
        /// The least number.
        least: usize,
        /// The greatest number; nothing for any.
        most: Option<usize>,
    },
    /// Any number of characters of a class, but for some.
    Insertion {
        /// The class.
        class: Class,
        /// ASCII characters, or bytes of a class of bytes, that may not be there; ascending.
        except: Vec<u8>,
    },
    /// These letters, each of them capital or small.
    AnyCase(Vec<u8>),
    /// The same bytes again and again, at least this often.
    Repeated {
        /// The bytes.
        unit: Vec<u8>,
        /// The least number of times.
        least: usize,
    },
}

/// What may be at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Whatever the symbol derives.
    Symbol(Symbol),
    /// A decimal number between two bounds, both included.
    Integer {
        /// The least; nothing for none.
        low: Option<i128>,
        /// The greatest; nothing for none.
        high: Option<i128>,
    },
    /// Segments one after the other.
    Spelled(Vec<Segment>),
}

/// Where a range has no bound, numbers of at most this many bits more are drawn, so that 32-bit ends are
/// passed and the digits stay few.
const MAX_MORE_BITS: usize = 40;

/// No input that is drawn has more bytes at its slots, because a pattern file may ask for any number and
/// memory is finite.
pub(super) const MAX_DRAWN_BYTES: usize = 16 << 20;
/// Where a class has no upper bound, or a very high one, at most this many bytes more than its least
/// number are drawn: 64 KiB, so that lengths of 16 bits are passed.
const MAX_MORE_BYTES: usize = 1 << 16;

impl Domain {
    /// Whether it has a word that may be in upper and in lower case.
    pub(super) fn is_in_any_case(&self) -> bool {
        let Domain::Spelled(segments) = self else { return false };
        let is_word = |one: &Segment| matches!(one, Segment::AnyCase(word) if word.len() > 1);
        segments.iter().any(is_word)
    }

    /// Something of it, for a node of `kind`; nothing if it has nothing finite, or if that is larger than
    /// 16 MB.
    ///
    /// The choices of a draw say how it differs from others: alternatives of the grammar, sorts
    /// of characters, and how long it is.
    pub fn draw(
        &self,
        language: Option<&Sampler>,
        dice: &mut dyn Dice,
        kind: NodeKind,
    ) -> Option<Drawn> {
        let token = match kind {
            NodeKind::Token(token) => TokenId(token),
            _ => TokenId::EOF,
        };
        let one = |text: Vec<u8>, choice: u32| Drawn {
            words: vec![Word { token, text }],
            choices: vec![choice],
        };
        match self {
            Domain::Symbol(symbol) => {
                let depth = random_depth(dice);
                language?.generator().draw(dice, *symbol, depth)
            }
            Domain::Integer { low, high } => {
                let number = draw_integer(dice, *low, *high);
                let bits = 128 - number.unsigned_abs().leading_zeros();
                Some(one(number.to_string().into_bytes(), bits))
            }
            Domain::Spelled(segments) => {
                let mut text = Vec::new();
                for segment in segments {
                    segment.draw(dice, &mut text);
                    if text.len() > MAX_DRAWN_BYTES {
                        return None;
                    }
                }
                let token_length = text.len() as u32;
                let mut choices = sorts(&text);
                // No text, a short one, a long one.
                choices.push(0x100 + u32::BITS - token_length.leading_zeros());
                Some(Drawn { choices, ..one(text, 0) })
            }
        }
    }

    /// What one of several equal parts is called in a pattern.
    ///
    /// A class has its name; a domain of several segments is called a text.
    pub fn kind(&self, language: Option<&Sampler>) -> String {
        match self {
            Domain::Spelled(segments) => match &segments[..] {
                [Segment::Class { class, .. } | Segment::Insertion { class, .. }] => {
                    class.name().to_owned()
                }
                _ => "text".to_owned(),
            },
            _ => self.notation(language),
        }
    }

    /// How it is written in a pattern.
    ///
    /// Without a language a symbol is written as `<?>`.
    pub fn notation(&self, language: Option<&Sampler>) -> String {
        match self {
            Domain::Symbol(symbol) => {
                let name = language.map_or_else(|| "?".to_owned(), |one| one.name(*symbol));
                format!("<{name}>")
            }
            Domain::Integer { low: Some(low), high: None } => {
                format!("<integer ≥ {}>", number(*low))
            }
            Domain::Integer { low: None, high: Some(high) } => {
                format!("<integer ≤ {}>", number(*high))
            }
            Domain::Integer { low: Some(low), high: Some(high) } => {
                format!("<integer {}..{}>", number(*low), number(*high))
            }
            Domain::Integer { low: None, high: None } => "<integer>".to_owned(),
            Domain::Spelled(segments) => segments.iter().map(Segment::notation).collect(),
        }
    }
}

/// A bound as people write it: what no 31 bits hold, near a power of two, by that power.
///
/// `2147483648` is written as `2^31`, for example, and `-2147483649` as `-(2^31 + 1)`.
pub(super) fn number(bound: i128) -> String {
    let sign = if bound < 0 { "-" } else { "" };
    let size = bound.unsigned_abs();
    if size < (1 << 31) - 1 {
        return bound.to_string();
    }
    let power = |of: u128| of.is_power_of_two().then(|| of.trailing_zeros());
    match (power(size), power(size + 1), power(size - 1)) {
        (Some(bits), ..) => format!("{sign}2^{bits}"),
        (_, Some(bits), _) => format!("{sign}(2^{bits} - 1)"),
        (.., Some(bits)) => format!("{sign}(2^{bits} + 1)"),
        _ => bound.to_string(),
    }
}

/// Between the bounds, both included. The bounds themselves and their neighbours are drawn often,
/// because failures depend on them.
fn draw_integer(dice: &mut dyn Dice, low: Option<i128>, high: Option<i128>) -> i128 {
    // A step from a bound: none, one, or any of a random number of bits.
    let step = match dice.below(8) {
        0 => 0,
        1 => 1,
        _ => {
            let bits = dice.below(MAX_MORE_BITS) as u32 + 1;
            dice.below(1 << bits) as i128
        }
    };
    match (low, high) {
        (Some(low), Some(high)) => {
            // A range that has no width in 128 bits has room for any step.
            let width = high.checked_sub(low).and_then(|width| width.checked_add(1));
            let step = width.map_or(step, |width| step % width);
            if dice.below(2) == 0 { low + step } else { high - step }
        }
        (Some(low), None) => low.saturating_add(step),
        (None, Some(high)) => high.saturating_sub(step),
        (None, None) => {
            if dice.below(2) == 0 {
                step
            } else {
                -step
            }
        }
    }
}

impl Segment {
    /// Adds a draw to `text`. Half of the open lengths are below 3, the others up to 16 more than
    /// the least.
    fn draw(&self, dice: &mut dyn Dice, text: &mut Vec<u8>) {
        match self {
            Segment::Text(bytes) => text.extend_from_slice(bytes),
            Segment::Class { class, least, most } => {
                let room = most.map_or(least + 16, |most| most - least).min(MAX_MORE_BYTES);
                let more = if dice.below(2) == 0 { dice.below(3) } else { dice.below(room + 1) };
                for _ in 0..least + more.min(room) {
                    class.draw(dice, text);
                }
            }
            Segment::Insertion { class, except } => {
                let count = if dice.below(2) == 0 { dice.below(3) } else { dice.below(17) };
                for _ in 0..count {
                    let before = text.len();
                    // Draws in vain are left out.
                    class.draw(dice, text);
                    if text[before..].iter().any(|byte| except.contains(byte)) {
                        text.truncate(before);
                    }
                }
            }
            Segment::AnyCase(letters) => {
                text.extend(letters.iter().map(|letter| match dice.below(2) {
                    0 => letter.to_ascii_lowercase(),
                    _ => letter.to_ascii_uppercase(),
                }));
            }
            Segment::Repeated { unit, least } => {
                let more = if dice.below(4) == 0 { 0 } else { dice.below(least + 16) };
                text.extend(unit.repeat(least + more));
            }
        }
    }

    /// How a segment is written in a pattern, with the numbers of characters as in regular
    /// expressions.
    fn notation(&self) -> String {
        match self {
            Segment::Text(bytes) => literal(bytes),
            Segment::Class { class, least, most } => {
                let name = class.name();
                match (least, most) {
                    (1, Some(1)) => format!("<{name}>"),
                    (0, Some(1)) => format!("<{name}>?"),
                    (0, None) => format!("<{name}>*"),
                    (1, None) => format!("<{name}>+"),
                    (least, None) => format!("<{name}>{{{least},}}"),
                    (least, Some(most)) if least == most => format!("<{name}>{{{least}}}"),
                    (least, Some(most)) => format!("<{name}>{{{least},{most}}}"),
                }
            }
            Segment::Insertion { class, except } if except.is_empty() => {
                format!("<{}>*", class.name())
            }
            Segment::Insertion { class, except } => {
                format!("<{} but \"{}\">*", class.name(), except.escape_ascii())
            }
            Segment::AnyCase(letters) => format!("<any case {}>", letters.escape_ascii()),
            Segment::Repeated { unit, least } => {
                format!("<at least {least} times {}>", literal(unit))
            }
        }
    }
}

/// Bytes as they are in a pattern: `<` doubled, what isn't text as `<\x00>`.
///
/// So a pattern can be read on one page, and names in angle brackets are seen at once.
pub(crate) fn literal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '<' => out.push_str("<<"),
                c if c.is_control() && !matches!(c, '\n' | '\t' | '\r') => {
                    out.push_str(&format!("<\\x{:02x}>", c as u32));
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("<\\x{byte:02x}>"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_grammar::Random;

    #[test]
    fn numbers_stay_in_their_range() {
        for seed in 0..300 {
            let mut dice = Random::new(seed);
            assert!((5..=9).contains(&draw_integer(&mut dice, Some(5), Some(9))));
            assert!(draw_integer(&mut dice, Some(65536), None) >= 65536);
            assert!(draw_integer(&mut dice, None, Some(-1)) <= -1);
            // Nothing overflows at the ends.
            draw_integer(&mut dice, Some(i128::MIN), Some(i128::MAX));
            assert!(draw_integer(&mut dice, Some(i128::MAX - 1), None) >= i128::MAX - 1);
            assert!(draw_integer(&mut dice, None, Some(i128::MIN + 1)) <= i128::MIN + 1);
        }
    }

    #[test]
    fn bounds_beyond_31_bits_are_written_as_powers_of_two() {
        let bounds = [65536, 1 << 64, (1 << 64) - 1, -(1 << 63), (1 << 63) + 1, (1 << 60) + 5];
        let shown = ["65536", "2^64", "(2^64 - 1)", "-2^63", "(2^63 + 1)", "1152921504606846981"];
        assert_eq!(bounds.map(number), shown);
    }

    #[test]
    fn a_draw_of_any_number_of_bytes_ends() {
        let class = |most| Segment::Class { class: Class::Digit, least: 2, most };
        let drawn = |domain: &Domain| domain.draw(None, &mut Random::new(5), NodeKind::Root);
        let text = drawn(&Domain::Spelled(vec![class(Some(usize::MAX))])).unwrap().plain_text();
        assert!((2..=2 + MAX_MORE_BYTES).contains(&text.len()));
        let large = Segment::Repeated { unit: b"ab".to_vec(), least: MAX_DRAWN_BYTES / 2 };
        assert_eq!(drawn(&Domain::Spelled(vec![large, class(None)])), None);
    }

    #[test]
    fn segments_are_written_as_they_are_drawn() {
        let domain = Domain::Spelled(vec![
            Segment::Text(b"<PK\0".to_vec()),
            Segment::Class { class: Class::Any, least: 16, most: None },
            Segment::Class { class: Class::Digit, least: 1, most: None },
            Segment::Repeated { unit: b"[".to_vec(), least: 1024 },
        ]);
        let shown = domain.notation(None);
        assert_eq!(shown, "<<PK<\\x00><any byte>{16,}<digit>+<at least 1024 times [>");
        let text = domain.draw(None, &mut Random::new(3), NodeKind::Root).unwrap().plain_text();
        assert!(text.starts_with(b"<PK\0") && text.len() >= 4 + 16 + 1 + 1024);
    }
}
