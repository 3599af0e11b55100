//! Owns the best input found so far. Reducers only propose.
//!
//! A search can't miss the best: however a reducer tests it, a candidate that shows the failure and
//! is [simpler](seedsmith_grammar::order) than the best becomes the best and is reported. The
//! search knows no file and prints nothing; it reads the clock only to measure how long things
//! took.

use std::time::{Duration, Instant};

use crate::event::{Counts, Event, Minimality, NoteKind, ReducerStats, Reporter};
use crate::wishes::Wishes;
use seedsmith_engine::Observation;
use seedsmith_engine::Outcome;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::internal::order;

/// Whether a candidate is worth a test.
pub(crate) type Admits<'a> = dyn FnMut(&[u8]) -> bool + 'a;

/// The state of one reduction.
pub struct Search<'s, 't> {
    oracle: &'s mut Oracle<'t>,
    reporter: &'s mut (dyn Reporter + 's),
    best: Vec<u8>,
    minimality: Minimality,
    stats: Vec<ReducerStats>,
    improvements: u64,
    work: u64,
    last_progress: Instant,
    other_failures_told: usize,
    is_fresh_told: bool,
    admits: Option<Box<Admits<'s>>>,
    /// Notes that were reported.
    noted: Vec<String>,
    wishes: Wishes,
    /// Whether a reducer runs that may be skipped.
    may_skip: bool,
    /// Whether the reducer that runs was told to stop, because it is skipped.
    is_skipping: bool,
    skipped: u64,
}

/// The note that is reported when verdicts depend on the runs before.
pub const DEPENDS_ON_BEFORE: &str = "what the target does depends on what ran before: from here \
     on each candidate gets a process of its own, which is slower";

/// At most ten signs of life a second.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

