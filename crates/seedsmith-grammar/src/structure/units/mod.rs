//! Flat lists of pieces: an input cut into bytes, tokens or lines.
//!
//! [`Units`] is the list and [`split`] makes one as a [`UnitKind`] asks for; [`lines`], [`tokens`] and
//! [`terminals`] cut, and [`diff`] compares two inputs unit by unit.

pub(crate) mod diff;
pub(crate) mod lines;
pub mod terminals;
pub(crate) mod tokens;
mod unit;
mod unit_kind;

pub use unit::Units;
pub use unit_kind::{UnitKind, split};
