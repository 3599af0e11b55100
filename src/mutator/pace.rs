//! How often a mutant is repaired: as often as it pays.
//!
//! A repaired mutant takes several times as long as one that is run as it comes, and finds more or
//! less by that. What libFuzzer takes into its corpus comes back as something to mutate, so it can
//! be told who made it: the time of the fuzzer is shared between the two ways as they have found
//! new inputs in a second of it lately. Repairs get a third at least, so that the code behind the
//! parser is reached for as long as the fuzzer runs.

use std::time::{Duration, Instant};

/// Runs of the validator that one mutant may cost.
pub const MOST_RUNS: u64 = 64;
/// Time that one mutant may cost.
pub const MOST_TIME: Duration = Duration::from_micros(500);

/// Who made a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// libFuzzer's own mutator alone.
    Fuzzer = 0,
    /// A repair, or the attempt.
    Repair = 1,
}

/// The shares of time that repairs may get.
const LEAST: f64 = 1.0 / 3.0;
const MOST: f64 = 0.9;
/// What both ways are taken to have found before anything is known, and in how many seconds.
const PRIOR: (f64, f64) = (4.0, 0.02);
/// After so many seconds of fuzzing the past counts for a third.
const MEMORY: f64 = 30.0;
/// How often the past fades, in seconds.
const FADES_EVERY: f64 = 0.5;
/// An interval counts as at most so many usual ones: in a longer one another program had the core.
const MOST_USUAL: f64 = 16.0;
/// In how many intervals the usual one forgets.
const USUAL_OVER: f64 = 64.0;
/// Making inputs of the corpus valid may take this share of the fuzzer's time.
const PARENTS: f64 = 0.05;
/// Seconds saved up for that at most, and had at the beginning.
const PARENTS_SAVED: f64 = 0.02;
/// Mutants that are remembered by who made them; a power of two.
const REMEMBERED: usize = 1 << 16;

/// What one way has done lately.
#[derive(Debug)]
struct Tally {
    found: f64,
    seconds: f64,
    /// What one mutant usually takes, in seconds.
    usual: f64,
}

impl Tally {
    fn rate(&self) -> f64 {
        (self.found + PRIOR.0) / (self.seconds + PRIOR.1)
    }
}

/// The two ways, and the clock.
#[derive(Debug)]
pub struct Pace {
    tallies: [Tally; 2],
    /// Mutants by the low bits of their digest.
    made: Vec<(u128, Maker)>,
    latest: Option<(u128, Maker)>,
    entered: Instant,
    since_fade: f64,
    parents: f64,
}

impl Pace {
    /// Begins with nothing known.
    pub fn new() -> Self {
        let tally = |usual| Tally { found: 0.0, seconds: 0.0, usual };
        Pace {
            tallies: [tally(10e-6), tally(100e-6)],
            made: vec![(0, Maker::Fuzzer); REMEMBERED],
            latest: None,
            entered: Instant::now(),
            since_fade: 0.0,
            parents: PARENTS_SAVED,
        }
    }

    /// The digest of the mutant that was made last.
    pub fn latest(&self) -> Option<u128> {
        self.latest.map(|(mutant, _)| mutant)
    }

    /// Called when the mutator is entered with an input of this digest: whoever made the mutant
    /// before has taken the time until now. Says whether the input is new in the corpus.
    pub fn enter(&mut self, input: u128) -> bool {
        let now = Instant::now();
        if let Some((_, maker)) = self.latest {
            let seconds = (now - self.entered).as_secs_f64();
            let tally = &mut self.tallies[maker as usize];
            let seconds = seconds.min(MOST_USUAL * tally.usual);
            tally.usual += (seconds - tally.usual) / USUAL_OVER;
            tally.seconds += seconds;
            self.parents = (self.parents + seconds * PARENTS).min(PARENTS_SAVED);
            self.since_fade += seconds;
        }
        self.entered = now;
        if self.since_fade >= FADES_EVERY {
            for tally in &mut self.tallies {
                tally.found *= 1.0 - self.since_fade / MEMORY;
                tally.seconds *= 1.0 - self.since_fade / MEMORY;
            }
            self.since_fade = 0.0;
        }
        // libFuzzer mutates a mutant a few times in a row: that is no sign of anything.
        if self.latest.is_some_and(|(latest, _)| latest == input) {
            return false;
        }
        let place = &mut self.made[input as usize % REMEMBERED];
        if place.0 != input {
            return false;
        }
        place.0 = 0;
        self.tallies[place.1 as usize].found += 1.0;
        true
    }

    /// Takes down who made the mutant of this digest.
    pub fn hand(&mut self, mutant: u128, maker: Maker) {
        self.made[mutant as usize % REMEMBERED] = (mutant, maker);
        self.latest = Some((mutant, maker));
    }

    /// Which share of the mutants to repair now.
    pub fn share(&self) -> f64 {
        let [fuzzer, repair] = &self.tallies;
        let of_time = (repair.rate() / (repair.rate() + fuzzer.rate())).clamp(LEAST, MOST);
        let (repairs, others) = (of_time / repair.usual, (1.0 - of_time) / fuzzer.usual);
        repairs / (repairs + others)
    }

    /// Time that making an input of the corpus valid may take now.
    pub fn for_a_parent(&self) -> Duration {
        Duration::from_secs_f64(self.parents.max(0.0))
    }

    /// Takes what that has taken: out of the common time, and not of what one mutant usually takes.
    pub fn spend_on_a_parent(&mut self, began: Instant) {
        let spent = began.elapsed();
        self.parents -= spent.as_secs_f64();
        self.entered += spent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pace after each way has made mutants of which one in so many was taken into the corpus.
    fn after(one_in: [usize; 2]) -> Pace {
        let mut pace = Pace::new();
        for number in 1..20_000usize {
            let maker = [Maker::Fuzzer, Maker::Repair][number % 2];
            let is_kept = number / 2 % one_in[number % 2] == 0;
            pace.hand(number as u128, maker);
            // The clock is the test's own.
            pace.entered = Instant::now() - Duration::from_micros([10, 100][number % 2]);
            pace.enter(number as u128);
            if is_kept {
                pace.latest = None;
                assert!(pace.enter(number as u128));
            }
        }
        pace
    }

    #[test]
    fn the_way_that_finds_more_in_the_same_time_gets_more_of_it() {
        let (poor, even, rich) = (after([10, 1000]), after([100, 10]), after([1000, 10]));
        assert!(poor.share() < even.share() && even.share() < rich.share());
        assert!(rich.share() > 0.4, "{}", rich.share());
    }

    #[test]
    fn repairs_get_a_third_of_the_time_whatever_they_find() {
        let pace = after([2, 10_000]);
        let share = pace.share();
        let [fuzzer, repair] = &pace.tallies;
        let time = share * repair.usual / (share * repair.usual + (1.0 - share) * fuzzer.usual);
        assert!((time - LEAST).abs() < 0.01, "{time}");
    }

    #[test]
    fn an_input_counts_as_found_once_and_not_while_it_is_mutated_in_a_row() {
        let mut pace = Pace::new();
        pace.hand(7, Maker::Repair);
        assert!(!pace.enter(7));
        pace.hand(8, Maker::Fuzzer);
        assert!(pace.enter(7));
        assert!(!pace.enter(7));
    }
}
