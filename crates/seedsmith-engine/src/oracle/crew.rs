//! The workers of one run: which slot runs which candidates, how far ahead, and which slot is
//! waited for.
//!
//! A crew knows tickets and reports; it knows neither outcomes nor the cache. How many slots work
//! and how deep their queues are follows from how long a test takes, so timing decides how fast a
//! run is and never changes its answers.

use std::time::{Duration, Instant};

use crate::exec::{Limits, Notifier, Request, RunReport, Slot, Target, TargetError};
use seedsmith_grammar::internal::NumberMap;

/// How much work is in a slot's queue, by the time that it takes: enough to hide a wake-up of the
/// driver. A guess; not measured.
const QUEUED_TIME: Duration = Duration::from_micros(250);
/// Tests shorter than this are not worth a second process: waking it costs more. A guess at the
/// cost of a wake-up; not measured.
const MIN_TEST_TIME_FOR_MORE_SLOTS: Duration = Duration::from_micros(40);
/// A run that is over in this time needs no second process either: starting one would cost as much.
/// `benches/jobs.rs` compares numbers of slots; the figures that led to this value were not kept.
const MIN_RUN_TIME_FOR_MORE_SLOTS: Duration = Duration::from_millis(60);
/// How often slots are looked after while a report is awaited: the exactness of a limit of time. Each
/// look reads a file or two below `/proc`, so that it is not done more often.
const CHECK_EVERY: Duration = Duration::from_millis(5);
/// How often they are looked after at least, also while there are notifications all the time.
const MAX_TIME_BETWEEN_CHECKS: Duration = Duration::from_millis(50);
/// Candidate bytes that may be under way at once, in all slots, so that a few large candidates are not
/// read ahead in vain. A guess; not measured.
const MAX_BYTES_UNDER_WAY: usize = 24 << 20;

/// A slot gets another row of candidates when what it has takes no longer than this: long beside the driver's
/// wake-up, and short beside a whole run. A guess; not measured.
const MAX_TIME_BEFORE_A_ROW: Duration = Duration::from_millis(4);

/// One slot and its load.
struct Seat<'t> {
    slot: Box<dyn Slot + 't>,
    /// Candidates that it holds.
    under_way: usize,
    /// When its oldest candidate was given to it, or its last report taken.
    since: Instant,
}

/// A number of slots and the candidates that they hold.
pub struct Crew<'t> {
    target: &'t dyn Target,
    notifier: Notifier,
    seats: Vec<Seat<'t>>,
    /// Slots at most: fewer than asked for where the system had no room for more.
    jobs: usize,
    limits: Limits,
    next_ticket: u64,
    /// Where a ticket's candidate runs, and its size.
    tickets: NumberMap<u64, (usize, usize)>,
    bytes_under_way: usize,
    reports: NumberMap<u64, RunReport>,
    /// A moving average of the time that a test takes; it starts with a guess.
    pace: Duration,
    executions: u64,
    began: Instant,
    tended: Instant,
}

impl<'t> Crew<'t> {
    /// A crew of at most `jobs` slots; they are started when they are first needed.
    pub fn new(target: &'t dyn Target, jobs: usize) -> Result<Self, TargetError> {
        Ok(Crew {
            target,
            notifier: Notifier::new()?,
            seats: Vec::new(),
            jobs: jobs.clamp(1, target.max_slots().max(1)),
            limits: Limits::default(),
            next_ticket: 0,
            tickets: NumberMap::default(),
            bytes_under_way: 0,
            reports: NumberMap::default(),
            pace: Duration::from_micros(20),
            executions: 0,
            began: Instant::now(),
            tended: Instant::now(),
        })
    }

