//! Who makes mutants of bytes ahead: libFuzzer's own mutator, or the worker. The time is shared by what each finds.

use std::time::Duration;

/// Who makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// libFuzzer's mutator, in lots that the worker runs.
    Lots = 0,
    /// The worker.
    Worker = 1,
}

/// Each gets this part of the time at least, so that its figures stay up to date. A guess, not measured.
const MIN_PART: f64 = 0.2;
/// New inputs that each is assumed to have found at first, and in how many seconds, so that both have the same rate. A
/// guess, not measured.
const PRIOR_FINDS_AND_SECONDS: (f64, f64) = (8.0, 0.02);
/// Seconds after which the past counts for a third, because new inputs get rare. A guess, not measured.
const MEMORY_SECONDS: f64 = 5.0;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    seconds: f64,
    found: f64,
    valid: f64,
}

/// What both have found lately.
#[derive(Debug, Default)]
pub(super) struct Searches([Tally; 2]);

impl Searches {
    /// The part of the time that the worker should have: the mean of its parts of all finds in a second and of the valid
    /// ones.
    fn part_of_worker(&self) -> f64 {
        let part = |count: fn(&Tally) -> f64| {
            let [lots, worker] = [0, 1].map(|number| {
                let tally = &self.0[number];
                (count(tally) + PRIOR_FINDS_AND_SECONDS.0)
                    / (tally.seconds + PRIOR_FINDS_AND_SECONDS.1)
            });
            worker / (lots + worker)
        };
        let part = (part(|tally| tally.found) + part(|tally| tally.valid)) / 2.0;
        part.clamp(MIN_PART, 1.0 - MIN_PART)
    }

    /// Who is next.
    pub(super) fn next(&self) -> Search {
        let [lots, worker] = self.0.map(|tally| tally.seconds);
        if worker <= self.part_of_worker() * (lots + worker) {
            Search::Worker
        } else {
            Search::Lots
        }
    }

    /// Records what one has found in some time, and how much of that is valid.
    pub(super) fn tell(&mut self, search: Search, took: Duration, found: usize, valid: usize) {
        let took = took.as_secs_f64();
        let kept = 1.0 - (took / MEMORY_SECONDS).min(1.0);
        for Tally { seconds, found, valid } in &mut self.0 {
            for figure in [seconds, found, valid] {
                *figure *= kept;
            }
        }
        let tally = &mut self.0[search as usize];
        tally.seconds += took;
        tally.found += found as f64;
        tally.valid += valid as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worker's part of the time where both find this many in a hundred turns.
    fn part(of_lots: usize, of_worker: usize) -> f64 {
        let mut searches = Searches::default();
        let mut seconds = [0.0; 2];
        for number in 0..50_000 {
            let search = searches.next();
            let took = [Duration::from_micros(400), Duration::from_micros(2_000)][search as usize];
            seconds[search as usize] += took.as_secs_f64();
            let rate = [of_lots, of_worker][search as usize];
            let found = usize::from(number % 100 < rate);
            searches.tell(search, took, found, 0);
        }
        seconds[1] / (seconds[0] + seconds[1])
    }

    #[test]
    fn who_finds_more_in_a_second_gets_more_of_the_time_and_the_other_one_a_fifth_at_least() {
        assert!(part(0, 100) > 0.55, "{}", part(0, 100));
        assert!(part(100, 0) < 0.45, "{}", part(100, 0));
        for part in [part(0, 100), part(100, 0), part(1, 5)] {
            assert!((0.19..0.81).contains(&part), "{part}");
        }
    }
}
