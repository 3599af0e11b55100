//! The features of one input: those of the whole, and those of its parts alone.
//!
//! A feature of the whole says that some part has a property. If it has two such features, the properties may be those of two
//! parts. The features of each part show whether one part has both.

use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::bound::Bound;
use super::feature::{Feature, sum_of_counts};
use super::hasher::BuildFeatureHasher;
use super::name::Name;

/// The features of one input. Absent features have no value.
///
/// It can be used as the map of those of the whole.
#[derive(Clone, Debug, Default)]
pub struct Features {
    values: Values,
    parts: BTreeMap<Name, Vec<Part>>,
}

/// Values of features. They come in an order that says nothing.
pub(super) type Values = HashMap<Feature, i128, BuildFeatureHasher>;

/// The features of one part, sorted, shared by its copies: a rule is a part of several names. Those with the answer no and counts of 0 are
/// left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part(Arc<[(Feature, i128)]>);

impl Features {
    /// Nothing.
    pub fn new() -> Self {
        Features::default()
    }

    /// The parts of a name, in the order in which they are read.
    ///
    /// None for a name that is not known.
    pub(super) fn parts(&self, name: &Name) -> &[Part] {
        self.parts.get(name).map_or(&[], Vec::as_slice)
    }

    /// How many parts of a name are known.
    pub(super) fn count_parts(&self, name: &Name) -> usize {
        self.parts(name).len()
    }

    /// Takes in a part.
    ///
    /// Its number among those of its name says nothing.
    pub(super) fn add_part(&mut self, name: &Name, part: Part) {
        match self.parts.get_mut(name) {
            Some(parts) => parts.push(part),
            None => drop(self.parts.insert(name.clone(), vec![part])),
        }
    }

    /// Takes in the answer to a question, unless it is the one that an input without the feature has (see `Absent`).
    ///
    /// Most answers are that one, and a name is not copied for it.
    pub(super) fn answer(&mut self, feature: impl FnOnce() -> Feature, is: bool, absent: bool) {
        if is != absent {
            self.values.insert(feature(), i128::from(is));
        }
    }

    /// Both kinds of features.
    pub(super) fn split(self) -> (Values, BTreeMap<Name, Vec<Part>>) {
        (self.values, self.parts)
    }
}

impl Part {
    /// A part with some features. Questions that are answered with no, and counts of nothing, are left out.
    pub(super) fn of<'f>(features: impl IntoIterator<Item = (&'f Feature, &'f i128)>) -> Self {
        let told = features
            .into_iter()
            .filter(|(feature, value)| **value != 0 || default(feature).is_none());
        let mut told: Vec<(Feature, i128)> =
            told.map(|(feature, value)| (feature.clone(), *value)).collect();
        told.sort_by(|(one, _), (other, _)| one.cmp(other));
        told.dedup_by(|later, first| later.0 == first.0);
        Part(told.into())
    }

    /// The value of a feature; nothing if the part has none.
    ///
    /// A question that is not stored is answered with no.
    pub(super) fn value(&self, feature: &Feature) -> Option<i128> {
        if let Feature::AnyOf(names) = feature {
            return Some(sum_of_counts(names, |count| self.get(count)));
        }
        self.get(feature).or_else(|| default(feature))
    }

    /// The value that is stored of a feature.
    fn get(&self, feature: &Feature) -> Option<i128> {
        let at = self.0.binary_search_by(|(known, _)| known.cmp(feature)).ok()?;
        Some(self.0[at].1)
    }

    /// Whether all bounds hold.
    pub(super) fn meets(&self, bounds: &[(Feature, Bound)]) -> bool {
        bounds
            .iter()
            .all(|(feature, bound)| self.value(feature).is_some_and(|value| bound.holds(value)))
    }

    /// Its features.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Feature, i128)> {
        self.0.iter().map(|(feature, value)| (feature, *value))
    }
}

/// The value of a feature that a part does not have: nothing for sizes.
pub(super) fn default(feature: &Feature) -> Option<i128> {
    (feature.is_question() || matches!(feature, Feature::Count(_) | Feature::AnyOf(_))).then_some(0)
}

impl Deref for Features {
    type Target = Values;

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl DerefMut for Features {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

impl FromIterator<(Feature, i128)> for Features {
    fn from_iter<I: IntoIterator<Item = (Feature, i128)>>(values: I) -> Self {
        Features { values: values.into_iter().collect(), parts: BTreeMap::new() }
    }
}

impl<const N: usize> From<[(Feature, i128); N]> for Features {
    fn from(values: [(Feature, i128); N]) -> Self {
        values.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_that_meet_all_bounds_alone() {
        let count = |name: &str| Feature::Count(name.into());
        let mut features = Features::new();
        for has in [["a", "b"], ["a", "c"], ["c", "b"]] {
            let own: Features = has.iter().map(|name| (count(name), 1)).collect();
            features.add_part(&"<row>".into(), Part::of(own.iter()));
        }
        let met = |bounds: &[(&str, Bound)]| {
            let bounds = bounds.iter().map(|(name, bound)| (count(name), *bound)).collect();
            Feature::Parts("<row>".into(), bounds).value(&features)
        };
        let (some, none) = (Bound::AtLeast(1), Bound::AtMost(0));
        assert_eq!(met(&[("a", some)]), Some(2));
        assert_eq!(met(&[("a", some), ("b", some)]), Some(1));
        assert_eq!(met(&[("a", some), ("b", none)]), Some(1));
        assert_eq!(met(&[("a", none), ("c", none)]), Some(0));
    }
}
