//! Sets of token numbers as bits, shared by number.
//!
//! Grammars have up to some thousand tokens and an ATN has one set for each state, most of which
//! are equal: so sets are kept once each and referred to by number.

use std::collections::BTreeMap;

/// A set of tokens; bit 0 is the end of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct TokenSet {
    words: Vec<u64>,
}

impl TokenSet {
    /// The empty set.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a token.
    pub(crate) fn insert(&mut self, token: u32) {
        let word = token as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (token % 64);
    }

    /// Whether a token is in.
    #[inline]
    pub(crate) fn contains(&self, token: u32) -> bool {
        let word = self.words.get(token as usize / 64).copied().unwrap_or(0);
        word >> (token % 64) & 1 == 1
    }

    /// Adds all of `other`; returns whether that changed anything.
    pub(crate) fn extend(&mut self, other: &TokenSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (own, more) in self.words.iter_mut().zip(&other.words) {
            changed |= *more & !*own != 0;
            *own |= more;
        }
        changed
    }

    /// The tokens in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word as u32 * 64 + bit)
        })
    }
}

/// Token sets by number: equal sets get the same one.
#[derive(Clone, Debug, Default)]
pub(crate) struct TokenSets {
    sets: Vec<TokenSet>,
    numbers: BTreeMap<TokenSet, u32>,
}

impl TokenSets {
    /// The set's number.
    pub(crate) fn intern(&mut self, set: TokenSet) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.sets.len() as u32;
        self.numbers.insert(set.clone(), number);
        self.sets.push(set);
        number
    }

    /// The set of that number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &TokenSet {
        &self.sets[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_share_a_number() {
        let mut sets = TokenSets::default();
        let mut one = TokenSet::new();
        one.insert(70);
        one.insert(3);
        let mut other = TokenSet::new();
        other.insert(3);
        assert!(other.extend(&one));
        assert_eq!(sets.intern(one.clone()), sets.intern(other));
        assert_eq!(one.iter().collect::<Vec<_>>(), [3, 70]);
        assert!(!one.contains(1000));
    }
}
