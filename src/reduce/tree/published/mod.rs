//! The published strategies along a parse tree, as their papers describe them: HDD, HDD+, HDD*, HDDr,
//! Picireny and Perses. [`strategies`] runs the chosen one.

pub mod flatten;
pub mod hdd;
pub mod perses;
pub mod picireny;
pub mod strategies;
