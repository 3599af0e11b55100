//! What the tests of patterns share: languages, the judge of failures, what draws of a pattern are.

use std::collections::HashSet;
use std::sync::Arc;

use seedsmith::internal::generalize::{Pattern, Sampler};
use seedsmith_engine::{Kind, SameFailure, Sameness, Signature};
use seedsmith_grammar::internal::{Substitutes, g4};
use seedsmith_grammar::{Language, Parser, Random};

/// The expected result.
pub enum Says {
    /// The compact pattern.
    Pattern(&'static str),
    /// The condition.
    Condition(&'static str),
}

/// The input as text.
pub fn text(input: &[u8]) -> &str {
    std::str::from_utf8(input).unwrap_or("")
}

/// The language that a cause's inputs are read by: in ANTLR's notation, fuzzingbook's, or `@` and the name of a built-in one.
pub fn sampler(grammar: &str) -> Option<Sampler> {
    let language = match grammar.chars().next()? {
        '{' => Language::of_fuzzingbook("planted", grammar, None),
        '@' => Language::open(&grammar[1..], None),
        _ => {
            let grammar = g4::load_texts(&[("planted.g4", grammar)]).unwrap();
            Language::of(Parser::new(Arc::new(grammar)), None)
        }
    };
    Some(Sampler::new(Arc::new(Substitutes::new(language.unwrap()))).unwrap())
}

/// Takes every failure of a planted cause as the same.
pub fn judge() -> SameFailure {
    SameFailure { signature: Signature::of_kind(Kind::Command), sameness: Sameness::default() }
}

/// 1,000 draws of a pattern, each with twenty attempts.
pub fn draws(pattern: &Pattern) -> impl Iterator<Item = Vec<u8>> {
    let mut pattern = pattern.clone();
    (0..1000).filter_map(move |seed| {
        (0..20).find_map(|again| pattern.draw(&mut Random::new(seed * 20 + again)))
    })
}

/// What 1,000 draws of a pattern are: valid, failing among these, and distinct.
pub fn drawn(
    pattern: &Pattern,
    valid: fn(&[u8]) -> bool,
    fails: fn(&[u8]) -> bool,
) -> (usize, usize, usize) {
    let draws: Vec<Vec<u8>> = draws(pattern).collect();
    assert_eq!(draws.len(), 1000);
    let valid: Vec<&Vec<u8>> = draws.iter().filter(|input| valid(input)).collect();
    let failing = valid.iter().filter(|input| fails(input)).count();
    let distinct: HashSet<&&Vec<u8>> = valid.iter().collect();
    (valid.len(), failing, distinct.len())
}
