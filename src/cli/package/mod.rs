//! What concerns targets of a cargo-fuzz package only: the options that cargo gets, and a
//! minimization that begins on what cargo-fuzz built.

pub mod args;
pub mod two_builds;
