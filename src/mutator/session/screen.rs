//! Mutants of libFuzzer's own mutator that the worker runs before libFuzzer does.
//!
//! libFuzzer takes notes of every compare of a run and weighs its corpus by all that the run reaches. The worker does neither, so a
//! run there takes a part of the time. Most mutants reach nothing new, so libFuzzer gets the others alone. It still
//! runs the first mutant of each row itself, because its table of recent compares is filled by that. The worker makes
//! mutants, too.

use std::time::Duration;

use super::super::job::{More, NO_ORIGIN, SHORTER, Task, Text};
use super::row::Lot;
use super::searches::Search;
use super::{Ahead, Session};
use crate::mutator::libfuzzer::FuzzerMutate;
use crate::mutator::makers::Provenance;
use crate::mutator::time_shares::{Maker, Turn, processor_time};
use seedsmith_grammar::Digest;

impl Session {
    /// What libFuzzer makes of the input of this row, or of a mutant that was new lately: in a row there are many more
    /// mutants than libFuzzer makes, so it comes to new inputs late. To be called before anything is compared here.
    /// None if the worker hangs with that input.
    pub(super) fn lot(
        &mut self,
        random: u32,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Option<Lot> {
        let recent = self.recent_of_all.one(random).filter(|text| text.len() <= max_size);
        let is_of_row = recent.is_none();
        let parent = recent.unwrap_or(&self.base.input).to_vec();
        if self.hangs.has_met(&parent) {
            return None;
        }
        let limit = self.limit.max(parent.len()).min(max_size);
        let count = self.base.lot as usize;
        let mutants = self.buffer.rows(&parent, count, limit, max_size, fuzzer_mutate);
        Some(Lot { parent, is_of_row, mutants })
    }

    /// Has the worker run mutants since `began`, and gives one of those that are ready: all of them reach something
    /// new, or fail.
    pub(super) fn screened(
        &mut self,
        ahead: Option<Ahead>,
        began: Duration,
        max_size: usize,
    ) -> Option<Text> {
        let shorter = match ahead {
            Some(Ahead::Lot(lot)) => self.run_lot(&lot, began, max_size),
            Some(Ahead::Worker(seed)) => self.run_worker(seed, began, max_size),
            None => Ok(None),
        };
        match shorter {
            Err(finding) if finding.len() <= max_size => {
                Some(Text { bytes: finding, origin: NO_ORIGIN, is_valid: false, is_new: true })
            }
            Ok(Some(text)) if text.bytes.len() <= max_size => {
                // libFuzzer puts it in the place of its parent only in this row.
                self.base.begin(&text.bytes, self.base.is_ours);
                Some(Text { origin: NO_ORIGIN, ..text })
            }
            _ => self.ready_mutants[Maker::Fuzzer as usize]
                .take(false)
                .filter(|text| text.bytes.len() <= max_size),
        }
    }

    /// Has the worker run a lot, and gives the mutant that may take the place of the row's input. An error is an input
    /// that fails.
    fn run_lot(
        &mut self,
        lot: &Lot,
        began: Duration,
        max_size: usize,
    ) -> Result<Option<Text>, Vec<u8>> {
        let Lot { parent, is_of_row, mutants } = lot;
        let inputs = mutants.iter().map(Vec::as_slice).collect();
        let answer = self.ask(Task::Screen { parent, mutants: inputs }, max_size);
        let took = processor_time().saturating_sub(began) + answer.took;
        self.base.follow(mutants.len(), took);
        self.length.ran(mutants.len());
        let made = self.makers.of(Digest::of(parent).0);
        let is_ours =
            if *is_of_row { self.base.is_ours } else { made.is_none_or(|made| made.is_ours) };
        let mut texts = answer.texts()?;
        if !is_ours {
            let valid = texts.iter().filter(|text| text.is_valid).count();
            self.time_shares.see_fuzzers(valid, mutants.len());
        }
        let is_shorter = |text: &&Text| *is_of_row && text.origin == SHORTER;
        let shorter = texts.iter().find(is_shorter).cloned();
        texts.retain(|text| text.origin != SHORTER);
        self.keep_of(Search::Lots, texts, is_ours, took);
        Ok(shorter)
    }

    /// Has the worker make mutants and run them.
    fn run_worker(
        &mut self,
        seed: u32,
        began: Duration,
        max_size: usize,
    ) -> Result<Option<Text>, Vec<u8>> {
        let limit = self.limit.min(max_size);
        let answer = self.ask(Task::Explore { more: More { count: 0, limit, seed } }, max_size);
        let took = processor_time().saturating_sub(began) + answer.took;
        self.length.ran(self.base.mutants_in(took));
        let texts = answer.texts()?;
        self.keep_of(Search::Worker, texts, true, took);
        Ok(None)
    }

    /// Keeps the mutants of a search, and records how many are new.
    fn keep_of(&mut self, search: Search, texts: Vec<Text>, is_ours: bool, took: Duration) {
        let new = texts.iter().filter(|text| text.is_new);
        let (found, valid) = (new.clone().count(), new.filter(|text| text.is_valid).count());
        self.searches.tell(search, took, found, valid);
        texts.into_iter().for_each(|text| self.keep(text, Maker::Fuzzer, is_ours));
        self.time_shares.spend_on(Turn { maker: Maker::Fuzzer, is_for_valid: false }, took);
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
        if text.is_new {
            self.recent_of_all.put(&text.bytes);
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
    use crate::mutator::session::hangs::Hangs;
    use crate::mutator::settings::Settings;
    use crate::mutator::validator::{Answer, JobResult, JobRunner, Validator};

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
            // The worker's own mutants may have it beside others.
            let is_there = handed.iter().any(|one| is_number(one) && one.contains(&digit));
            assert!(is_there, "{} never came", digit as char);
        }
    }

    /// A session whose every job hangs on the same input, and how often libFuzzer gets that in some rows.
    fn handed_hangs(timeout: Option<u64>) -> (usize, Session) {
        let mut session = session(0.9);
        session.hangs = Hangs::with_timeout(timeout);
        session.runner = Some(JobRunner::Scripted(Box::new(|_| Answer {
            result: JobResult::Finding { input: b"hang".into(), is_of_target: true, is_hang: true },
            took: Duration::ZERO,
            worker: None,
        })));
        let (handed, _) = handed(&mut session, 40);
        (handed.iter().filter(|one| *one == b"hang").count(), session)
    }

    #[test]
    fn libfuzzer_gets_an_input_that_hangs_once_and_only_if_its_own_time_limit_is_short() {
        for (timeout, count) in [(Some(25), 1), (Some(1_200), 0), (None, 0)] {
            let (handed, session) = handed_hangs(timeout);
            assert_eq!(handed, count, "{timeout:?}");
            assert!(session.failures > 0, "{timeout:?}");
        }
    }

    #[test]
    fn with_a_share_of_nothing_libfuzzer_runs_all_mutants_itself() {
        let (handed, made) = handed(&mut session(0.0), 40);
        assert_eq!(made, handed.len() as u32);
    }
}
