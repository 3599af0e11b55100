//! A key whose case does not matter: `value of "content-length" in any case`.
//!
//! Names of headers are the same in upper and lower case, and a program that asks whether one is there takes each of them. The search shows for a key that
//! is absent whether this is so (`absent`); then the key has this name beside the one with its own letters.

use super::{Item, Outline};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::read::words::Words;
use crate::generalize::predicate::term::{IN_ANY_CASE, VALUE_OF};

impl Outline<'_> {
    /// Names the values of the key whose case does not matter, without those of keys under it.
    pub(in crate::generalize::predicate::read) fn name_key_in_any_case(&mut self, words: &Words) {
        let Some(key) = &words.key_in_any_case else { return };
        let name: Name = format!("{VALUE_OF}{key:?}{IN_ANY_CASE}").into();
        let is_its = |item: &&Item<'_>| {
            let own = item.name.strip_prefix(VALUE_OF).map(|own| own.trim_matches('"'));
            own.is_some_and(|own| own.eq_ignore_ascii_case(key))
        };
        let found = self.items.iter().filter(is_its);
        let found: Vec<Item<'_>> =
            found.map(|item| Item { name: name.clone(), ..item.clone() }).collect();
        self.add_keyed(found);
    }
}

#[cfg(test)]
mod tests {
    use crate::generalize::predicate::feature::{Feature, Words, features};
    use crate::generalize::predicate::name::Name;
    use crate::generalize::predicate::plain;

    #[test]
    fn a_key_in_any_case_is_found_in_upper_and_in_lower_case() {
        let name = Name::from("value of \"content-length\" in any case");
        let words = Words::in_names(std::iter::once(&name));
        let count = |text: &str| {
            let mut language = plain::language().unwrap();
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &words);
            Feature::Count(name.clone()).value(&found)
        };
        let texts = ["A: b\nContent-Length: 5\n", "CONTENT-LENGTH: 5\ncontent-length: 6\n"];
        assert_eq!(texts.map(count), [Some(1), Some(2)]);
        assert_eq!(count("X-Content-Length: 5\nA: content-length\n"), Some(0));
    }
}
