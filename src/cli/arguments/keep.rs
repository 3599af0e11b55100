//! What a smaller input keeps of the coverage of an input, as it is typed.

use std::fmt;
use std::str::FromStr;

/// The value of `--keep`. `coverage=` may be written before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// `all`: every feature that the input has.
    All,
    /// `unique`: the features that no other input has at that time.
    Unique,
    /// `reaches=FUNCTION`: at least one block of this function; the name is not empty.
    Reaches(String),
}

/// The error lists all words.
impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = text.strip_prefix("coverage=").unwrap_or(text);
        match (word, word.strip_prefix("reaches=")) {
            ("all" | "coverage", _) => Ok(Keep::All),
            ("unique", _) => Ok(Keep::Unique),
            (_, Some(function)) if !function.is_empty() => Ok(Keep::Reaches(function.to_owned())),
            _ => Err(format!("{text:?} is none of all, unique, reaches=FUNCTION")),
        }
    }
}

/// As it is typed, without `coverage=`.
impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::All => f.write_str("all"),
            Keep::Unique => f.write_str("unique"),
            Keep::Reaches(function) => write!(f, "reaches={function}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_coverage_may_come_first_or_alone() {
        for (text, keep) in [
            ("coverage", Keep::All),
            ("coverage=all", Keep::All),
            ("all", Keep::All),
            ("unique", Keep::Unique),
            ("coverage=unique", Keep::Unique),
            ("coverage=reaches=a::b", Keep::Reaches("a::b".to_owned())),
            ("reaches=f", Keep::Reaches("f".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(keep), "{text}");
        }
        for wrong in ["", "coverage=", "reaches=", "coverage=coverage=", "some"] {
            assert!(wrong.parse::<Keep>().is_err(), "{wrong}");
        }
    }
}
