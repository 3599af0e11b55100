//! Sets of the tokens at which recovery stops, one for each stack of open rules.

use crate::grammar::atn::StateId;
use crate::grammar::atn::tokens::{TokenSet, TokenSets};
use crate::grammar::hash::FixedMap;

/// Sets of tokens worked out for stacks of open rules, shared by number; without this, a deep
/// nesting of unfinished rules would cost its square.
#[derive(Clone, Debug, Default)]
pub(super) struct RecoverySets {
    /// All sets, by number.
    pub sets: TokenSets,
    /// The number of the union, by the numbered set below and the state.
    unions: FixedMap<(u32, StateId), u32>,
}

impl RecoverySets {
    /// The number of the set of these tokens.
    pub(super) fn of(&mut self, tokens: impl IntoIterator<Item = u32>) -> u32 {
        let mut set = TokenSet::new();
        tokens.into_iter().for_each(|token| set.insert(token));
        self.sets.intern(set)
    }

    /// The numbered set together with the tokens that can come next at the state.
    ///
    /// Kept by the number of the set and the state, so that each pair is worked out once in a
    /// parser's life.
    pub(super) fn with(&mut self, below: u32, state: StateId, next: &TokenSet) -> u32 {
        let sets = &mut self.sets;
        *self.unions.entry((below, state)).or_insert_with(|| {
            let mut union = sets.get(below).clone();
            union.extend(next);
            sets.intern(union)
        })
    }
}
