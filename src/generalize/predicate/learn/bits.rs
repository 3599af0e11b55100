//! For each of many samples whether a condition holds.

/// One bit for each sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::generalize::predicate) struct Bits(Vec<u64>);

impl FromIterator<bool> for Bits {
    /// The first sample is the lowest bit of the first word.
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Self {
        let mut words = Vec::new();
        for (at, bit) in bits.into_iter().enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            words[at / 64] |= u64::from(bit) << (at % 64);
        }
        Bits(words)
    }
}

impl Bits {
    /// Where both are set.
    ///
    /// Both have to be about the same samples.
    pub(super) fn and(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(one, other)| one & other).collect())
    }

    /// Where this is set and the other one is not. Both have to be about the same samples.
    pub(super) fn without(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(one, other)| one & !other).collect())
    }

    /// How many are set after a function joined both, and how many of these are `wanted`. Allocates nothing: it is
    /// asked for a hundred thousand pairs.
    pub(super) fn joined(
        &self,
        other: &Bits,
        wanted: &Bits,
        join: fn(u64, u64) -> u64,
    ) -> (usize, usize) {
        let words = self.0.iter().zip(&other.0).zip(&wanted.0);
        words.fold((0, 0), |(count, hits), ((one, other), wanted)| {
            let word = join(*one, *other);
            (count + word.count_ones() as usize, hits + (word & wanted).count_ones() as usize)
        })
    }

    /// Those of the first samples.
    pub(in crate::generalize::predicate) fn iter(
        &self,
        samples: usize,
    ) -> impl Iterator<Item = bool> + '_ {
        (0..samples).map(|at| self.0[at / 64] >> (at % 64) & 1 == 1)
    }

    /// How many are set.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many are set in both.
    pub(super) fn common(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(one, other)| (one & other).count_ones() as usize).sum()
    }
}
