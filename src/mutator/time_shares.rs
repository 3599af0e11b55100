//! Who makes the next mutant: the time is shared by the finds of each way, in all inputs and in valid ones.
//!
//! A repaired mutant takes many times as long as one that is run as it comes, one made of pieces a
//! few times, and each finds more or less by that. An input that libFuzzer takes into its corpus comes back as
//! something to mutate, so the way that made it is credited with it. A way's part of the time is
//! the mean of two parts: of what all ways find in a second, and of the *valid* inputs that they find in
//! a second. libFuzzer alone finds most of the parser's own edges, in its errors, and hardly any of
//! the code after it; so neither of the two may decide alone.
//!
//! There is a floor of valid inputs too: several times as many as libFuzzer makes by itself, or as
//! many as the user wants. It is filled by the way that makes a valid input in the least time.

use std::time::{Duration, Instant};

use crate::mutator::settings::Settings;
use nix::time::{ClockId, clock_gettime};

/// Who made a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maker {
    /// libFuzzer's own mutator alone.
    Fuzzer = 0,
    /// An exchange of pieces, of those that are valid at once.
    Pieces = 1,
    /// A repair, or the attempt.
    Repair = 2,
}

impl Maker {
    /// All of them.
    pub(super) const ALL: [Maker; 3] = [Maker::Fuzzer, Maker::Pieces, Maker::Repair];
}

/// Who makes the next mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Who.
    pub maker: Maker,
    /// Whether it is wanted because it is valid, whatever it reaches.
    pub is_for_valid: bool,
}

/// Valid inputs should be this many times as frequent as among libFuzzer's own mutants.
/// The aim is five times the share in libFuzzer alone, and the observed share is sometimes half of that, because
/// valid inputs that we found first were not found by it. With 10 lisp had 4.8 times as large a share, svg
/// 7.0 times (docs/notes/2026-11-23-mutator-searches-in-its-worker.md).
const TIMES_SEEN_VALID: f64 = 12.0;
/// The least share of valid inputs. It costs little, because libFuzzer runs few
/// inputs: most are run in the worker. Not measured alone.
const MIN_VALID_SHARE: f64 = 0.1;
/// A share of valid inputs that is enough, because the errors of a parser are found by the others. Not
/// measured.
const MAX_VALID_SHARE: f64 = 0.85;
/// The share of the time in which libFuzzer may run inputs only because they are valid. They are made
/// anyway, in the search for new ones; changed from 0.4 to 0.35 by two targets, kdl and ron
/// (docs/notes/2026-11-22-mutator-runs-the-target.md).
const MAX_TIME_FOR_VALID: f64 = 0.35;
/// The same where libFuzzer's own mutants are valid often. With 0.35, lisp had 4.4 times plain's share of valid inputs, and with
/// about 0.54 it had 6.5 times (docs/notes/2026-11-27-mutator-five-seeds.md). How far it may grow was not measured.
const MAX_TIME_FOR_MOST_VALID: f64 = 0.6;
/// Each maker gets this share of the time, so that its figures stay up to date.
const MIN_TIME_SHARE: f64 = 0.03;
/// libFuzzer alone gets this share, because the parser's errors are found by it. With 0.2 edges in all
/// were 0.94 and 0.97 of plain's on kdl and ron, with 0.35 they were 0.98 and 0.99
/// (docs/notes/2026-11-22-mutator-runs-the-target.md). With 0.3 in the place of 0.4 nothing was gained after the parser
/// (docs/notes/2026-11-23-mutator-hangs-and-valid-rows.md).
const MIN_FUZZER_TIME_SHARE: f64 = 0.4;
/// While valid inputs are too few all the same, libFuzzer's share is no more than this. Its mutants are
/// run in the worker, so that they hardly lower the share of valid ones. Not measured alone.
const FUZZER_TIME_SHARE_IF_LACKING: f64 = 0.35;
/// Finds that each maker is assumed to have made before anything is known, and in how many seconds, so that
/// all have the same rate at first. Not measured.
const PRIOR_FINDS_AND_SECONDS: (f64, f64) = (4.0, 0.02);
/// The same of valid mutants, in less time because a lot of them is a matter of microseconds.
const PRIOR_VALID_AND_SECONDS: (f64, f64) = (4.0, 0.0002);
/// Seconds of fuzzing after which the past counts for a third, because the most productive maker changes
/// as a corpus grows. Not measured.
const MEMORY_SECONDS: f64 = 30.0;
/// Seconds between two fadings: often, so that they are small, and not for each mutant.
const FADE_SECONDS: f64 = 0.5;
/// The time between two mutants counts as at most this many usual ones, because in a longer one another
/// program had the core.
const MAX_USUAL_TIMES: f64 = 16.0;
/// In how many mutants the usual time forgets. A guess, not measured: long enough that one slow mutant
/// does not change it.
const USUAL_TIME_MUTANTS: f64 = 64.0;
/// The share of the fuzzer's time in which inputs of the corpus are made valid: small, so that a large
/// invalid corpus does not stop fuzzing. Not measured.
const PARENTS_TIME_SHARE: f64 = 0.05;
/// Seconds saved up for that at most, and had at the beginning: 20 ms, two inputs of 10 ms.
const MAX_SAVED_SECONDS: f64 = 0.02;

