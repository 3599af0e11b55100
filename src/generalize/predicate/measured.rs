//! A condition with its measurement: how it did on inputs that it was not learnt from.

use super::learn::Predicate;
use super::plain::left_out::LeftOut;

/// Failing and passing inputs that a measurement has at least, because a predicate that always says yes
/// agrees with inputs of one kind.
const MIN_INPUTS_OF_A_KIND: u64 = 5;
/// Of a hundred fresh inputs this many agree at least, or nothing is said: so that a condition is stated
/// only if it is hardly ever wrong. Not measured.
const MIN_AGREEING_PERCENT: u64 = 98;
/// Precision, recall, and the share of the passing inputs of which it says so, that a condition has at least which is not
/// exact. With less a reader learns little. Not measured.
const MIN_SHARE: f64 = 0.8;

/// A predicate, and how it did on inputs that it wasn't learnt from. One that is not exact may have been measured on all tested inputs, if the fresh ones do
/// not show that it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The condition.
    pub predicate: Predicate,
    /// Fresh inputs that meet it and fail.
    pub hits: u64,
    /// Fresh inputs that meet it and pass.
    pub false_alarms: u64,
    /// Fresh inputs that don't meet it and fail.
    pub misses: u64,
    /// Fresh inputs that don't meet it and pass.
    pub quiet: u64,
}

impl Measured {
    /// Of the inputs that meet the condition, the share that fails.
    ///
    /// 0 if no fresh input meets it.
    pub fn precision(&self) -> f64 {
        self.hits as f64 / (self.hits + self.false_alarms).max(1) as f64
    }

    /// Of the inputs that fail, the share that meets the condition.
    pub fn recall(&self) -> f64 {
        self.hits as f64 / (self.hits + self.misses).max(1) as f64
    }

    /// Fresh inputs in all.
    pub fn draws(&self) -> u64 {
        self.hits + self.false_alarms + self.misses + self.quiet
    }

    /// Fresh inputs for which it says what happens.
    pub fn agreeing(&self) -> u64 {
        self.hits + self.quiet
    }

    /// The same of inputs without the texts that say nothing.
    pub(super) fn without(self, left_out: &LeftOut) -> Self {
        Measured { predicate: self.predicate.without(left_out), ..self }
    }

    /// A predicate that was not measured yet.
    pub(super) fn none(predicate: Predicate) -> Self {
        Measured { predicate, hits: 0, false_alarms: 0, misses: 0, quiet: 0 }
    }

    /// Whether it may be called the condition: fresh inputs agree with it, and enough of them fail and enough pass.
    ///
    /// Any other one is only near to it.
    pub fn is_exact(&self) -> bool {
        self.is_right() && self.has_both()
    }

    /// Whether a condition that is not exact is still worth a line.
    pub(super) fn is_near(&self) -> bool {
        let passing = self.false_alarms + self.quiet;
        let quiet = self.quiet as f64 / passing.max(1) as f64;
        self.has_both()
            && [self.precision(), self.recall(), quiet].iter().all(|one| *one >= MIN_SHARE)
    }

    /// Whether the fresh inputs agree. It may leave out some that fail, but an input that it calls failing fails.
    pub(super) fn is_right(&self) -> bool {
        self.false_alarms == 0 && self.agreeing() * 100 >= self.draws() * MIN_AGREEING_PERCENT
    }

    /// Whether enough fresh inputs fail and enough pass.
    pub(super) fn has_both(&self) -> bool {
        let failing = self.hits + self.misses;
        failing.min(self.draws() - failing) >= MIN_INPUTS_OF_A_KIND
    }

    /// What the condition says of the kind of inputs of which there are too few yet: that they fail, or that they pass.
    pub(super) fn rare(&self) -> Option<bool> {
        let failing = self.hits + self.misses;
        match (failing, self.draws() - failing) {
            (failing, _) if failing < MIN_INPUTS_OF_A_KIND => Some(true),
            (_, passing) if passing < MIN_INPUTS_OF_A_KIND => Some(false),
            _ => None,
        }
    }

    pub(super) fn count(&mut self, says: bool, fails: bool) {
        match (says, fails) {
            (true, true) => self.hits += 1,
            (true, false) => self.false_alarms += 1,
            (false, true) => self.misses += 1,
            (false, false) => self.quiet += 1,
        }
    }
}
