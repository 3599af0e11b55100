//! Repairs that add nothing: the largest valid part of an input.
//!
//! - `hybrid` drops what guidance and ddmax find to be damaged, then fills the gaps;
//! - `gaps` brings back, gap by gap, the bytes that were dropped without need;
//! - `parts` finds which bytes of an input a part of it keeps.

pub(super) mod gaps;
pub(super) mod hybrid;
pub(super) mod parts;
