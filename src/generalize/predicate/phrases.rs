//! Phrases of the sentences that conditions are: which parts are meant, and how a number is bounded.

use super::bound::Bound;
use super::feature::{FIRST, LAST};
use super::term::{ITEMS_IN, VALUE_OF};
use crate::generalize::domain::number as written;
use crate::generalize::predicate::name::Name;

/// Names with a word between them.
pub(super) fn joined(names: &[Name], word: &str) -> String {
    let texts: Vec<&str> = names.iter().map(|name| &**name).collect();
    texts.join(word)
}

/// One of the parts of a name. A key has one value.
pub(super) fn some(name: &str) -> String {
    match name {
        name if name.starts_with(VALUE_OF) => format!("the {name}"),
        name if name.starts_with(ITEMS_IN) => format!("one of the {name}"),
        name if is_of_end(name) => format!("the {name}"),
        name => format!("some {name}"),
    }
}

/// All of the parts of a name.
pub(super) fn every(name: &str) -> String {
    match name {
        name if name.starts_with(VALUE_OF) => format!("the {name}"),
        name if name.starts_with(ITEMS_IN) => format!("each of the {name}"),
        name if is_of_end(name) => format!("the {name}"),
        name => format!("every {name}"),
    }
}

/// Whether a name is of the first or of the last part of a kind, of which there is one.
fn is_of_end(name: &str) -> bool {
    name.starts_with(FIRST) || name.starts_with(LAST)
}

/// A name after `no`.
pub(super) fn single(name: &str) -> String {
    match name.strip_prefix(ITEMS_IN) {
        Some(key) => format!("item in {key}"),
        None => name.to_owned(),
    }
}

/// A bound as what follows the name of a number.
pub(super) fn size(bound: Bound) -> String {
    match bound {
        Bound::AtLeast(least) => format!("is at least {}", written(least)),
        Bound::AtMost(most) => format!("is at most {}", written(most)),
        Bound::Is(number) => format!("is {}", written(number)),
        Bound::IsNot(number) => format!("is not {}", written(number)),
    }
}
