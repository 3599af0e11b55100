//! Mutants of kept inputs: the same ones for the same seed, on every machine.

use seedsmith_grammar::Random;

/// No mutant is longer.
const LONGEST: usize = 64 << 10;

/// Numbers that parsers get wrong.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "+1",
    "00",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105728",
    "99999999999999999999999999999999999999999",
    "1e999",
];

/// Makes mutants of some inputs.
pub struct Mutator<'c> {
    corpus: &'c [Vec<u8>],
    /// Words and signs of the inputs.
    words: Vec<&'c [u8]>,
    random: Random,
}

impl<'c> Mutator<'c> {
    pub fn new(corpus: &'c [Vec<u8>], seed: u64) -> Self {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let mut words: Vec<&[u8]> = corpus
            .iter()
            .flat_map(|input| input.chunk_by(move |one, two| is_word(*one) && is_word(*two)))
            .filter(|word| word.len() <= 40)
            .collect();
        words.sort_unstable();
        words.dedup();
        Mutator { corpus, words, random: Random::new(seed) }
    }

    /// The next one: an input with a few changes.
    pub fn next(&mut self) -> Vec<u8> {
        let mut bytes = self.input();
        let changes = 1 << self.random.below(4);
        for _ in 0..changes {
            self.change(&mut bytes);
            bytes.truncate(LONGEST);
        }
        bytes
    }

    fn input(&mut self) -> Vec<u8> {
        self.random.choose(self.corpus).expect("a corpus is not empty").clone()
    }

    /// A stretch of the bytes, seldom a long one.
    fn stretch(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.random.below(bytes.len() + 1);
        let most = if self.random.below(4) == 0 { bytes.len() } else { 16 };
        from..(from + self.random.below(most + 1)).min(bytes.len())
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let range = self.stretch(bytes);
        match self.random.below(12) {
            0 if !bytes.is_empty() => {
                let at = self.random.below(bytes.len());
                bytes[at] ^= 1 << self.random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = self.random.below(bytes.len());
                bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, b'<', b'\\', b'"'][self.random.below(8)];
            }
            2 | 3 => drop(bytes.drain(range)),
            4 => {
                let copy = bytes[range.clone()].to_vec();
                let at = self.random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            5 => {
                let copy = bytes[range.clone()].repeat(1 << self.random.below(9));
                bytes.splice(range, copy.into_iter().take(LONGEST));
            }
            6 | 7 => {
                let word = self.random.choose(&self.words).expect("there are words").to_vec();
                let end = if self.random.below(2) == 0 { range.start } else { range.end };
                bytes.splice(range.start..end, word);
            }
            8 => self.number(bytes),
            9 => {
                let other = self.input();
                let from = self.stretch(&other);
                bytes.splice(range, other[from].iter().copied());
            }
            10 => bytes.truncate(range.start),
            _ => {
                let value = self.random.next_number().to_le_bytes();
                let width = 1 << self.random.below(4);
                let end = (range.start + width).min(bytes.len());
                bytes.splice(range.start..end, value[..width].to_vec());
            }
        }
    }

    /// Another number in the place of one that is written in digits.
    fn number(&mut self, bytes: &mut Vec<u8>) {
        let is_digit = |at: &usize| bytes[*at].is_ascii_digit();
        let digits: Vec<usize> = (0..bytes.len()).filter(is_digit).collect();
        let at = self.random.choose(&digits).copied().unwrap_or(0);
        let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = self.random.choose(NUMBERS).expect("there are some");
        bytes.splice(at..end, number.bytes());
    }
}
