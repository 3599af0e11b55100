//! Changes of bytes, as libFuzzer's own mutator makes them: for mutants that are made where they are run.
//!
//! libFuzzer's mutator uses one second input and the words of one run. Here each row of mutants has another second input.
//! Most of the changes are libFuzzer's (compiler-rt, `FuzzerMutate.cpp`); those of whole words are ours.

use std::ops::Range;

use super::tokens;
use seedsmith_grammar::Random;
use seedsmith_grammar::internal::is_word;

/// One way to change a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteChange {
    /// Up to half of the bytes are left out.
    Erase,
    /// A byte is added.
    Insert,
    /// A byte is added several times.
    InsertRepeated,
    /// A byte becomes another one.
    Change,
    /// One bit of a byte changes.
    Flip,
    /// A few bytes change their order.
    Shuffle,
    /// A decimal number becomes another one.
    Number,
    /// One, two, four or eight bytes are changed as a number.
    Integer,
    /// A part of the text, once more at another place.
    CopyPart,
    /// A part of the second input.
    Partner,
    /// Parts of both in turns.
    Cross,
    /// A byte that is in one of both.
    Known,
    /// A word of the target or of another input, at any place.
    Word,
    /// Such a word in the place of a word, or beside one.
    WordAtWord,
    /// A run of tokens of this text or of the second input.
    Splice,
    /// A run of tokens is left out.
    EraseTokens,
}

impl ByteChange {
    const ALL: [ByteChange; 16] = [
        ByteChange::Erase,
        ByteChange::Insert,
        ByteChange::InsertRepeated,
        ByteChange::Change,
        ByteChange::Flip,
        ByteChange::Shuffle,
        ByteChange::Number,
        ByteChange::Integer,
        ByteChange::CopyPart,
        ByteChange::Partner,
        ByteChange::Cross,
        ByteChange::Known,
        ByteChange::Word,
        ByteChange::WordAtWord,
        ByteChange::Splice,
        ByteChange::EraseTokens,
    ];
}

/// Where bytes that are put into a text come from.
pub(super) struct Sources<'s> {
    /// A second input.
    pub partner: &'s [u8],
    /// Gives a word, if there is one.
    pub word: &'s dyn Fn(&mut Random) -> Option<Vec<u8>>,
}

/// Changes that are drawn until one fits the text. Most fit at once.
const MAX_DRAWS: usize = 8;
/// Bytes that libFuzzer prefers to others.
const SPECIAL: &[u8] = b"!*'();:@&=+$,/?%#[]012Az-`~.\xff\x00";
/// Bytes whose order is changed at most, as in libFuzzer.
const MAX_SHUFFLED_BYTES: usize = 8;
/// Copies of one byte at most, as in libFuzzer.
const MAX_REPEATED_BYTES: usize = 128;

/// Changes `text` in one place.
///
/// It has at most `limit` bytes after that, unless it was longer, and one at least. Which change is made is drawn; all are
/// equally frequent.
pub(super) fn mutate(text: &mut Vec<u8>, sources: &Sources<'_>, limit: usize, random: &mut Random) {
    let limit = limit.max(text.len()).max(1);
    for _ in 0..MAX_DRAWS {
        let change = ByteChange::ALL[random.below(ByteChange::ALL.len())];
        if changes(text, change, sources, limit, random) {
            return;
        }
    }
    if text.is_empty() {
        text.push(byte(random));
    }
}

