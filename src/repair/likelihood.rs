//! How likely a byte is where it is, learnt from the damaged text itself and its siblings.
//!
//! Damage is rare and rarely looks like the rest, so the edit that makes a text most like itself
//! is usually the one that undoes the damage. Counts of three and two bytes, of two kinds of bytes, and
//! of one byte are mixed, each falling back on the next; bytes that are judged are not counted for themselves.
//! Kinds matter where a keyword lost a letter that was never seen beside its neighbours: it was a
//! letter still.

use std::cell::Cell;
use std::sync::Arc;

use crate::repair::likelihood::vocabulary::Vocabulary;
use seedsmith_grammar::internal::NumberMap;

/// Counts of bytes in context.
#[derive(Clone, Default)]
pub struct Likelihood {
    /// Three bytes, by their key.
    three: NumberMap<u64, u32>,
    /// Two bytes: 65,536 counts, or none while nothing is known.
    two: Vec<u32>,
    /// One byte: 256 counts.
    one: Vec<u32>,
    /// Two kinds of bytes, and one kind.
    two_kinds: Vec<u32>,
    one_kind: Vec<u32>,
    /// The bytes seen after each byte.
    behind: Vec<Vec<u8>>,
    total: u32,
    words: Vocabulary,
    /// Counts that were learnt before and are shared with others.
    siblings: Option<Arc<Likelihood>>,
}

/// How much a shorter context weighs beside a longer one that was seen once. Not measured: with more,
/// what the text itself shows would count too little.
const SHORTER_CONTEXT_WEIGHT: f32 = 0.5;

/// What kind of byte one is: small letter, capital, digit, what isn't ASCII, control character; all others
/// are kinds of their own.
const KIND: [u8; 256] = {
    let mut kinds = [0; 256];
    let (mut byte, mut next) = (0, 5);
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => 0,
            b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            0x80..=0xff => 3,
            b'\n' | b'\t' | b' '..=b'~' => {
                next += 1;
                next - 1
            }
            _ => 4,
        };
        byte += 1;
    }
    kinds
};
/// More than there are kinds: a power of two, so that two kinds are an index.
const MAX_KINDS: usize = 64;

fn kind(byte: u8) -> usize {
    usize::from(KIND[usize::from(byte)])
}

/// The number of two bytes.
fn pair(a: u8, b: u8) -> usize {
    usize::from(a) << 8 | usize::from(b)
}

impl Likelihood {
    /// Starts with what `siblings` know. Costs a copy of the counts of two bytes, and none of
    /// those of three.
    pub fn after(siblings: Arc<Likelihood>) -> Self {
        Likelihood {
            two: siblings.two.clone(),
            one: siblings.one.clone(),
            two_kinds: siblings.two_kinds.clone(),
            one_kind: siblings.one_kind.clone(),
            behind: siblings.behind.clone(),
            total: siblings.total,
            siblings: (siblings.total > 0).then_some(siblings),
            ..Likelihood::default()
        }
    }

    /// Learns a text.
    pub fn learn(&mut self, text: &[u8]) {
        self.behind.resize(256, Vec::new());
        self.one.resize(256, 0);
        self.two.resize(1 << 16, 0);
        self.two_kinds.resize(MAX_KINDS * MAX_KINDS, 0);
        self.one_kind.resize(MAX_KINDS, 0);
        let (mut a, mut b) = (b'\n', b'\n');
        for c in text.iter().copied() {
            *self.three.entry((pair(a, b) as u64) << 8 | u64::from(c)).or_default() += 1;
            self.two[pair(b, c)] += 1;
            if self.two[pair(b, c)] == 1 {
                self.behind[usize::from(b)].push(c);
            }
            self.one[usize::from(c)] += 1;
            self.two_kinds[kind(b) * MAX_KINDS + kind(c)] += 1;
            self.one_kind[kind(c)] += 1;
            (a, b) = (b, c);
        }
        self.total += text.len() as u32;
        self.words.learn(text);
    }

    /// Known words that a text is nearly the same as: the siblings' first.
    pub fn words_near(&self, text: &[u8], most: usize) -> Vec<&[u8]> {
        let mut found = match &self.siblings {
            Some(siblings) => siblings.words_near(text, most),
            None => Vec::new(),
        };
        for word in self.words.near(text, most) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }

    /// The bytes that were seen after `byte`.
    pub fn behind(&self, byte: u8) -> &[u8] {
        self.behind.get(usize::from(byte)).map_or(&[], Vec::as_slice)
    }

    /// Whether `second` was seen after `first`.
    pub fn has_seen(&self, first: u8, second: u8) -> bool {
        self.two.get(pair(first, second)).is_some_and(|count| *count > 0)
    }

    /// How often a byte was seen.
    pub fn count(&self, byte: u8) -> u32 {
        self.one.get(usize::from(byte)).copied().unwrap_or(0)
    }

    fn count_of_three(&self, key: u64) -> u32 {
        let before = self.siblings.as_ref().map_or(0, |siblings| siblings.count_of_three(key));
        self.three.get(&key).copied().unwrap_or(0) + before
    }

