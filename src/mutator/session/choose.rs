//! How a session comes to the valid text that mutants are made of.

use std::time::Duration;

use super::super::job::Task;
use super::super::validator::JobResult;
use super::Session;
use super::parents::{CorpusInput, MAX_VISITS, Parent};
use crate::mutator::time_shares::processor_time;

/// Time that making an input of the corpus valid may take, once: 10 ms, half of the time that is saved up for that
/// at most.
const MAX_TIME_PER_PARENT: Duration = Duration::from_millis(10);
/// With less time saved up than 2 ms an input of the corpus is not mended, because in less a repair
/// rarely ends. Not measured.
const MIN_TIME_PER_PARENT: Duration = Duration::from_millis(2);

impl Session {
    /// Finds the parent of valid mutants.
    pub(super) fn choose_parent(
        &mut self,
        is_in_a_row: bool,
        max_size: usize,
    ) -> Result<(), Vec<u8>> {
        if is_in_a_row {
            // Not worth a repair: if it isn't valid, its ancestor is mutated again.
            if self.is_handed_valid {
                self.valid.clone_from(&self.input);
            }
            return Ok(());
        }
        let known = self.parents.get(&self.picked);
        if let Some(CorpusInput { parent: Parent::Broken(visits @ 0..MAX_VISITS), is_ours }) = known
        {
            let is_ours = *is_ours;
            let parent = self.look_at_picked(*visits, max_size)?;
            self.parents.insert(self.picked, CorpusInput { parent, is_ours });
        }
        match self.parents.get(&self.picked).map(|known| &known.parent) {
            Some(Parent::Valid) => self.valid.clone_from(&self.input),
            Some(Parent::Repaired(text)) => self.valid.clone_from(text),
            Some(Parent::Broken(_)) | None => {}
        }
        Ok(())
    }

    /// Makes the input of the corpus valid if it isn't.
    fn look_at_picked(&mut self, visits: u8, max_size: usize) -> Result<Parent, Vec<u8>> {
        let began = processor_time();
        let saved = self.time_shares.for_a_parent();
        // Whether it is valid is always asked; to mend it takes time that was saved up.
        let may_mend = saved >= MIN_TIME_PER_PARENT;
        let may_take = if may_mend { MAX_TIME_PER_PARENT.min(saved) } else { Duration::ZERO };
        let input = std::mem::take(&mut self.input);
        let answer = self.ask(Task::Parent { input: &input, may_take }, max_size);
        self.input = input;
        self.time_shares.spend_on_a_parent(processor_time().saturating_sub(began) + answer.took);
        match answer.result {
            // The parent itself has been run by libFuzzer.
            JobResult::Finding { input, .. } if input != self.input && input.len() <= max_size => {
                Err(input)
            }
            JobResult::Finding { .. } | JobResult::Hang => Ok(Parent::Broken(MAX_VISITS)),
            JobResult::Texts(texts) => Ok(match texts.into_iter().next() {
                Some(text) if text.bytes == self.input => Parent::Valid,
                Some(text) => Parent::Repaired(text.bytes),
                None => Parent::Broken(visits + u8::from(may_mend)),
            }),
        }
    }
}