    /// The target that its slots run.
    pub fn target(&self) -> &'t dyn Target {
        self.target
    }

    /// How many slots there are at most.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Runs of the target until now.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// About how long one test takes.
    pub fn pace(&self) -> Duration {
        self.pace
    }

    /// Sets the limits of every slot, now and later.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        for seat in &mut self.seats {
            seat.slot.set_limits(limits);
        }
    }

    /// Queues a candidate on the slot with the least to do; `None` if all have enough.
    pub fn offer(
        &mut self,
        candidate: &[u8],
        request: Request,
    ) -> Result<Option<u64>, TargetError> {
        if self.has_enough_bytes(candidate) {
            return Ok(None);
        }
        let (wanted, depth) = (self.wanted_seats(), self.depth());
        let index = self.least_busy(wanted)?;
        if self.seats[index].under_way >= depth {
            return Ok(None);
        }
        Ok(self.push(index, candidate, request)?.map(|(ticket, _)| ticket))
    }

    /// Queues one of a row of candidates that have to run one after the other in one worker: the first one where the least
    /// is to do, and the others in the slot that it was given to. Gives the ticket and the number of the slot.
    ///
    /// A slot gets another row shortly before the end of the one that it has, so that its worker does not wait for it.
    /// Earlier it would keep the row from a slot that is done before. All slots work from the beginning: a caller that has rows has work for them.
    pub fn offer_in_row(
        &mut self,
        chosen: Option<usize>,
        candidate: &[u8],
        request: Request,
    ) -> Result<Option<(u64, usize)>, TargetError> {
        if self.has_enough_bytes(candidate) {
            return Ok(None);
        }
        let index = match chosen {
            Some(index) => index,
            None => {
                let index = self.least_busy(self.jobs)?;
                let left = self.seats[index].under_way as u32;
                if left > 0 && (self.executions == 0 || self.pace * left > MAX_TIME_BEFORE_A_ROW) {
                    return Ok(None);
                }
                index
            }
        };
        self.push(index, candidate, request)
    }

    /// Whether one more candidate would be too many bytes under way.
    fn has_enough_bytes(&self, candidate: &[u8]) -> bool {
        self.bytes_under_way > 0 && self.bytes_under_way + candidate.len() > MAX_BYTES_UNDER_WAY
    }

    /// The slot with the least to do of the first `wanted` ones. Starts one more if all have something to do.
    fn least_busy(&mut self, wanted: usize) -> Result<usize, TargetError> {
        while self.seats.len() < wanted
            && (self.seats.is_empty() || self.seats.iter().all(|seat| seat.under_way > 0))
        {
            match self.open_seat() {
                Ok(()) => {}
                Err(error) if self.seats.is_empty() => return Err(error),
                // The system has no room for another one: those that are there do the work.
                Err(_) => self.jobs = self.seats.len(),
            }
            if self.jobs <= self.seats.len() {
                break;
            }
        }
        let working = wanted.min(self.seats.len());
        let least_busy = (0..working).min_by_key(|index| self.seats[*index].under_way);
        Ok(least_busy.expect("there is at least one seat"))
    }

    /// Queues a candidate on a slot; `None` if that has no room.
    fn push(
        &mut self,
        index: usize,
        candidate: &[u8],
        request: Request,
    ) -> Result<Option<(u64, usize)>, TargetError> {
        let ticket = self.next_ticket;
        let seat = &mut self.seats[index];
        if !seat.slot.push(ticket, candidate, request)? {
            return Ok(None);
        }
        if seat.under_way == 0 {
            seat.since = Instant::now();
        }
        seat.under_way += 1;
        self.next_ticket += 1;
        self.tickets.insert(ticket, (index, candidate.len()));
        self.bytes_under_way += candidate.len();
        Ok(Some((ticket, index)))
    }

    /// Takes the report of `ticket` if it is there.
    pub fn report(&mut self, ticket: u64) -> Option<RunReport> {
        self.reports.remove(&ticket)
    }

    /// Whether a report of `ticket` is still to come.
    pub fn is_under_way(&self, ticket: u64) -> bool {
        self.tickets.contains_key(&ticket)
    }

    /// Looks whether slots have reports, without waiting. Returns how many came.
    pub fn collect(&mut self) -> Result<usize, TargetError> {
        let mut total = 0;
        for seat in &mut self.seats {
            let mut count = 0u32;
            // A fake runs the candidate when its report is taken: one at a time, so that a
            // success leaves the rest unrun, as with a real target.
            while let Some(report) = seat.slot.take()? {
                count += 1;
                seat.under_way -= 1;
                if let Some((_, bytes)) = self.tickets.remove(&report.ticket) {
                    self.bytes_under_way -= bytes;
                }
                self.reports.insert(report.ticket, report);
                if self.target.is_synchronous() {
                    break;
                }
            }
            if count > 0 {
                let now = Instant::now();
                let each = (now - seat.since) / count;
                self.pace = (self.pace * 7 + each) / 8;
                seat.since = now;
                self.executions += u64::from(count);
                total += count as usize;
            }
        }
        Ok(total)
    }

    /// Sleeps until a slot may have a report, at most a few milliseconds, and looks after the
    /// workers meanwhile.
    pub fn wait(&mut self) -> Result<(), TargetError> {
        let seen_count = self.notifier.count();
        for seat in self.seats.iter_mut().filter(|seat| seat.under_way > 0) {
            seat.slot.request_notification();
        }
        if self.collect()? > 0 {
            return Ok(());
        }
        self.notifier.wait(seen_count, CHECK_EVERY);
        if self.notifier.count() == seen_count || self.tended.elapsed() >= MAX_TIME_BETWEEN_CHECKS {
            self.tended = Instant::now();
            for seat in self.seats.iter_mut().filter(|seat| seat.under_way > 0) {
                seat.slot.tend()?;
            }
        }
        self.collect()?;
        Ok(())
    }

    /// Drops the queued candidates. Reports of those that were running may still come.
    pub fn cancel(&mut self) {
        for (index, seat) in self.seats.iter_mut().enumerate() {
            if seat.under_way == 0 {
                continue;
            }
            let running = seat.slot.cancel();
            seat.under_way = running.len();
            let bytes_under_way = &mut self.bytes_under_way;
            self.tickets.retain(|ticket, (at, bytes)| {
                let stays = *at != index || running.contains(ticket);
                if !stays {
                    *bytes_under_way -= *bytes;
                }
                stays
            });
        }
    }

    /// Ends all slots, and forgets the candidates that run in them. The next candidate is run in a
    /// new one.
    pub fn dismiss(&mut self) {
        self.seats.clear();
        self.tickets.clear();
        self.reports.clear();
        self.bytes_under_way = 0;
    }

    /// Tests that a slot may hold at once.
    fn depth(&self) -> usize {
        if self.target.is_slow() {
            return 1;
        }
        let pace = self.pace.max(Duration::from_nanos(500));
        (QUEUED_TIME.as_nanos() / pace.as_nanos()).clamp(1, 128) as usize
    }

    /// How many slots are worth having at this pace.
    fn wanted_seats(&self) -> usize {
        let is_long = self.pace >= MIN_TEST_TIME_FOR_MORE_SLOTS
            && (self.seats.len() > 1 || self.began.elapsed() >= MIN_RUN_TIME_FOR_MORE_SLOTS);
        if self.target.is_slow() || is_long { self.jobs } else { 1 }
    }

    /// Starts a slot. Costs a process start.
    fn open_seat(&mut self) -> Result<(), TargetError> {
        let mut slot = self.target.open(&self.notifier)?;
        slot.set_limits(self.limits);
        self.seats.push(Seat { slot, under_way: 0, since: Instant::now() });
        Ok(())
    }
}
