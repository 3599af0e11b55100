//! A fourth list of planted causes, and fifteen later ones.

mod json;
mod later;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn fourth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, own::OWN, plain::PLAIN, later::LATER].into_iter().flatten()
}
