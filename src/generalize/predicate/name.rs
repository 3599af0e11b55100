//! Names of parts, shared by all features that are about them.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The name of a part, as a text that is shared by its copies.
///
/// An input has thousands of features, and most of them are about a few dozen names. A copy takes no memory, and the
/// hash is computed once, because reading features took most of a run's time with names that were copied. Names are equal if
/// their hashes are: of 100,000 names of one search two have the same in one of three billion searches.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Name {
    /// The text, in quotes if it is one of the input's.
    text: Arc<str>,
    /// The 64-bit xxHash (XXH3) of it.
    hash: u64,
}

/// A name can be used wherever its text can.
impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Copies the text and computes its hash.
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name { text: text.into(), hash: xxh3_64(text.as_bytes()) }
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

/// The same text, shared.
impl From<&Name> for Name {
    fn from(name: &Name) -> Self {
        name.clone()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.to_string()
    }
}

/// The texts are somewhere else in memory, and are not read.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Name {}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        *self.text == *other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self.text == **other
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of the texts, so that nothing depends on where they are in memory.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        match self == other {
            true => Ordering::Equal,
            false => self.text.cmp(&other.text),
        }
    }
}

/// The hash of a name takes the place of its text, so that a map's hash of a feature takes a few instructions. It is not the
/// hash of the text as `str`, and so no map of names can be asked for a text.
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl fmt::Display for Name {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(to)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.text, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_text_are_equal_whoever_made_them() {
        let (one, other) = (Name::from("<row>"), Name::from("<row>".to_owned()));
        assert_eq!(one, other);
        assert_eq!(one.cmp(&other), Ordering::Equal);
        let raw = Name::from("<raw>");
        assert!(raw != one && raw < one);
    }

    #[test]
    fn a_name_is_stored_as_its_text() {
        let text = serde_json::to_string(&Name::from("\"end\"")).expect("it is a text");
        assert_eq!(text, r#""\"end\"""#);
        assert_eq!(
            serde_json::from_str::<Name>(&text).expect("it is a name"),
            Name::from("\"end\"")
        );
    }
}
