//! Mutants of libFuzzer's own mutator that the worker runs before libFuzzer does.
//!
//! libFuzzer takes notes of every compare of a run and weighs its corpus by all that the run reaches. The worker does neither, so a
//! run there takes a part of the time. Most mutants reach nothing new, so libFuzzer gets the others alone. It still
//! runs the first mutant of each row itself, because its table of recent compares is filled by that.

use std::time::Duration;

use super::super::job::{NO_ORIGIN, SHORTER, Task, Text};
use super::super::validator::JobResult;
use super::Session;
use crate::mutator::libfuzzer::FuzzerMutate;
use crate::mutator::makers::Provenance;
use crate::mutator::time_shares::{Maker, Turn, processor_time};
use seedsmith_grammar::Digest;

/// Mutants of a lot at first.
const FIRST_LOT_MUTANTS: f64 = 16.0;
/// Mutants of a lot at most, because libFuzzer's table of recent compares is of one run.
const MAX_LOT_MUTANTS: f64 = 64.0;
/// The time that a lot should take: some times what two switches between processes take, and a small part of the 4 ms
/// after which the worker leaves out the rest. A guess, not measured.
const LOT_TIME: Duration = Duration::from_micros(400);
/// By which part of the difference the size of a lot follows the time that the last one took. A guess, not measured.
const LOT_STEP: f64 = 1.0 / 8.0;

/// The input that libFuzzer mutates in this row, and what is to be made of it.
pub(super) struct Row {
    /// The input of the corpus.
    input: Vec<u8>,
    /// Whether it would not be there without us.
    is_ours: bool,
    /// Mutants in a lot.
    lot: f64,
}

impl Row {
    /// No row has begun.
    pub(super) fn new() -> Self {
        Row { input: Vec::new(), is_ours: false, lot: FIRST_LOT_MUTANTS }
    }

    /// Begins with an input of the corpus.
    pub(super) fn begin(&mut self, input: &[u8], is_ours: bool) {
        self.input.clear();
        self.input.extend_from_slice(input);
        self.is_ours = is_ours;
    }

    /// Follows the time that a lot has taken.
    fn follow(&mut self, mutants: usize, took: Duration) {
        let fitting = LOT_TIME.as_secs_f64() * mutants as f64 / took.as_secs_f64().max(1e-6);
        self.lot += (fitting.clamp(1.0, MAX_LOT_MUTANTS) - self.lot) * LOT_STEP;
    }
}

