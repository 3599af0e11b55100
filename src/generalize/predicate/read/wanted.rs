//! Which of the features that take long to read are needed.
//!
//! A condition that is known is evaluated on thousands of inputs that are made against it. Pairs of names and the parts of
//! each rule have most of the features, and most conditions are about none of them, or about the rules of one name.

use std::collections::BTreeSet;

use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::{EACH, FIRST, Feature, LAST};

/// Kinds of features that take long to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct Wanted<'n> {
    /// Those of two names, and of order.
    pub pairs: bool,
    /// The names of the rules and tokens whose parts are read one by one. `None` for all names.
    names: Option<BTreeSet<&'n str>>,
}

impl<'n> Wanted<'n> {
    /// Every kind: what learning needs, which does not know yet what the condition will be about.
    pub(super) const ALL: Wanted<'static> = Wanted { pairs: true, names: None };

    /// Those that conditions are about.
    pub(in crate::generalize::predicate) fn by(conditions: &'n [Condition]) -> Self {
        let (mut pairs, mut names) = (false, BTreeSet::new());
        for Condition { feature, .. } in conditions {
            match feature {
                Feature::Within(name, _) | Feature::Parts(name, _) => {
                    let places = [EACH, FIRST, LAST];
                    let rule = places.iter().find_map(|place| name.strip_prefix(place));
                    names.insert(rule.unwrap_or(name));
                }
                Feature::Count(_) | Feature::AnyOf(_) => {}
                Feature::Value(_) | Feature::Twins(_) => {}
                Feature::TwinKeys(_) | Feature::Lacks(..) | Feature::Children(..) => {}
                _ => pairs = true,
            }
        }
        Wanted { pairs, names: Some(names) }
    }

    /// Whether the parts of any rule or token are read one by one.
    pub(super) fn has_rules(&self) -> bool {
        self.names.as_ref().is_none_or(|names| !names.is_empty())
    }

    /// Whether those of a name are, or those of its kinds: of `<pair>` those of `<pair> with "a"`.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_of = |wanted: &&str| {
            wanted.strip_prefix(name).is_some_and(|kind| kind.is_empty() || kind.starts_with(' '))
        };
        self.names.as_ref().is_none_or(|names| names.iter().any(is_of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::condition::Bound;

    #[test]
    fn the_rules_of_a_condition_are_wanted_by_their_names_and_others_are_not() {
        let inner = || Box::new(Feature::Count("\"a\"".into()));
        let condition = |name: &str| Condition {
            feature: Feature::Within(name.into(), inner()),
            bound: Bound::AtLeast(1),
        };
        for name in ["<pair>", "first <pair>", "<pair> with \"a\""] {
            let conditions = [condition(name)];
            let wanted = Wanted::by(&conditions);
            assert!(wanted.has_rules() && wanted.has("<pair>") && !wanted.has("<pai"), "{name}");
        }
        let conditions = [Condition { feature: Feature::Brackets, bound: Bound::AtLeast(3) }];
        assert!(!Wanted::by(&conditions).has_rules() && Wanted::ALL.has("<pair>"));
    }
}
