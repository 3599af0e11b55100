//! Writes down, as words, the options that determine the course of a search and its observations.
//!
//! `--resume` compares these words with those of the earlier run. They are `key=value`, written by
//! hand: the `Debug` text of a type changes with its fields, and that of a grammar's parser has a
//! megabyte. Large values are written as their digests. Each word is always there, so that two runs
//! differ in values only. A field that is added to the options has to be added here: the patterns
//! below name every field.

use std::fmt;

use crate::reduce::{Cause, Clues, Options, PicirenySteps, Reducer};
use seedsmith_engine::Limits;
use seedsmith_engine::Sameness;
use seedsmith_grammar::internal::Substitutes;

/// Something in which an earlier run differs from this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the option, such as `strategy`.
    pub(crate) what: String,
    /// The earlier run's value.
    pub(crate) before: String,
    /// The present run's value.
    pub(crate) now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was {}, now {}", self.what, self.before, self.now)
    }
}

/// The value of an option that is not set.
const NONE: &str = "none";

/// The options of a search and the rule for the same failure.
///
/// They are `key=value` with a blank between them, always in this order. Two runs with the same
/// words, limits, target and input try the same candidates.
pub(crate) fn search_words(options: &Options, sameness: &Sameness) -> String {
    let Options {
        strategy,
        format,
        seed,
        polish,
        are_tests_expensive,
        cause,
        language,
        clues,
        picireny,
        selection,
        reducers,
    } = options;
    let Sameness { rule, pattern } = sameness;
    let cost = if *are_tests_expensive { "high" } else { "low" };
    let cause = match cause {
        Cause::Detail => "detail",
        Cause::Amount => "amount",
    };
    let words = [
        format!("strategy={strategy} format={format} seed={seed} polish={polish}"),
        format!("cost={cost} cause={cause} picireny={}", step_names(*picireny)),
        format!(
            "only={} without={} own={}",
            names(selection.only().iter().map(String::as_str)),
            names(selection.without().iter().map(String::as_str)),
            names(reducers.iter().map(Reducer::name)),
        ),
        grammar_words(language.as_deref()),
        clue_words(clues.as_ref()),
        format!("same={rule} match={}", quoted(pattern.as_ref().map(regex::Regex::as_str))),
    ];
    words.join(" ")
}

/// The limits of a test.
///
/// Times are in nanoseconds, so that no two limits have the same words.
pub(crate) fn limit_words(limits: Limits) -> String {
    let Limits { cpu, wall, memory_mb } = limits;
    format!("cpu_ns={} wall_ns={} memory_mb={memory_mb}", cpu.as_nanos(), wall.as_nanos())
}

/// The words in which two runs differ: key, earlier value and new value.
///
/// Both are texts of [`search_words`] or [`limit_words`]. A key that the earlier run does not have,
/// because an older version wrote it, counts as `none` there.
pub(crate) fn differing(earlier: &str, words: &str) -> Vec<Difference> {
    let value = |key: &str| {
        let mut pairs = earlier.split(' ').filter_map(|word| word.split_once('='));
        pairs.find(|(other, _)| *other == key).map_or(NONE, |(_, value)| value).to_owned()
    };
    let pairs = words.split(' ').filter_map(|word| word.split_once('='));
    pairs
        .map(|(key, now)| Difference {
            what: key.to_owned(),
            before: value(key),
            now: now.to_owned(),
        })
        .filter(|difference| difference.before != difference.now)
        .collect()
}

/// The digests of the texts that a grammar was read from, and of the additions to it.
fn grammar_words(language: Option<&Substitutes>) -> String {
    let digest = |digest| format!("xxh3:{digest}");
    let of_some = |some: Option<_>| some.map_or_else(|| NONE.to_owned(), digest);
    format!(
        "grammar={} start={} replacements={} islands={} parse_ns={}",
        of_some(language.map(|language| language.grammar().source)),
        quoted(language.map(Substitutes::start_name)),
        of_some(language.and_then(Substitutes::replacements_source)),
        of_some(language.and_then(Substitutes::islands_source)),
        language.map_or(0, |language| language.max_parse_time().as_nanos()),
    )
}

