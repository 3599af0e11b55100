//! Which candidates have helped so far, and how many of them are worth a test.
//!
//! The format decides which ones help: a closer after the change here, a comma before it there.
//! Every place in the list of every way is remembered for itself, and the likeliest are tried first.
//! A mutant is given up where the next candidate is less likely to help than a test is on average:
//! the time is better spent on another mutant. (Charnov's marginal value theorem, Theoretical
//! Population Biology 1976: leave a patch when it yields no more than the whole habitat.)
//!
//! Places that were not tried for long are assumed to be likely again, so the order follows what the
//! fuzzer has got to.

use crate::mutator::candidates::Technique;

/// Places of one technique that are tried, because candidates further on in a list have hardly helped.
/// Not measured.
const PLACES_PER_TECHNIQUE: usize = 24;
/// Mutants after which the order is made again, so that sorting 144 places is not done for each. Not
/// measured.
const MUTANTS_BETWEEN_SORTS: u32 = 128;
/// What the past counts at each new order, so that some 1,280 mutants decide: the corpus changes while
/// fuzzing continues. Not measured.
const PAST_WEIGHT: f32 = 0.9;
/// Making a mutant and handing it over takes as long as this many tests, its own among them. Estimated from
/// the profile of 2026-11-21 (docs/notes/2026-11-21-mutator.md).
const HANDOVER_TESTS: f32 = 2.0;

/// A place in the list of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedPlace {
    /// The way.
    pub technique: Technique,
    /// The number in its list.
    pub index: usize,
    runs: f32,
    repairs: f32,
}

impl RankedPlace {
    /// With one imagined repair in four runs, and in more for places further on, because the lists
    /// begin with likely candidates.
    fn rate(&self) -> f32 {
        (self.repairs + 1.0) / (self.runs + 4.0 + self.index as f32)
    }
}

/// Which candidates have helped.
#[derive(Debug)]
pub(super) struct Odds {
    /// The likeliest first, as of the last time that was looked at.
    places: Vec<RankedPlace>,
    told: u32,
    /// Mutants that were mended, and tests that broken ones took.
    mended: f32,
    tests: f32,
    worthwhile: usize,
}

impl Odds {
    /// Candidates that one mutant may cost. Mostly it is given up earlier, because the next candidate is
    /// less likely to help than another mutant; this bounds the time before anything is known.
    pub(super) const MAX_RUNS_PER_MUTANT: usize = 64;

    /// Nothing is known: the first of each way, then the second of each.
    pub(super) fn new() -> Self {
        let of = |technique| {
            (0..PLACES_PER_TECHNIQUE).map(move |index| RankedPlace {
                technique,
                index,
                runs: 0.0,
                repairs: 0.0,
            })
        };
        let mut places: Vec<RankedPlace> = Technique::ALL.into_iter().flat_map(of).collect();
        places.sort_by_key(|place| place.index);
        let worthwhile = places.len();
        Odds { places, told: 0, mended: 0.0, tests: 0.0, worthwhile }
    }

    /// What to try, in this order.
    pub(super) fn places(&self) -> &[RankedPlace] {
        &self.places
    }

    /// How many of the places are worth a test, from the front.
    pub(super) fn worthwhile(&self) -> usize {
        self.worthwhile
    }

    /// Records which places were tried, as numbers into [`Odds::places`], and whether the
    /// last of them helped.
    pub(super) fn tell(&mut self, tried: &[usize], last_helped: bool) {
        for place in tried {
            self.places[*place].runs += 1.0;
        }
        self.tests += HANDOVER_TESTS + tried.len() as f32;
        if let Some(last) = tried.last().filter(|_| last_helped) {
            self.places[*last].repairs += 1.0;
            self.mended += 1.0;
        }
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(MUTANTS_BETWEEN_SORTS) {
            for place in &mut self.places {
                place.runs *= PAST_WEIGHT;
                place.repairs *= PAST_WEIGHT;
            }
            self.mended *= PAST_WEIGHT;
            self.tests *= PAST_WEIGHT;
            self.places.sort_by(|left, right| right.rate().total_cmp(&left.rate()));
            let average = self.mended / self.tests;
            self.worthwhile = self.places.partition_point(|place| place.rate() >= average);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_helped_comes_first_and_little_else_is_tried() {
        let mut odds = Odds::new();
        assert_eq!(odds.worthwhile(), Technique::ALL.len() * PLACES_PER_TECHNIQUE);
        for _ in 0..10 * MUTANTS_BETWEEN_SORTS {
            // Only the fourth separator helps.
            let helps =
                |place: &RankedPlace| place.technique == Technique::Separate && place.index == 3;
            let at = odds.places().iter().position(helps).unwrap();
            let tried: Vec<usize> = (0..=at).collect();
            odds.tell(&tried, true);
        }
        let first = odds.places()[0];
        assert_eq!((first.technique, first.index), (Technique::Separate, 3));
        assert!(odds.worthwhile() < 10, "{}", odds.worthwhile());
    }

    #[test]
    fn where_little_helps_what_was_given_up_has_its_turn_again() {
        let mut odds = Odds::new();
        let mut tried = std::collections::HashSet::new();
        for number in 0..50_000 {
            let few: Vec<usize> = (0..odds.worthwhile().min(8)).collect();
            tried.extend(few.iter().map(|at| {
                let place = odds.places()[*at];
                (place.technique as usize, place.index)
            }));
            odds.tell(&few, number % 16 == 0);
        }
        assert_eq!(tried.len(), Technique::ALL.len() * PLACES_PER_TECHNIQUE);
    }
}
