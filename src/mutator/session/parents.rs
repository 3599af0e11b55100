//! What mutants are made of: inputs of the corpus that are valid or were repaired, and valid mutants that were new lately.

use std::time::Duration;

use super::super::job::Task;
use super::super::pace::processor_time;
use super::super::validator::Answer;
use super::Session;

/// What making an input of the corpus valid may cost, once.
const PARENTS_TIME: Duration = Duration::from_millis(10);
/// With less time than this an input of the corpus is not mended.
const ENOUGH_FOR_A_PARENT: Duration = Duration::from_millis(2);
/// New mutants that are remembered.
const RECENT: usize = 64;

/// An input that is not mended in so many visits is not tried again.
pub const VISITS: u8 = 3;

/// What is known of an input of the corpus.
pub struct Known {
    /// What mutants can be made of.
    pub parent: Parent,
    /// Whether it would not be there without us.
    pub is_ours: bool,
}

/// What an input of the corpus is good for.
pub enum Parent {
    /// It is valid.
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    /// Visited that often, and not valid yet.
    Broken(u8),
}

/// The latest valid mutants that reached something new. What is next to them was not tried yet, and libFuzzer
/// comes to them late in a large corpus.
#[derive(Debug, Default)]
pub struct Recent {
    texts: Vec<Vec<u8>>,
    oldest: usize,
}

impl Recent {
    /// Remembers a mutant instead of the oldest.
    pub fn put(&mut self, text: &[u8]) {
        if self.texts.len() < RECENT {
            self.texts.push(text.to_vec());
        } else {
            self.texts[self.oldest] = text.to_vec();
            self.oldest = (self.oldest + 1) % RECENT;
        }
    }

    /// In half of all cases one of them, by a random number.
    pub fn one(&self, random: u32) -> Option<&[u8]> {
        let number = (random >> 8) as usize;
        if random & 1 == 0 || self.texts.is_empty() {
            return None;
        }
        Some(&self.texts[number % self.texts.len()])
    }
}

impl Session {
    /// Finds what valid mutants are to be made of.
    pub(super) fn choose_parent(
        &mut self,
        is_in_a_row: bool,
        max_size: usize,
    ) -> Result<(), Vec<u8>> {
        if is_in_a_row {
            // Not worth a repair of its own: if it isn't valid, its ancestor is mutated again.
            if self.is_handed_valid {
                self.valid.clone_from(&self.input);
            }
            return Ok(());
        }
        let known = self.parents.get(&self.picked);
        if let Some(Known { parent: Parent::Broken(visits @ 0..VISITS), is_ours }) = known {
            let is_ours = *is_ours;
            let parent = self.look_at_picked(*visits, max_size)?;
            self.parents.insert(self.picked, Known { parent, is_ours });
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
        let saved = self.pace.for_a_parent();
        // Whether it is valid is always asked; to mend it takes time that was saved up.
        let may_mend = saved >= ENOUGH_FOR_A_PARENT;
        let may_take = if may_mend { PARENTS_TIME.min(saved) } else { Duration::ZERO };
        let input = std::mem::take(&mut self.input);
        let (answer, took) = self.ask(Task::Parent { input: &input, may_take }, max_size);
        self.input = input;
        self.pace.spend_on_a_parent(processor_time().saturating_sub(began) + took);
        match answer {
            // The parent itself has been run by libFuzzer.
            Answer::Finding { input, .. } if input != self.input && input.len() <= max_size => {
                Err(input)
            }
            Answer::Finding { .. } => Ok(Parent::Broken(VISITS)),
            Answer::Texts(texts) => Ok(match texts.into_iter().next() {
                Some(text) if text.bytes == self.input => Parent::Valid,
                Some(text) => Parent::Repaired(text.bytes),
                None => Parent::Broken(visits + u8::from(may_mend)),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_new_mutants_are_chosen_in_half_of_all_cases() {
        let mut recent = Recent::default();
        assert_eq!(recent.one(1), None);
        (0..3 * RECENT).for_each(|number| recent.put(number.to_string().as_bytes()));
        let chosen: Vec<&[u8]> = (0..1000).filter_map(|one| recent.one(one * 131)).collect();
        assert_eq!(chosen.len(), 500);
        let number = |text: &&[u8]| std::str::from_utf8(text).unwrap().parse::<usize>().unwrap();
        assert!(chosen.iter().all(|text| number(text) >= 2 * RECENT));
    }
}
