//! A fortieth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

mod formats;
mod json;
mod markup;
mod plain;
mod scripts;

use crate::two_sided::TwoSided;

/// All of them.
pub fn fortieth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, scripts::SCRIPTS, formats::FORMATS, markup::MARKUP]
        .into_iter()
        .flatten()
}