/// The clues for guessing a language.
fn clue_words(clues: Option<&Clues>) -> String {
    let Some(Clues { file_name, target, max_parse_time }) = clues else {
        return format!("guess_file={NONE} guess_target={NONE} guess_ns={NONE}");
    };
    format!(
        "guess_file={} guess_target={} guess_ns={}",
        quoted(file_name.as_deref()),
        quoted(target.as_deref()),
        max_parse_time.as_nanos()
    )
}

/// The steps of Picireny that are switched on, with a comma between them.
fn step_names(steps: PicirenySteps) -> String {
    let PicirenySteps { coarse, hoist, flatten, recursive, white_space, hidden_tokens } = steps;
    let named = [
        (coarse, "coarse"),
        (hoist, "hoist"),
        (flatten, "flatten"),
        (recursive, "hddr"),
        (white_space, "white-space"),
        (hidden_tokens, "hidden-tokens"),
    ];
    let names: Vec<&str> =
        named.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect();
    if names.is_empty() { NONE.to_owned() } else { names.join("+") }
}

/// Names of reducers, in the order in which they were given.
fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<String> = names.map(|name| name.replace(' ', "_")).collect();
    if all.is_empty() { NONE.to_owned() } else { all.join(",") }
}

/// A text between quotes, without a blank, so that it is one word.
fn quoted(text: Option<&str>) -> String {
    match text {
        Some(text) => format!("\"{}\"", text.escape_default().to_string().replace(' ', "\\u{20}")),
        None => NONE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::reduce::Strategy;
    use seedsmith_grammar::Language;

    fn options() -> Options {
        let language = Language::open("javascript", None).unwrap();
        let clues = Clues {
            file_name: Some("a crash=\"1\"".to_owned()),
            target: None,
            max_parse_time: Duration::from_secs(5),
        };
        Options {
            language: Some(Arc::new(Substitutes::new(language))),
            clues: Some(clues),
            ..Options::default()
        }
    }

    #[test]
    fn the_words_of_a_search_are_short_whatever_its_grammar_and_stay_as_they_are() {
        let mut options = options();
        let words = search_words(&options, &Sameness::default());
        assert!(words.len() < 500, "{words}");
        assert_eq!(words, search_words(&options, &Sameness::default()));
        // The words are on disk: if they change, earlier runs look like runs with other options.
        options.language = None;
        assert_eq!(
            search_words(&options, &Sameness::default()),
            "strategy=auto format=auto seed=0 polish=auto cost=low cause=detail picireny=none \
             only=none without=none own=none grammar=none start=none replacements=none islands=none parse_ns=0 \
             guess_file=\"a\\u{20}crash=\\\"1\\\"\" guess_target=none guess_ns=5000000000 \
             same=auto match=none"
        );
        let limits = Limits::default();
        assert_eq!(limit_words(limits), "cpu_ns=10000000000 wall_ns=60000000000 memory_mb=2048");
    }

    #[test]
    fn what_differs_is_told_by_its_key() {
        let words = |options: &Options| search_words(options, &Sameness::default());
        let first = options();
        let mut other = first.clone();
        let differing = |left: &str, right: &str| -> Vec<String> {
            differing(left, right).into_iter().map(|difference| difference.what).collect()
        };
        assert_eq!(differing(&words(&first), &words(&other)), [""; 0]);
        let language = Language::open("javascript", Some("statement")).unwrap();
        other.language = Some(Arc::new(Substitutes::new(language)));
        assert_eq!(differing(&words(&first), &words(&other)), ["start"]);
        let language = Language::open("json", None).unwrap();
        other.language = Some(Arc::new(Substitutes::new(language)));
        other.strategy = Strategy::Perses;
        assert_eq!(differing(&words(&first), &words(&other)), ["strategy", "grammar", "start"]);
    }
}
