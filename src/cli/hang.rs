//! Minimizing a hang or a blow-up: the smallest input that takes more time or memory than the limit.
//!
//! Nobody can wait that long for every candidate. So the search goes by a short limit (of time, one
//! taken from runs that end), and what it finds is confirmed with the long one. Where that shows that the
//! result only takes a while, the short limit is raised and the search goes on from the last best
//! that exceeds it. Only confirmed inputs reach the disk.

use std::fmt;
use std::time::{Duration, Instant};

use super::duration::TimeLimit;
use super::exit::Trouble;
use super::hunt::Hunting;
use super::minimize::{Options, Searched, keep, searched};
use super::on_disk::OnDisk;
use crate::event::{Event, Minimality, StopReason};
use crate::oracle::budget::Budget;
use crate::oracle::judge::Judge;
use crate::oracle::{Oracle, RUNS_IN_A_LIMIT};
use crate::outcome::Outcome;
use crate::reduce::{self, Polish};
use crate::report::Report;
use crate::search::Search;
use crate::target::{Limits, Request};

/// Workers are looked at every few milliseconds: a shorter limit could not be held.
const SHORTEST: Duration = Duration::from_millis(20);
/// What pieces of the input are given before they count as hanging too.
const TRIAL: Duration = Duration::from_millis(100);
/// By how much the short limit is raised where it was too short.
const RAISE: u32 = 4;
/// Where sanitizers keep what was freed, even a small run holds hundreds of megabytes.
const LEAST_MB: u64 = 512;
/// Above this limit, tests that get below 1-minimal are counted: each may take that long.
const QUICK: Duration = Duration::from_millis(60);
/// How many they are then.
const SLOW_POLISH: u64 = 200;

/// What searching may take together, in long limits, before what was found is sifted: with a limit
/// of seconds each step takes seconds.
const SEARCHING: u32 = 2;

/// Searches for the smallest input that hangs; it is confirmed and on disk when this returns.
pub(super) fn search(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    start: Vec<u8>,
    options: &Options,
    on_disk: &mut OnDisk,
    report: &mut Report,
) -> Result<Searched, Trouble> {
    keep(&mut on_disk.keeper, &start)?;
    let interrupt = hunting.interrupt.flag();
    let mut limit = Limit::short(hunting, oracle, &start)?;
    let searching = (hunting.limits.cpu * SEARCHING).max(TimeLimit::HANG * SEARCHING);
    let enough = oracle.started().elapsed() + searching;
    let mut trail = Trail { bests: vec![start] };
    let mut stats = Vec::new();
    let mut confirmations = 0;
    let (mut found, is_out_of_time) = loop {
        report.hear(&Event::Note(&format!("searching with a limit of {limit}")));
        oracle.set_limits(limit.on(hunting.limits));
        let options = limit.patient(&options.reduction);
        let from = trail.last().to_vec();
        let mut listener = |event: &Event<'_>| match event {
            // Not announced: it is not known to hang, and not on disk.
            Event::Reduced { best, .. } => trail.add(best),
            _ => on_disk.hear(event, &interrupt, report),
        };
        let (mut found, is_out_of_time) =
            round(hunting, oracle, from, &options, &mut listener, enough)?;
        stats.append(&mut found.stats);
        let is_last = limit.is_long(hunting.limits) || is_out_of_time || found.stopped.is_some();
        if is_last || trail.bests.len() == 1 {
            break (found, is_out_of_time);
        }
        if confirm(hunting, trail.last(), report, &mut confirmations)? {
            trail.bests.drain(..trail.bests.len() - 1);
            break (found, false);
        }
        limit = limit.raised(hunting.limits);
        oracle.set_limits(limit.on(hunting.limits));
        if matches!(limit, Limit::Memory(_)) {
            // What was too much for the lower limit need not be for this one.
            oracle.forget_memory();
        }
        trail.go_back(|best| still_hangs(hunting, oracle, best))?;
    };
    let smallest = trail.bests.len() - 1;
    let mut chosen = smallest;
    for step in std::iter::successors(Some(1), |step| Some(step * 2)) {
        if chosen == 0 || confirm(hunting, &trail.bests[chosen], report, &mut confirmations)? {
            break;
        }
        chosen = smallest.saturating_sub(step);
    }
    if is_out_of_time || chosen < smallest {
        found.minimality = Minimality::None;
        found.remarks.push("a smaller one may hang too: each test takes seconds now".to_owned());
    }
    found.best = trail.bests.swap_remove(chosen);
    keep(&mut on_disk.keeper, &found.best)?;
    let elapsed = oracle.started().elapsed();
    let reduced = Event::Reduced { best: &found.best, counts: found.counts, elapsed };
    on_disk.record.hear(&reduced);
    report.hear(&reduced);
    found.counts.executions += confirmations;
    found.stats = stats;
    Ok(found)
}

