//! Finds the simplest condition that failing inputs meet and passing ones don't.
//!
//! Each feature gives a few bounds (`candidates.rs`), and so do several features of one part (`same_part.rs`). One of them
//! may be the answer, else two that hold together, two of which one holds, three that hold together, or some of a few texts that are there
//! (`some_of.rs`). The one that asks least of a reader is taken. It may miss very few inputs that fail, and it holds for
//! none that passes.

mod alternatives;
mod bits;
mod candidates;
mod column;
mod either;
mod narrower;
mod nearest;
mod part_table;
mod rejected;
mod rivals;
mod same_part;
mod table;
mod values;

use super::condition::SECOND_CONDITION_WEIGHT;
pub use super::formula::Predicate;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::some_of;
use bits::Bits;
pub(super) use candidates::Candidate;
use candidates::{IsOfUse, MAX_UNNAMED_WEIGHT, candidates};
pub(super) use nearest::nearest;
pub(super) use rejected::rejected;
pub(super) use rivals::{Rivals, rivals};
use same_part::Inputs;
pub(super) use table::Table;

/// Conditions of which all pairs are tried: 125,000 pairs, some milliseconds because a pair is a few
/// operations on bits.
const MAX_PAIRED_CONDITIONS: usize = 500;
/// Those of them that are the lightest. The others are chosen in another way, because a number of decimals is heavier than 500
/// conditions and may be needed.
const MAX_LIGHTEST_PAIRED: usize = 350;
/// Predicates of each shape that further inputs distinguish. Before several were kept, the lightest was
/// taken and mutants rarely refuted it (docs/notes/2026-11-22-conditions.md); twelve was not measured.
const MAX_KEPT_PREDICATES: usize = 12;
/// What an input that a predicate is wrong about weighs: more than a second condition, so that a
/// predicate is rather longer than wrong. Tuned on the planted causes of tests/generalize; no table was
/// kept.
const WRONG_INPUT_WEIGHT: u32 = 16;
/// Of this many inputs a predicate may miss one that fails, because targets have exceptions. It may hold for none
/// that passes: then it would be too general.
const INPUTS_PER_WRONG_ONE: usize = 30;
/// Of this many failing inputs a condition that is one of two holds for one at least: one that holds for fewer explains odd
/// inputs, and most of the conditions that hold for no passing input are such.
const INPUTS_PER_ENOUGH: usize = 16;
/// Weight below which a condition may be joined to one about anything else: that something is there, is equal or is empty. Tuned on the planted
/// causes of tests/generalize.
const LIGHT_IN_PAIR: u32 = 16;
/// What two conditions weigh more of which one is heavier and which have no name in common: less than a condition. Tuned on the same
/// causes.
const UNRELATED_WEIGHT: u32 = 8;
/// Pairs to which a third condition is added, a bound on the time: 40 times the number of conditions. Not
/// measured.
const MAX_TRIPLED_PAIRS: usize = 40;

/// The simplest predicate that agrees with the samples; nothing if there is none, or if all samples
/// fail or all pass.
pub(super) fn learn(table: &Table, required: &[String]) -> Option<Predicate> {
    learn_some(table, required).into_iter().next()
}

/// Two conditions of which one is enough, where no other predicate agrees with the samples. That takes five times as long as
/// learning, so it is not done in every round.
pub(super) fn learn_either(table: &Table, required: &[String]) -> Option<Predicate> {
    let allowed = table.fails().len() / INPUTS_PER_WRONG_ONE;
    either::either(table, required, allowed).map(|(_, predicate)| predicate)
}

/// The simplest predicates that agree with the samples, simplest first: further inputs should
/// decide between them. Of equal ones that comes first which names more of the `required` words: the input was
/// minimized, so its words matter.
pub(super) fn learn_some(table: &Table, required: &[String]) -> Vec<Predicate> {
    agreeing(table, &conditions_of(table, required))
}

/// The conditions that predicates are made of: those that may miss as many samples as a predicate may.
fn conditions_of(table: &Table, required: &[String]) -> Vec<Candidate> {
    let (failing, allowed) = (table::failing(table), table.fails().len() / INPUTS_PER_WRONG_ONE);
    let is_of_use = |feature: &Feature, holding: usize, hits: usize| {
        let is_needed = hits + allowed >= failing;
        let is_enough = hits * INPUTS_PER_ENOUGH >= failing && hits == holding;
        is_needed || is_enough || some_of::may_vote(feature)
    };
    let inputs = Inputs { places: &table::places(table), failing, allowed };
    conditions(table, &inputs, required, &is_of_use)
}

