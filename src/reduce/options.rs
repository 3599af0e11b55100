//! What a caller can choose about a reduction, with the command line's names.

use std::fmt;
use std::str::FromStr;

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
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Strategy::Auto),
            "ddmin" => Ok(Strategy::Ddmin),
            _ => Err(format!("{text:?} is none of auto, ddmin")),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strategy::Auto => "auto",
            Strategy::Ddmin => "ddmin",
        })
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_spelled_as_they_are_read() {
        for strategy in [Strategy::Auto, Strategy::Ddmin] {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        for polish in [Polish::Auto, Polish::Tests(0), Polish::Tests(7)] {
            assert_eq!(polish.to_string().parse(), Ok(polish));
        }
        assert!("-1".parse::<Polish>().is_err());
    }
}