/// The time that this process has had a processor for. While it waits for another one, that may
/// wait for a third: the clock on the wall does not show the cost of a repair.
pub(super) fn processor_time() -> Duration {
    time_of(ClockId::CLOCK_PROCESS_CPUTIME_ID)
}

/// What a clock shows; zero if there is no such clock.
pub(super) fn time_of(clock: ClockId) -> Duration {
    clock_gettime(clock)
        .map_or(Duration::ZERO, |time| Duration::new(time.tv_sec() as u64, time.tv_nsec() as u32))
}

/// What one way has done lately.
#[derive(Debug)]
struct Tally {
    /// Inputs of it that libFuzzer has kept,
    found: f64,
    /// and valid ones of those.
    found_valid: f64,
    seconds: f64,
    handed: f64,
    /// Of those, valid ones.
    valid: f64,
    /// What one mutant usually takes, in seconds.
    usual: f64,
}

impl Tally {
    fn new() -> Self {
        Tally { found: 0.0, found_valid: 0.0, seconds: 0.0, handed: 0.0, valid: 0.0, usual: 10e-6 }
    }

    fn rate(&self) -> f64 {
        (self.found + PRIOR_FINDS_AND_SECONDS.0) / (self.seconds + PRIOR_FINDS_AND_SECONDS.1)
    }

    /// Valid finds in a second.
    fn rate_of_valid(&self) -> f64 {
        (self.found_valid + PRIOR_FINDS_AND_SECONDS.0) / (self.seconds + PRIOR_FINDS_AND_SECONDS.1)
    }

    /// Valid mutants in a second.
    fn valid_rate(&self) -> f64 {
        (self.valid + PRIOR_VALID_AND_SECONDS.0) / (self.seconds + PRIOR_VALID_AND_SECONDS.1)
    }

    fn fade(&mut self, stays: f64) {
        let Tally { found, found_valid, seconds, handed, valid, usual: _ } = self;
        for count in [found, found_valid, seconds, handed, valid] {
            *count *= stays;
        }
    }
}

/// The ways, and the clock.
#[derive(Debug)]
pub(super) struct TimeShares {
    tallies: [Tally; Maker::ALL.len()],
    latest: Option<Maker>,
    /// Whether the latest mutant was made because it is valid, and the seconds of such ones.
    is_for_valid: bool,
    for_valid: f64,
    /// Of this many of libFuzzer's own mutants, this many were valid.
    seen: (f64, f64),
    entered: Instant,
    since_fade: f64,
    parents: f64,
}

impl TimeShares {
    /// Begins with nothing known.
    pub(super) fn new() -> Self {
        TimeShares {
            tallies: Maker::ALL.map(|_| Tally::new()),
            latest: None,
            is_for_valid: false,
            for_valid: 0.0,
            seen: (0.0, 0.0),
            entered: Instant::now(),
            since_fade: 0.0,
            parents: MAX_SAVED_SECONDS,
        }
    }

