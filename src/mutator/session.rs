//! One fuzzer's repairs: its inputs, the mutants that are ready, and who makes the next one.

mod choose;
mod hangs;
mod looks;
mod lots;
mod parents;
mod ready;
mod row;
mod screen;
mod searches;

use super::job::{Job, NO_ORIGIN, Origin, Task, Text, WorkerState};
use super::length::{Length, Parents};
use super::samples::FuzzerSamples;
use super::validator::{Answer, JobResult, JobRunner, Validator};
use crate::mutator::libfuzzer::{FuzzerMutate, MutantBuffer};
use crate::mutator::makers::{Makers, Provenance};
use crate::mutator::settings::Settings;
use crate::mutator::time_shares::{Maker, TimeShares, Turn, processor_time};
use hangs::Hangs;
use parents::{CorpusInput, Parent, RecentMutants};
use ready::ReadyMutants;
use row::{Lot, Row};
use searches::{Search, Searches};
use seedsmith_grammar::Digest;
use seedsmith_grammar::escape_control_chars;
use seedsmith_grammar::internal::NumberMap;

/// Finds of libFuzzer that wait until the validator looks at them: a bound on memory, because each is a
/// copy of an input.
const MAX_WAITING_FINDS: usize = 256;
/// After this many failures of the target in the worker it is not run there any more, because either
/// libFuzzer does not end at its own failures, or the target fails in a worker only.
const MAX_TARGET_FAILURES: u32 = 64;
/// Inputs of the corpus that are remembered: a bound on memory. When it is reached all are forgotten,
/// because they are looked at again for one test each.
const MAX_PARENTS: usize = 65_536;

/// The repairs of one fuzzer.
pub(super) struct Session {
    runner: Option<JobRunner>,
    settings: Settings,
    parents: NumberMap<u128, CorpusInput>,
    /// The input that was picked from the corpus last.
    picked: u128,
    /// The input that is mutated now.
    input: Vec<u8>,
    /// The mutant that libFuzzer got last: it mutates a mutant a few times in a row.
    handed: Vec<u8>,
    is_handed_valid: bool,
    /// Whether that is of our making, see [`Provenance`].
    is_ours: bool,
    /// Where libFuzzer was in its row before a mutant came that was ready, and whether that was ours.
    row: (Vec<u8>, bool),
    /// The input with which the row began.
    base: Row,
    /// Whether the mutant that was handed to libFuzzer last was ready, and so is none of its row.
    was_ready: bool,
    /// The state of the worker as of its last answer.
    worker: WorkerState,
    samples: FuzzerSamples,
    /// Mutants of libFuzzer alone that it kept, and that no one has looked at.
    finds: Vec<Vec<u8>>,
    /// What libFuzzer made of nothing for the next lot of pieces.
    compared: Vec<Vec<u8>>,
    /// Of the last mutant of each row, which libFuzzer may have kept, and of all repaired ones.
    makers: Makers,
    /// Mutants that are ready, by who made them.
    ready_mutants: [ReadyMutants; Maker::ALL.len()],
    /// How often the target has failed in the worker.
    failures: u32,
    hangs: Hangs,
    /// How the mutant that was handed to libFuzzer last was made.
    origin: Origin,
    /// How mutants were made that libFuzzer has kept, since the last lot of pieces.
    kept: Vec<Origin>,
    /// The valid text that mutants were made of last.
    valid: Vec<u8>,
    /// Valid mutants that were new lately.
    recent: RecentMutants,
    /// Mutants that were new lately, valid or not.
    recent_of_all: RecentMutants,
    /// Where libFuzzer makes mutants for repairs.
    buffer: MutantBuffer,
    time_shares: TimeShares,
    searches: Searches,
    length: Length,
    lengths: Parents,
    limit: usize,
    seed: u32,
    next: Turn,
}