/// Whether the change fits the text, and has been made.
fn changes(
    text: &mut Vec<u8>,
    change: ByteChange,
    sources: &Sources<'_>,
    limit: usize,
    random: &mut Random,
) -> bool {
    let length = text.len();
    let room = limit - length;
    match change {
        ByteChange::Erase if length > 1 => {
            let count = 1 + random.below(length / 2);
            let at = random.below(length - count + 1);
            text.drain(at..at + count);
        }
        ByteChange::Insert if room > 0 => text.insert(random.below(length + 1), byte(random)),
        ByteChange::InsertRepeated if room > 3 => {
            let count = 3 + random.below(room.min(MAX_REPEATED_BYTES) - 2);
            let byte = if random.below(2) == 0 { byte(random) } else { own(text, random) };
            let at = random.below(length + 1);
            text.splice(at..at, std::iter::repeat_n(byte, count));
        }
        ByteChange::Change if length > 0 => text[random.below(length)] = byte(random),
        ByteChange::Flip if length > 0 => text[random.below(length)] ^= 1 << random.below(8),
        ByteChange::Shuffle if length > 1 => {
            let count = 2 + random.below(length.min(MAX_SHUFFLED_BYTES) - 1);
            let at = random.below(length - count + 1);
            for last in (1..count).rev() {
                text.swap(at + last, at + random.below(last + 1));
            }
        }
        ByteChange::Number => return number(text, limit, random),
        ByteChange::Integer => return integer(text, random),
        ByteChange::CopyPart if length > 0 => {
            let part = text[part(length, random)].to_vec();
            return put(text, &part, limit, random);
        }
        ByteChange::Partner if !sources.partner.is_empty() => {
            let part = &sources.partner[part(sources.partner.len(), random)];
            return put(text, part, limit, random);
        }
        ByteChange::Cross if !sources.partner.is_empty() && length > 0 => {
            *text = crossed(text, sources.partner, limit, random);
        }
        ByteChange::Known => {
            let of_partner = !sources.partner.is_empty() && random.below(2) == 0;
            let byte = own(if of_partner { sources.partner } else { text }, random);
            let at = random.below(length + 1);
            if room > 0 && (at == length || random.below(2) == 0) {
                text.insert(at, byte);
            } else if at < length {
                text[at] = byte;
            } else {
                return false;
            }
        }
        ByteChange::Word => {
            let Some(word) = (sources.word)(random) else { return false };
            return put(text, &word, limit, random);
        }
        ByteChange::WordAtWord => {
            let Some(word) = (sources.word)(random) else { return false };
            return put_at_word(text, &word, limit, random);
        }
        ByteChange::Splice => {
            let own;
            let from = if random.below(4) == 0 {
                own = text.clone();
                &own
            } else {
                sources.partner
            };
            return tokens::splice(text, from, limit, random);
        }
        ByteChange::EraseTokens => return tokens::erase(text, random),
        _ => return false,
    }
    true
}

/// Any byte, or one that libFuzzer prefers.
fn byte(random: &mut Random) -> u8 {
    if random.below(2) == 0 {
        random.below(256) as u8
    } else {
        SPECIAL[random.below(SPECIAL.len())]
    }
}

/// A byte of the text, or any byte if it has none.
fn own(text: &[u8], random: &mut Random) -> u8 {
    match random.choose(text) {
        Some(one) => *one,
        None => byte(random),
    }
}

/// A part of a text of `length` bytes, and not of none.
fn part(length: usize, random: &mut Random) -> Range<usize> {
    let start = random.below(length);
    start..start + 1 + random.below(length - start)
}

/// Puts a part somewhere, between other bytes or over them.
///
/// Only its first bytes are put where there is no room for all; `false` if there is room for none.
fn put(text: &mut Vec<u8>, part: &[u8], limit: usize, random: &mut Random) -> bool {
    let at = random.below(text.len() + 1);
    if random.below(2) == 0 {
        let count = part.len().min(limit - text.len());
        text.splice(at..at, part[..count].iter().copied());
        count > 0
    } else {
        let count = part.len().min(text.len() - at);
        text[at..at + count].copy_from_slice(&part[..count]);
        count > 0
    }
}

/// Puts a word in the place of one, or beside one with a blank between them.
fn put_at_word(text: &mut Vec<u8>, word: &[u8], limit: usize, random: &mut Random) -> bool {
    let Some(at) = first_of(text, random, is_word) else { return false };
    let start = text[..at].iter().rposition(|byte| !is_word(*byte)).map_or(0, |end| end + 1);
    let end = at + text[at..].iter().position(|byte| !is_word(*byte)).unwrap_or(text.len() - at);
    let (place, new) = match random.below(4) {
        0 | 1 => (start..end, word.to_vec()),
        2 => (start..start, [word, b" "].concat()),
        _ => (end..end, [b" ", word].concat()),
    };
    let fits = text.len() - place.len() + new.len() <= limit;
    if fits {
        text.splice(place, new);
    }
    fits
}