    /// Who made the last mutant.
    pub(super) fn latest(&self) -> Option<Maker> {
        self.latest
    }

    /// Called when the mutator is entered: whichever maker made the mutant before has taken the time until
    /// now.
    pub(super) fn enter(&mut self) {
        let now = Instant::now();
        self.account((now - self.entered).as_secs_f64());
        self.entered = now;
    }

    fn account(&mut self, seconds: f64) {
        let Some(maker) = self.latest else { return };
        let tally = &mut self.tallies[maker as usize];
        let seconds = seconds.min(MAX_USUAL_TIMES * tally.usual);
        tally.usual += (seconds - tally.usual) / USUAL_TIME_MUTANTS;
        self.for_valid += if self.is_for_valid { seconds } else { 0.0 };
        self.spend(maker, seconds);
    }

    fn spend(&mut self, maker: Maker, seconds: f64) {
        self.tallies[maker as usize].seconds += seconds;
        self.parents = (self.parents + seconds * PARENTS_TIME_SHARE).min(MAX_SAVED_SECONDS);
        self.since_fade += seconds;
        if self.since_fade >= FADE_SECONDS {
            let stays = 1.0 - self.since_fade / MEMORY_SECONDS;
            self.tallies.iter_mut().for_each(|tally| tally.fade(stays));
            self.seen = (self.seen.0 * stays, self.seen.1 * stays);
            self.for_valid *= stays;
            self.since_fade = 0.0;
        }
    }

    /// Records that libFuzzer has taken a mutant into its corpus, and whether that is known to be valid.
    pub(super) fn found(&mut self, maker: Maker, is_valid: bool) {
        let tally = &mut self.tallies[maker as usize];
        tally.found += 1.0;
        tally.found_valid += f64::from(u8::from(is_valid));
    }

    /// Records how many finds of libFuzzer's own mutants are valid. The time until now counts for no way.
    pub(super) fn found_valid(&mut self, valid: usize) {
        self.tallies[Maker::Fuzzer as usize].found_valid += valid as f64;
        self.entered = Instant::now();
    }

    /// Records who made a mutant, and whether it is known to be valid.
    pub(super) fn hand(&mut self, Turn { maker, is_for_valid }: Turn, is_valid: bool) {
        self.is_for_valid = is_for_valid;
        let tally = &mut self.tallies[maker as usize];
        tally.handed += 1.0;
        tally.valid += f64::from(u8::from(is_valid));
        self.latest = Some(maker);
    }

    /// Records how many of some mutants of libFuzzer alone are valid. The time until now is
    /// no way's.
    pub(super) fn see_fuzzers(&mut self, valid: usize, of: usize) {
        self.seen = (self.seen.0 + of as f64, self.seen.1 + valid as f64);
        self.entered = Instant::now();
    }

    /// The share of valid ones among the mutants of libFuzzer alone.
    fn of_fuzzers(&self) -> f64 {
        self.seen.1 / self.seen.0.max(1.0)
    }

    /// The share of the time in which libFuzzer may run inputs only because they are valid.
    ///
    /// More where libFuzzer's own mutants are valid so often that several times their share is more than enough: most
    /// inputs then have to be valid.
    fn time_for_valid(&self) -> f64 {
        let wanted = TIMES_SEEN_VALID * self.of_fuzzers() / MAX_VALID_SHARE;
        let time = MAX_TIME_FOR_VALID * (1.0 + wanted) / 2.0;
        time.clamp(MAX_TIME_FOR_VALID, MAX_TIME_FOR_MOST_VALID)
    }

    /// Whether fewer mutants are valid than should be.
    fn lacks_valid_ones(&self, wanted: Option<f64>) -> bool {
        let [fuzzer, pieces, repair] = &self.tallies;
        let of_fuzzers = self.of_fuzzers();
        let wanted = wanted
            .unwrap_or((TIMES_SEEN_VALID * of_fuzzers).clamp(MIN_VALID_SHARE, MAX_VALID_SHARE));
        let valid = fuzzer.handed * of_fuzzers + pieces.valid + repair.valid;
        valid < wanted * (fuzzer.handed + pieces.handed + repair.handed)
    }