impl Session {
    /// Prepares the worker. If that can't be done, says so and repairs nothing.
    pub(super) fn new(validator: Validator, settings: Settings) -> Self {
        let settings = settings.or_environment();
        let runner = match JobRunner::new(validator) {
            Ok(runner) => Some(runner),
            Err(error) => {
                eprintln!(
                    "seedsmith: mutants are not repaired: {}",
                    escape_control_chars(&error.to_string(), &['\n'])
                );
                None
            }
        };
        let time_shares = TimeShares::new();
        Session {
            runner,
            settings,
            parents: NumberMap::default(),
            picked: 0,
            input: Vec::new(),
            handed: Vec::new(),
            is_handed_valid: false,
            is_ours: false,
            row: (Vec::new(), false),
            base: Row::new(),
            was_ready: false,
            worker: WorkerState::default(),
            samples: FuzzerSamples::new(),
            finds: Vec::new(),
            compared: Vec::new(),
            makers: Makers::new(),
            ready_mutants: Default::default(),
            failures: 0,
            hangs: Hangs::new(),
            origin: NO_ORIGIN,
            kept: Vec::new(),
            valid: Vec::new(),
            recent: RecentMutants::default(),
            recent_of_all: RecentMutants::default(),
            buffer: MutantBuffer::new(),
            next: time_shares.next(settings),
            time_shares,
            searches: Searches::default(),
            length: Length::new(),
            lengths: Parents::new(),
            limit: 0,
            seed: 0,
        }
    }

    /// Mutates `data[..size]` in place and returns the new size.
    ///
    /// If it is the turn of libFuzzer's mutator, that runs first: it takes bytes from the latest compares of
    /// the target, and compares in this code would push them out.
    pub(super) fn mutate(
        &mut self,
        data: &mut [u8],
        (size, max_size): (usize, usize),
        seed: u32,
        fuzzer_mutate: FuzzerMutate,
    ) -> usize {
        self.time_shares.enter();
        let is_in_a_row = self.handed == data[..size];
        self.input.clear();
        self.input.extend_from_slice(&data[..size]);
        let turn = match self.runner {
            Some(_) => self.next,
            None => Turn { maker: Maker::Fuzzer, is_for_valid: false },
        };
        let Turn { maker, is_for_valid } = turn;
        let is_behind_ready = is_in_a_row && self.was_ready;
        let is_ready = self.ready_mutants[maker as usize].has(is_for_valid);
        let began = processor_time();
        let mut ahead = None;
        let mut row = None;
        if !is_ready {
            if maker == Maker::Pieces {
                self.compared = self.buffer.compared(max_size, fuzzer_mutate);
            }
            // What libFuzzer makes of a valid mutant takes as long to run as that, nearly, and brings
            // less than its own row does: so it continues there.
            let goes_back = is_behind_ready && self.row.0.len() <= max_size;
            if maker == Maker::Fuzzer && is_in_a_row && self.screens() {
                let is_explored = self.explores() && self.searches.next() == Search::Worker;
                ahead = if is_explored {
                    Some(Ahead::Worker(spread(seed)))
                } else {
                    self.lot(spread(seed), max_size, fuzzer_mutate).map(Ahead::Lot)
                };
            }
            let size = if goes_back { self.row.0.len() } else { size };
            if goes_back {
                data[..size].copy_from_slice(&self.row.0);
            }
            let limit = self.limit.max(size).min(max_size);
            row = Some((fuzzer_mutate(data, size, limit), goes_back));
        }
        self.look_around(is_in_a_row, max_size);
        if !is_behind_ready {
            self.row.0.clone_from(&self.input);
            self.row.1 = self.is_ours;
        }
        let made = if maker == Maker::Fuzzer {
            self.screened(ahead, began, max_size)
        } else {
            self.seed = seed;
            self.look_at_samples(max_size);
            self.look_at_finds(max_size);
            self.ready(turn, is_in_a_row, max_size, fuzzer_mutate)
        };
        self.was_ready = made.is_some();
        if let Some(Text { bytes, origin, is_valid, is_new: _ }) = made {
            self.origin = origin;
            let made = self.makers.of(Digest::of(&bytes).0);
            self.is_ours = made.map_or(self.is_ours, |made| made.is_ours);
            data[..bytes.len()].copy_from_slice(&bytes);
            self.hand(&bytes, turn, is_valid);
            return bytes.len();
        }
        let (mutated, goes_back) = row.unwrap_or_else(|| {
            (fuzzer_mutate(data, size, self.limit.max(size).min(max_size)), false)
        });
        if goes_back {
            self.is_ours = self.row.1;
        }
        self.samples.see(&data[..mutated], self.is_ours);
        self.origin = NO_ORIGIN;
        let turn = Turn { maker: Maker::Fuzzer, is_for_valid: false };
        self.hand(&data[..mutated], turn, false);
        mutated
    }