/// Whether `best` hangs in new processes; the first of a trail is known to.
fn confirm(
    hunting: &Hunting<'_>,
    best: &[u8],
    report: &mut Report,
    confirmations: &mut u64,
) -> Result<bool, Trouble> {
    let limit = Limit::long(hunting);
    report.hear(&Event::Note(&format!("running {} bytes with {limit}", best.len())));
    let confirmed = hunting.confirm(best)?;
    *confirmations += u64::from(confirmed.runs);
    Ok(confirmed.holds(hunting.repeats))
}

/// One search with one limit, from `from`. Whether it ended because the run is older than `enough`.
fn round(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    from: Vec<u8>,
    options: &reduce::Options,
    listener: &mut dyn FnMut(&Event<'_>),
    enough: Duration,
) -> Result<(Searched, bool), Trouble> {
    let users = oracle.budget().clone();
    let is_ours = users.max_time.is_none_or(|theirs| enough < theirs);
    if is_ours {
        oracle.set_budget(Budget { max_time: Some(enough), ..users.clone() });
    }
    let mut listener = |event: &Event<'_>| listener(event);
    let (mut searched, ended) = searched(Search::new(oracle, from, &mut listener), options);
    oracle.set_budget(users);
    ended.map_err(|stopped| hunting.trouble(stopped))?;
    let is_out_of_time = is_ours && searched.stopped == Some(StopReason::Time);
    if is_out_of_time {
        searched.stopped = None;
    }
    Ok((searched, is_out_of_time))
}

/// What a candidate may take of the resource that the failure uses up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    /// Processor time.
    Time(Duration),
    /// Megabytes.
    Memory(u64),
}

impl Limit {
    fn long(hunting: &Hunting<'_>) -> Self {
        if hunting.quarry.is_hang() {
            Limit::Time(hunting.limits.cpu)
        } else {
            Limit::Memory(hunting.limits.memory_mb)
        }
    }

    /// The limit to begin with.
    fn short(
        hunting: &Hunting<'_>,
        oracle: &mut Oracle<'_>,
        input: &[u8],
    ) -> Result<Self, Trouble> {
        Ok(match Limit::long(hunting) {
            Limit::Time(long) => Limit::Time(short_limit(hunting, oracle, input)?.min(long)),
            Limit::Memory(long) => Limit::Memory((long / u64::from(RAISE)).max(LEAST_MB).min(long)),
        })
    }

    fn raised(self, long: Limits) -> Self {
        match self {
            Limit::Time(limit) => Limit::Time(limit.saturating_mul(RAISE).min(long.cpu)),
            Limit::Memory(limit) => Limit::Memory((limit * u64::from(RAISE)).min(long.memory_mb)),
        }
    }

    fn is_long(self, long: Limits) -> bool {
        self.on(long) == long || self == Limit::Time(long.cpu)
    }

    fn on(self, limits: Limits) -> Limits {
        match self {
            Limit::Time(limit) => limits.with_time(limit),
            Limit::Memory(memory_mb) => Limits { memory_mb, ..limits },
        }
    }

    /// The options for tests that may take this much each.
    fn patient(self, options: &reduce::Options) -> reduce::Options {
        let mut options = options.clone();
        let is_slow = match self {
            Limit::Time(limit) => limit > QUICK,
            Limit::Memory(_) => true,
        };
        if options.polish == Polish::Auto && is_slow {
            options.polish = Polish::Tests(SLOW_POLISH);
        }
        options
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(limit) => write!(f, "{limit:.0?}"),
            Limit::Memory(limit) => write!(f, "{limit} MB"),
        }
    }
}

