//! Inputs that a condition is learnt from and measured on.
//!
//! [`mutants`] and [`edits`] make inputs near the failing one, [`boundary`] those between two values, [`absent`] those
//! with one of the [`usual_names`] more, and [`against`] those that are far from the failing one and of which a
//! condition says something. [`challenge`] chooses those of which several conditions say different things. [`samples`] tests them, and [`alphabet`] says which of them are written as usual inputs
//! are. Only [`samples`] and [`absent`] call the target: to make an input costs parsing.

pub(in crate::generalize::predicate) mod absent;
pub(in crate::generalize::predicate) mod against;
pub(in crate::generalize::predicate) mod alphabet;
pub(in crate::generalize::predicate) mod boundary;
mod challenge;
mod edits;
pub(in crate::generalize::predicate) mod lengths;
pub(in crate::generalize) mod mutants;
mod parts;
mod rare;
pub(in crate::generalize::predicate) mod samples;
pub(in crate::generalize::predicate) mod siblings;
mod sweeps;
mod usual_names;
mod usual_texts;