    /// Records what libFuzzer has made of the last mutant.
    fn look_around(&mut self, is_in_a_row: bool, max_size: usize) {
        let mut is_new = false;
        if !is_in_a_row {
            // Only the last of a row can have got into the corpus.
            let handed = Digest::of(&self.handed).0;
            if let Some(maker) = self.time_shares.latest() {
                let (is_ours, is_valid) = (self.is_ours, self.is_handed_valid);
                let made = Provenance { maker, is_ours, is_valid, origin: self.origin };
                self.makers.put(handed, made);
            }
            self.picked = Digest::of(&self.input).0;
            if self.parents.len() >= MAX_PARENTS {
                self.parents.clear();
            }
            let made = self.makers.of(self.picked);
            let known = self.parents.entry(self.picked).or_insert_with(|| {
                is_new = true;
                let is_ours = made.is_some_and(|made| made.is_ours);
                CorpusInput { parent: Parent::Broken(0), is_ours }
            });
            self.is_ours = known.is_ours;
            if let Some(made) = made.filter(|_| is_new) {
                self.time_shares.found(made.maker, made.is_valid);
                if made.origin != NO_ORIGIN {
                    self.kept.push(made.origin);
                }
                let is_looked_at = made.maker != Maker::Fuzzer || made.is_valid;
                if !is_looked_at && self.finds.len() < MAX_WAITING_FINDS {
                    self.finds.push(self.input.clone());
                }
            }
        }
        if !is_in_a_row {
            self.base.begin(&self.input, self.is_ours);
        }
        self.limit = self.length.limit(self.input.len(), is_new, max_size);
    }

    /// Records what libFuzzer gets, and who made it.
    ///
    /// Whichever maker made it is credited with what libFuzzer keeps of it, and the time until the next
    /// call is that maker's.
    fn hand(&mut self, mutant: &[u8], turn: Turn, is_valid: bool) {
        self.handed.clear();
        self.handed.extend_from_slice(mutant);
        self.is_handed_valid = is_valid;
        self.is_ours |= turn.maker != Maker::Fuzzer;
        self.time_shares.hand(turn, is_valid);
        self.next = self.time_shares.next(self.settings);
    }

    /// Gives a job to the validator. After an error of the worker no job is given any more.
    fn ask(&mut self, task: Task<'_>, max_size: usize) -> Answer {
        let nothing = Answer::from(JobResult::Texts(Vec::new()));
        let Some(runner) = &mut self.runner else { return nothing };
        let job = Job { task, max_size, runs_target: self.failures < MAX_TARGET_FAILURES };
        let mut answer = runner.ask(&job).unwrap_or_else(|error| {
            eprintln!(
                "seedsmith: from here on mutants are not repaired: {}",
                escape_control_chars(&error.to_string(), &['\n'])
            );
            self.runner = None;
            nothing
        });
        let has_failed = matches!(answer.result, JobResult::Finding { is_of_target: true, .. });
        self.failures += u32::from(has_failed);
        if let JobResult::Finding { input, is_hang: true, .. } = &answer.result {
            if let Some(message) = self.hangs.message(input) {
                eprintln!("seedsmith: {message}");
            }
            if !self.hangs.is_handed(input) {
                answer.result = JobResult::Hang;
            }
        }
        if let Some(worker) = answer.worker {
            if worker.jobs <= self.worker.jobs {
                // A new worker does not know which features the corpus reaches, so each input is looked at again.
                self.parents.values_mut().for_each(|known| known.parent = Parent::Broken(0));
            }
            self.worker = worker;
        }
        answer
    }