/// Ten times as long as the slowest piece of the input that ends takes.
fn short_limit(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    input: &[u8],
) -> Result<Duration, Trouble> {
    oracle.set_limits(hunting.limits.with_time(TRIAL));
    let mut slowest = Duration::ZERO;
    for piece in pieces(input) {
        let mut quickest = TRIAL;
        // The first run of a worker is slow, and others use the machine: the better of two counts.
        for _ in 0..2 {
            let began = Instant::now();
            let request = Request { frames: false, fresh: false };
            let seen = oracle.observe(piece, request).map_err(|stop| hunting.trouble(stop))?;
            if hunting.hunt.outcome(&seen) == Outcome::Fail {
                quickest = Duration::ZERO;
            }
            quickest = quickest.min(began.elapsed());
            if quickest * RUNS_IN_A_LIMIT <= SHORTEST {
                break;
            }
        }
        slowest = slowest.max(quickest);
    }
    Ok((slowest * RUNS_IN_A_LIMIT).max(SHORTEST))
}

/// Nothing, beginnings and ends of several lengths.
fn pieces(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lengths = [16, 8, 4, 2].map(|part| input.len() / part);
    let cuts = lengths.map(|length| [&input[..length], &input[input.len() - length..]]);
    std::iter::once(&input[..0]).chain(cuts.into_iter().flatten())
}

fn still_hangs(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    best: &[u8],
) -> Result<bool, Trouble> {
    let request = Request { frames: false, fresh: true };
    let seen = oracle.observe(best, request).map_err(|stopped| hunting.trouble(stopped))?;
    Ok(hunting.hunt.outcome(&seen) == Outcome::Fail)
}

/// The bests of a search, thinned out. The first is confirmed.
struct Trail {
    bests: Vec<Vec<u8>>,
}

impl Trail {
    fn last(&self) -> &[u8] {
        self.bests.last().expect("the first is never taken away")
    }

    /// Adds a best; the one before it goes where it is hardly larger than the one before that.
    fn add(&mut self, best: &[u8]) {
        if let [.., earlier, last] = self.bests.as_slice()
            && last.len() * 10 > earlier.len() * 9
        {
            self.bests.pop();
        }
        self.bests.push(best.to_vec());
    }

    /// Goes back to the last best that `hangs`, taking for granted that all before it do.
    fn go_back<E>(&mut self, mut hangs: impl FnMut(&[u8]) -> Result<bool, E>) -> Result<(), E> {
        let (mut hanging, mut ending) = (0, self.bests.len());
        while ending - hanging > 1 {
            let middle = hanging + (ending - hanging) / 2;
            if hangs(&self.bests[middle])? {
                hanging = middle;
            } else {
                ending = middle;
            }
        }
        self.bests.truncate(hanging + 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_raised_fourfold_up_to_the_long_one() {
        let long = Limits::default();
        let mut limit = Limit::Memory(512);
        assert_eq!((limit.on(long).memory_mb, limit.is_long(long)), (512, false));
        limit = limit.raised(long);
        assert!(limit.is_long(long));
        let mut limit = Limit::Time(SHORTEST);
        let mut raises = 0;
        while !limit.is_long(long) {
            limit = limit.raised(long);
            raises += 1;
        }
        assert_eq!((limit, raises), (Limit::Time(long.cpu), 5));
    }

    #[test]
    fn a_trail_is_thinned_out_and_found_back_by_bisection() {
        let mut trail = Trail { bests: vec![vec![0; 10_000]] };
        for length in (1..10_000).rev() {
            trail.add(&vec![0; length]);
        }
        assert!(trail.bests.len() < 100, "{}", trail.bests.len());
        assert_eq!(trail.last().len(), 1);
        let mut asked = 0;
        let back = trail.go_back(|best| {
            asked += 1;
            Ok::<bool, ()>(best.len() >= 700)
        });
        assert_eq!(back, Ok(()));
        assert!((700..900).contains(&trail.last().len()), "{}", trail.last().len());
        assert!(asked <= 7);
        trail.go_back(|_| Ok::<bool, ()>(false)).unwrap();
        assert_eq!(trail.last().len(), 10_000);
    }

    #[test]
    fn pieces_are_beginnings_and_ends() {
        let pieces: Vec<&[u8]> = pieces(b"0123456789abcdef").collect();
        assert_eq!(pieces[..3], [&b""[..], b"0", b"f"]);
        assert_eq!(pieces.len(), 9);
    }
}
