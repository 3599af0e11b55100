//! A fourteenth list of planted causes: 24 that were written and committed before the generalizer was run on any of them, two for
//! each kind of cause that a person would think of first, and each in a format or language of its own.

mod compared;
mod listed;
mod placed;
mod sized;

use crate::two_sided::TwoSided;

/// All of them.
pub fn fourteenth() -> impl Iterator<Item = &'static TwoSided> {
    [compared::COMPARED, listed::LISTED, placed::PLACED, sized::SIZED].into_iter().flatten()
}