    /// The part of the time that each way should have, by its finds.
    fn parts(&self, lacks_valid_ones: bool) -> [f64; 3] {
        let part_of = |rate: fn(&Tally) -> f64| {
            let rates = [0, 1, 2].map(|number| rate(&self.tallies[number]));
            rates.map(|one| one / rates.iter().sum::<f64>())
        };
        let (all, valid) = (part_of(Tally::rate), part_of(Tally::rate_of_valid));
        let part = |number: usize| (all[number] + valid[number]) / 2.0;
        let fuzzer = part(0).clamp(MIN_FUZZER_TIME_SHARE, 1.0 - 2.0 * MIN_TIME_SHARE);
        let fuzzer = if lacks_valid_ones { FUZZER_TIME_SHARE_IF_LACKING } else { fuzzer };
        let [pieces, repair] = [part(1).max(MIN_TIME_SHARE), part(2).max(MIN_TIME_SHARE)];
        let scale = (1.0 - fuzzer) / (pieces + repair);
        [fuzzer, pieces * scale, repair * scale]
    }

    /// Who makes the next mutant, and what for.
    pub(super) fn next(&self, settings: Settings) -> Turn {
        let for_finds = |maker| Turn { maker, is_for_valid: false };
        let for_valid = |maker| Turn { maker, is_for_valid: true };
        let [fuzzer, pieces, repair] = &self.tallies;
        // Who wants each mutant repaired gets that, whether it pays or not.
        if settings.share >= 1.0 {
            return for_valid(Maker::Repair);
        }
        let ours = pieces.handed + repair.handed;
        if ours >= settings.share * (ours + fuzzer.handed + 1.0) {
            return for_finds(Maker::Fuzzer);
        }
        let seconds = fuzzer.seconds + pieces.seconds + repair.seconds;
        for (maker, tally) in [(Maker::Pieces, pieces), (Maker::Repair, repair)] {
            if tally.seconds <= MIN_TIME_SHARE * seconds {
                return for_finds(maker);
            }
        }
        let lacks_valid_ones = self.lacks_valid_ones(settings.valid);
        let most = if settings.valid.is_some() { 1.0 } else { self.time_for_valid() };
        if lacks_valid_ones && self.for_valid <= most * seconds {
            let pieces_are_cheaper = pieces.valid_rate() >= repair.valid_rate();
            return for_valid(if pieces_are_cheaper { Maker::Pieces } else { Maker::Repair });
        }
        if settings.valid.is_some() {
            return for_finds(Maker::Fuzzer);
        }
        let parts = self.parts(lacks_valid_ones);
        let lag = |maker: &Maker| self.tallies[*maker as usize].seconds / parts[*maker as usize];
        let last = Maker::ALL.into_iter().min_by(|left, right| lag(left).total_cmp(&lag(right)));
        for_finds(last.unwrap_or(Maker::Fuzzer))
    }

    /// Time that making an input of the corpus valid may take now.
    pub(super) fn for_a_parent(&self) -> Duration {
        Duration::from_secs_f64(self.parents.max(0.0))
    }

    /// Takes what that has taken. It is part of no way's time.
    pub(super) fn spend_on_a_parent(&mut self, took: Duration) {
        self.parents -= took.as_secs_f64();
        self.entered = Instant::now();
    }

