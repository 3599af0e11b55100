//! Inputs where the other one of two compared numbers is greater: whether it matters which one is, or only that they differ.

use seedsmith_grammar::Random;

use super::boundary::first_new;
use super::edits;
use super::mutants::Mutants;
use super::samples::Samples;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::learn::Predicate;

/// Edits by which an input is looked for where the other number is greater, because each is read, which takes a millisecond.
const MAX_EDITS_TO_OTHER_SIDE: usize = 80;

/// A predicate with "differs" in place of "is greater" or "is less" in one of its conditions; nothing where that one compares no two numbers.
///
/// Of several parts one that differs is enough, whatever the others are.
pub(super) fn differing(predicate: &Predicate, at: usize) -> Option<Predicate> {
    let Condition { feature, bound } = predicate.conditions().get(at)?;
    let is_told = |feature: &Feature, bound: &Bound| {
        feature.is_difference() && matches!(bound, Bound::AtLeast(1) | Bound::AtMost(-1))
    };
    let differs = Bound::IsNot(0);
    let other = match feature {
        Feature::Parts(name, bounds) if *bound == Bound::AtLeast(1) => {
            let mut bounds = bounds.clone();
            let told = bounds.iter_mut().find(|(feature, bound)| is_told(feature, bound))?;
            told.1 = differs;
            Condition { feature: Feature::Parts(name.clone(), bounds), bound: *bound }
        }
        // The greatest of several says nothing of the others.
        Feature::Within(name, inner) if is_told(inner, bound) => {
            let bounds = vec![((**inner).clone(), differs)];
            Condition { feature: Feature::Parts(name.clone(), bounds), bound: Bound::AtLeast(1) }
        }
        feature if is_told(feature, bound) => {
            Condition { feature: feature.clone(), bound: differs }
        }
        _ => return None,
    };
    let mut conditions = predicate.conditions().to_vec();
    conditions[at] = other;
    match predicate {
        Predicate::All(_) => Some(Predicate::All(conditions)),
        Predicate::Any(_) => Some(Predicate::Any(conditions)),
        Predicate::Some(..) => None,
    }
}

/// An input that a condition does not hold for and one with "differs" in its place does; nothing if one was tested, or if no edit gives one.
///
/// Mutants of failing inputs make a number greater or less, but in few of them all others stay equal.
///
/// Costs no test, and reading `MAX_EDITS_TO_OTHER_SIDE` inputs at most.
pub(super) fn on_the_other_side(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (predicate, rival): (&Predicate, &Predicate),
) -> Option<(Vec<u8>, Features)> {
    let conditions = [predicate.conditions(), rival.conditions()].concat();
    let is_wanted = |features: &Features| rival.holds(features) && !predicate.holds(features);
    if (0..samples.all.len()).any(|at| is_wanted(&samples.table().features(at, &conditions))) {
        return None;
    }
    let of = |fails: bool| samples.all.iter().filter(move |one| one.fails == fails);
    let bases = [true, false].into_iter().flat_map(|fails| of(fails).take(2));
    let bases: Vec<Subject> = bases.filter_map(|one| mutants.subject(&one.input)).collect();
    let dice: &mut Random = mutants.dice();
    let edits = (0..MAX_EDITS_TO_OTHER_SIDE).filter_map(|edit| {
        let base = bases.get(edit % bases.len().max(1))?;
        match edit / 4 % 4 {
            0 => edits::with_number(base, dice.below(3) as i128, dice),
            1 => edits::with_number_shifted_either_way(base, 1 + dice.below(2) as i128, dice),
            2 => edits::other_number(base, dice),
            _ => edits::edited(base, dice),
        }
    });
    first_new(samples, edits.collect(), (&conditions, &is_wanted))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generalize::predicate::feature::Term;

    #[test]
    fn a_comparison_of_parts_may_be_that_one_of_them_differs() {
        let terms = ["a", "b"].map(|name| Term::First(name.into()));
        let [one, other] = terms;
        let difference = Feature::Difference(one, other);
        let differs = vec![(difference.clone(), Bound::IsNot(0))];
        let parts = |bounds| Feature::Parts("<row>".into(), bounds);
        let within = Feature::Within("<row>".into(), Arc::new(difference.clone()));
        let greater = parts(vec![(difference.clone(), Bound::AtLeast(1))]);
        let rival = |feature: &Feature, bound: Bound| {
            let condition = Condition { feature: feature.clone(), bound };
            let rival = differing(&Predicate::All(vec![condition]), 0)?;
            Some(rival.conditions()[0].feature.clone())
        };
        assert_eq!(rival(&within, Bound::AtLeast(1)), Some(parts(differs.clone())));
        assert_eq!(rival(&greater, Bound::AtLeast(1)), Some(parts(differs)));
        assert_eq!(rival(&difference, Bound::AtMost(-1)), Some(difference.clone()));
        assert_eq!(rival(&difference, Bound::AtLeast(0)), None);
        assert_eq!(rival(&Feature::Brackets, Bound::AtLeast(1)), None);
    }
}
