//! Looks at mutants that libFuzzer made alone: how many of them, and of those that it kept, are valid.

use super::super::job::Task;
use super::super::validator::JobResult;
use super::Session;

/// Finds of libFuzzer for which the validator is asked once. A guess, not measured: fewer would cost a
/// job for few answers.
const FINDS_PER_LOOK: usize = 8;

impl Session {
    /// Finds out how many of libFuzzer's own mutants are valid, once there are enough for a look.
    ///
    /// Costs a job with as many tests as samples.
    pub(super) fn look_at_samples(&mut self, max_size: usize) {
        let Some(samples) = self.samples.take() else { return };
        let inputs = samples.iter().map(Vec::as_slice).collect();
        // libFuzzer has run them: what the validator fails on is no news, and not valid.
        let answer = self.ask(Task::Look { inputs }, max_size);
        let valid = if let JobResult::Texts(texts) = answer.result { texts.len() } else { 0 };
        self.time_shares.see_fuzzers(valid, samples.len());
    }

    /// Finds out how many of libFuzzer's own finds are valid.
    ///
    /// Costs a job with as many tests as finds. Time for it counts for no maker.
    pub(super) fn look_at_finds(&mut self, max_size: usize) {
        if self.finds.len() < FINDS_PER_LOOK {
            return;
        }
        let finds = std::mem::take(&mut self.finds);
        let inputs = finds.iter().map(Vec::as_slice).collect();
        let answer = self.ask(Task::Look { inputs }, max_size);
        self.time_shares.found_valid(if let JobResult::Texts(texts) = answer.result {
            texts.len()
        } else {
            0
        });
    }
}