    /// The logarithm of the probability of `c` after `a` and `b`; `own` is 1 where this very
    /// place was learnt, else 0.
    fn log(&self, a: u8, b: u8, c: u8, own: u32) -> f32 {
        let two = |a, b| self.two.get(pair(a, b)).copied().unwrap_or(0);
        let less = |count: u32| count.saturating_sub(own) as f32;
        let of_kind = |byte| less(self.one_kind.get(kind(byte)).copied().unwrap_or(0));
        let two_kinds = self.two_kinds.get(kind(b) * MAX_KINDS + kind(c)).copied().unwrap_or(0);
        let of_one = (of_kind(c) + 0.05) / (self.total as f32 + 12.8);
        let of_kinds = (less(two_kinds) + SHORTER_CONTEXT_WEIGHT * of_one)
            / (of_kind(b) + SHORTER_CONTEXT_WEIGHT);
        let within_kind = (less(self.count(c)) + 0.05) / (of_kind(c) + 0.25);
        let of_two = (less(two(b, c)) + SHORTER_CONTEXT_WEIGHT * of_kinds * within_kind)
            / (less(self.count(b)) + SHORTER_CONTEXT_WEIGHT);
        let context = less(two(a, b));
        // A byte that was never seen after these two was not seen as a run of three either.
        let seen = if context > 0.0 && two(b, c) > 0 {
            less(self.count_of_three((pair(a, b) as u64) << 8 | u64::from(c)))
        } else {
            0.0
        };
        ((seen + SHORTER_CONTEXT_WEIGHT * of_two) / (context + SHORTER_CONTEXT_WEIGHT)).ln()
    }

    /// The gain in likelihood of putting `new` in place of `text[at..end]`.
    pub fn gain(&self, text: &[u8], at: usize, end: usize, new: &[u8]) -> f32 {
        let place = Surroundings::of(text, at, end);
        let bytes = new.iter().chain(place.tail).copied();
        place.sum(bytes, |a, b, c| self.log(a, b, c, 0)) - place.loss(self, &text[at..end])
    }
}

/// The bytes around those that may be changed.
struct Surroundings<'t> {
    before: (u8, u8),
    /// Two bytes after the change see it.
    tail: &'t [u8],
}

impl<'t> Surroundings<'t> {
    fn of(text: &'t [u8], at: usize, end: usize) -> Self {
        let byte = |back: usize| if at < back { b'\n' } else { text[at - back] };
        Surroundings { before: (byte(2), byte(1)), tail: &text[end..text.len().min(end + 2)] }
    }

    fn sum(&self, bytes: impl Iterator<Item = u8>, mut log: impl FnMut(u8, u8, u8) -> f32) -> f32 {
        let (mut a, mut b) = self.before;
        let mut sum = 0.0;
        for c in bytes {
            sum += log(a, b, c);
            (a, b) = (b, c);
        }
        sum
    }

    /// The likelihood of the present bytes.
    fn loss(&self, likelihood: &Likelihood, there: &[u8]) -> f32 {
        let there = there.iter().chain(self.tail).copied();
        self.sum(there, |a, b, c| likelihood.log(a, b, c, 1))
    }
}

/// Likelihoods, and the logarithms that were wanted last: edits of neighbouring bytes have most of
/// them in common.
pub(crate) struct CachedLikelihood<'l> {
    likelihood: &'l Likelihood,
    /// The number of three bytes, and the logarithm of the last one's probability.
    known: Vec<Cell<(u32, f32)>>,
}

/// Logarithms that are remembered: a power of two, and few enough (16 KiB) so that they stay in the
/// nearest cache.
const REMEMBERED_LOGARITHMS: usize = 1 << 11;

impl<'l> CachedLikelihood<'l> {
    /// Nothing was wanted yet.
    pub(crate) fn of(likelihood: &'l Likelihood) -> Self {
        CachedLikelihood {
            likelihood,
            known: vec![Cell::new((u32::MAX, 0.0)); REMEMBERED_LOGARITHMS],
        }
    }

    /// The bytes `text[at..end]`, to be compared with others in their place.
    pub(crate) fn replaceable<'t>(
        &'t self,
        text: &'t [u8],
        at: usize,
        end: usize,
    ) -> Replaceable<'t> {
        let place = Surroundings::of(text, at, end);
        let loss = place.loss(self.likelihood, &text[at..end]);
        Replaceable { recent: self, place, loss }
    }

    fn log(&self, a: u8, b: u8, c: u8) -> f32 {
        let number = u32::from_be_bytes([0, a, b, c]);
        let slot = number.wrapping_mul(0x9e37_79b1) >> (u32::BITS - REMEMBERED_LOGARITHMS.ilog2());
        let known = &self.known[slot as usize];
        let (whose, log) = known.get();
        if whose == number {
            return log;
        }
        let log = self.likelihood.log(a, b, c, 0);
        known.set((number, log));
        log
    }
}

/// A place of a text that may be changed.
pub(crate) struct Replaceable<'t> {
    recent: &'t CachedLikelihood<'t>,
    place: Surroundings<'t>,
    loss: f32,
}

impl Replaceable<'_> {
    /// The gain in likelihood of putting `new` there.
    pub(crate) fn gain(&self, new: &[u8]) -> f32 {
        let bytes = new.iter().chain(self.place.tail).copied();
        self.place.sum(bytes, |a, b, c| self.recent.log(a, b, c)) - self.loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoing_a_damage_is_likelier_than_anything_beside_it() {
        let mut likelihood = Likelihood::default();
        let text = br#"{"a":1,"b":2,"c"x:3,"d":4,"e":5}"#;
        likelihood.learn(text);
        let best = (1..text.len())
            .max_by(|left, right| {
                let gain = |at: usize| likelihood.gain(text, at, at + 1, b"");
                gain(*left).total_cmp(&gain(*right))
            })
            .unwrap();
        assert_eq!(text[best], b'x');
    }
}
pub(super) mod vocabulary;
