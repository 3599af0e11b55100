//! A seventeenth list of planted causes: 24 that were written and committed before the generalizer was run on any of them,
//! by someone who had not read it. A third is in JSON, a third has no grammar, and a third is in other formats and languages.

mod formats;
mod json;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn seventeenth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}
