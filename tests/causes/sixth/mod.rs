//! A sixth list of planted causes: twelve, written before the first run. Most are about several properties of one part:
//! a price that is negative *and* has three decimals, a link with a target *and* without a `rel`.
//!
//! Four are in JSON, five in XML and in small languages, three without a grammar.

mod json;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn sixth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, own::OWN, plain::PLAIN].into_iter().flatten()
}
