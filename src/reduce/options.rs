//! What a caller can choose about a reduction, with the command line's names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::tree::picireny::Steps;
use crate::grammar::substitutes::Substitutes;
use crate::structure::Format;

/// Which reducers run, and in what order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// What has been learnt since the papers.
    #[default]
    Auto,
    /// ddmin of Zeller and Hildebrandt over the units of the format (bytes for `auto`).
    Ddmin,
    /// HDD: level by level (Misherghi).
    Hdd,
    /// HDD+: then single nodes.
    HddPlus,
    /// HDD*: to the fixpoint.
    HddStar,
    /// HDDr: recursive descent.
    Hddr,
    /// Picireny: HDD* over a tree made ready for it.
    Picireny,
    /// Perses: largest first, by compatible nodes.
    Perses,
}

/// Names as they are read; the first of a strategy is the one that is written.
const STRATEGIES: [(&str, Strategy); 10] = [
    ("auto", Strategy::Auto),
    ("ddmin", Strategy::Ddmin),
    ("hdd", Strategy::Hdd),
    ("hdd+", Strategy::HddPlus),
    ("hdd-plus", Strategy::HddPlus),
    ("hdd*", Strategy::HddStar),
    ("hdd-star", Strategy::HddStar),
    ("hddr", Strategy::Hddr),
    ("picireny", Strategy::Picireny),
    ("perses", Strategy::Perses),
];

impl Strategy {
    /// Whether it goes along a tree and needs a language to make one.
    pub fn needs_tree(self) -> bool {
        !matches!(self, Strategy::Auto | Strategy::Ddmin)
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match STRATEGIES.iter().find(|(name, _)| *name == text) {
            Some((_, strategy)) => Ok(*strategy),
            None => {
                let names: Vec<&str> = STRATEGIES.iter().map(|(name, _)| *name).collect();
                Err(format!("{text:?} is none of {}", names.join(", ")))
            }
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = STRATEGIES.iter().find(|(_, strategy)| strategy == self);
        f.write_str(named.expect("every strategy has a name").0)
    }
}

/// How many tests may go into getting below a 1-minimal result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polish {
    /// About as much work as the deletion took, and at least some thousand tests.
    #[default]
    Auto,
    /// That many tests; 0 is no polish.
    Tests(u64),
}

impl FromStr for Polish {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Polish::Auto),
            _ => text
                .parse()
                .map(Polish::Tests)
                .map_err(|_| format!("{text:?} is neither auto nor a number of tests")),
        }
    }
}

impl fmt::Display for Polish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Polish::Auto => f.write_str("auto"),
            Polish::Tests(tests) => write!(f, "{tests}"),
        }
    }
}

/// What a failure comes from, as far as its kind tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Something that stands somewhere.
    #[default]
    Detail,
    /// Too much of something: levels, work, memory. How often it occurs is what matters.
    Amount,
}

/// What to do, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which reducers run.
    pub strategy: Strategy,
    /// What the input is taken to be made of. For [`Strategy::Auto`], `lines`, `tokens` and
    /// `brackets` also name the finest unit that is touched.
    pub format: Format,
    /// Of the one random generator.
    pub seed: u64,
    /// How far to go below 1-minimal.
    pub polish: Polish,
    /// What the failure comes from.
    pub cause: Cause,
    /// The language of the input, where it is known: strategies along a tree need it.
    pub language: Option<Arc<Substitutes>>,
    /// What [`Strategy::Picireny`] does besides pruning.
    pub picireny: Steps,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_spelled_as_they_are_read() {
        for (name, strategy) in STRATEGIES {
            assert_eq!((name.parse(), strategy.to_string().parse()), (Ok(strategy), Ok(strategy)));
        }
        for polish in [Polish::Auto, Polish::Tests(0), Polish::Tests(7)] {
            assert_eq!(polish.to_string().parse(), Ok(polish));
        }
        assert!("-1".parse::<Polish>().is_err());
    }
}
