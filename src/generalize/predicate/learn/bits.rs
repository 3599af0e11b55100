//! For each of many samples whether a condition holds.

/// One bit for each sample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bits(Vec<u64>);

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

    /// Where one is set.
    ///
    /// Both have to be about the same samples.
    pub(super) fn or(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(one, other)| one | other).collect())
    }

    /// How many are set.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many are set in both.
    pub(super) fn common(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(one, other)| (one & other).count_ones() as usize).sum()
    }

    /// How many are set in one and not in the other.
    ///
    /// This many samples tell the two conditions apart.
    pub(super) fn differing(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(one, other)| (one ^ other).count_ones() as usize).sum()
    }
}
