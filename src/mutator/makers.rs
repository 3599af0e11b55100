//! Who made which mutant, for as long as it is remembered.

use crate::mutator::job::{NO_ORIGIN, Origin};
use crate::mutator::time_shares::Maker;

/// Mutants that are remembered: a power of two, so that a digest's low bits are an index. With 16,384 a
/// mutant is forgotten when about as many were made after it.
const REMEMBERED_MUTANTS: usize = 1 << 14;

/// Who made a mutant, and whether it would be there without us.
#[derive(Clone, Copy)]
pub(super) struct Provenance {
    /// Who.
    pub maker: Maker,
    /// Whether it or an ancestor of it is ours.
    pub is_ours: bool,
    /// Whether it is known to be valid.
    pub is_valid: bool,
    /// How the workshop made it.
    pub origin: Origin,
}

/// Mutants by the low bits of their digest; a later one takes the place of an earlier one.
pub(super) struct Makers(Vec<(u128, Provenance)>);

impl Makers {
    /// Nothing was made.
    pub(super) fn new() -> Self {
        Makers(vec![
            (
                0,
                Provenance {
                    maker: Maker::Fuzzer,
                    is_ours: false,
                    is_valid: false,
                    origin: NO_ORIGIN
                }
            );
            REMEMBERED_MUTANTS
        ])
    }

    /// Who made the mutant of that digest, if that is remembered.
    pub(super) fn of(&self, digest: u128) -> Option<Provenance> {
        let (whose, made) = self.0[digest as usize % REMEMBERED_MUTANTS];
        (whose == digest).then_some(made)
    }

    /// Remembers who made a mutant.
    pub(super) fn put(&mut self, digest: u128, made: Provenance) {
        self.0[digest as usize % REMEMBERED_MUTANTS] = (digest, made);
    }
}