/// The simplest predicates of some conditions that agree with the samples, simplest first; none if all samples fail or all
/// pass.
fn agreeing(table: &Table, all: &[Candidate]) -> Vec<Predicate> {
    let (samples, failing_count) = (table.fails().len(), table::failing(table));
    if failing_count == 0 || failing_count == samples {
        return Vec::new();
    }
    let wanted: Bits = (0..samples).map(|row| row < failing_count).collect();
    let certain = table.certain(&table::places(table));
    let allowed = samples / INPUTS_PER_WRONG_ONE;
    let aims = Aims { failing: &wanted, certain: &certain, allowed };
    let mut found: Vec<(u32, Predicate)> = Vec::new();
    let mut keep = |mut rated: Vec<(u32, Predicate)>| {
        rated.sort_by_key(|(weight, _)| *weight);
        rated.truncate(MAX_KEPT_PREDICATES);
        found.extend(rated);
    };
    let ones = all.iter().filter_map(|one| {
        let missed = aims.missed([&one.holds, &one.holds], |one, _| one)?;
        let predicate = Predicate::All(vec![one.condition.clone()]);
        Some((one.weight + WRONG_INPUT_WEIGHT * missed as u32, predicate))
    });
    keep(ones.collect());
    let different = different(all);
    let needed = different.iter().copied().filter(|one| {
        one.holds.common(&wanted) + allowed >= failing_count && one.holds.count() < samples
    });
    let needed = needed.filter(|one| one.condition.may_be_joined());
    let needed = paired(needed.collect());
    let enough = different.iter().copied().filter(|one| {
        let hits = one.holds.common(&wanted);
        hits > 0 && one.holds.count() == hits
    });
    let enough: Vec<&Candidate> = enough.take(MAX_PAIRED_CONDITIONS).collect();
    keep(pairs(&needed, aims, |one, other| one & other, Predicate::All));
    keep(pairs(&enough, aims, |one, other| one | other, Predicate::Any));
    if found.is_empty() {
        found.extend(triples(&needed, aims));
    }
    let votes = some_of::votes(table, (all, failing_count), allowed);
    found.extend(votes.and_then(|votes| {
        let missed = table.missed(&votes)?;
        Some((votes.weight() + WRONG_INPUT_WEIGHT * missed as u32, votes))
    }));
    // Of equals the first.
    found.sort_by_key(|(weight, _)| *weight);
    found.into_iter().map(|(_, predicate)| predicate).collect()
}

/// The conditions about one feature that are of use and those about one part, the lightest first.
fn conditions(
    table: &Table,
    inputs: &Inputs<'_>,
    required: &[String],
    is_of_use: &IsOfUse<'_>,
) -> Vec<Candidate> {
    let mut all = candidates(table, required, is_of_use);
    all.extend(same_part::conditions(table, inputs, required));
    candidates::sort(&mut all);
    all
}

/// What a condition should hold for.
#[derive(Clone, Copy)]
struct Aims<'b> {
    /// All samples that fail.
    failing: &'b Bits,
    /// Those of them that it may not miss.
    certain: &'b Bits,
    /// How many of the others it may miss.
    allowed: usize,
}

impl Aims<'_> {
    /// How many failing samples two conditions miss that a function joins.
    ///
    /// Nothing if these are too many or one of them is certain, or if they hold for a sample that passes, because then they are too general.
    fn missed(&self, [one, other]: [&Bits; 2], join: fn(u64, u64) -> u64) -> Option<usize> {
        let (holding, hits) = one.joined(other, self.failing, join);
        let missed = self.failing.count() - hits;
        let is_near = holding == hits && missed <= self.allowed;
        // Few come as far as that.
        let is_certain = || one.joined(other, self.certain, join).1 == self.certain.count();
        (is_near && is_certain()).then_some(missed)
    }
}

/// Those of many conditions of which all pairs that hold together are tried: the lightest, and of the others those that hold
/// for the fewest passing samples. They stay in the order of their weights.
fn paired(mut all: Vec<&Candidate>) -> Vec<&Candidate> {
    let mut others = all.split_off(MAX_LIGHTEST_PAIRED.min(all.len()));
    others.sort_by_key(|one| one.holds.count());
    others.truncate(MAX_PAIRED_CONDITIONS - MAX_LIGHTEST_PAIRED);
    others.sort_by_key(|one| one.weight);
    all.extend(others);
    all
}

