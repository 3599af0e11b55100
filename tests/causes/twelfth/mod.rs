//! A twelfth list of planted causes: 12 that were written and committed before the generalizer was run on any of them. Each
//! is of another kind: a range, a comparison, a depth, an absence, equal names, characters, two numbers together, a length, an
//! order, a duplicate, alternatives, and rows of unequal length.

mod json;
mod others;

use crate::two_sided::TwoSided;

/// All of them.
pub fn twelfth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, others::OTHERS].into_iter().flatten()
}
