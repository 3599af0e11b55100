//! Which candidates have helped so far, and how many of them are worth a test.
//!
//! What helps depends on the format: a closer behind the change here, a comma in front of it there.
//! Every place in the list of every way is remembered for itself, and mutants that nothing near the
//! front has mended are given up.

use super::mend::Way;
use super::pace::MOST_RUNS;

/// Places of one way that are tried at most.
const PLACES: usize = 24;
/// After so many mutants the order is made anew, and the past counts less.
const ANEW: u32 = 64;
const FADES_TO: f32 = 0.9;
/// One mutant in so many gets all the tests there are: what helps may have changed.
const GENEROUS: u32 = 16;
/// Candidates beyond that many times the usual place of what helped are not tried.
const BEYOND: f32 = 4.0;
/// Candidates that every mutant gets.
const FEWEST: u64 = 8;
/// In how many repairs the usual place forgets.
const USUAL_OVER: f32 = 64.0;

/// A place in the list of a way.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The way.
    pub way: Way,
    /// The number in its list.
    pub index: usize,
    runs: f32,
    repairs: f32,
}

impl Place {
    fn rate(&self) -> f32 {
        (self.repairs + 1.0) / (self.runs + 4.0 + self.index as f32)
    }
}

/// What has helped.
#[derive(Debug)]
pub struct Odds {
    /// The likeliest first, as of the last time that was looked at.
    places: Vec<Place>,
    told: u32,
    usual: f32,
}

impl Odds {
    /// Nothing is known: the first of each way, then the second of each.
    pub fn new() -> Self {
        let of = |way| (0..PLACES).map(move |index| Place { way, index, runs: 0.0, repairs: 0.0 });
        let mut places: Vec<Place> = Way::ALL.into_iter().flat_map(of).collect();
        places.sort_by_key(|place| place.index);
        Odds { places, told: 0, usual: MOST_RUNS as f32 }
    }

    /// What to try, in this order.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// How many candidates the next mutant may cost.
    pub fn most(&self) -> u64 {
        if self.told.is_multiple_of(GENEROUS) {
            return MOST_RUNS;
        }
        ((self.usual * BEYOND) as u64).clamp(FEWEST, MOST_RUNS)
    }

    /// Takes note of which places were tried, as numbers into [`Odds::places`], and whether the
    /// last of them helped.
    pub fn tell(&mut self, tried: &[usize], last_helped: bool) {
        for place in tried {
            self.places[*place].runs += 1.0;
        }
        if let Some(last) = tried.last().filter(|_| last_helped) {
            self.places[*last].repairs += 1.0;
            self.usual += (tried.len() as f32 - self.usual) / USUAL_OVER;
        }
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(ANEW) {
            for place in &mut self.places {
                place.runs *= FADES_TO;
                place.repairs *= FADES_TO;
            }
            self.places.sort_by(|left, right| right.rate().total_cmp(&left.rate()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_helped_comes_first_and_little_else_is_tried() {
        let mut odds = Odds::new();
        assert_eq!(odds.most(), MOST_RUNS);
        for _ in 0..1000 {
            // Only the fourth separator helps.
            let helps = |place: &Place| place.way == Way::Separate && place.index == 3;
            let at = odds.places().iter().position(helps).unwrap();
            let tried: Vec<usize> = (0..=at).collect();
            odds.tell(&tried, true);
        }
        let first = odds.places()[0];
        assert_eq!((first.way, first.index), (Way::Separate, 3));
        odds.tell(&[], false);
        assert_eq!(odds.most(), FEWEST);
    }

    #[test]
    fn without_any_success_every_place_has_its_turn() {
        let mut odds = Odds::new();
        let mut tried = std::collections::HashSet::new();
        for _ in 0..10_000 {
            let few: Vec<usize> = (0..FEWEST as usize).collect();
            tried.extend(few.iter().map(|at| {
                let place = odds.places()[*at];
                (place.way as usize, place.index)
            }));
            odds.tell(&few, false);
        }
        assert_eq!(tried.len(), Way::ALL.len() * PLACES);
    }
}
