//! A third list of planted causes, in the formats that users bring: JSON, XML, CSV and ini files in the
//! built-in grammars, small languages with a grammar each, and texts without a grammar.
//!
//! Each cause comes with inputs that fail by it and with inputs that nearly do. A condition is right
//! if it holds for all of the first and for none of the second; a pattern is right if it is one of
//! those listed. The list was committed before the generalizer was run on any of it. If an
//! expectation is ever changed, the commit has to say why it was wrong.

mod json;
mod markup;
mod own;
mod plain;

use seedsmith::Silent;
use seedsmith::internal::generalize::Pattern;
use seedsmith::internal::generalize::Sampler;
use seedsmith::internal::generalize::predicate;
use seedsmith::internal::generalize::reduce;
use seedsmith::internal::generalize::{Generalized, Options, generalize_from};
use seedsmith_engine::ClosureTarget;
use seedsmith_engine::internal::{Budget, Oracle};

use crate::patterns::{draws, judge, sampler, text};

/// A cause that was made up.
pub struct Third {
    /// A name for the cause.
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

/// The result of a run, and its cost.
struct Run {
    found: Generalized,
    executions: [u64; 3],
    is_right: bool,
    /// Of 1,000 draws of the pattern.
    failing: usize,
}

fn run(planted: &Third) -> Run {
    let fails = planted.fails;
    let target =
        ClosureTarget::failing_if(move |input: &[u8]| std::str::from_utf8(input).is_ok_and(fails));
    let mut oracle = Oracle::new(&target, judge(), 1, Budget::default()).unwrap();
    let language = sampler(planted.grammar);
    let input = planted.input.as_bytes();
    let reduced = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
    let before = oracle.counts().executions;
    let origins = [input.to_vec()];
    let (options, sampler) = (Options::default(), language.clone());
    let found = generalize_from(&mut oracle, &origins, reduced.input, sampler, &options);
    let found = found.unwrap();
    let executions = [before, found.counts.executions, found.reason_counts.executions];
    let is_right = is_told(planted, &found, language);
    let failing = failing(planted, &found.pattern);
    Run { found, executions, is_right, failing }
}

/// Whether the pattern is one of those expected, or the condition holds for all inputs that fail and
/// for none of those that pass.
fn is_told(planted: &Third, found: &Generalized, language: Option<Sampler>) -> bool {
    if planted.patterns.contains(&found.pattern.compact().as_str()) {
        return true;
    }
    let Some(measured) = &found.condition else { return false };
    let mut language = language.or_else(predicate::plain::language).unwrap();
    let mut holds = |input: &&str| {
        let (tree, _) = language.read(input.as_bytes()).unwrap();
        let words = measured.predicate.words();
        let features = predicate::feature::features(&tree, input.as_bytes(), &language, &words);
        measured.predicate.holds(&features)
    };
    let passing: Vec<&&str> = planted.passing.iter().filter(|input| holds(input)).collect();
    let missed: Vec<&&str> = planted.failing.iter().filter(|input| !holds(input)).collect();
    if !passing.is_empty() || !missed.is_empty() {
        println!("   wrong: misses {missed:?}, and holds for {passing:?}");
    }
    passing.is_empty() && missed.is_empty()
}

/// How many of 1,000 draws of a pattern fail.
fn failing(planted: &Third, pattern: &Pattern) -> usize {
    draws(pattern).filter(|input| planted.fails(input)).count()
}

/// All of them take minutes. `SEEDSMITH_CAUSES=json` runs those with a name that has `json` in it.
#[test]
fn most_causes_in_languages_of_their_own_are_told_and_no_pattern_is_too_general() {
    let asked = std::env::var("SEEDSMITH_CAUSES").ok();
    let only = asked.as_deref().unwrap_or("own:");
    let (mut right, mut all) = (0, 0);
    for planted in third().filter(|one| one.name.contains(only)) {
        let Run { found, executions, is_right, failing } = run(planted);
        let [reduction, pattern, condition] = executions;
        println!(
            "{} {}: {:?}, {:?}; {reduction} + {pattern} + {condition} executions; {failing} fail",
            if is_right { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.condition.as_ref().map(|one| one.predicate.to_string()),
        );
        assert!(failing >= 995, "{}: {failing} of 1000 draws fail", planted.name);
        assert!(executions.iter().sum::<u64>() <= 2000, "{}: {executions:?}", planted.name);
        all += 1;
        right += u32::from(is_right);
    }
    println!("{right} of {all} are right");
    assert!(asked.is_some() || right >= 16, "{right} of {all} are right");
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