/// Of conditions that hold for the same samples the lightest.
///
/// The order stays that of the candidates, so it is the lightest that is kept.
fn different(all: &[Candidate]) -> Vec<&Candidate> {
    let mut seen = std::collections::HashSet::new();
    all.iter().filter(|one| seen.insert(&one.holds)).collect()
}

/// Pairs that miss few samples, with their weights. `ones` is sorted by
/// weight; what weighs more than all that are kept is not looked at, so that hundreds of conditions
/// take milliseconds.
fn pairs(
    ones: &[&Candidate],
    aims: Aims<'_>,
    join: fn(u64, u64) -> u64,
    predicate: fn(Vec<super::condition::Condition>) -> Predicate,
) -> Vec<(u32, Predicate)> {
    let mut found: Vec<(u32, Predicate)> = Vec::new();
    // What weighs more than all that are kept is not looked at.
    let mut most = u32::MAX;
    for (at, one) in ones.iter().enumerate() {
        for other in &ones[at + 1..] {
            // A word that one of them names need not be named by the other.
            let own = one.named.missing_weight() + other.named.missing_weight();
            let both = one.named.or(other.named).missing_weight();
            let alone = one.weight + other.weight + SECOND_CONDITION_WEIGHT;
            if alone >= most.saturating_add(2 * MAX_UNNAMED_WEIGHT) {
                break;
            }
            let weight = alone + both - own.min(alone + both);
            if weight >= most {
                continue;
            }
            let Some(missed) = aims.missed([&one.holds, &other.holds], join) else { continue };
            // Names are compared last, because few of the pairs agree with the samples.
            let weight = weight + unrelated_weight([one, other]);
            if weight >= most {
                continue;
            }
            let both = vec![one.condition.clone(), other.condition.clone()];
            found.push((weight + WRONG_INPUT_WEIGHT * missed as u32, predicate(both)));
            if found.len() >= 4 * MAX_KEPT_PREDICATES {
                found.sort_by_key(|(weight, _)| *weight);
                found.truncate(MAX_KEPT_PREDICATES);
                most = found.last().map_or(most, |(weight, _)| *weight);
            }
        }
    }
    found
}

/// What two conditions weigh more that are about nothing in common, unless both are light: of thousands of features some happen to agree
/// with an input that refutes another condition.
fn unrelated_weight(two: [&Candidate; 2]) -> u32 {
    let [names, others] = two.map(|one| one.condition.feature.names());
    let is_light = two.iter().all(|one| one.weight < LIGHT_IN_PAIR);
    let are_related = names.iter().any(|name| others.contains(name));
    if is_light || are_related { 0 } else { UNRELATED_WEIGHT }
}

/// Three conditions that hold together: a third one for the `MAX_TRIPLED_PAIRS` pairs that are
/// wrong least. The lightest that misses few samples.
fn triples(needed: &[&Candidate], aims: Aims<'_>) -> Option<(u32, Predicate)> {
    let mut rated: Vec<(usize, u32, usize, usize)> = Vec::new();
    for (at, one) in needed.iter().enumerate() {
        for (number, other) in needed.iter().enumerate().skip(at + 1) {
            let (holding, hits) =
                one.holds.joined(&other.holds, aims.failing, |one, other| one & other);
            let wrong = holding - hits + aims.failing.count() - hits;
            rated.push((wrong, one.weight + other.weight, at, number));
        }
        rated.sort_unstable();
        rated.truncate(MAX_TRIPLED_PAIRS);
    }
    let mut best: Option<(u32, Predicate)> = None;
    for (_, weight, at, number) in rated {
        let both = needed[at].holds.and(&needed[number].holds);
        for third in needed {
            let missed = aims.missed([&both, &third.holds], |one, other| one & other);
            let Some(missed) = missed else { continue };
            if !are_related([needed[at], needed[number], third]) {
                continue;
            }
            let weight = weight
                + third.weight
                + 2 * SECOND_CONDITION_WEIGHT
                + WRONG_INPUT_WEIGHT * missed as u32;
            if best.as_ref().is_none_or(|known| weight < known.0) {
                let all = [needed[at], needed[number], third];
                let mut all: Vec<_> = all.map(|one| one.condition.clone()).into();
                all.dedup();
                best = Some((weight, Predicate::All(all)));
            }
        }
    }
    best
}

