//! The algorithms that reducers are made of. They work on any list of elements and know no format.
//!
//! [`ddmin`] and [`isolate`] are the published algorithms, to the letter; the default strategy uses
//! [`chunks`] in place of ddmin, in the order that [`walk`] gives; [`bisect`] finds the least
//! amount that still fails. [`edit`] writes candidates, and [`allowance`] limits their number.

pub(crate) mod allowance;
pub(crate) mod bisect;
pub(crate) mod chunk_limits;
pub(crate) mod chunks;
pub(crate) mod ddmin;
pub(crate) mod difference;
pub(crate) mod edit;
pub(crate) mod isolate;
pub(crate) mod removable;
pub(crate) mod walk;
