//! How likely a byte is where it stands, learnt from the damaged text itself and its siblings.
//!
//! Damage is rare and rarely looks like the rest, so the edit that makes a text most like itself
//! is usually the one that undoes the damage. Counts of three, two and one bytes are mixed, each
//! falling back on the next; what is judged is not counted for itself.

use std::sync::Arc;

use super::vocabulary::Vocabulary;
use crate::digest::NumberMap;

/// Counts of bytes in context.
#[derive(Clone, Default)]
pub struct Likelihood {
    /// Three, two and one bytes, and two as contexts, told apart by their key.
    counts: NumberMap<u64, u32>,
    /// The bytes seen behind each byte.
    behind: Vec<Vec<u8>>,
    total: u32,
    words: Vocabulary,
    /// What was learnt before and is shared with others.
    siblings: Option<Arc<Likelihood>>,
}

const THREE: u64 = 1 << 24;
const TWO: u64 = 2 << 24;
const ONE: u64 = 3 << 24;
/// How much a shorter context weighs beside a longer one that was seen once.
const WEIGHT: f32 = 0.5;

impl Likelihood {
    /// Starts with what `siblings` know, without a copy of it.
    pub fn after(siblings: Arc<Likelihood>) -> Self {
        let total = siblings.total;
        let behind = siblings.behind.clone();
        Likelihood { total, behind, siblings: Some(siblings), ..Likelihood::default() }
    }

    /// Learns a text.
    pub fn learn(&mut self, text: &[u8]) {
        self.behind.resize(256, Vec::new());
        let (mut a, mut b) = (b'\n', b'\n');
        for c in text.iter().copied() {
            let three = THREE | u64::from(a) << 16 | u64::from(b) << 8 | u64::from(c);
            *self.counts.entry(three).or_default() += 1;
            *self.counts.entry(TWO | u64::from(b) << 8 | u64::from(c)).or_default() += 1;
            let behind = &mut self.behind[usize::from(b)];
            if !behind.contains(&c) {
                behind.push(c);
            }
            *self.counts.entry(ONE | u64::from(c)).or_default() += 1;
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

    /// The bytes that were seen behind `byte`.
    pub fn behind(&self, byte: u8) -> &[u8] {
        self.behind.get(usize::from(byte)).map_or(&[], Vec::as_slice)
    }

    /// How often a byte was seen.
    pub fn count(&self, byte: u8) -> u32 {
        self.count_of(ONE | u64::from(byte))
    }

    fn count_of(&self, key: u64) -> u32 {
        let before = self.siblings.as_ref().map_or(0, |siblings| siblings.count_of(key));
        self.counts.get(&key).copied().unwrap_or(0) + before
    }

    /// The logarithm of the probability of `c` behind `a` and `b`; `own` is 1 where this very
    /// place was learnt, else 0.
    fn log(&self, a: u8, b: u8, c: u8, own: u32) -> f32 {
        let less = |key: u64| self.count_of(key).saturating_sub(own) as f32;
        let one = (less(ONE | u64::from(c)) + 0.05) / (self.total as f32 + 12.8);
        let in_front = less(ONE | u64::from(b));
        let two =
            (less(TWO | u64::from(b) << 8 | u64::from(c)) + WEIGHT * one) / (in_front + WEIGHT);
        let context = less(TWO | u64::from(a) << 8 | u64::from(b));
        let three = less(THREE | u64::from(a) << 16 | u64::from(b) << 8 | u64::from(c));
        ((three + WEIGHT * two) / (context + WEIGHT)).ln()
    }

    /// The gain in likelihood of putting `new` in place of `text[at..end]`.
    pub fn gain(&self, text: &[u8], at: usize, end: usize, new: &[u8]) -> f32 {
        let byte = |index: isize| if index < 0 { b'\n' } else { text[index as usize] };
        let at_signed = at as isize;
        let mut gain = 0.0;
        // Two bytes behind the change see it.
        let tail = &text[end..text.len().min(end + 2)];
        let (mut a, mut b) = (byte(at_signed - 2), byte(at_signed - 1));
        for c in new.iter().chain(tail).copied() {
            gain += self.log(a, b, c, 0);
            (a, b) = (b, c);
        }
        let (mut a, mut b) = (byte(at_signed - 2), byte(at_signed - 1));
        for c in text[at..end + tail.len()].iter().copied() {
            gain -= self.log(a, b, c, 1);
            (a, b) = (b, c);
        }
        gain
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