    /// Whether the worker can make mutants by itself: it runs the target, and knows inputs.
    fn explores(&self) -> bool {
        self.worker.runs_target && self.worker.jobs > 1
    }

    /// Whether the worker can find out which mutants reach something new.
    ///
    /// Assumed until the first answer says more.
    fn screens(&self) -> bool {
        (self.worker.runs_target || self.worker.jobs == 0)
            && self.failures < MAX_TARGET_FAILURES
            && self.settings.share > 0.0
            && self.runner.is_some()
    }
}

/// Mutants that are run in the worker before libFuzzer gets those that reach something new.
enum Ahead {
    /// libFuzzer has made them.
    Lot(Lot),
    /// The worker makes them, by a random number.
    Worker(u32),
}

/// libFuzzer's seeds have 31 bits.
///
/// Multiplied by 2³² over the golden ratio, so that successive seeds differ in their high bits too.
fn spread(seed: u32) -> u32 {
    seed.wrapping_mul(0x9e37_79b1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_list(text: &[u8]) -> bool {
        text.starts_with(b"[") && text.ends_with(b"]")
    }

    /// A mutator that breaks everything.
    fn breaks(data: &mut [u8], size: usize, _: usize) -> usize {
        data[0] = b'!';
        size
    }

    fn session(share: f64) -> Session {
        Session::new(Validator::InPlace(is_list), Settings { share, valid: None })
    }

    /// What becomes of one input of the corpus in this many turns.
    fn mutants(session: &mut Session, turns: u32) -> Vec<Vec<u8>> {
        let one = |seed| {
            let mut data = [0; 32];
            data[..8].copy_from_slice(b"[12,3,4]");
            let size = session.mutate(&mut data, (8, 32), seed, breaks);
            data[..size].to_vec()
        };
        (0..turns).map(one).collect()
    }

    #[test]
    fn without_a_share_every_mutant_is_libfuzzers() {
        assert!(mutants(&mut session(0.0), 100).iter().all(|one| one == b"!12,3,4]"));
    }

    #[test]
    fn ours_are_valid_and_hardly_one_comes_twice() {
        for share in [0.8, 1.0] {
            let mut ours = mutants(&mut session(share), 200);
            ours.retain(|one| one != b"!12,3,4]");
            let count = ours.len();
            assert!(count > 0 && ours.iter().all(|one| is_list(one)), "{share}: {ours:?}");
            ours.sort();
            ours.dedup();
            // Two may have the same place among those that are remembered.
            assert!(20 * ours.len() >= 19 * count, "{share}: {} of {count}", ours.len());
        }
    }

    /// A mutator that continues where it was.
    fn adds(data: &mut [u8], size: usize, _: usize) -> usize {
        data[size] = b'!';
        size + 1
    }

    #[test]
    fn behind_a_mutant_of_ours_libfuzzer_goes_on_in_its_own_row() {
        let mut session = session(0.5);
        let (mut row, mut of_ours) = (b"[12,3,4]".to_vec(), 0);
        let mut latest = row.clone();
        for seed in 0..20 {
            let mut data = [0; 64];
            data[..latest.len()].copy_from_slice(&latest);
            let size = session.mutate(&mut data, (latest.len(), 64), seed, adds);
            latest = data[..size].to_vec();
            if is_list(&latest) {
                of_ours += 1;
            } else {
                row.push(b'!');
                assert_eq!(latest, row);
            }
        }
        assert!((1..20).contains(&of_ours), "{of_ours}");
    }
}
