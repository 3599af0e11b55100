//! What exact features say about the estimates of other inputs.
//!
//! Nothing is run here. An input is doubtful if its estimate has a feature that was wrong elsewhere: it should run alone
//! before the choice depends on it, since inputs that run together take less time than one after the other.

use std::collections::BTreeSet;

use seedsmith_engine::internal::{BUCKETS, FeatureText, features};

use crate::corpus::Listed;
use crate::coverage::cover::FeatureIndex;

/// Inputs that run alone at once, the first time, to find one that always has a feature. A guess, not measured.
const CHANCE_HOLDERS: usize = 8;

/// An input whose exact features are not the estimated ones.
pub(super) struct Difference {
    pub input: Listed,
    pub estimate: FeatureText,
    pub exact: FeatureText,
}

/// Whether a counter has counted less, or nothing, in the estimate. What is there by chance can be absent by chance.
pub(super) fn lacks(estimate: &FeatureText, exact: &FeatureText) -> bool {
    let mut estimated = features(estimate).peekable();
    let always = exact.into_iter().filter(|(_, by_chance)| !by_chance);
    always.map(|(feature, _)| feature).any(|feature| {
        while estimated.next_if(|other| other / BUCKETS < feature / BUCKETS).is_some() {}
        estimated.peek().is_none_or(|other| other / BUCKETS > feature / BUCKETS || *other < feature)
    })
}

/// Whether an estimate has each feature of an exact list.
pub(super) fn has_all(estimate: &FeatureText, exact: &FeatureText) -> bool {
    let mut estimated = features(estimate);
    features(exact).all(|feature| estimated.find(|other| *other >= feature) == Some(feature))
}

/// What is known of a feature from inputs that ran alone.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Whether an exact list always has it.
    is_always: bool,
    /// How many exact lists have it by chance.
    by_chance: usize,
    /// Whether an estimate had it where the exact list has it not.
    is_wrong: bool,
}

impl Known {
    /// Whether an estimate with the feature is doubtful.
    fn is_doubtful(self) -> bool {
        !self.is_always && (self.is_wrong || self.by_chance > 0)
    }
}

/// Which features make an estimate doubtful.
pub(super) struct Doubts {
    /// By feature.
    known: Vec<Known>,
    /// The doubtful ones.
    doubtful: BTreeSet<u32>,
}

impl Doubts {
    /// No input ran alone.
    pub(super) fn new() -> Self {
        Doubts { known: Vec::new(), doubtful: BTreeSet::new() }
    }

    /// Adds what an input has that ran alone.
    pub(super) fn add(&mut self, estimate: &FeatureText, exact: &FeatureText) {
        let mut estimated = features(estimate).peekable();
        for (feature, by_chance) in exact {
            while let Some(other) = estimated.next_if(|other| *other < feature) {
                self.note(other, |known| known.is_wrong = true);
            }
            estimated.next_if_eq(&feature);
            self.note(feature, |known| match by_chance {
                true => known.by_chance += 1,
                false => known.is_always = true,
            });
        }
        estimated.for_each(|other| self.note(other, |known| known.is_wrong = true));
    }

    /// Changes what is known of a feature, and whether it is doubtful.
    fn note(&mut self, feature: u32, add: impl FnOnce(&mut Known)) {
        let at = feature as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, Known::default());
        }
        let known = &mut self.known[at];
        let was_doubtful = known.is_doubtful();
        add(known);
        match (was_doubtful, known.is_doubtful()) {
            (false, true) => _ = self.doubtful.insert(feature),
            (true, false) => _ = self.doubtful.remove(&feature),
            _ => {}
        }
    }

    /// The open inputs, whose features are estimates, that have doubtful features by `index`: features that others had in estimates only, and features that
    /// others have by chance only.
    ///
    /// A feature of the first kind is mostly that of code which a process runs once, and each of these inputs was the first in
    /// its process. The choice would try one after the other. Of those of the second kind, which may be many, some are
    /// given, and more each time: the choice needs one that always has the feature, and an estimate does not say which.
    pub(super) fn holders(
        &self,
        index: &FeatureIndex,
        is_open: impl Fn(&usize) -> bool,
    ) -> BTreeSet<usize> {
        let mut holders = BTreeSet::new();
        for feature in &self.doubtful {
            let more = match self.known[*feature as usize].by_chance {
                0 => usize::MAX,
                count => count.max(CHANCE_HOLDERS),
            };
            holders.extend(index.holders(*feature).filter(&is_open).take(more));
        }
        holders
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::super::is_open_in;
    use super::*;
    use crate::coverage::survey::{Survey, Surveyed};

    #[test]
    fn an_estimate_lacks_what_it_counts_less_often() {
        let lacks = |estimate: &[u32], exact: &[u32]| {
            super::lacks(&FeatureText::of(estimate), &FeatureText::of(exact))
        };
        assert!(!lacks(&[], &[]) && !lacks(&[8, 17], &[17]) && !lacks(&[8, 19], &[8, 17]));
        assert!(lacks(&[], &[8]) && lacks(&[8, 16], &[8, 17]) && lacks(&[16], &[8, 16]));
        assert!(lacks(&[8], &[8, 40]) && lacks(&[41], &[8]));
    }

    #[test]
    fn inputs_with_a_feature_that_was_there_by_chance_are_doubtful_until_one_always_has_it() {
        let mut survey = Survey::default();
        let mut add = |text: &str, list: &[(u32, bool)], is_exact: bool| {
            let sha1 = crate::corpus::content_name(text.as_bytes());
            let input = Listed { path: text.into(), bytes: 1, sha1, copies: Vec::new() };
            let features = list.iter().copied().collect();
            survey.passing.push(Surveyed { input, features, is_exact, is_rejected: false });
        };
        add("chance", &[(8, true), (16, false)], true);
        add("one", &[(8, false)], false);
        add("without", &[(16, false)], false);
        for number in 0..20 {
            add(&number.to_string(), &[(8, false)], false);
        }
        let list = |marked: &[(u32, bool)]| marked.iter().copied().collect::<FeatureText>();
        let mut doubts = Doubts::new();
        doubts.add(&list(&[(8, false), (16, false)]), &list(&[(8, true), (16, false)]));
        let holders = |doubts: &Doubts, survey: &Survey| {
            let lists: Vec<&FeatureText> = survey.passing.iter().map(|one| &one.features).collect();
            let index = FeatureIndex::of(&lists, NonZero::<usize>::MIN);
            doubts.holders(&index, is_open_in(survey))
        };
        let doubtful = holders(&doubts, &survey);
        assert!(doubtful.contains(&1) && !doubtful.contains(&2), "{doubtful:?}");
        assert_eq!(doubtful.len(), CHANCE_HOLDERS);
        let one_more = |doubts: &mut Doubts| doubts.add(&list(&[(8, false)]), &list(&[(8, true)]));
        (0..CHANCE_HOLDERS).for_each(|_| one_more(&mut doubts));
        assert_eq!(holders(&doubts, &survey).len(), CHANCE_HOLDERS + 1);
        doubts.add(&list(&[(8, false)]), &list(&[(8, false)]));
        assert!(holders(&doubts, &survey).is_empty());
        // What one estimate had for nothing, another one may have for nothing too.
        doubts.add(&list(&[(8, false), (16, false), (24, false)]), &list(&[(8, false)]));
        assert!(holders(&doubts, &survey).is_empty());
        doubts.add(&list(&[(40, false)]), &list(&[(8, false)]));
        survey.passing[2].features = list(&[(16, false), (40, false)]);
        assert_eq!(holders(&doubts, &survey), BTreeSet::from([2]));
    }
}
