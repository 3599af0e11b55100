//! A thirteenth list of planted causes: 24 that were written and committed before the generalizer was run on any of them. Most
//! are in usual formats (JSON, XML, TOML, SQL, CSS, INI, HTTP), the others in languages of their own and without a grammar.

mod documents;
mod json;
mod own;
mod plain;

use crate::two_sided::TwoSided;

/// All of them.
pub fn thirteenth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, documents::DOCUMENTS, own::OWN, plain::PLAIN].into_iter().flatten()
}
