//! Mutants that were made ahead and are ready, of one way to make them.

use std::collections::VecDeque;

use crate::mutator::job::Text;

/// Valid mutants that reach nothing new, which are kept, because they are made faster than they are
/// needed.
const MAX_OTHERS: usize = 128;

/// Mutants that are ready.
#[derive(Debug, Default)]
pub(super) struct ReadyMutants {
    new: VecDeque<Text>,
    others: VecDeque<Text>,
}

impl ReadyMutants {
    /// Adds a mutant; one that reaches nothing new instead of the oldest of its kind, if there are many.
    pub(super) fn put(&mut self, text: Text) {
        if text.is_new {
            self.new.push_back(text);
            return;
        }
        if self.others.len() >= MAX_OTHERS {
            self.others.pop_front();
        }
        self.others.push_back(text);
    }

    /// Takes a mutant that reaches something new, or `else_valid` another valid one.
    pub(super) fn take(&mut self, else_valid: bool) -> Option<Text> {
        let new = self.new.pop_front();
        if else_valid { new.or_else(|| self.others.pop_front()) } else { new }
    }

    /// Whether [`ReadyMutants::take`] would give one.
    pub(super) fn has(&self, else_valid: bool) -> bool {
        !self.new.is_empty() || else_valid && !self.others.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: usize, is_new: bool) -> Text {
        Text { bytes: number.to_string().into(), origin: 0, is_valid: true, is_new }
    }

    #[test]
    fn what_is_new_comes_first_and_the_rest_only_where_it_is_wanted() {
        let mut ready = ReadyMutants::default();
        ready.put(text(1, false));
        ready.put(text(2, true));
        assert_eq!(ready.take(true), Some(text(2, true)));
        assert!(!ready.has(false) && ready.has(true));
        assert_eq!(ready.take(true), Some(text(1, false)));
        assert!(!ready.has(true));
    }

    #[test]
    fn of_those_that_reach_nothing_new_the_latest_are_kept() {
        let mut ready = ReadyMutants::default();
        (0..2 * MAX_OTHERS).for_each(|number| ready.put(text(number, false)));
        assert_eq!(ready.take(true), Some(text(MAX_OTHERS, false)));
        (0..2 * MAX_OTHERS).for_each(|number| ready.put(text(number, true)));
        assert_eq!(ready.take(false), Some(text(0, true)));
    }
}
