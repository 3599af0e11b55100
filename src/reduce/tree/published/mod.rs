//! The published strategies along a parse tree, as their papers describe them: HDD, HDD+, HDD*, HDDr,
//! Picireny and Perses. [`strategies`] runs the chosen one.

pub(crate) mod flatten;
pub(crate) mod hdd;
pub(crate) mod perses;
pub(crate) mod picireny;
pub(crate) mod strategies;
