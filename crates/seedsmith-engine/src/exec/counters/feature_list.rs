//! The features of one run as bytes: workers write them, and everything else reads them.
//!
//! A feature is a number: that of its counter times [`BUCKETS`], plus the range that the counter's value is in. In the list,
//! each has its distance from the counter before, its range, and whether it is there by chance.
//!
//! Compiled twice: also into the library that is preloaded into an executable.

/// Ranges of a counter's value.
pub const BUCKETS: u32 = 8;
/// What a counter takes in a list: each range, with chance and without.
pub(super) const STEPS: u32 = 2 * BUCKETS;

/// No executable has as many counters: with 16 bytes of table for each, its tables alone would have
/// 4 GB.
const MAX_COUNTERS: u32 = 1 << 28;

/// Appends a number, seven bits a byte, the last byte below 128.
pub(super) fn append(text: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        text.push(number as u8 | 0x80);
        number >>= 7;
    }
    text.push(number as u8);
}

/// The features of one run, in a byte or two each: a corpus of 100,000 inputs fits into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FeatureText(Box<[u8]>);

/// What a feature adds to the digest of a list, from which a worker knows what to expect.
///
/// A sum, so that a worker can find out which features it lacks. Not for lists that someone has made up.
pub(super) fn digest_of_feature(feature: u32) -> u64 {
    split_mix(u64::from(feature) + 1)
}

/// The number at a place of the sequence of SplitMix64 (Steele and others 2014).
pub(super) fn split_mix(place: u64) -> u64 {
    let mut mixed = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl FeatureText {
    /// What [`Request::expected`](crate::Request::expected) takes. Costs a pass over the list.
    pub fn digest(&self) -> u64 {
        features(self).fold(0, |sum, feature| sum.wrapping_add(digest_of_feature(feature)))
    }

    /// Reads the text that a worker has written down. Bytes that no worker can have written end the
    /// list.
    pub fn new(text: Vec<u8>) -> Self {
        FeatureText(text.into())
    }

    /// Whether any feature is there by chance. Costs a look at each byte, many at once, and reads no number.
    pub fn has_chance(&self) -> bool {
        const CHANCE: u8 = BUCKETS as u8;
        // A number's first byte comes after one without the bit that says that more follow, and has the range in it.
        let first = self.0.first().copied().unwrap_or(0);
        let others = self.0.iter().zip(self.0.iter().skip(1));
        others.fold(first, |all, (before, byte)| all | (byte & !(before >> 4))) & CHANCE != 0
    }

    /// The features in `ascending` order, one of each counter.
    pub fn of(ascending: &[u32]) -> Self {
        ascending.iter().map(|feature| (*feature, false)).collect()
    }
}

/// The bytes that [`FeatureText::new`] makes the same list of.
impl AsRef<[u8]> for FeatureText {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Features in ascending order, one of each counter, and whether each is there by chance.
impl FromIterator<(u32, bool)> for FeatureText {
    fn from_iter<I: IntoIterator<Item = (u32, bool)>>(ascending: I) -> Self {
        let mut text = Vec::new();
        let mut next = 0;
        for (feature, by_chance) in ascending {
            let index = feature / BUCKETS;
            let range = feature % BUCKETS + u32::from(by_chance) * BUCKETS;
            append(&mut text, (index - next) * STEPS + range);
            next = index + 1;
        }
        FeatureText(text.into())
    }
}

/// The features in a list: the counter's index times [`BUCKETS`], plus the number of its range.
pub fn features(list: &FeatureText) -> impl Iterator<Item = u32> + '_ {
    list.into_iter().map(|(feature, _)| feature)
}

/// The same, and whether each feature is there by chance.
impl<'t> IntoIterator for &'t FeatureText {
    type Item = (u32, bool);
    type IntoIter = Features<'t>;

    fn into_iter(self) -> Features<'t> {
        Features { text: self.0.iter(), next: 0 }
    }
}

/// Reads a list.
#[derive(Clone, Debug)]
pub struct Features<'t> {
    text: std::slice::Iter<'t, u8>,
    next: u32,
}

impl Features<'_> {
    /// A number of several bytes, after its first one.
    fn longer(&mut self, first: u8) -> Option<u32> {
        let (mut number, mut shift) = (u32::from(first & 0x7f), 7);
        loop {
            let byte = *self.text.next()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
    }
}

impl Iterator for Features<'_> {
    type Item = (u32, bool);

    #[inline]
    fn next(&mut self) -> Option<(u32, bool)> {
        let byte = *self.text.next()?;
        // Nearly all numbers take one byte.
        let number = if byte < 0x80 { byte.into() } else { self.longer(byte)? };
        let index = self.next.checked_add(number / STEPS).filter(|index| *index < MAX_COUNTERS)?;
        self.next = index + 1;
        let by_chance = number % STEPS >= BUCKETS;
        Some((index * BUCKETS + number % BUCKETS, by_chance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_no_worker_wrote_end_the_list() {
        let read = |text: &[u8]| features(&FeatureText::new(text.to_vec())).collect::<Vec<_>>();
        assert_eq!(read(&[16, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), [8]);
        assert_eq!(read(&[0xff, 0xff, 0xff, 0x7f].repeat(20)).len(), 16);
        assert!(read(&[]).is_empty());
    }

    #[test]
    fn a_feature_that_is_there_by_chance_is_found_whatever_is_before_it() {
        for index in [0, 1, 7, 8, 9, 200, 70_000] {
            for range in 0..BUCKETS {
                let list = |by_chance| -> FeatureText {
                    let feature = index * BUCKETS + range;
                    let all = [(feature, by_chance), (feature + 9 * BUCKETS, false)];
                    all.into_iter().chain([(feature + 400 * BUCKETS, false)]).collect()
                };
                assert_eq!(
                    [false, true].map(|one| list(one).has_chance()),
                    [false, true],
                    "{index} {range}"
                );
            }
        }
        let mut all: Vec<(u32, bool)> = (0..90).map(|at| (at * at * BUCKETS, false)).collect();
        all[80].1 = true;
        assert!(all.iter().copied().collect::<FeatureText>().has_chance());
        assert!(!FeatureText::default().has_chance());
    }

    #[test]
    fn lists_that_differ_have_other_digests() {
        let lists = [&[0][..], &[8], &[0, 8], &[1, 8], &[0, 9], &[0, 8, 16]];
        let digests: std::collections::BTreeSet<u64> =
            lists.iter().map(|list| FeatureText::of(list).digest()).collect();
        assert_eq!(digests.len(), lists.len());
        assert!(!digests.contains(&0));
    }

    #[test]
    fn a_list_that_is_made_of_numbers_has_these() {
        for list in [vec![], vec![0], vec![5, 16, 17 * 8, 40_000]] {
            let text = FeatureText::of(&list);
            assert_eq!(features(&text).collect::<Vec<_>>(), list);
            let marked: Vec<_> = list.iter().map(|one| (*one, one % 2 == 0)).collect();
            let text: FeatureText = marked.iter().copied().collect();
            assert_eq!(text.into_iter().collect::<Vec<_>>(), marked);
        }
    }
}
