//! The parts of the best that the default strategy may change in a round: they depend on the
//! format, on the cost of a test, and on the work that reducers along a tree have done already.

use crate::reduce::choices::Cause;
use crate::reduce::input_kind::{is_binary, is_mostly_repetition};
use crate::reduce::needs::Need;
use seedsmith_grammar::internal::UnitKind;

/// Where tests are expensive, a best that isn't longer than this is looked at closely at once: looking
/// for large steps takes about as many tests as the small steps that they save. A guess; not measured.
pub(crate) const MAX_SMALL_BYTES: usize = 256;

/// The parts of the best that a round may change.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The format of the options, which says which units may be deleted.
    pub format: UnitKind,
    /// The cause of the failure.
    pub cause: Cause,
    /// Whether a test costs a process or more.
    pub are_tests_expensive: bool,
    /// Whether most of the best was in no error node when it was parsed, so that the reducers along
    /// the tree have deleted nested parts.
    pub has_sound_tree: bool,
    /// Whether that was so and tests are too expensive to try the same in another way.
    pub is_covered_by_tree: bool,
    /// Whether each place of the best is worth separate tests; false if the best is mostly
    /// repetition.
    pub is_each_place_worth_a_test: bool,
}

impl Scope {
    /// The scope before any tree was seen.
    pub(crate) fn new(format: UnitKind, cause: Cause, are_tests_expensive: bool) -> Self {
        Scope {
            format,
            cause,
            are_tests_expensive,
            has_sound_tree: false,
            is_covered_by_tree: false,
            is_each_place_worth_a_test: true,
        }
    }

    /// The units to delete, the coarsest first.
    pub(crate) fn units(&self) -> &'static [UnitKind] {
        match self.format {
            UnitKind::Auto => &[UnitKind::Lines, UnitKind::Tokens, UnitKind::Bytes],
            UnitKind::Bytes => &[UnitKind::Bytes],
            UnitKind::Lines => &[UnitKind::Lines],
            UnitKind::Tokens | UnitKind::Brackets => &[UnitKind::Lines, UnitKind::Tokens],
        }
    }

    /// Whether the format meets a reducer's need. A tree does not depend on the format.
    pub(crate) fn allows(&self, need: Need) -> bool {
        let has = |unit| self.units().contains(&unit);
        match need {
            Need::Lines => has(UnitKind::Lines),
            Need::Tokens => has(UnitKind::Tokens),
            Need::Bytes => has(UnitKind::Bytes),
            Need::Pairs => matches!(self.format, UnitKind::Auto | UnitKind::Brackets),
            Need::Tree => true,
        }
    }

    /// Finds out whether each place of the best is worth separate tests.
    pub(crate) fn look_at(&mut self, best: &[u8]) {
        self.is_each_place_worth_a_test = self.is_worth_looking_at(best);
    }

    /// Whether each place of `best` is worth separate tests.
    pub(crate) fn is_worth_looking_at(&self, best: &[u8]) -> bool {
        !(self.cause == Cause::Amount && is_mostly_repetition(best))
    }

    /// Whether tests are expensive and `best` is so short that looking for large steps costs more
    /// tests than the small steps that it would save.
    pub(crate) fn is_small(&self, best: &[u8]) -> bool {
        self.are_tests_expensive && best.len() <= MAX_SMALL_BYTES
    }

    /// Whether parts of `best` begin at any byte. Where tests are expensive, text is taken to have its
    /// parts begin where lines and tokens do.
    pub(crate) fn has_parts_anywhere(&self, best: &[u8]) -> bool {
        !self.are_tests_expensive || is_binary(best)
    }
}
