//! The algorithms that reducers are made of. They work on any list of elements and know no format.
//!
//! [`ddmin`] and [`isolate`] are the published algorithms, to the letter; [`chunks`] is what the
//! default strategy uses in place of ddmin, in the order that [`walk`] gives; [`bisect`] finds the
//! least amount of something. [`edit`] writes candidates, and [`allowance`] limits their number.

pub mod allowance;
pub mod bisect;
pub mod chunk_limits;
pub mod chunks;
pub mod ddmin;
pub mod difference;
pub mod edit;
pub mod isolate;
pub mod removable;
pub mod walk;