impl Session {
    /// What libFuzzer makes of the input of this row, a lot of it. To be called before anything is compared here.
    pub(super) fn lot_of_row(
        &mut self,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Vec<Vec<u8>> {
        let limit = self.limit.max(self.base.input.len()).min(max_size);
        let count = self.base.lot as usize;
        self.buffer.rows(&self.base.input, count, limit, max_size, fuzzer_mutate)
    }

    /// Has the worker run a lot since `began`, and gives one of those that are ready: all of them reach something
    /// new, or fail.
    pub(super) fn screened(
        &mut self,
        lot: &[Vec<u8>],
        began: Duration,
        max_size: usize,
    ) -> Option<Text> {
        let mut shorter = None;
        if !lot.is_empty() {
            let mutants = lot.iter().map(Vec::as_slice).collect();
            let parent = std::mem::take(&mut self.base.input);
            let answer = self.ask(Task::Screen { parent: &parent, mutants }, max_size);
            self.base.input = parent;
            let took = processor_time().saturating_sub(began) + answer.took;
            self.base.follow(lot.len(), took);
            self.length.ran(lot.len());
            match answer.result {
                JobResult::Texts(mut texts) => {
                    if !self.base.is_ours {
                        let valid = texts.iter().filter(|text| text.is_valid).count();
                        self.time_shares.see_fuzzers(valid, lot.len());
                    }
                    let is_ours = self.base.is_ours;
                    shorter = texts.iter().find(|text| text.origin == SHORTER).cloned();
                    texts.retain(|text| text.origin != SHORTER);
                    texts.into_iter().for_each(|text| self.keep(text, Maker::Fuzzer, is_ours));
                }
                JobResult::Finding { input, .. } if input.len() <= max_size => {
                    return Some(Text {
                        bytes: input,
                        origin: NO_ORIGIN,
                        is_valid: false,
                        is_new: true,
                    });
                }
                JobResult::Finding { .. } => {}
            }
            self.time_shares.spend_on(Turn { maker: Maker::Fuzzer, is_for_valid: false }, took);
        }
        if let Some(text) = shorter.filter(|text| text.bytes.len() <= max_size) {
            // libFuzzer puts it in the place of its parent only in this row.
            self.base.begin(&text.bytes, self.base.is_ours);
            return Some(Text { origin: NO_ORIGIN, ..text });
        }
        self.ready_mutants[Maker::Fuzzer as usize]
            .take(false)
            .filter(|text| text.bytes.len() <= max_size)
    }

    /// Keeps a mutant until its turn comes, unless it was handed out lately.
    pub(super) fn keep(&mut self, text: Text, maker: Maker, is_ours: bool) {
        let digest = Digest::of(&text.bytes).0;
        if self.makers.of(digest).is_some() {
            return;
        }
        let (is_valid, origin) = (text.is_valid, text.origin);
        self.makers.put(digest, Provenance { maker, is_ours, is_valid, origin });
        if text.is_new && is_valid {
            self.recent.put(&text.bytes);
        }
        self.ready_mutants[maker as usize].put(text);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::mutator::reached::Reached;
    use crate::mutator::reached::tests::Bytes;
    use crate::mutator::repairer::Repairer;
    use crate::mutator::settings::Settings;
    use crate::mutator::validator::{JobRunner, Validator};

    fn is_number(text: &[u8]) -> bool {
        text.iter().all(u8::is_ascii_digit)
    }

    fn session(share: f64) -> Session {
        let settings = Settings { share, valid: None };
        let mut session = Session::new(Validator::InPlace(is_number), settings);
        let repairer = Repairer::with_reached(Reached::of(Box::new(Bytes::default())));
        session.runner = Some(JobRunner::InPlace(Box::new(repairer), is_number));
        session
    }

    thread_local! {
        static MADE: Cell<u32> = const { Cell::new(0) };
    }

    /// A mutator whose every fortieth mutant is valid and has a digit that the others have not.
    fn rarely_valid(data: &mut [u8], _: usize, _: usize) -> usize {
        let number = MADE.get();
        MADE.set(number + 1);
        data[0] = if number % 40 == 39 { b'1' + (number / 40 % 9) as u8 } else { b'!' };
        1
    }

    /// What libFuzzer gets in rows of five, and how many mutants its mutator has made for that.
    fn handed(session: &mut Session, rows: u32) -> (Vec<Vec<u8>>, u32) {
        MADE.set(0);
        let mut handed = Vec::new();
        for row in 0..rows {
            let mut latest = b"0".to_vec();
            for turn in 0..5 {
                let mut data = [0; 64];
                data[..latest.len()].copy_from_slice(&latest);
                let size =
                    session.mutate(&mut data, (latest.len(), 64), row * 5 + turn, rarely_valid);
                latest = data[..size].to_vec();
                handed.push(latest.clone());
            }
        }
        (handed, MADE.get())
    }

    #[test]
    fn many_mutants_are_run_elsewhere_and_libfuzzer_gets_those_that_reach_something_new() {
        let (handed, made) = handed(&mut session(0.01), 40);
        assert!(made > 4 * handed.len() as u32, "{made} for {}", handed.len());
        for digit in b'1'..=b'9' {
            let times = handed.iter().filter(|one| **one == [digit]).count();
            assert!(times >= 1, "{} never came", digit as char);
        }
    }

    #[test]
    fn with_a_share_of_nothing_libfuzzer_runs_all_mutants_itself() {
        let (handed, made) = handed(&mut session(0.0), 40);
        assert_eq!(made, handed.len() as u32);
    }

    #[test]
    fn a_lot_is_as_large_as_fits_into_its_time() {
        let mut row = Row::new();
        (0..100).for_each(|_| row.follow(row.lot as usize, LOT_TIME * 100));
        assert_eq!(row.lot as usize, 1);
        (0..100).for_each(|_| row.follow(row.lot as usize, Duration::from_nanos(1)));
        assert!(row.lot > 0.9 * MAX_LOT_MUTANTS, "{}", row.lot);
    }
}
