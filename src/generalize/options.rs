//! What a caller asks of a generalization: the method, the seed, and how much is explained.

use super::claim::ClaimGoal;
use super::claim::settling::TestCost;

/// How a pattern is found.
///
/// The default is [`Method::Joint`]; `--checks` asks for the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// As published: each abstract node fails this many times.
    Published {
        /// `MAX_CHECKS`; the paper has 100.
        checks: u64,
    },
    /// With joint draws, for a claim.
    Joint(ClaimGoal),
}

/// The rate, the confidence and the limits of a generalization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How.
    pub method: Method,
    /// Where all draws follow from.
    pub seed: u64,
    /// Whether reasons are looked for, and how thoroughly.
    pub explains: Explains,
    /// What a test of the target costs.
    pub cost: TestCost,
}

/// How much is asked about required parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explains {
    /// Nothing.
    Nothing,
    /// The nearest passing input of each part, for three tests a part at most.
    Nearest,
    /// Every other token at the place of each required one.
    Thoroughly,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Joint(ClaimGoal::default()),
            seed: 0,
            explains: Explains::Nearest,
            cost: TestCost::default(),
        }
    }
}
