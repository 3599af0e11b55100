//! A part of a folder for one of several machines: which inputs belong to it.
//!
//! Shards are chosen by digest, so that machines need not agree on anything but the folder's
//! content: no list is exchanged, and a file that is added later moves no other file to another
//! shard.

use std::fmt;
use std::str::FromStr;

/// Shard K of N: the inputs whose digest falls into it. Every input is in exactly one of the N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shard {
    /// K, from 1.
    index: u32,
    /// N.
    count: u32,
}

/// Why a text is no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a shard is K/N with K from 1 to N, such as 2/8")]
pub(crate) struct NoShard;

impl Shard {
    /// Shard `index` of `count`, counted from 1.
    ///
    /// `None` if `index` is 0 or larger than `count`.
    pub(crate) fn new(index: u32, count: u32) -> Option<Self> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// K, from 1 to N.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// N.
    pub(crate) fn count(self) -> u32 {
        self.count
    }

    /// Whether the input with the SHA-1 `sha1` (in hexadecimal) belongs to this shard.
    ///
    /// The first 60 bits of the SHA-1 decide; something that is no SHA-1 belongs to the first
    /// shard.
    pub(crate) fn has(self, sha1: &str) -> bool {
        let number = sha1.get(..15).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.unwrap_or_default() % u64::from(self.count) == u64::from(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (index, count) = text.split_once('/').ok_or(NoShard)?;
        let (Ok(index), Ok(count)) = (index.parse(), count.parse()) else { return Err(NoShard) };
        Shard::new(index, count).ok_or(NoShard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::content_name;

    #[test]
    fn every_input_belongs_to_exactly_one_shard_and_the_shards_are_about_equal() {
        let mut counts = [0; 7];
        for number in 0..7000u32 {
            let name = content_name(&number.to_le_bytes());
            let of: Vec<u32> =
                (1..=7).filter(|index| Shard::new(*index, 7).unwrap().has(&name)).collect();
            assert_eq!(of.len(), 1);
            counts[of[0] as usize - 1] += 1;
        }
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_shard_is_written_as_its_number_and_how_many_there_are() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for wrong in ["", "2", "0/8", "9/8", "1/0", "a/b", "-1/2"] {
            assert_eq!(wrong.parse::<Shard>(), Err(NoShard), "{wrong}");
        }
    }
}