/// Whether each of three conditions has a name in common with another one of them. Three that have not are hardly ever one
/// cause: among thousands of features some happen to agree with all inputs.
fn are_related(three: [&Candidate; 3]) -> bool {
    let names = three.map(|one| one.condition.feature.names());
    (0..3).all(|at| {
        let others = || (0..3).filter(|other| *other != at).flat_map(|other| &names[other]);
        names[at].iter().any(|name| others().any(|other| other == name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::{Features, Term};

    type Sample = (Features, bool);

    fn sample(values: &[(Feature, i128)], fails: bool) -> Sample {
        (values.iter().cloned().collect(), fails)
    }

    fn learnt(samples: &[Sample]) -> Option<String> {
        learn(&table(samples), &[]).map(|found| found.to_string())
    }

    fn table(samples: &[Sample]) -> Table {
        let mut table = Table::default();
        samples.iter().cloned().for_each(|(features, fails)| table.add(features, fails));
        table
    }

    #[test]
    fn a_bound_is_found_between_failing_and_passing_inputs() {
        let count = || Feature::Children("array".into(), "value".into());
        let bytes = || Feature::Value(Term::Bytes);
        let samples = [
            sample(&[(count(), 8), (bytes(), 30)], true),
            sample(&[(count(), 12), (bytes(), 40)], true),
            sample(&[(count(), 7), (bytes(), 50)], false),
        ];
        assert_eq!(learnt(&samples).unwrap(), "some array has at least 8 value");
    }

    #[test]
    fn two_conditions_are_taken_where_one_is_not_enough() {
        let (a, b) = (|| Feature::Count("a".into()), || Feature::Count("b".into()));
        let of = |first, second, fails| sample(&[(a(), first), (b(), second)], fails);
        let both = [of(1, 1, true), of(2, 1, true), of(1, 0, false), of(0, 1, false)];
        assert_eq!(learnt(&both).unwrap(), "there is a and there is b");
        let either = [of(1, 0, true), of(0, 1, true), of(1, 1, true), of(0, 0, false)];
        assert_eq!(learnt(&either).unwrap(), "there is a or there is b");
        assert_eq!(learnt(&[of(1, 1, true)]), None);
    }

    #[test]
    fn a_number_that_is_excepted_is_told() {
        let length = |length, fails| {
            sample(&[(Feature::Value(Term::Length("<HEX>".into())), length)], fails)
        };
        let lengths = [1, 2, 3, 4, 5, 6, 7, 8];
        let samples = lengths.map(|one| length(one, one != 3 && one != 6));
        let found = "the length of <HEX> is not 3 and the length of <HEX> is not 6";
        assert_eq!(learnt(&samples).unwrap(), found);
    }

    #[test]
    fn a_condition_that_names_what_the_input_needs_comes_first() {
        let arrays = || Feature::Unequal("<array>".into(), "<value>".into());
        let items = |key: &str| Term::Count(format!("items in \"{key}\"").into());
        let keys = || Feature::Difference(items("xs"), items("ys"));
        let samples = [
            sample(&[(arrays(), 1), (keys(), 2)], true),
            sample(&[(arrays(), 1), (keys(), -1)], true),
            sample(&[(arrays(), 0), (keys(), 0)], false),
        ];
        let samples = table(&samples);
        let words = ["\"xs\"".to_owned(), "\"ys\"".to_owned()];
        let found = [&[][..], &words].map(|words| learn(&samples, words).unwrap().to_string());
        assert_eq!(found[0], "some <array> has more <value> than another");
        assert!(found[1].contains("\"xs\""), "{found:?}");
    }

    #[test]
    fn one_input_of_many_may_be_missed_and_none_that_passes_is_met() {
        let number = |number, fails| {
            sample(&[(Feature::Value(Term::Greatest("<N>".into())), number)], fails)
        };
        let mut samples: Vec<Sample> = (0..99).map(|one| number(one, one >= 50)).collect();
        samples.push(number(-7, true));
        assert_eq!(learnt(&samples).unwrap(), "some <N> is at least 50");
        samples.push(number(1 << 70, false));
        assert_eq!(
            learnt(&samples).as_deref(),
            Some("some <N> is at least 50 and no <N> is greater than 511")
        );
    }
}
