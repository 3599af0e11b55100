//! Conditions of which several hold for one and the same part: a list with a negative number *and* a broken one.
//!
//! For each name of parts: bounds that some part of every failing input meets are joined in pairs and, where no pair
//! is enough, in threes. The last bound of each is taken from the parts that meet the others, so that it is exact. The
//! same is done for bounds that a part of every *passing* input meets and no part of a failing one.

mod bounds;
mod telling;

use crate::generalize::predicate::name::Name;
use std::borrow::Cow;
use std::collections::HashSet;

use self::bounds::Extremes;
use super::alternatives;
use super::bits::Bits;
use super::candidates::{Candidate, Named};
use super::part_table::PartTable;
use super::table::Table;
use super::values::Ranks;
use crate::corpus::{in_weighed_parts, processors};
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::{Feature, Term};
use crate::generalize::predicate::term::VALUE_OF;

/// Bounds of a name's parts to which others are joined, those that separate inputs best first. A bound on the time: each
/// is joined with all columns, so that a name takes some milliseconds. A guess.
const MAX_FIRST_BOUNDS: usize = 24;
/// Pairs to which a third bound is joined, a bound on the time because each is joined with all columns.
const MAX_PAIRS_OF_THREE: usize = 24;
/// Conditions of a name's parts that hold for all failing inputs and for some that pass: others may complete them. Not
/// measured.
const MAX_NEEDED: usize = 6;
/// Parts of a name in all inputs together below which nothing is learnt from them, because two differ in everything.
const MIN_PARTS: usize = 3;

/// The inputs: where each is when failing ones come first, and how many of the failing ones a condition may miss.
pub(super) struct Inputs<'i> {
    /// The place of each input.
    pub places: &'i [usize],
    /// How many fail.
    pub failing: usize,
    /// How many of these may be missed.
    pub allowed: usize,
}

impl Inputs<'_> {
    /// What inputs have in two: that of a side and that of the other one, and how many of the side may be missed.
    fn sides<'a, T>(&self, all: &'a [T], side: Side) -> (&'a [T], &'a [T], usize) {
        let (failing, passing) = all.split_at(self.failing);
        match side {
            Side::Failing => (failing, passing, self.allowed),
            Side::Passing => (passing, failing, 0),
        }
    }
}

/// How many inputs of the other side have some parts, and how many of them these have, given how many each input has. Nothing if too
/// many inputs of this side have none.
fn told(counts: &[u32], inputs: &Inputs<'_>, side: Side) -> Option<(usize, usize)> {
    let (own, others, allowed) = inputs.sides(counts, side);
    let missed = own.iter().filter(|count| **count == 0).count();
    let having = others.iter().filter(|count| **count > 0).count();
    let parts = others.iter().map(|count| *count as usize).sum();
    (missed <= allowed).then_some((having, parts))
}

/// The parts of one name.
struct Parts<'t> {
    name: &'t Name,
    /// The place of each part's input.
    places: Vec<u32>,
    columns: Vec<(Cow<'t, Feature>, Ranks)>,
}

/// A bound of a column, by the number of the column. Small, because many are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Limit {
    column: usize,
    bound: Bound,
}

/// Which inputs shall have a part that meets the bounds.
///
/// With `Passing` the condition says that no part meets them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Failing,
    Passing,
}

/// The conditions about one part, for all names of parts.
///
/// The names are divided among as many threads as there are processors, which end before this returns: no worker is forked meanwhile. The
/// result does not depend on their number.
///
/// Cost: for each name at most the product of first bounds and columns, each a walk over the parts that meet the bound.
pub(super) fn conditions(
    table: &Table,
    inputs: &Inputs<'_>,
    required: &[String],
) -> Vec<Candidate> {
    let named: Vec<(&Name, &PartTable)> =
        table.parts.iter().filter(|(_, known)| known.rows().len() >= MIN_PARTS).collect();
    let weights = named.iter().map(|(_, known)| known.rows().len());
    let found = in_weighed_parts(processors(), weights, 1, |part| {
        let all = named[part].iter().flat_map(|named| of_name(*named, inputs, required));
        all.collect::<Vec<Candidate>>()
    });
    found.into_iter().flatten().collect()
}

