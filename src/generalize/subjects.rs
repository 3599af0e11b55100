//! The subject of a generalization: the input with its parse tree, or with one leaf if there is none.

use std::collections::BTreeMap;

use super::bytes;
use super::draws::sampler::{Misfit, Sampler};
use super::pattern::Subject;

/// The input with its tree, or with one leaf where no grammar could make one; and how it isn't in
/// the grammar's language, if it isn't.
///
/// Never fails: an input that cannot be parsed is bytes, and the [`Misfit`] says where parsing
/// failed.
pub(crate) fn subject(input: Vec<u8>, language: Option<Sampler>) -> (Subject, Option<Misfit>) {
    let Some(mut language) = language else { return (one_leaf(input), None) };
    match language.read(&input) {
        Ok((tree, misfit)) => {
            let language = Some(language);
            (Subject { input, tree, language, shared: BTreeMap::new() }, misfit)
        }
        Err(misfit) => (one_leaf(input), Some(misfit)),
    }
}

/// An input with its tree, if it is in the language.
///
/// Costs parsing.
pub(super) fn in_language(language: &Sampler, input: &[u8]) -> Option<Subject> {
    let mut language = language.clone();
    let Ok((tree, None)) = language.read(input) else { return None };
    let (input, language) = (input.to_vec(), Some(language));
    Some(Subject { input, tree, language, shared: BTreeMap::new() })
}

/// The subject of an input without a grammar.
fn one_leaf(input: Vec<u8>) -> Subject {
    let whole = 0..input.len();
    bytes::cut::subject(input, &[whole])
}
