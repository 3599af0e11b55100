//! The three outcomes of a test, as 'Simplifying and Isolating Failure-Inducing Input' names them.
//!
//! An outcome is a judgement: the same [`Observation`](crate::observation::Observation) can be a
//! [`Outcome::Fail`] for one judge and [`Outcome::Unresolved`] for another. This file knows neither.

use std::fmt;

/// What a test says about a candidate with respect to the wanted failure.
///
/// Source: Zeller & Hildebrandt 2002, definition 3 (`✔`, `✘`, `?`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The target processed the candidate and the failure did not show.
    Pass,
    /// The wanted failure shows. Another failure is never `Fail`.
    Fail,
    /// Neither: another failure, a hang, a rejected candidate where that matters, a lost worker.
    Unresolved,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unresolved => "unresolved",
        })
    }
}
