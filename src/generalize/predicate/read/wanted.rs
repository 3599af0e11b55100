//! Which features are needed.
//!
//! A condition that is known is evaluated on thousands of inputs that are made against it. An input has thousands of features, and the
//! condition is about a few names.

use std::collections::{BTreeSet, HashSet};

use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::{EACH, FIRST, Feature, LAST};
use crate::generalize::predicate::hasher::BuildFeatureHasher;
use crate::generalize::predicate::name::Name;

/// Kinds of features, and the names that they are about. Others may be read all the same.
#[derive(Clone, Debug)]
pub(in crate::generalize::predicate) struct Wanted<'n> {
    /// Those of two names, and of order.
    pub pairs: bool,
    /// Numbers of parts in rules, the depth of rules, and texts that rules lack.
    pub rules: bool,
    /// The names that features are about. `None` for all names.
    names: Option<HashSet<&'n Name, BuildFeatureHasher>>,
    /// The names of the rules and tokens whose parts are read one by one. `None` for all names.
    read_alone: Option<BTreeSet<&'n str>>,
    /// Several features of one and the same part.
    pub parts: bool,
}

impl<'n> Wanted<'n> {
    /// Every kind: what learning needs, which does not know yet what the condition will be about.
    pub(in crate::generalize::predicate) const ALL: Wanted<'static> =
        Wanted { pairs: true, rules: true, names: None, read_alone: None, parts: true };

    /// Those that conditions are about.
    pub(in crate::generalize::predicate) fn by(
        conditions: impl IntoIterator<Item = &'n Condition>,
    ) -> Self {
        let (mut pairs, mut rules, mut parts) = (false, false, false);
        let (mut names, mut read_alone) = (HashSet::default(), BTreeSet::new());
        for Condition { feature, .. } in conditions {
            let own = feature.names();
            rules |= own.iter().any(|name| name.starts_with(FIRST) || name.starts_with(LAST));
            names.extend(own);
            // Rows of a group are found with all others.
            rules |= matches!(feature, Feature::Within(_, inner) if matches!(**inner, Feature::Unequal(..)));
            match feature {
                Feature::Within(name, _) | Feature::Parts(name, _) => {
                    let places = [EACH, FIRST, LAST];
                    let rule = places.iter().find_map(|place| name.strip_prefix(place));
                    read_alone.insert(rule.unwrap_or(name));
                    parts |= matches!(feature, Feature::Parts(..));
                }
                Feature::Children(..) | Feature::Level(..) | Feature::Lacks(..) => rules = true,
                Feature::Longer(..) | Feature::Shorter(..) | Feature::Unequal(..) => rules = true,
                Feature::InOwn(_) | Feature::RightInOwn(_) | Feature::Depth(_) => rules = true,
                _ => pairs |= is_of_pairs(feature),
            }
        }
        Wanted { pairs, rules, names: Some(names), read_alone: Some(read_alone), parts }
    }

    /// Whether nothing is left out.
    pub(super) fn is_everything(&self) -> bool {
        self.names.is_none()
    }

    /// Whether features are about a name.
    pub(super) fn is_about(&self, name: &Name) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(name))
    }

    /// Whether features are about any name that has a text in it.
    pub(super) fn mentions(&self, text: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.iter().any(|name| name.contains(text)))
    }

    /// Whether all names of a feature are wanted.
    pub(super) fn has_names_of(&self, feature: &Feature) -> bool {
        let mut are_wanted = true;
        if !self.is_everything() {
            feature.each_name(&mut |name| are_wanted &= self.is_about(name));
        }
        are_wanted
    }

    /// Whether the parts of any rule or token are read one by one.
    pub(super) fn has_rules(&self) -> bool {
        self.read_alone.as_ref().is_none_or(|names| !names.is_empty())
    }

    /// Whether those of a name are, or those of its kinds: of `<pair>` those of `<pair> with "a"`.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_of = |wanted: &&str| {
            wanted.strip_prefix(name).is_some_and(|kind| kind.is_empty() || kind.starts_with(' '))
        };
        self.read_alone.as_ref().is_none_or(|names| names.iter().any(is_of))
    }
}

/// Whether a feature of the whole input is one of two names, or of order.
fn is_of_pairs(feature: &Feature) -> bool {
    matches!(
        feature,
        Feature::Difference(..)
            | Feature::Shared(..)
            | Feature::Measures(..)
            | Feature::BeginsWith(..)
            | Feature::Missing(..)
            | Feature::MissingBefore(..)
            | Feature::MissingAfter(..)
            | Feature::Unseparated(..)
            | Feature::More(..)
            | Feature::Excess(..)
            | Feature::Before(..)
            | Feature::InOrder(..)
            | Feature::Adjacent(..)
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generalize::predicate::condition::Bound;

    #[test]
    fn the_rules_of_a_condition_are_wanted_by_their_names_and_others_are_not() {
        let inner = || Arc::new(Feature::Count("\"a\"".into()));
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

    #[test]
    fn features_of_the_names_of_a_condition_are_wanted() {
        let feature = Feature::Before("\"a\"".into(), "\"b\"".into());
        let conditions = [Condition { feature, bound: Bound::AtLeast(1) }];
        let wanted = Wanted::by(&conditions);
        assert!(wanted.pairs && !wanted.rules);
        assert_eq!(["\"a\"", "\"c\""].map(|name| wanted.is_about(&name.into())), [true, false]);
        assert!(Wanted::ALL.is_about(&"\"c\"".into()));
    }
}
