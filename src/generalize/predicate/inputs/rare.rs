//! Mutants of the kind that is rare: hardly any change of a list and of its sum keeps the sum right.
//!
//! A condition is measured on inputs that fail and on inputs that pass. If one kind is rare, mutants are made until the
//! condition says of them that they are of this kind, and only these are tested. Most of them come of a number: one of the
//! numbers of a mutant is changed by as much as the condition's number is away from its bound.

use seedsmith_engine::Stopped;

use super::edits;
use super::mutants::{Base, Mutants};
use super::samples::Samples;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::feature::Features;
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::predicate::read::Wanted;

/// Mutants that are read for each that is wanted, a bound on the time because reading one takes a millisecond. Three of 1,536
/// mutants of a list with a checksum kept it right while no number was changed on purpose.
const MUTANTS_PER_WANTED: usize = 64;

impl Samples {
    /// Tests up to `count` mutants of which a predicate says one thing, and takes in those that pass or fail.
    ///
    /// Cost: at most `count` tests, and reading `MUTANTS_PER_WANTED` mutants for each.
    pub(in crate::generalize::predicate) fn add_mutants_of(
        &mut self,
        prober: &mut Prober<'_, '_>,
        mutants: &mut Mutants,
        count: usize,
        (predicate, says): (&Predicate, bool),
    ) -> Result<(), Stopped> {
        let (words, wanted) = (predicate.words(), Wanted::by(predicate.conditions()));
        let (mut left, kinds) = (count, [Base::Passing, Base::Failing]);
        for number in 0..count * MUTANTS_PER_WANTED {
            if left == 0 {
                break;
            }
            prober.check_time()?;
            let Some((way, mutant)) = mutants.next(kinds[number % 2]) else { continue };
            let mut reader = self.reader();
            let Some((text, mut features)) = reader.look(&mutant, (&words, &wanted)) else {
                continue;
            };
            let (tree, mut input) = (text.0, text.1.into_owned());
            if predicate.holds(&features) != says {
                let Some(by) = distance(predicate, &features, says) else { continue };
                let base = Subject { input, tree, language: None, shared: Default::default() };
                let shifted = edits::with_number_shifted_either_way(&base, by, mutants.dice());
                let Some(shifted) = shifted else { continue };
                let Some((_, read)) = reader.look(&shifted, (&words, &wanted)) else {
                    continue;
                };
                (input, features) = (shifted, read);
            }
            if predicate.holds(&features) == says && self.is_new(&input) {
                left -= 1;
                let fails = self.test(prober, input)?;
                mutants.judge(way, fails.is_some());
            }
        }
        Ok(())
    }
}

/// By how much the first number of a predicate has to change so that its condition says so; nothing if it has no number.
fn distance(predicate: &Predicate, features: &Features, says: bool) -> Option<i128> {
    predicate.conditions().iter().filter(|one| one.feature.is_size()).find_map(|condition| {
        let value = condition.feature.value(features)?;
        condition.bound.nearest(says).checked_sub(value)
    })
}
