//! How often a mutant is repaired: as often as it pays.
//!
//! A repaired mutant takes several times as long as one that is run as it comes, and finds more or
//! less by that. What libFuzzer takes into its corpus comes back as something to mutate, so it can
//! be told who made it: the time of the fuzzer is shared between the two ways as they have found
//! new inputs in a second of it lately. Repairs get a third at least, so that the code behind the
//! parser is reached for as long as the fuzzer runs.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

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
/// The time between two mutants counts as at most so many usual ones: in a longer one another
/// program had the core.
const MOST_USUAL: f64 = 16.0;
/// In how many intervals the usual one forgets.
const USUAL_OVER: f64 = 64.0;
/// Making inputs of the corpus valid may take this share of the fuzzer's time.
const PARENTS: f64 = 0.05;
/// Seconds saved up for that at most, and had at the beginning.
const PARENTS_SAVED: f64 = 0.02;

/// The time that this process has had a processor for. While it waits for another one, that may
/// wait for a third: the clock on the wall tells nothing of what a repair takes.
pub fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map_or(Duration::ZERO, |time| Duration::new(time.tv_sec() as u64, time.tv_nsec() as u32))
}

/// What one way has done lately.
#[derive(Debug, Default)]
struct Tally {
    found: f64,
    seconds: f64,
    handed: f64,
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
    latest: Option<Maker>,
    entered: Instant,
    since_fade: f64,
    parents: f64,
}

impl Pace {
    /// Begins with nothing known.
    pub fn new() -> Self {
        let tally = |usual| Tally { usual, ..Tally::default() };
        Pace {
            tallies: [tally(10e-6), tally(10e-6)],
            latest: None,
            entered: Instant::now(),
            since_fade: 0.0,
            parents: PARENTS_SAVED,
        }
    }

    /// Who made the last mutant.
    pub fn latest(&self) -> Option<Maker> {
        self.latest
    }

    /// Called when the mutator is entered: whoever made the mutant before has taken the time until
    /// now.
    pub fn enter(&mut self) {
        let now = Instant::now();
        self.account((now - self.entered).as_secs_f64());
        self.entered = now;
    }

    fn account(&mut self, seconds: f64) {
        let Some(maker) = self.latest else { return };
        let tally = &mut self.tallies[maker as usize];
        let seconds = seconds.min(MOST_USUAL * tally.usual);
        tally.usual += (seconds - tally.usual) / USUAL_OVER;
        self.spend(maker, seconds);
    }

    fn spend(&mut self, maker: Maker, seconds: f64) {
        self.tallies[maker as usize].seconds += seconds;
        self.parents = (self.parents + seconds * PARENTS).min(PARENTS_SAVED);
        self.since_fade += seconds;
        if self.since_fade >= FADES_EVERY {
            let stays = 1.0 - self.since_fade / MEMORY;
            for tally in &mut self.tallies {
                tally.found *= stays;
                tally.seconds *= stays;
                tally.handed *= stays;
            }
            self.since_fade = 0.0;
        }
    }

    /// Takes down that libFuzzer has taken a mutant into its corpus.
    pub fn found(&mut self, maker: Maker) {
        self.tallies[maker as usize].found += 1.0;
    }

    /// Takes down who made a mutant.
    pub fn hand(&mut self, maker: Maker) {
        self.tallies[maker as usize].handed += 1.0;
        self.latest = Some(maker);
    }

    /// Who makes the next mutant, if repairs may make `share` of them at most: whoever is behind
    /// with its part of the time.
    pub fn next(&self, share: f64) -> Maker {
        let [fuzzer, repair] = &self.tallies;
        // Who wants each mutant repaired gets that, whether it pays or not.
        if share >= 1.0 {
            return Maker::Repair;
        }
        let may_repair = repair.handed < share * (repair.handed + fuzzer.handed + 1.0);
        let of_time = (repair.rate() / (repair.rate() + fuzzer.rate())).clamp(LEAST, MOST);
        let is_behind = repair.seconds <= of_time * (repair.seconds + fuzzer.seconds);
        if may_repair && is_behind { Maker::Repair } else { Maker::Fuzzer }
    }

    /// Time that making an input of the corpus valid may take now.
    pub fn for_a_parent(&self) -> Duration {
        Duration::from_secs_f64(self.parents.max(0.0))
    }

    /// Takes what that has taken. It is part of no way's time.
    pub fn spend_on_a_parent(&mut self, took: Duration) {
        self.parents -= took.as_secs_f64();
        self.entered = Instant::now();
    }

    /// Takes what repairs have taken since the mutator was entered, in all processes.
    pub fn spend_on_repairs(&mut self, took: Duration) {
        self.spend(Maker::Repair, took.as_secs_f64());
        self.entered = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of the time and of the mutants that repairs get where a repaired mutant takes ten
    /// times as long, and each way finds something with one mutant in so many.
    fn parts(one_in: [u32; 2], share: f64) -> (f64, f64) {
        let mut pace = Pace::new();
        let mut counts = [0u32; 2];
        let mut seconds = [0.0; 2];
        for _ in 0..200_000 {
            let maker = pace.next(share);
            let number = maker as usize;
            pace.hand(maker);
            counts[number] += 1;
            if counts[number].is_multiple_of(one_in[number]) {
                pace.found(maker);
            }
            let took = [10e-6, 100e-6][number];
            seconds[number] += took;
            pace.account(took);
        }
        let part = |of: [f64; 2]| of[1] / (of[0] + of[1]);
        (part(seconds), part(counts.map(f64::from)))
    }

    #[test]
    fn the_way_that_finds_more_in_the_same_time_gets_more_of_it() {
        let [poor, even, rich] = [[10, 1000], [100, 10], [1000, 10]].map(|one| parts(one, 0.8).0);
        assert!(poor < even && even < rich, "{poor} {even} {rich}");
        assert!((even - 0.5).abs() < 0.05, "{even}");
    }

    #[test]
    fn repairs_get_a_third_of_the_time_whatever_they_find() {
        let part = parts([2, 1_000_000], 0.8).0;
        assert!((part - LEAST).abs() < 0.01, "{part}");
    }

    #[test]
    fn repairs_get_no_more_than_their_share_of_the_mutants() {
        for share in [0.0, 0.05, 1.0] {
            let part = parts([1_000_000, 2], share).1;
            assert!((part - share).abs() < 0.01, "{part} of {share}");
        }
    }
}