impl<'s, 't> Search<'s, 't> {
    /// A search that starts from `input`, which has to show the failure that `oracle` hunts.
    #[doc(hidden)]
    pub fn new(
        oracle: &'s mut Oracle<'t>,
        input: Vec<u8>,
        reporter: &'s mut (dyn Reporter + 's),
    ) -> Self {
        let is_fresh_told = oracle.is_always_fresh();
        Search {
            oracle,
            is_fresh_told,
            reporter,
            best: input,
            minimality: Minimality::None,
            stats: Vec::new(),
            improvements: 0,
            work: 0,
            last_progress: Instant::now(),
            other_failures_told: 0,
            admits: None,
            noted: Vec::new(),
            wishes: Wishes::default(),
            may_skip: false,
            is_skipping: false,
            skipped: 0,
        }
    }

    /// From here on looks at these wishes.
    pub(crate) fn heed(&mut self, wishes: Wishes) {
        self.wishes = wishes;
    }

    /// From here on takes no candidate that `admits` refuses: for a reducer it doesn't fail. It
    /// costs no test, but counts as work.
    pub(crate) fn take_only(&mut self, admits: Box<Admits<'s>>) {
        self.admits = Some(admits);
    }

    /// The simplest input found so far that shows the failure.
    pub fn best(&self) -> &[u8] {
        &self.best
    }

    /// How often the best was replaced by a simpler one.
    pub(crate) fn improvements(&self) -> u64 {
        self.improvements
    }

    /// The claim about how small the best is.
    pub(crate) fn minimality(&self) -> Minimality {
        self.minimality
    }

    /// States what was found out about the best. It holds until a better one is found. After a reducer was
    /// skipped nothing is known about single units, so only a claim about all shorter inputs is taken.
    pub(crate) fn claim(&mut self, minimality: Minimality) {
        if self.skipped == 0 || minimality == Minimality::Global {
            self.minimality = self.minimality.max(minimality);
        }
    }

    /// How many runs of reducers were skipped.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The statistics of every reducer, in order.
    #[doc(hidden)]
    pub fn stats(&self) -> &[ReducerStats] {
        &self.stats
    }

    /// The work requested until now, in tests of short candidates: one for each consumed candidate
    /// and one more for every 256 bytes of it. It is the same for any number of workers.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Counts until now.
    #[doc(hidden)]
    pub fn counts(&self) -> Counts {
        self.oracle.counts()
    }

    /// Says whether the search may continue, for long work between tests: a limit or a signal ends
    /// that too. The next test then returns the reason.
    pub(crate) fn keep_going(&self) -> impl Fn() -> bool + use<> {
        let (budget, started) = (self.oracle.budget().clone(), self.oracle.started());
        move || budget.check_time(started).is_ok()
    }

    /// The first candidate of a stream that shows the failure; it becomes the best if it is
    /// simpler than that.
    ///
    /// The stream has all candidates that the reducer would try *if nothing were accepted*: it is
    /// read ahead (see [`Oracle::first`]). `next` writes a candidate into an empty buffer and
    /// returns a value by which the reducer recognises it.
    #[doc(hidden)]
    pub fn first<M>(
        &mut self,
        next: impl FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<Option<M>, Stopped> {
        Ok(self.first_with(Outcome::Fail, next)?.map(|(motion, _)| motion))
    }

    /// The first candidate of a stream with the `wanted` outcome, and its bytes.
    pub(crate) fn first_with<M>(
        &mut self,
        wanted: Outcome,
        next: impl FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.race(wanted, next, &mut |_| true)
    }

    /// As [`Search::first`], but the stream also ends when `goes_on` returns false. It is called
    /// with the observation of each candidate, in candidate order.
    pub(crate) fn first_while<M>(
        &mut self,
        next: impl FnMut(&mut Vec<u8>) -> Option<M>,
        goes_on: &mut dyn FnMut(&Observation) -> bool,
    ) -> Result<Option<M>, Stopped> {
        Ok(self.race(Outcome::Fail, next, goes_on)?.map(|(motion, _)| motion))
    }

    fn race<M>(
        &mut self,
        wanted: Outcome,
        mut next: impl FnMut(&mut Vec<u8>) -> Option<M>,
        goes_on: &mut dyn FnMut(&Observation) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        let (may_skip, wishes) = (self.may_skip, &self.wishes);
        let is_skipped = || may_skip && wishes.wants_skip();
        // Candidates proposed after the one that is accepted are not consumed, so each motion
        // carries the sum of work up to it.
        let mut work = self.work;
        let mut admits = self.admits.as_mut().filter(|_| wanted == Outcome::Fail);
        // The oracle checks the budget at each test; a candidate that is not admitted is no test,
        // so the clock is checked here.
        let clock = admits.is_some().then(|| (self.oracle.budget().clone(), self.oracle.started()));
        let mut is_over = None;
        let mut stream = |buffer: &mut Vec<u8>| {
            loop {
                if is_skipped() {
                    return None;
                }
                let motion = next(buffer)?;
                work += 1 + buffer.len() as u64 / 256;
                if admits.as_mut().is_none_or(|admits| admits(buffer)) {
                    return Some((motion, work));
                }
                buffer.clear();
                is_over = clock.as_ref().and_then(|(budget, at)| budget.check_time(*at).err());
                if is_over.is_some() {
                    return None;
                }
            }
        };
        let mut is_wanted = false;
        let answer = self.oracle.until_observed(&mut stream, &mut |outcome, observation| {
            is_wanted = outcome == wanted;
            is_wanted || !goes_on(observation)
        });
        let answer = match (answer, is_over) {
            (Ok(None), Some(reason)) => Err(Stopped::Early(reason)),
            // The stream may have been cut off. The reducer hands the error on, and `or_skipped` takes it.
            (Ok(None), None) if is_skipped() => {
                self.is_skipping = true;
                Err(Stopped::Early(StopReason::Interrupted))
            }
            (answer, _) => answer,
        };
        self.tell_progress();
        let answer = answer?.map(|((motion, consumed), candidate)| {
            work = consumed;
            (motion, candidate)
        });
        self.work = work;
        let answer = answer.filter(|_| is_wanted);
        if wanted == Outcome::Fail
            && let Some((_, candidate)) = &answer
        {
            self.offer(candidate);
        }
        Ok(answer)
    }

    /// Whether `candidate` shows the failure; one test.
    pub fn fails(&mut self, candidate: &[u8]) -> Result<bool, Stopped> {
        let mut once = Some(());
        let answer = self.first(|buffer| {
            once.take()?;
            buffer.extend_from_slice(candidate);
            Some(())
        })?;
        Ok(answer.is_some())
    }

    /// Runs a reducer under its name and keeps its statistics.
    pub(crate) fn run<R>(
        &mut self,
        reducer: &str,
        body: impl FnOnce(&mut Self) -> Result<R, Stopped>,
    ) -> Result<R, Stopped> {
        let before = self.counts();
        let bytes_before = self.best.len();
        let started = Instant::now();
        self.reporter.report(&Event::ReducerStarted { reducer });
        let result = body(self);
        let stats = ReducerStats {
            reducer: reducer.to_owned(),
            counts: self.counts() - before,
            bytes_before,
            bytes_after: self.best.len(),
            elapsed: started.elapsed(),
        };
        self.reporter.report(&Event::ReducerEnded(&stats));
        self.stats.push(stats);
        result
    }

    /// Runs a reducer under its name, as [`Search::run`], and lets a person skip it. What it has found is kept.
    /// Skipped reducers do not end the search.
    pub(crate) fn run_unless_skipped(
        &mut self,
        reducer: &str,
        body: impl FnOnce(&mut Self) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        // Meant for a reducer that has ended.
        self.wishes.forget_skip();
        self.may_skip = true;
        let ended = self.run(reducer, body);
        self.may_skip = false;
        if !std::mem::take(&mut self.is_skipping) {
            return ended;
        }
        self.wishes.forget_skip();
        self.skipped += 1;
        self.note(&format!("{reducer} was skipped: the result may be larger than need be"));
        Ok(())
    }

    /// Reports a note to the user, once: a schedule that is repeated would report it again.
    pub(crate) fn note(&mut self, text: &str) {
        self.note_of(NoteKind::Reduction, text);
    }

    /// As [`Search::note`], on another subject.
    pub(crate) fn note_of(&mut self, kind: NoteKind, text: &str) {
        if !self.noted.iter().any(|noted| noted == text) {
            self.noted.push(text.to_owned());
            self.reporter.report(&Event::Note(kind, text));
        }
    }

    fn offer(&mut self, candidate: &[u8]) {
        if !order::is_simpler(candidate, &self.best) {
            return;
        }
        self.best.clear();
        self.best.extend_from_slice(candidate);
        self.minimality = Minimality::None;
        self.improvements += 1;
        self.reporter.report(&Event::Reduced {
            best: &self.best,
            counts: self.oracle.counts(),
            elapsed: self.oracle.started().elapsed(),
        });
    }

    fn tell_progress(&mut self) {
        for caught in &self.oracle.other_failures()[self.other_failures_told..] {
            self.reporter.report(&Event::OtherFailure {
                signature: &caught.signature,
                input: &caught.input,
            });
        }
        self.other_failures_told = self.oracle.other_failures().len();
        if self.oracle.is_always_fresh() && !self.is_fresh_told {
            self.is_fresh_told = true;
            self.reporter.report(&Event::Note(NoteKind::Processes, DEPENDS_ON_BEFORE));
        }
        let now = Instant::now();
        if now - self.last_progress >= PROGRESS_EVERY {
            self.last_progress = now;
            self.reporter.report(&Event::Progress {
                counts: self.oracle.counts(),
                bytes: self.best.len(),
                elapsed: self.oracle.started().elapsed(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
