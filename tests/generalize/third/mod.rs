//! A third list of planted causes, in the formats that users bring: JSON, XML, CSV and ini files in the
//! built-in grammars, small languages with grammars of their own, and texts without a grammar.
//!
//! Each cause comes with inputs that fail by it and with inputs that nearly do. A condition is right
//! if it holds for all of the first and for none of the second; a pattern is right if it is one of
//! those listed. The list was committed before the generalizer was run on any of it. If an
//! expectation is ever changed, the commit has to say why it was wrong.

mod json;
mod markup;
mod own;
mod plain;

use crate::planted::text;

/// A cause that was made up.
pub struct Third {
    /// What it is about.
    pub name: &'static str,
    /// The grammar in ANTLR's notation, `@` and the name of a built-in one, or nothing.
    pub grammar: &'static str,
    /// The failing input.
    pub input: &'static str,
    /// Whether an input fails.
    pub fails: fn(&str) -> bool,
    /// Further inputs that fail.
    pub failing: &'static [&'static str],
    /// Inputs that pass, near those that fail.
    pub passing: &'static [&'static str],
    /// Patterns that say no more and no less than the cause.
    pub patterns: &'static [&'static str],
}

impl Third {
    /// Whether an input fails.
    pub fn fails(&self, input: &[u8]) -> bool {
        std::str::from_utf8(input).is_ok_and(self.fails)
    }
}

/// All of them.
pub fn third() -> impl Iterator<Item = &'static Third> {
    [json::JSON, markup::MARKUP, own::OWN, plain::PLAIN].into_iter().flatten()
}

/// The numbers in a text, without signs.
fn numbers(input: &str) -> Vec<i128> {
    let words = text(input.as_bytes()).split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Whether a list holds something twice.
fn has_twins<T: Ord>(mut items: Vec<T>) -> bool {
    items.sort();
    items.windows(2).any(|pair| pair[0] == pair[1])
}

#[test]
fn the_inputs_of_the_third_list_fail_or_pass_as_it_says() {
    for planted in third() {
        let is_failing = |input: &&str| (planted.fails)(input);
        assert!(is_failing(&planted.input), "{}", planted.name);
        let passing = planted.failing.iter().find(|input| !is_failing(input));
        assert_eq!(passing, None, "{}", planted.name);
        assert_eq!(
            planted.passing.iter().find(|input| is_failing(input)),
            None,
            "{}",
            planted.name
        );
        assert!(planted.failing.len() >= 3 && planted.passing.len() >= 3, "{}", planted.name);
    }
}
