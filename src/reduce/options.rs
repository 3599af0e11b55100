//! What a caller can choose about a reduction, with the command line's names.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

pub use super::clues::{Clues, Guess, Known};
use crate::reduce::tree::published::picireny::Steps;
use seedsmith_grammar::grammar::substitutes::Substitutes;
use seedsmith_grammar::structure::units::UnitKind;

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
    /// tests are dear, a twelfth of the round's tests until then, cached ones too, and no more than
    /// 50, and none along a tree.
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
    pub format: UnitKind,
    /// Of the one random generator.
    pub seed: u64,
    /// How far to go below 1-minimal.
    pub polish: Polish,
    /// Whether a test costs a process or more: then what doesn't make the result smaller is done
    /// in few tests.
    pub are_tests_dear: bool,
    /// What the failure comes from.
    pub cause: Cause,
    /// The language of the input, where it is known: strategies along a tree need it.
    pub language: Option<Arc<Substitutes>>,
    /// What to guess it by where it isn't; nothing is guessed without.
    pub clues: Option<Clues>,
    /// What [`Strategy::Picireny`] does besides pruning.
    pub picireny: Steps,
}

impl Options {
    /// The language that is known or, by the clues and `bytes`, guessed.
    pub fn language_of(&self, bytes: &[u8], guess: Guess) -> Option<Known> {
        if let Some(language) = &self.language {
            return Some(Known { language: language.clone(), guessed: None });
        }
        let clues = self.clues.as_ref().filter(|_| self.format == UnitKind::Auto)?;
        // The published strategies need a tree; the default only gains by one.
        clues.known(bytes, guess, self.strategy.needs_tree())
    }

    /// What to report if the language of the input is one that this build has no parser for.
    pub(super) fn missing_parser(&self) -> Option<String> {
        let is_looked_for = self.language.is_none() && self.format == UnitKind::Auto;
        let clues =
            self.clues.as_ref().filter(|_| is_looked_for && self.strategy != Strategy::Ddmin);
        clues?.missing()
    }

    /// The same options for a search from `best`: a language that only an input shows is what
    /// `best` shows of it, as long as `keep_going` says yes. Without a language where that can't be parsed in time.
    pub fn for_best(&self, best: &[u8], keep_going: &dyn Fn() -> bool) -> Cow<'_, Options> {
        let Some(language) = &self.language else { return Cow::Borrowed(self) };
        match language.shown_by(best, keep_going) {
            None => Cow::Borrowed(self),
            Some(shown) => Cow::Owned(Options { language: shown.map(Arc::new), ..self.clone() }),
        }
    }

    /// The same options for an input whose file name tells nothing.
    pub fn without_file_name(&self) -> Options {
        let clues = self.clues.clone().map(|clues| Clues { file_name: None, ..clues });
        Options { clues, ..self.clone() }
    }
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
