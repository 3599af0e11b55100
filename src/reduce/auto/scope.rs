//! What the default strategy may touch in a round: by the format, by what a test costs, and by what a
//! tree has seen already.

use crate::reduce::amount::nesting;
use crate::reduce::binary::records::is_binary;
use crate::reduce::flat::pairs::Family;
use crate::reduce::options::{Cause, Options};
use seedsmith_grammar::structure::nesting::{pairs, tags};
use seedsmith_grammar::structure::units::UnitKind;

/// The families of pairs, those that hold most first.
const FAMILIES: [(&str, Family); 4] = [
    ("tags", tags::tags),
    ("brackets", pairs::brackets),
    ("words", pairs::words),
    ("quotes", pairs::quotes),
];

/// Where tests are expensive, a best that isn't longer than this is looked at closely at once.
pub(super) const RIPE: usize = 256;

/// What a format lets the strategy touch.
pub(super) struct Reach {
    /// Units to delete, the coarsest first.
    pub(super) units: &'static [UnitKind],
    /// Whether openers and closers are looked for.
    pub(super) has_pairs: bool,
    /// Of which kinds.
    pub(super) families: &'static [(&'static str, Family)],
    /// Whether single bytes may go or change.
    pub(super) has_bytes: bool,
    /// Whether windows are tried at every offset.
    pub(super) has_offsets: bool,
    /// Whether a test costs a process or more.
    pub(super) are_tests_dear: bool,
    /// Whether the failure is a matter of amount.
    pub(super) is_amount: bool,
    /// Whether a tree has seen what is nested and what goes together.
    pub(super) is_sound: bool,
    /// Whether that was so, and tests are too dear to look at it again.
    pub(super) is_seen: bool,
}

impl Reach {
    /// What `options` let a round touch before any tree was seen.
    pub(super) fn of(options: &Options) -> Self {
        let Options { format, cause, are_tests_dear, .. } = *options;
        let (units, has_pairs, has_bytes): (&[UnitKind], bool, bool) = match format {
            UnitKind::Auto => (&[UnitKind::Lines, UnitKind::Tokens, UnitKind::Bytes], true, true),
            UnitKind::Bytes => (&[UnitKind::Bytes], false, true),
            UnitKind::Lines => (&[UnitKind::Lines], false, false),
            UnitKind::Tokens => (&[UnitKind::Lines, UnitKind::Tokens], false, false),
            UnitKind::Brackets => (&[UnitKind::Lines, UnitKind::Tokens], true, false),
        };
        let is_amount = cause == Cause::Amount;
        let families = if has_pairs { &FAMILIES[..] } else { &[] };
        Reach {
            units,
            has_pairs,
            families,
            has_bytes,
            has_offsets: has_bytes,
            are_tests_dear,
            is_amount,
            is_sound: false,
            is_seen: false,
        }
    }

    /// Whether each place of `best` deserves tests of its own.
    pub(super) fn is_worth_a_look(&self, best: &[u8]) -> bool {
        !(self.is_amount && nesting::is_mostly_repetition(best))
    }

    /// Whether windows at every offset of `best` deserve a test each. Where tests are expensive,
    /// text is left to lines and tokens: its parts begin where these do.
    pub(super) fn has_windows(&self, best: &[u8]) -> bool {
        self.has_offsets && (!self.are_tests_dear || is_binary(best))
    }

    /// Whether `best` is so short, where tests are expensive, that what looks for large steps costs
    /// more tests than the small steps that it would save.
    pub(super) fn is_brief(&self, best: &[u8]) -> bool {
        self.are_tests_dear && best.len() <= RIPE
    }
}