/// The conditions about one part of a name.
fn of_name(
    (name, known): (&Name, &PartTable),
    inputs: &Inputs<'_>,
    required: &[String],
) -> Vec<Candidate> {
    let parts = Parts::of(name, known, inputs);
    let columns = 0..parts.columns.len();
    let extremes = columns.map(|column| parts.extremes(column, inputs));
    let extremes: Vec<Extremes> = extremes.collect();
    let sides = [Side::Failing, Side::Passing].into_iter();
    let joined = sides.flat_map(|side| parts.joined(&extremes, inputs, side));
    joined.map(|(limits, bound)| parts.candidate(&limits, bound, (inputs, required))).collect()
}

impl<'t> Parts<'t> {
    /// The parts of a name with the columns that differ, the simplest features first.
    ///
    /// Of columns with the same values one is kept.
    fn of(name: &'t Name, known: &'t PartTable, inputs: &Inputs<'_>) -> Self {
        let places: Vec<u32> =
            known.rows().iter().map(|row| inputs.places[*row as usize] as u32).collect();
        let mut seen: HashSet<u64> = HashSet::new();
        let mut columns: Vec<(Cow<'_, Feature>, Ranks)> = known
            .columns()
            .filter(|(_, ranks)| !ranks.are_all_the_same())
            .map(|(feature, ranks)| (Cow::Borrowed(feature), ranks))
            .collect();
        // A key says more than its text, which may be a value as well, and so does the text of a key's value.
        let is_of_key = |feature: &Feature| matches!(feature, Feature::Count(name) if name.starts_with(VALUE_OF));
        columns.sort_by_cached_key(|(feature, _)| {
            (feature.weight(), !is_of_key(feature), feature.clone())
        });
        columns.retain(|(_, ranks)| seen.insert(ranks.fingerprint()));
        let mut parts = Parts { name, places, columns };
        let counts = (inputs.failing, inputs.places.len());
        // One of several texts says little alone, so it may not be among the telling ones.
        let kinds = alternatives::of_parts(&parts.columns, &parts.places, counts);
        parts.keep_telling(inputs);
        parts.columns.extend(kinds);
        parts
    }

    /// The bounds that are met by a part of every input of a side and, joined, by few parts of the others.
    ///
    /// One bound, two, and three where no two are enough; then pairs that hold for some inputs of the other side too.
    fn joined(
        &self,
        extremes: &[Extremes],
        inputs: &Inputs<'_>,
        side: Side,
    ) -> Vec<(Vec<Limit>, Bound)> {
        let told = match side {
            Side::Failing => Bound::AtLeast(1),
            Side::Passing => Bound::AtMost(0),
        };
        let everything = self.everything();
        let mut found: Vec<(Vec<Limit>, Bound)> = Vec::new();
        // One bound alone is a feature of the rule's name, but for those from above and for one of several texts.
        for column in 0..self.columns.len() {
            let signs = match &*self.columns[column].0 {
                Feature::AnyOf(_) => &[1, -1][..],
                feature if feature.is_difference() => &[1, -1, 0],
                _ => &[-1],
            };
            for sign in signs {
                let bound = self.separating(&everything, (column, *sign), (inputs, side));
                let limit = bound.map(|bound| Limit { column, bound });
                found.extend(limit.filter(|limit| self.says(*limit)).map(|one| (vec![one], told)));
            }
        }
        for column in 0..self.columns.len() {
            let bounds = self.singled(&everything, column, (inputs, side)).into_iter();
            found.extend(bounds.map(|bound| (vec![Limit { column, bound }], told)));
        }
        for (column, extremes) in extremes.iter().enumerate() {
            let range = self.range((column, &everything), extremes, (inputs, side));
            let range = range.filter(|range| range.iter().all(|limit| self.is_told(*limit)));
            let range = range.or_else(|| match side {
                Side::Failing => {
                    let near = self.near_range((column, &everything), (inputs, side));
                    near.map(|(limits, _)| limits)
                }
                Side::Passing => None,
            });
            found.extend(range.map(|range| (range.to_vec(), told)));
        }
        let firsts = self.firsts(extremes, inputs, side);
        let mut pairs: Vec<(usize, [usize; 2], Vec<u32>)> = Vec::new();
        let is_in: Vec<Vec<bool>> = firsts.iter().map(|(_, base)| self.is_in(base)).collect();
        for (at, (first, base)) in firsts.iter().enumerate() {
            if side == Side::Failing
                && let Some(least) = self.counted(base, inputs)
            {
                found.push((vec![*first], Bound::AtLeast(least)));
            }
            let seconds = self.last_bounds(base, inputs, side);
            found.extend(seconds.map(|second| (vec![*first, second], told)));
            for (other, (_, others)) in firsts.iter().enumerate().skip(at + 1) {
                let is_other = |part: &u32| is_in[other][*part as usize];
                let both: Vec<u32> = base.iter().copied().filter(is_other).collect();
                if both.len() < base.len()
                    && both.len() < others.len()
                    && let Some(wrong) = self.wrong(&both, inputs, side)
                {
                    pairs.push((wrong, [at, other], both));
                }
            }
        }
        pairs.sort_by_key(|(wrong, which, _)| (*wrong, *which));
        // Two that miss an input may be three of which one was not looked at.
        let is_all = |limits: &[Limit]| {
            let met =
                limits.iter().fold(everything.clone(), |met, limit| self.meeting(&met, *limit));
            self.wrong(&met, &Inputs { allowed: 0, ..*inputs }, side).is_some()
        };
        let is_enough = found.iter().any(|(limits, _)| limits.len() == 2 && is_all(limits));
        for (_, which, base) in pairs.iter().take(if is_enough { 0 } else { MAX_PAIRS_OF_THREE }) {
            let [one, other] = which.map(|at| firsts[at].0);
            let thirds = self.last_bounds(base, inputs, side);
            found.extend(thirds.map(|third| (vec![one, other, third], told)));
        }
        let needed = pairs.into_iter().filter(|(wrong, ..)| *wrong > 0).take(MAX_NEEDED);
        found.extend(needed.map(|(_, which, _)| (which.map(|at| firsts[at].0).to_vec(), told)));
        found
    }

    /// The bounds that, joined with those that the parts of `base` meet, separate the sides.
    ///
    /// A bound that all of these parts meet anyway is none.
    fn last_bounds<'s>(
        &'s self,
        base: &'s [u32],
        inputs: &'s Inputs<'_>,
        side: Side,
    ) -> impl Iterator<Item = Limit> + 's {
        let ways = (0..self.columns.len()).flat_map(|column| [(column, 1), (column, -1)]);
        let bounds = ways.filter_map(move |(column, sign)| {
            Some((column, self.separating(base, (column, sign), (inputs, side))?))
        });
        // Exactly three decimals are not at least three.
        let is_exact =
            |column: &usize| matches!(&*self.columns[*column].0, Feature::Value(Term::Decimals(_)));
        let single = (0..self.columns.len()).filter(is_exact).flat_map(move |column| {
            let bounds = self.singled(base, column, (inputs, side)).into_iter();
            bounds.map(move |bound| (column, bound))
        });
        let limits = bounds.chain(single).map(|(column, bound)| Limit { column, bound });
        limits.filter(|limit| self.is_told(*limit) && !self.is_implied(base, *limit))
    }

    /// Bounds that a part of every input of a side meets, and the parts that meet them: those that most inputs of the
    /// other side have no part of first.
    fn firsts(
        &self,
        extremes: &[Extremes],
        inputs: &Inputs<'_>,
        side: Side,
    ) -> Vec<(Limit, Vec<u32>)> {
        let everything = self.everything();
        let mut rated: Vec<((usize, usize), Limit, Vec<u32>)> = Vec::new();
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        for (column, extremes) in extremes.iter().enumerate() {
            for bound in self.first_bounds(column, extremes, (inputs, side)) {
                let limit = Limit { column, bound };
                let base = self.meeting(&everything, limit);
                let is_new = base.len() < everything.len() && self.is_told(limit);
                if !is_new || !seen.insert(base.clone()) {
                    continue;
                }
                if let Some(told) = self.told(&base, inputs, side) {
                    rated.push((told, limit, base));
                }
            }
        }
        rated.sort_by_key(|(told, ..)| *told);
        rated.truncate(MAX_FIRST_BOUNDS);
        rated.into_iter().map(|(_, limit, base)| (limit, base)).collect()
    }

    /// The numbers of all parts.
    fn everything(&self) -> Vec<u32> {
        (0..self.places.len() as u32).collect()
    }

    /// For each part whether it is one of some.
    fn is_in(&self, base: &[u32]) -> Vec<bool> {
        let mut is_in = vec![false; self.places.len()];
        base.iter().for_each(|part| is_in[*part as usize] = true);
        is_in
    }

    /// Of some parts those that meet a bound.
    fn meeting(&self, base: &[u32], limit: Limit) -> Vec<u32> {
        let ranks = &self.columns[limit.column].1;
        let (meeting, ranks) = (ranks.meeting(limit.bound), ranks.ranks());
        let is_met = |part: &u32| meeting[ranks[*part as usize] as usize];
        base.iter().copied().filter(is_met).collect()
    }

    /// Whether a bound says something alone: how much a number is greater than a count or a length is never a cause.
    fn says(&self, Limit { column, bound }: Limit) -> bool {
        Condition { feature: (*self.columns[column].0).clone(), bound }.bound_is_told()
    }

    /// Whether a bound may be one of several: how much a number is greater than another one is not told.
    fn is_told(&self, limit: Limit) -> bool {
        let feature = &*self.columns[limit.column].0;
        let near = match limit.bound {
            Bound::AtLeast(number) => (0..=1).contains(&number),
            Bound::AtMost(number) => (-1..=0).contains(&number),
            Bound::Is(number) | Bound::IsNot(number) => number == 0,
        };
        !feature.is_difference() || near
    }

    /// Whether all of some parts meet a bound: then it says nothing.
    fn is_implied(&self, base: &[u32], limit: Limit) -> bool {
        self.meeting(base, limit).len() == base.len()
    }

    /// How many inputs of the other side have one of some parts; nothing if too many of this side have none.
    ///
    /// The fewer the better: with none the parts alone are the cause.
    fn wrong(&self, base: &[u32], inputs: &Inputs<'_>, side: Side) -> Option<usize> {
        self.told(base, inputs, side).map(|(wrong, _)| wrong)
    }

    /// Whether a part is one of an input of a side.
    fn is_of(&self, part: u32, inputs: &Inputs<'_>, side: Side) -> bool {
        (self.place(part) < inputs.failing) == (side == Side::Failing)
    }

    /// The place of a part's input.
    fn place(&self, part: u32) -> usize {
        self.places[part as usize] as usize
    }

    /// How little some parts say: how many inputs of the other side have one of them, and how many of them these have. Nothing
    /// if too many of this side have none.
    fn told(&self, base: &[u32], inputs: &Inputs<'_>, side: Side) -> Option<(usize, usize)> {
        told(&self.counts(base, inputs), inputs, side)
    }

    /// How many of some parts each input has.
    fn counts(&self, base: &[u32], inputs: &Inputs<'_>) -> Vec<u32> {
        let mut counts = vec![0; inputs.places.len()];
        base.iter().for_each(|part| counts[self.place(*part)] += 1);
        counts
    }

    /// The number of these parts that every failing input reaches, if it is more than one and no passing input reaches it.
    fn counted(&self, base: &[u32], inputs: &Inputs<'_>) -> Option<i128> {
        let counts = self.counts(base, inputs);
        let (failing, passing) = counts.split_at(inputs.failing);
        let most = passing.iter().max().copied().unwrap_or(0);
        let missed = failing.iter().filter(|count| **count <= most).count();
        let least = failing.iter().filter(|count| **count > most).min().copied()?;
        (missed <= inputs.allowed && least > 1).then_some(i128::from(least))
    }

    /// The condition, and for which inputs it holds.
    ///
    /// Its weight is that of its bounds, and more for each required word that it does not name.
    fn candidate(
        &self,
        limits: &[Limit],
        bound: Bound,
        (inputs, required): (&Inputs<'_>, &[String]),
    ) -> Candidate {
        let mut met = self.everything();
        for limit in limits {
            met = self.meeting(&met, *limit);
        }
        let mut bounds: Vec<(Feature, Bound)> = limits
            .iter()
            .map(|limit| ((*self.columns[limit.column].0).clone(), limit.bound))
            .collect();
        bounds.sort();
        let feature = Feature::Parts(self.name.clone(), bounds);
        let counts = self.counts(&met, inputs).into_iter();
        let holds: Bits = counts.map(|count| bound.holds(i128::from(count))).collect();
        let named = Named::by(&feature, required);
        let more = named.missing_weight();
        let condition = Condition { feature, bound };
        Candidate { weight: condition.weight() + more, holds, condition, named }
    }
}

#[cfg(test)]
mod tests;
