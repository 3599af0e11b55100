//! What a caller can choose about a reduction, with the command line's names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::tree::picireny::Steps;
use seedsmith_grammar::grammar::builtin::{self, Clue, Hint};
use seedsmith_grammar::grammar::language::Language;
use seedsmith_grammar::grammar::substitutes::Substitutes;
use seedsmith_grammar::structure::Format;

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
    /// About as much work as the deletion took, and at least some thousand tests; where tests are
    /// dear, an eighth of the tests until then and no more than 50, and none along a tree.
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

/// How far the guess of a language goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// By the names of input and target.
    ByName,
    /// By a trial parse too.
    ByTrial,
}

/// How much the default strategy parses to find out what an input is.
const SHORT_TRIAL: usize = 2 << 10;

/// What a language may be guessed by besides the input's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clues {
    /// The input's file name.
    pub file_name: Option<String>,
    /// The fuzz target's name.
    pub target: Option<String>,
    /// What a parse may take.
    pub max_parse_time: Duration,
}

impl Clues {
    /// The built-in language that `bytes` seem to be in, with its name and what gave it away. The
    /// same for the same bytes; costs milliseconds where no name tells it.
    pub fn language(&self, bytes: &[u8]) -> Option<(&'static str, Clue, Arc<Substitutes>)> {
        self.language_by(bytes, Hint::default().trial_bytes)
    }

    /// The same from a trial of no more than `trial_bytes`.
    fn language_by(
        &self,
        bytes: &[u8],
        trial_bytes: usize,
    ) -> Option<(&'static str, Clue, Arc<Substitutes>)> {
        let hint = Hint {
            file_name: self.file_name.as_deref(),
            target: self.target.as_deref(),
            trial_bytes,
        };
        let (found, clue) = builtin::recognise(hint, bytes)?;
        let language = Language::of(found.parser(), None).expect("tests start every grammar");
        let language = Substitutes::new(language).with_max_parse_time(self.max_parse_time);
        Some((found.name, clue, Arc::new(language)))
    }
}

/// Longer inputs aren't asked by tree-sitter's parsers what is optional in them: that takes
/// milliseconds a kilobyte.
#[cfg(feature = "tree-sitter")]
const SHORT_ENOUGH_TO_ASK: usize = 64 << 10;

impl Clues {
    /// The language that one of tree-sitter's parsers shows in `bytes`, where its trial finds less
    /// amiss than so many bytes in a hundred, with what `--grammar` takes for it.
    #[cfg(feature = "tree-sitter")]
    fn seen(
        &self,
        bytes: &[u8],
        trial_bytes: usize,
        amiss: u8,
    ) -> Option<(&'static str, Arc<Substitutes>)> {
        use seedsmith_grammar::grammar::tree_sitter::{TreeSitter, recognise};
        if bytes.len() > SHORT_ENOUGH_TO_ASK {
            return None;
        }
        let (found, _) = recognise(bytes, trial_bytes).filter(|(_, percent)| *percent < amiss)?;
        let parser = TreeSitter::built_in(found).expect("its trial went well");
        let started = std::time::Instant::now();
        let keep_going = || started.elapsed() < self.max_parse_time;
        let language = Language::seen(&parser, bytes, &keep_going).ok()?;
        let language = Substitutes::new(language).with_max_parse_time(self.max_parse_time);
        Some((found.said, Arc::new(language)))
    }

    /// Without the feature there are no such parsers.
    #[cfg(not(feature = "tree-sitter"))]
    fn seen(
        &self,
        _bytes: &[u8],
        _trial_bytes: usize,
        _amiss: u8,
    ) -> Option<(&'static str, Arc<Substitutes>)> {
        None
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
    /// The language that is known or, by the clues and `bytes`, guessed; with its name then.
    pub fn language_of(
        &self,
        bytes: &[u8],
        guess: Guess,
    ) -> Option<(Option<&'static str>, Arc<Substitutes>)> {
        if let Some(language) = &self.language {
            return Some((None, language.clone()));
        }
        let clues = self.clues.as_ref().filter(|_| self.format == Format::Auto)?;
        let trial_bytes = match guess {
            Guess::ByName => 0,
            // The published strategies need a tree; the default only gains by one.
            Guess::ByTrial if self.strategy.needs_tree() => Hint::default().trial_bytes,
            Guess::ByTrial => SHORT_TRIAL,
        };
        let found = clues.language_by(bytes, trial_bytes);
        let amiss = match found {
            Some((_, Clue::Ending | Clue::Target, _)) => 0,
            Some((_, Clue::Trial(amiss), _)) => amiss,
            None => u8::MAX,
        };
        let seen = if amiss > 0 { clues.seen(bytes, trial_bytes, amiss) } else { None };
        let found = found.map(|(name, _, language)| (name, language));
        seen.or(found).map(|(name, language)| (Some(name), language))
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
