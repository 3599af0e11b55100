//! What choosing a candidate would add, and for what: the order in which candidates are chosen.

use std::cmp::Ordering;

/// What a candidate adds, when it was last looked at.
///
/// The heap's order is that of merit: the most new features for each unit of cost, then the smaller
/// candidate, then the digest.
pub(super) struct Offer {
    /// New features.
    pub gain: u64,
    /// What choosing it costs.
    pub cost: u64,
    /// Its place among the candidates by weight and digest.
    pub place: u32,
    /// Its place among the candidates as they are given.
    pub index: u32,
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        // gain / cost, without rounding.
        let (this, that) = (
            u128::from(self.gain) * u128::from(other.cost),
            u128::from(other.gain) * u128::from(self.cost),
        );
        this.cmp(&that).then_with(|| other.place.cmp(&self.place))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Offer {}
