//! The one random generator: SplitMix64, small, seeded, the same on every machine.

use crate::grammar::generate::Dice;

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number. Source: Steele, Lea & Flood, 'Fast splittable pseudorandom number
    /// generators', OOPSLA 2014, figure 16.
    pub fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, 0 for a bound of 0. Slightly uneven for bounds near 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next_number() % bound as u64) as usize }
    }

    /// One of `choices`; `None` if there is none.
    pub fn choose<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }
}

impl Dice for Random {
    fn below(&mut self, bound: usize) -> usize {
        Random::below(self, bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_number(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_number(), 3_203_168_211_198_807_973);
    }
}
