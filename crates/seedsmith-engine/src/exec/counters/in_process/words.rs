//! Words that machine code compares with, as the compiler writes them into instructions.
//!
//! `match name { "left" => …, "right" => … }` is no call of `memcmp` in the end: the compiler compares such a constant as
//! one or two numbers, and passes only the result to libFuzzer (rustc nightly of November 2026, opt-level 3). So nothing
//! of libFuzzer's can guess the word. It is in the code, in numbers of 1, 2, 4 or 8 bytes: 7 bytes are two
//! numbers of 4, the second one from the fourth byte on.
//!
//! Instructions are not decoded one after the other, but looked for: a number whose bytes are all printable is rarely
//! anything but text, and a wrong word costs a few tests. Knows the instructions of x86-64 alone.

use std::collections::BTreeSet;

/// Bytes of code between the two numbers of one word, at most. Two words that are compared one after the other
/// are farther apart.
const MAX_GAP_BYTES: usize = 12;
/// Words that are kept at most, so that a large program does not fill memory. A guess; not measured.
const MAX_WORDS: usize = 4096;

/// A number in an instruction: its bytes, and where the instruction ends.
struct Number<'c> {
    /// The bytes, in the order of the text.
    bytes: &'c [u8],
    /// Where the instruction ends, from where it was looked for.
    end: usize,
}

/// Whether all bytes are printable and no space.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_graphic)
}

/// The length of the operand that a byte `modrm` begins, up to the number that follows.
fn operand(code: &[u8]) -> Option<usize> {
    let modrm = *code.first()?;
    let (mode, base) = (modrm >> 6, modrm & 7);
    let has_index = mode != 3 && base == 4;
    let shift = match mode {
        0 if base == 5 => 4,
        0 if has_index && code.get(1)? & 7 == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    Some(1 + usize::from(has_index) + shift)
}

/// The number that the instruction at the start of `code` compares with or moves, if it is one that is made for words.
fn number(code: &[u8]) -> Option<Number<'_>> {
    let mut at = 0;
    let is_short = code.first() == Some(&0x66);
    at += usize::from(is_short);
    let extension = *code.get(at)?;
    let is_wide = extension & 0xf8 == 0x48;
    at += usize::from(extension & 0xf0 == 0x40);
    let rest = &code[at..];
    let opcode = *rest.first()?;
    let compares = |modrm: Option<&u8>| matches!(modrm.map(|byte| byte >> 3 & 7), Some(6 | 7));
    let (from, length) = match opcode {
        // mov
        0xb8..=0xbf if !is_short => (1, if is_wide { 8 } else { 4 }),
        // xor and cmp with the first register
        0x35 | 0x3d => (1, if is_short { 2 } else { 4 }),
        0x34 | 0x3c => (1, 1),
        // xor and cmp
        0x81 if compares(rest.get(1)) => (1 + operand(&rest[1..])?, if is_short { 2 } else { 4 }),
        0x80 | 0x83 if compares(rest.get(1)) => (1 + operand(&rest[1..])?, 1),
        _ => return None,
    };
    let mut bytes = rest.get(from..from + length)?;
    if length == 4 && bytes[2..] == [0, 0] {
        bytes = &bytes[..2];
    }
    is_text(bytes).then_some(Number { bytes, end: at + from + length })
}

/// The word of two numbers, by their lengths: where they overlap, they agree.
fn joined(first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let (first, second) =
        if first.len() < second.len() { (second, first) } else { (first, second) };
    let overlaps: &[usize] = match (first.len(), second.len()) {
        (8, 8) => &[3, 2, 1],
        (8, 4) => &[1, 0],
        (4, 4) => &[1],
        (8 | 4, 1 | 2) | (2, 1) => &[0],
        _ => &[],
    };
    let agrees = |overlap: &&usize| first.ends_with(&second[..**overlap]);
    overlaps.iter().find(agrees).map(|overlap| [first, &second[*overlap..]].concat())
}

/// Words of several stretches of code.
#[derive(Debug, Default)]
pub struct Words(BTreeSet<Vec<u8>>);