    /// Takes what making mutants ahead has taken since the mutator was entered, in all processes.
    pub(super) fn spend_on(&mut self, turn: Turn, took: Duration) {
        self.for_valid += if turn.is_for_valid { took.as_secs_f64() } else { 0.0 };
        self.spend(turn.maker, took.as_secs_f64());
        self.entered = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What became of it: shares of the time, of the mutants, and of valid ones among these.
    struct Shares {
        time: [f64; 3],
        mutants: [f64; 3],
        valid: f64,
    }

    /// Where repaired mutants and those of pieces take three times as long as libFuzzer's, each way
    /// finds something with one mutant in this many, and one in this many of libFuzzer's is valid.
    fn shares(one_in: [u32; 3], settings: Settings, valid_one_in: usize) -> Shares {
        let mut time_shares = TimeShares::new();
        let (mut counts, mut seconds, mut valid) = ([0.0; 3], [0.0; 3], 0.0);
        for number_of_turn in 0..200_000 {
            let turn = time_shares.next(settings);
            let maker = turn.maker;
            let number = maker as usize;
            let is_ours = maker != Maker::Fuzzer;
            time_shares.hand(turn, is_ours);
            counts[number] += 1.0;
            let is_valid = is_ours || number_of_turn % valid_one_in == 0;
            valid += f64::from(u8::from(is_valid));
            if number_of_turn % 1000 == 0 {
                time_shares.see_fuzzers(1000 / valid_one_in, 1000);
            }
            if (counts[number] as u32).is_multiple_of(one_in[number]) {
                time_shares.found(maker, is_ours);
            }
            let took = [10e-6, 30e-6, 30e-6][number];
            seconds[number] += took;
            time_shares.account(took);
        }
        let all: f64 = counts.iter().sum();
        let time: f64 = seconds.iter().sum();
        Shares {
            time: seconds.map(|one| one / time),
            mutants: counts.map(|one| one / all),
            valid: valid / all,
        }
    }

    const fn at_most(share: f64) -> Settings {
        Settings { share, valid: None }
    }

    const NEVER: u32 = 1_000_000;

    #[test]
    fn the_way_that_finds_the_most_valid_inputs_in_the_same_time_gets_most_of_what_libfuzzer_leaves()
     {
        for (best, one_in) in [[1000, 10, 1000], [1000, 1000, 10]].iter().enumerate() {
            let time = shares(*one_in, at_most(0.99), 1000).time;
            assert!(
                time[best + 1] > 0.5 && time[0] > 0.9 * MIN_FUZZER_TIME_SHARE,
                "{best}: {time:?}"
            );
        }
    }

    #[test]
    fn where_libfuzzer_finds_nearly_all_and_nothing_valid_half_of_the_time_is_its_own() {
        let time = shares([2, 1000, 1000], at_most(0.99), 100_000).time;
        assert!((0.4..0.6).contains(&time[0]), "{time:?}");
    }

    #[test]
    fn each_way_is_tried_now_and_then_whatever_it_finds() {
        for one_in in [[2, NEVER, NEVER], [NEVER, 2, NEVER]] {
            let time = shares(one_in, at_most(0.9), 1000).time;
            assert!(time.iter().all(|one| *one > 0.9 * MIN_TIME_SHARE), "{time:?}");
        }
    }

    #[test]
    fn there_are_several_times_as_many_valid_inputs_as_libfuzzer_makes() {
        for (valid_one_in, settings) in [
            (100_000, MIN_VALID_SHARE),
            (250, TIMES_SEEN_VALID / 250.0),
            (50, TIMES_SEEN_VALID / 50.0),
        ] {
            let valid = shares([2, NEVER, NEVER], at_most(0.9), valid_one_in).valid;
            assert!(valid > settings - 0.005, "{valid} {settings}");
        }
    }

    #[test]
    fn as_many_are_valid_as_the_user_wants_and_no_more() {
        for settings in [0.1, 0.3, 0.7] {
            let valid =
                shares([2, 2, 2], Settings { share: 0.9, valid: Some(settings) }, 1000).valid;
            assert!((valid - settings).abs() < 0.03, "{valid} {settings}");
        }
    }

    #[test]
    fn ours_are_no_more_than_their_share_of_the_mutants() {
        for share in [0.0, 0.05, 1.0] {
            let [plain, ..] = shares([NEVER, 2, 2], at_most(share), 1000).mutants;
            let most = share + 0.01;
            assert!(1.0 - plain <= most && (share < 1.0 || plain == 0.0), "{plain} of {share}");
        }
    }
}
