//! The choices of [`Options`](super::Options), with the names that the command line and `--help` use.

use std::fmt;
use std::str::FromStr;

/// Which reducers run, and in what order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// The default: every reducer that pays, in order.
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
    /// The published strategies that go along a tree.
    pub const ALONG_A_TREE: [Strategy; 6] = [
        Strategy::Hdd,
        Strategy::HddPlus,
        Strategy::HddStar,
        Strategy::Hddr,
        Strategy::Picireny,
        Strategy::Perses,
    ];

    /// Whether it goes along a tree and needs a language to make one.
    pub fn needs_tree(self) -> bool {
        Strategy::ALONG_A_TREE.contains(&self)
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
    /// About as much work as the round's deletion took, and at least some thousand tests; where
    /// tests are expensive, a twelfth of the round's tests until then, cached ones too, and no more
    /// than 50, and none along a tree.
    #[default]
    Auto,
    /// That many tests a round of the schedule, most of which the cache answers in the last round;
    /// 0 is no polish.
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

/// The cause of a failure, as far as its kind shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// Something at some place of the input.
    #[default]
    Detail,
    /// Too much of something: levels, work, memory. The number of its occurrences matters.
    Amount,
}

/// Which of Picireny's steps run besides pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PicirenySteps {
    /// A phase before the rest that only tries nodes that can be deleted.
    pub coarse: bool,
    /// Hoist on each level, after its pruning.
    pub hoist: bool,
    /// Make lists of left and right recursion.
    pub flatten: bool,
    /// Go down recursively (HDDr) instead of level by level.
    pub recursive: bool,
    /// Rewrite white space: as a newline, a blank or nothing, depending on the old text. From then
    /// on a node is deleted together with the gap before it; no other gaps are dropped.
    pub white_space: bool,
    /// Treat hidden tokens (white space and comments) as nodes like others; nothing is rewritten
    /// then.
    pub hidden_tokens: bool,
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