impl Words {
    /// Adds the words of a stretch of code.
    pub fn add(&mut self, code: &[u8]) {
        let mut last: Option<Number<'_>> = None;
        let mut at = 0;
        while at < code.len() {
            let Some(Number { bytes, end }) = number(&code[at..]) else {
                at += 1;
                continue;
            };
            let begins = at;
            at += end;
            let next = Number { bytes, end: at };
            let Some(first) = last.replace(next) else { continue };
            // The same number again is the same comparison: its result is asked for twice.
            let is_near = begins - first.end <= MAX_GAP_BYTES && first.bytes != bytes;
            let word = joined(first.bytes, bytes).filter(|_| is_near);
            // A single byte may belong to another comparison.
            if word.is_none() || bytes.len() == 1 {
                self.put(first.bytes);
            }
            if let Some(word) = word {
                self.put(&word);
                last = None;
            }
        }
        if let Some(last) = last {
            self.put(last.bytes);
        }
    }

    /// Adds a word, unless it is too short for one.
    pub(super) fn put(&mut self, word: &[u8]) {
        // A short number that is no letter or digit is a number.
        let is_word =
            word.len() > 2 || word.len() == 2 && word.iter().all(u8::is_ascii_alphanumeric);
        if is_word && self.0.len() < MAX_WORDS {
            self.0.insert(word.to_vec());
        }
    }

    /// All of them, each once.
    pub fn into_words(self) -> Vec<Vec<u8>> {
        self.0.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler's code for comparisons with `word` and others, 2026-11-22.
    fn words(code: &[&[u8]]) -> Vec<String> {
        let mut words = Words::default();
        words.add(&code.concat());
        words.into_words().into_iter().map(|word| String::from_utf8(word).unwrap()).collect()
    }

    const CALL: &[u8] =
        &[0x0f, 0x95, 0xc1, 0x31, 0xff, 0xe8, 0, 0, 0, 0, 0x44, 0x09, 0xf1, 0x74, 0x10, 0x90];

    #[test]
    fn words_of_one_number_are_found() {
        // cmp ax, imm32 with two letters; cmp [rbx], imm32; movabs rax, imm64
        let two: &[u8] = &[0x3d, b'i', b'f', 0, 0];
        let four: &[u8] = &[0x81, 0x3b, b'c', b'a', b'l', b'c'];
        let eight: &[u8] = &[&[0x48, 0xb8][..], b"fragment"].concat();
        assert_eq!(words(&[two, CALL, four, CALL, eight]), ["calc", "fragment", "if"]);
        assert_eq!(words(&[four, &[0x40, 0x0f, 0x95, 0xc6], four]), ["calc"]);
    }

    #[test]
    fn words_of_two_numbers_are_joined() {
        // xor r14d, imm32; movzx r15d, [rbx+2]; xor r15d, imm8
        let three: &[u8] = &[
            0x41, 0x81, 0xf6, b'l', b'e', 0, 0, 0x44, 0x0f, 0xb6, 0x7b, 2, 0x41, 0x83, 0xf7, b't',
        ];
        // mov r14d, imm32; xor r14d, [rbx]; mov r15d, imm32; xor r15d, [rbx+3]
        let seven: &[u8] = &[
            0x41, 0xbe, b's', b't', b'r', b'o', 0x44, 0x33, 0x33, 0x41, 0xbf, b'o', b'k', b'e',
            b's', 0x44, 0x33, 0x7b, 3,
        ];
        let fifteen: &[u8] =
            &[&[0x49, 0xbe][..], b"linear-g", &[0x4c, 0x33, 0x33, 0x49, 0xbf], b"gradient"]
                .concat();
        let words = words(&[three, CALL, seven, CALL, fifteen]);
        assert_eq!(words, ["le", "let", "linear-gradient", "strokes"]);
    }

    #[test]
    fn numbers_that_are_no_text_are_no_words() {
        assert!(
            words(&[&[0x3d, 1, 2, 3, 4], &[0x48, 0xb8, b'a', 0, 0, 0, 0, 0, 0, 0], CALL])
                .is_empty()
        );
        assert!(words(&[&[0x81], &[0x48], &[]]).is_empty());
    }
}
