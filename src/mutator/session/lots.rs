//! Lots: many mutants of one parent that are made and tested in one job, and wait until they are handed out.
//!
//! A job costs two switches between processes, so it is given for many mutants at once.

use super::super::job::{More, NO_ORIGIN, Task, Text};
use super::super::validator::JobResult;
use super::{Session, spread};
use crate::mutator::libfuzzer::FuzzerMutate;
use crate::mutator::time_shares::{Maker, Turn, processor_time};

/// Mutants of libFuzzer that are mended in one job. Lots of sixteen took 17 µs of processor time a run
/// where one job for each took 139 (docs/notes/2026-11-21-mutator.md).
const MUTANTS_PER_LOT: usize = 16;
/// Changes of pieces that are made and tested in one job: many more, because few of them reach anything
/// new and only those are handed out. Not measured.
const CHANGES_PER_LOT: usize = 192;
/// Bytes of a lot of mutants, about. A valid text takes time by its length, so a short parent gets more
/// mutants than a long one; with 64 KiB the program had 1,153 edges, with 1,500 bytes and a higher floor
/// 1,208 (docs/notes/2026-11-21-mutator.md).
const BYTES_PER_LOT: usize = 1_500;
/// The same for changes of pieces: sixteen times as many bytes, because a test in the worker takes about
/// a tenth of a run in libFuzzer.
const BYTES_PER_PIECES_LOT: usize = 24_000;
/// A mutant that reaches nothing new is at most this much longer than its parent, or than most of the valid inputs, because it
/// takes time by its length.
const MAX_BYTES_LONGER: usize = 16;

impl Session {
    /// A mutant that is ready, or comes of a lot that is made now. One that fails is new.
    pub(super) fn ready(
        &mut self,
        turn: Turn,
        is_in_a_row: bool,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Option<Text> {
        let Turn { maker, is_for_valid } = turn;
        if !self.ready_mutants[maker as usize].has(is_for_valid) {
            let done = self.choose_parent(is_in_a_row, max_size).and_then(|()| {
                let is_its_turn = self.lengths.is_its_turn(self.valid.len(), spread(self.seed));
                // Who wants each mutant repaired gets that, of long parents too.
                let is_wanted = is_its_turn || self.settings.share >= 1.0;
                if is_wanted && !self.valid.is_empty() && self.valid.len() <= max_size {
                    self.fill(turn, max_size, fuzzer_mutate)?;
                }
                Ok(())
            });
            if let Err(finding) = done {
                return Some(Text {
                    bytes: finding,
                    origin: NO_ORIGIN,
                    is_valid: false,
                    is_new: true,
                });
            }
        }
        let ready = self.ready_mutants[maker as usize].take(is_for_valid);
        ready.filter(|text| text.bytes.len() <= max_size)
    }

    /// Has mutants made of pieces and tested, or libFuzzer make some and has them mended.
    fn fill(
        &mut self,
        turn: Turn,
        max_size: usize,
        fuzzer_mutate: FuzzerMutate,
    ) -> Result<(), Vec<u8>> {
        let maker = turn.maker;
        let began = processor_time();
        let recent = self.recent.one(spread(self.seed)).filter(|text| text.len() <= max_size);
        let parent = recent.unwrap_or(&self.valid).to_vec();
        let limit = self.limit.max(parent.len()).min(max_size);
        let room = (BYTES_PER_LOT / parent.len()).max(1);
        let more = |count| More { count, limit, seed: self.seed };
        let answer = if maker == Maker::Pieces {
            let made = std::mem::take(&mut self.compared);
            let compared = made.iter().map(Vec::as_slice).collect();
            let kept = std::mem::take(&mut self.kept);
            let more = more((BYTES_PER_PIECES_LOT / parent.len()).clamp(1, CHANGES_PER_LOT));
            let task = Task::Pieces { parent: &parent, more, compared, kept };
            self.ask(task, max_size)
        } else {
            let more = more(room.min(MUTANTS_PER_LOT));
            let mutants = self.buffer.mutants(&parent, more, max_size, fuzzer_mutate);
            let mutants = mutants.iter().map(Vec::as_slice).collect();
            let task = Task::Mutants { parent: &parent, mutants, more };
            self.ask(task, max_size)
        };
        self.time_shares.spend_on(turn, processor_time().saturating_sub(began) + answer.took);
        match answer.result {
            JobResult::Texts(texts) => {
                let usual = parent.len().max(self.lengths.usual());
                let is_cheap =
                    |text: &Text| text.is_new || text.bytes.len() <= usual + MAX_BYTES_LONGER;
                for text in texts.into_iter().filter(is_cheap) {
                    if text.bytes.len() <= max_size {
                        self.keep(text, maker, true);
                    }
                }
                Ok(())
            }
            JobResult::Finding { input, .. } if input.len() <= max_size => Err(input),
            JobResult::Finding { .. } | JobResult::Hang => Ok(()),
        }
    }
}
