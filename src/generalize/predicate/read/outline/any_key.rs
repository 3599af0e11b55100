//! The keys around a value, and names in which some of these may be any: `value of "id" of any key of "beds"`.
//!
//! Where an object is a map, its keys are names of things. A condition is rarely about one of these alone, and an input that was drawn has other names. So
//! values have further names, in which all keys between the outermost one and the innermost one or two are left open.

use std::collections::BTreeSet;

use super::{Leaf, Outline};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{ANY_KEY, OF_INNER_LIST, OF_KEY, OF_ONE};

impl Outline<'_> {
    /// The keys that a rule is under, from the inside out, as the rest of a name: ` of "b"`, ` of one of "a"`. Nothing for one that has no name.
    ///
    /// `key` is asked for the key of each rule around. An item of a list is one of it, so that a key in a list within a list is another one. A
    /// table of TOML with a title in two brackets is one of those with its title.
    pub(in crate::generalize::predicate::read) fn keys_around(
        &self,
        rule: usize,
        key: impl Fn(usize) -> Option<Option<Name>>,
    ) -> Vec<Option<String>> {
        let (mut keys, mut lists) = (Vec::new(), BTreeSet::new());
        for outer in self.outer_rules(rule) {
            if self.title_of_many(outer).is_some() {
                lists.insert(self.rules[outer].span);
            }
            if let Some(name) = key(outer) {
                let of = [OF_KEY, OF_ONE, OF_INNER_LIST][lists.len().min(2)];
                keys.push(name.map(|name| format!("{of}{name}")));
                lists.clear();
            } else if self
                .leaves
                .get(self.rules[outer].leaves.0)
                .is_some_and(|leaf| leaf.text == b"[")
            {
                lists.insert(self.rules[outer].span);
            }
        }
        keys
    }

    /// The leaf that is the title of a rule, if it begins with one in two brackets: `[[stage]]`. The whole input may begin with one, and has none.
    pub(in crate::generalize::predicate::read) fn title_of_many(
        &self,
        rule: usize,
    ) -> Option<usize> {
        let (start, end) = self.rules[rule].leaves;
        let is_title = |three: &[Leaf<'_>]| three[0].text == b"[[" && three[2].text == b"]]";
        let title = self.leaves.get(start..(start + 3).min(end)).filter(|all| all.len() == 3);
        (rule > 0 && title.is_some_and(is_title)).then_some(start + 1)
    }
}

/// The names of a key by the keys around it, with any key in place of some: of those before the outermost one, of these but for the innermost, and,
/// if its value has parts, of its own. In a map such keys are names of things, and a condition is about each of these. A key without a name of its
/// own has the last of these names.
pub(in crate::generalize::predicate::read) fn names_with_any_key(
    own: Option<&str>,
    keys: &[Option<String>],
    has_parts: bool,
) -> Vec<String> {
    let Some((Some(outermost), inner)) = keys.split_last() else { return Vec::new() };
    let any = |count: usize| format!("{OF_KEY}{ANY_KEY}").repeat(count);
    let mut found = Vec::new();
    if let (Some(own), [first, rest @ ..]) = (own, inner) {
        found.push(format!("{own}{}{outermost}", any(inner.len())));
        if let Some(first) = first.as_ref().filter(|_| !rest.is_empty()) {
            found.push(format!("{own}{first}{}{outermost}", any(rest.len())));
        }
    }
    if has_parts {
        found.push(format!("{ANY_KEY}{}{outermost}", any(inner.len())));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use seedsmith_grammar::Language;
    use seedsmith_grammar::internal::Substitutes;

    use super::*;
    use crate::generalize::draws::sampler::Sampler;
    use crate::generalize::predicate::feature::{Feature, Words, features};

    #[test]
    fn tables_of_toml_with_one_title_are_the_items_of_a_list() {
        let language = Language::open("toml", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let mut equal = |text: &str| {
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
            Feature::Twins("value of \"name\" of one of \"stage\"".into()).value(&found)
        };
        let two = "[[stage]]\nname = \"a\"\n\n[[stage]]\nn = 1\nname = \"a\"\n";
        assert_eq!(equal(two), Some(1));
        assert_eq!(equal("[[stage]]\nname = \"a\"\n[[job]]\nname = \"a\"\n"), Some(0));
        assert_eq!(equal("[stage]\nname = \"a\"\n[stage]\nname = \"a\"\n"), Some(0));
    }

    #[test]
    fn the_commas_of_a_list_are_no_items() {
        let language = Language::open("toml", None).unwrap();
        let mut language = Sampler::new(Arc::new(Substitutes::new(language))).unwrap();
        let mut items = |text: &str| {
            let (tree, _) = language.read(text.as_bytes()).unwrap();
            let found = features(&tree, text.as_bytes(), &language, &Words::of([text.as_bytes()]));
            Feature::Count("items in \"hosts\"".into()).value(&found)
        };
        assert_eq!(items("hosts = []\n"), Some(0));
        assert_eq!(items("hosts = [\"a\", \"b\", \",\"]\n"), Some(3));
    }

    #[test]
    fn keys_between_the_outermost_one_and_the_value_may_be_any() {
        let names = |keys: &[Option<&str>], has_parts| {
            let keys: Vec<Option<String>> = keys.iter().map(|key| key.map(str::to_owned)).collect();
            names_with_any_key(Some("\"id\""), &keys, has_parts)
        };
        assert_eq!(names(&[Some(" of \"beds\"")], false), [""; 0]);
        assert_eq!(names(&[Some(" of \"beds\"")], true), ["any key of \"beds\""]);
        assert_eq!(names(&[None, Some(" of \"beds\"")], false), ["\"id\" of any key of \"beds\""]);
        assert_eq!(
            names(&[Some(" of \"get\""), None, Some(" of \"beds\"")], false),
            [
                "\"id\" of any key of any key of \"beds\"",
                "\"id\" of \"get\" of any key of \"beds\""
            ]
        );
        assert_eq!(names(&[Some(" of \"get\""), None], false), [""; 0]);
    }
}