/// The first place of such a byte from a random place on, or else from the beginning.
fn first_of(text: &[u8], random: &mut Random, is_it: fn(u8) -> bool) -> Option<usize> {
    let from = random.below(text.len());
    let behind = text[from..].iter().position(|byte| is_it(*byte)).map(|at| from + at);
    behind.or_else(|| text[..from].iter().position(|byte| is_it(*byte)))
}

/// Changes a decimal number: by one, to its double, its half or its square, or to one of as many digits.
fn number(text: &mut Vec<u8>, limit: usize, random: &mut Random) -> bool {
    /// With more digits a number has no room in 64 bits.
    const MAX_DIGITS: usize = 18;
    let Some(start) = first_of(text, random, |byte| byte.is_ascii_digit()) else { return false };
    let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = start + digits.min(MAX_DIGITS);
    let value = text[start..end].iter().fold(0u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    let new = match random.below(5) {
        0 => value + 1,
        1 => value.saturating_sub(1),
        2 => value / 2,
        3 => value * 2,
        _ => random.below(value.saturating_mul(value).max(2) as usize) as u64,
    };
    let new = new.to_string();
    let fits = text.len() - (end - start) + new.len() <= limit;
    if fits {
        text.splice(start..end, new.into_bytes());
    }
    fits
}

/// Changes one, two, four or eight bytes as a number of either order, by up to ten or to the length of the text.
fn integer(text: &mut [u8], random: &mut Random) -> bool {
    let width = 1 << random.below(4);
    if text.len() < width {
        return false;
    }
    let length = text.len() as u64;
    let at = random.below(text.len() - width + 1);
    let bytes = &mut text[at..at + width];
    let is_big = random.below(2) == 0;
    if is_big {
        bytes.reverse();
    }
    let mut number = [0; 8];
    number[..width].copy_from_slice(bytes);
    let old = u64::from_le_bytes(number);
    let new = match random.below(4) {
        0 => length,
        1 => old.wrapping_neg(),
        _ => old.wrapping_add(random.below(21) as u64).wrapping_sub(10),
    };
    bytes.copy_from_slice(&new.to_le_bytes()[..width]);
    if is_big {
        bytes.reverse();
    }
    true
}

/// Parts of both texts in turns, up to `limit` bytes.
fn crossed(first: &[u8], second: &[u8], limit: usize, random: &mut Random) -> Vec<u8> {
    let most = 1 + random.below(limit.min(first.len() + second.len()));
    let mut rest = [first, second];
    let (mut new, mut number) = (Vec::with_capacity(most), 0);
    while new.len() < most && rest.iter().any(|one| !one.is_empty()) {
        let from = &mut rest[number];
        number = 1 - number;
        if from.is_empty() {
            continue;
        }
        let (taken, left) = from.split_at(1 + random.below(from.len().min(most - new.len())));
        new.extend_from_slice(taken);
        *from = left;
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, partner: &str, limit: usize) -> Vec<String> {
        let mut random = Random::new(1);
        let word = |_: &mut Random| Some(b"SELECT".to_vec());
        let sources = Sources { partner: partner.as_bytes(), word: &word };
        let one = |_| {
            let mut text = text.as_bytes().to_vec();
            mutate(&mut text, &sources, limit, &mut random);
            assert!(!text.is_empty());
            text.iter().map(|byte| char::from(*byte)).collect()
        };
        (0..20_000).map(one).collect()
    }

    #[test]
    fn bytes_numbers_and_words_are_changed_and_parts_of_another_input_are_taken_in() {
        let all = all("a 7", "xyz", 32);
        for wanted in [
            "a",
            "7",
            "c 7",
            "a 8",
            "a 3",
            "a 14",
            "a a 7",
            "axyz 7",
            "axy",
            "SELECT 7",
            "SELECT a 7",
            "a SELECT 7",
            "a 7SELECT",
            "a z7",
            "a 7777",
            "a xyz 7",
        ] {
            assert!(all.iter().any(|one| one == wanted), "{wanted}");
        }
    }

    #[test]
    fn no_mutant_is_longer_than_the_limit_and_none_is_empty() {
        assert!(all("abcd", "efgh", 6).iter().all(|one| one.chars().count() <= 6));
        assert!(all("", "", 1).iter().all(|one| one.chars().count() == 1));
    }
}
