//! Pieces that were never seen: a number, word or quoted text changed within, so that it stays of its kind.
//!
//! An exchange of known pieces gives known pieces: if no text of the corpus has an exponent, no mutant gets one.
//! libFuzzer's mutator finds an exponent in the end, where it breaks nothing else.

use seedsmith_grammar::Random;

/// Numbers at which something changes: where integers end, and the first that no double holds.
const EDGES: [&str; 14] = [
    "0",
    "1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
];
/// What follows a backslash in one language or another.
const ESCAPED: &[u8] = b"nrtbfav0\\\"'/";
/// Characters of two, three and four bytes, and one that joins the one before.
const CHARACTERS: [&str; 4] = ["é", "€", "𝄞", "\u{301}"];
/// Digits that are added at most: 24, so that the ends of 64-bit integers are passed.
const MAX_DIGITS: usize = 24;

/// A number that was never seen: `of` is one, or the digits of one.
///
/// A digit is changed, added or dropped, a minus, a fraction or an exponent is added, or one of
/// `EDGES` takes its place.
pub(super) fn number(of: &[u8], random: &mut Random) -> Vec<u8> {
    let mut new = of.to_vec();
    let at = random.below(of.len());
    match random.below(7) {
        0 => new[at] = digit(random),
        1 => new.insert(at, digit(random)),
        2 if of.len() > 1 => {
            new.remove(at);
        }
        2 | 3 => new = EDGES[random.below(EDGES.len())].into(),
        4 => new.insert(0, b'-'),
        5 => {
            new.extend_from_slice([&b"e"[..], b"E", b"e-", b"e+"][random.below(4)]);
            digits(&mut new, 3, random);
        }
        _ => {
            if random.below(2) == 0 {
                new.push(b'.');
            }
            digits(&mut new, MAX_DIGITS, random);
        }
    }
    new
}

/// A word that was never seen.
///
/// A letter changes its case, is replaced, dropped or doubled, so that the word stays one.
pub(super) fn word(of: &[u8], random: &mut Random) -> Vec<u8> {
    let mut new = of.to_vec();
    let at = random.below(of.len());
    match random.below(4) {
        0 if new[at].is_ascii_alphabetic() => new[at] ^= b' ',
        0 | 1 => new[at] = b'a' + random.below(26) as u8,
        2 if of.len() > 1 => {
            new.remove(at);
        }
        _ => new.insert(at, of[at]),
    }
    new
}

/// A text in quotes that was never seen; `of` has both of them.
pub(super) fn quoted(of: &[u8], random: &mut Random) -> Vec<u8> {
    let mut new = of.to_vec();
    if of.len() < 2 {
        return new;
    }
    let at = 1 + random.below(of.len() - 1);
    let put: Vec<u8> = match random.below(6) {
        0 => vec![b'\\', ESCAPED[random.below(ESCAPED.len())]],
        1 => format!("\\u{:04x}", random.below(1 << 16)).into(),
        2 => CHARACTERS[random.below(CHARACTERS.len())].into(),
        3 => vec![b' ' + random.below(95) as u8],
        4 if at + 1 < of.len() => {
            new.remove(at);
            return new;
        }
        _ => of[1..at].to_vec(),
    };
    new.splice(at..at, put);
    new
}

fn digit(random: &mut Random) -> u8 {
    b'0' + random.below(10) as u8
}

/// Adds one to `most` digits.
///
/// Their number is random.
fn digits(to: &mut Vec<u8>, most: usize, random: &mut Random) {
    for _ in 0..=random.below(most) {
        to.push(digit(random));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(twist: fn(&[u8], &mut Random) -> Vec<u8>, of: &str) -> Vec<String> {
        let mut random = Random::new(1);
        (0..400).map(|_| String::from_utf8(twist(of.as_bytes(), &mut random)).unwrap()).collect()
    }

    #[test]
    fn a_number_stays_one_and_gets_signs_exponents_and_fractions() {
        let all = all(number, "17");
        let stays = all.iter().filter(|one| one.parse::<f64>().is_ok()).count();
        assert_eq!(stays, all.len(), "{all:?}");
        for wanted in ["-17", "18446744073709551616", "7"] {
            assert!(all.iter().any(|one| one == wanted), "{wanted}");
        }
        for wanted in ['.', 'e', 'E'] {
            assert!(all.iter().any(|one| one.contains(wanted)), "{wanted}");
        }
    }

    #[test]
    fn what_is_quoted_keeps_its_quotes_and_gets_escapes() {
        let all = all(quoted, "\"ab\"");
        assert!(all.iter().all(|one| one.starts_with('"') && one.ends_with('"')), "{all:?}");
        for wanted in ["\"ab\\n\"", "\"a€b\"", "\"b\"", "\"aab\""] {
            assert!(all.iter().any(|one| one == wanted), "{wanted}");
        }
        assert!(all.iter().any(|one| one.contains("\\u")));
    }

    #[test]
    fn a_word_becomes_another_one() {
        let all = all(word, "true");
        for wanted in ["True", "tru", "ttrue"] {
            assert!(all.iter().any(|one| one == wanted), "{wanted}");
        }
    }

    #[test]
    fn a_single_byte_is_enough() {
        for twist in [number, word, quoted] {
            assert!(all(twist, "1").iter().all(|one| !one.is_empty()));
        }
    }
}
