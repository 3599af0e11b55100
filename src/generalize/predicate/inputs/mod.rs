//! Inputs that a condition is learnt from and measured on.
//!
//! [`bases`] are those that others are made of: the given ones, some of their items, and those with another word. [`mutants`] and [`edits`] make inputs near the failing one, [`boundary`] those between two
//! values, [`other_side`] those where the other one of two numbers is greater, and [`against`] those that are far from the failing one and of which a condition says something. [`challenge`] chooses those of
//! which several conditions say different things. [`reader`] reads them, [`samples`] tests them, and [`alphabet`] says which of them are written as usual inputs
//! are. Only [`samples`] and [`bases`] call the target: to make an input costs parsing.

pub(in crate::generalize::predicate) mod against;
pub(in crate::generalize::predicate) mod alphabet;
pub(in crate::generalize::predicate) mod bases;
pub(in crate::generalize::predicate) mod boundary;
mod challenge;
mod edits;
pub(in crate::generalize) mod mutants;
mod other_side;
mod parts;
mod rare;
mod reader;
mod rejected;
pub(in crate::generalize::predicate) mod samples;
mod shapes;
mod sweeps;
mod usual_texts;
