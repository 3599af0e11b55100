//! Planted causes that come with a generator of inputs on both sides of the cause, so that a condition is
//! judged on inputs that no one of this project's searches has made.
//!
//! A condition is right if it says of each of 300 generated inputs what happens, and too general if one that it
//! calls failing passes. A pattern is right if it is one of those listed. Some programs reject what is invalid.
//! Each list was committed before the generalizer was run on any of it. If an expectation is ever changed, the
//! commit has to say why it was wrong.

use std::sync::Arc;
use std::time::Instant;

use crate::patterns::{draws, judge, sampler};

use seedsmith::Silent;
use seedsmith::internal::generalize::predicate::{self, Measured};
use seedsmith::internal::generalize::reduce;
use seedsmith::internal::generalize::{AmongValid, Generalized, Options, Sampler, generalize_from};
use seedsmith_engine::internal::{Budget, Oracle};
use seedsmith_engine::{ClosureTarget, Kind, Observation, Signature, Verdict};
use seedsmith_grammar::Random;

/// A cause that was made up, with inputs on both sides of it.
pub struct TwoSided {
    /// What it is about.
    pub name: &'static str,
    /// The grammar in ANTLR's notation, `@` and the name of a built-in one, or nothing.
    pub grammar: &'static str,
    /// The failing input.
    pub input: &'static str,
    /// Whether the program takes an input.
    pub valid: fn(&str) -> bool,
    /// Whether a valid input fails.
    pub fails: fn(&str) -> bool,
    /// An input near the cause, which fails or passes.
    pub draw: fn(&mut Random) -> String,
    /// Patterns that say no more and no less than the cause.
    pub patterns: &'static [&'static str],
}

/// How many inputs a condition is judged on.
const JUDGED_INPUTS: usize = 300;

/// Takes every input.
pub fn any(_: &str) -> bool {
    true
}

/// The JSON of an input; null if it is none.
pub fn read_json(input: &str) -> serde_json::Value {
    serde_json::from_str(input).unwrap_or(serde_json::Value::Null)
}

/// One of some texts.
pub fn one<'t>(dice: &mut Random, texts: &[&'t str]) -> &'t str {
    texts[dice.below(texts.len())]
}

/// Some texts that a function makes, with another text between them.
pub fn joined(
    dice: &mut Random,
    count: usize,
    by: &str,
    make: fn(&mut Random) -> String,
) -> String {
    let all: Vec<String> = (0..count).map(|_| make(dice)).collect();
    all.join(by)
}

/// The same texts in another order.
pub fn shuffled(dice: &mut Random, mut texts: Vec<String>) -> Vec<String> {
    for last in (1..texts.len()).rev() {
        texts.swap(last, dice.below(last + 1));
    }
    texts
}

/// Lower case letters.
pub fn word(dice: &mut Random, most: usize) -> String {
    let letters = 1 + dice.below(most);
    (0..letters).map(|_| char::from(b'a' + dice.below(26) as u8)).collect()
}

impl TwoSided {
    /// Whether a character of its texts is a byte.
    fn is_binary(&self) -> bool {
        self.name.contains(": binary:")
    }

    /// An input as a text.
    fn text(&self, input: &[u8]) -> Option<String> {
        match self.is_binary() {
            true => Some(input.iter().map(|byte| char::from(*byte)).collect()),
            false => std::str::from_utf8(input).ok().map(str::to_owned),
        }
    }

    /// A text as an input.
    fn bytes(&self, text: &str) -> Vec<u8> {
        match self.is_binary() {
            true => text.chars().map(|c| u8::try_from(c).unwrap()).collect(),
            false => text.as_bytes().to_vec(),
        }
    }

    /// Inputs that the program takes, and whether they fail.
    fn judged(&self) -> Vec<(String, bool)> {
        let mut dice = Random::new(20_261_123);
        let draws = (0..100 * JUDGED_INPUTS).map(|_| (self.draw)(&mut dice));
        let valid = draws.filter(|input| (self.valid)(input)).take(JUDGED_INPUTS);
        valid
            .map(|input| ((self.fails)(&input), input))
            .map(|(fails, input)| (input, fails))
            .collect()
    }
}

/// What a run found, and what it took.
struct Run {
    found: Generalized,
    executions: u64,
    /// How long it took, without the judgement.
    seconds: f64,
    /// What is wrong, if something is.
    wrong: Option<Wrong>,
    /// Of the pattern's draws the valid ones, and those that fail.
    drawn: (usize, usize),
}

fn run(planted: &'static TwoSided) -> Run {
    let (valid, fails) = (planted.valid, planted.fails);
    let signature = Arc::new(Signature::of_kind(Kind::Command));
    let target = ClosureTarget::observing(move |input| match planted.text(input) {
        Some(input) if !valid(&input) => Observation::Returned(Verdict::Reject),
        Some(input) if fails(&input) => Observation::Failed(signature.clone()),
        Some(_) => Observation::Returned(Verdict::Keep),
        None => Observation::Returned(Verdict::Reject),
    });
    let judge = AmongValid(judge());
    let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
    let language = sampler(planted.grammar);
    let input = &planted.bytes(planted.input)[..];
    let start = Instant::now();
    let reduced = reduce(&mut oracle, input, language.as_ref(), 0, &mut Silent).unwrap();
    let origins = [input.to_vec()];
    let (options, sampler) = (Options::default(), language.clone());
    let found = generalize_from(&mut oracle, &origins, reduced.input, sampler, &options).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let wrong = wrong(planted, &found, language);
    let draws = draws(&found.pattern).map(|input| match planted.text(&input) {
        Some(text) => text,
        None => String::from_utf8_lossy(&input).into_owned(),
    });
    let draws: Vec<String> = draws.filter(|input| valid(input)).collect();
    let failing = draws.iter().filter(|input| fails(input)).count();
    let executions = oracle.counts().executions;
    Run { found, executions, seconds, wrong, drawn: (draws.len(), failing) }
}

/// A condition, and how often it is right if it is not exact.
fn said(measured: &Measured) -> String {
    let text = measured.predicate.to_string();
    let [precision, recall] = [measured.precision(), measured.recall()];
    match measured.is_exact() {
        true => text,
        false => format!("mostly: {text} (precision {precision:.2}, recall {recall:.2})"),
    }
}

/// Why neither pattern nor condition says the cause.
struct Wrong {
    why: String,
    /// How many of the generated inputs pass although the condition says that they fail.
    too_general: usize,
    /// Whether a condition that is not exact for all inputs of the search agrees with all generated ones.
    agrees: bool,
}

fn wrong(planted: &TwoSided, found: &Generalized, language: Option<Sampler>) -> Option<Wrong> {
    if planted.patterns.contains(&found.pattern.compact().as_str()) {
        return None;
    }
    let Some(measured) = &found.condition else {
        return Some(Wrong { why: "no condition".to_owned(), too_general: 0, agrees: false });
    };
    let mut language = match &found.pattern.subject.language {
        Some(_) => language.unwrap(),
        None => predicate::plain::language().unwrap(),
    };
    let mut said = |input: &str| {
        let input = &planted.bytes(input)[..];
        let Ok((tree, _)) = language.read(input) else { return false };
        let words = measured.predicate.words();
        let features = predicate::feature::features(&tree, input, &language, &words);
        measured.predicate.holds(&features)
    };
    let judged = planted.judged();
    let other = judged.iter().filter(|(input, fails)| said(input) != *fails);
    let other: Vec<&(String, bool)> = other.collect();
    let example = other.iter().min_by_key(|(input, _)| input.len());
    let passing = other.iter().filter(|(_, fails)| !fails).count();
    let differ = example
        .map(|example| format!("{} of 300 differ, {passing} pass, as {example:?}", other.len()));
    if measured.is_exact() {
        return Some(Wrong { why: differ?, too_general: passing, agrees: false });
    }
    // Of one that is said to be true of most inputs nothing more is claimed.
    let agrees = differ.is_none();
    let differ = differ.unwrap_or_else(|| "it agrees with all 300".to_owned());
    Some(Wrong { why: format!("no exact condition, {differ}"), too_general: 0, agrees })
}

/// What runs of some causes came to.
#[derive(Default)]
pub struct Tally {
    /// How many causes there are.
    pub all: usize,
    /// How many of them are right.
    pub right: usize,
    /// How many others have a condition that agrees with all generated inputs, and is not exact for those of the search.
    pub mostly: usize,
    /// Of how many the condition is too general.
    pub too_general: usize,
}

/// Runs some causes. Of 1,000 draws of a pattern 900 have to be valid and 99.5 % of these have to fail.
pub fn tally(causes: impl Iterator<Item = &'static TwoSided>) -> Tally {
    let mut tally = Tally::default();
    let mut bad: Vec<String> = Vec::new();
    for planted in causes {
        let Run { found, executions, seconds, wrong, drawn } = run(planted);
        println!(
            "{} {}: {:?}, {:?}; {executions} executions ({} for the pattern, {} after it), {drawn:?} drawn, {seconds:.1} s; {}",
            if wrong.is_none() { "ok" } else { "--" },
            planted.name,
            found.pattern.compact(),
            found.condition.as_ref().map(said),
            found.counts.executions,
            found.reason_counts.executions,
            wrong.as_ref().map_or("", |wrong| &wrong.why),
        );
        let (valid, failing) = drawn;
        if valid < 900 || failing * 1000 < valid * 995 || executions > 2000 {
            bad.push(format!("{}: {drawn:?}, {executions} executions", planted.name));
        }
        tally.all += 1;
        tally.right += usize::from(wrong.is_none());
        tally.mostly += usize::from(wrong.as_ref().is_some_and(|wrong| wrong.agrees));
        tally.too_general += usize::from(wrong.is_some_and(|wrong| wrong.too_general > 0));
    }
    let Tally { all, right, mostly, too_general } = tally;
    println!("{right} of {all} are right, {mostly} mostly, {too_general} too general; {bad:#?}");
    assert!(bad.is_empty(), "{bad:#?}");
    tally
}

/// Fails if the generated inputs of a cause are hardly ever on one side of it.
pub fn check_generated(causes: impl Iterator<Item = &'static TwoSided>) {
    let mut lopsided = Vec::new();
    for planted in causes {
        let is_shown = (planted.valid)(planted.input) && (planted.fails)(planted.input);
        assert!(is_shown, "{}", planted.name);
        let judged = planted.judged();
        let failing = judged.iter().filter(|(_, fails)| *fails).count();
        assert_eq!(judged.len(), JUDGED_INPUTS, "{}", planted.name);
        if !(60..=240).contains(&failing) {
            lopsided.push(format!("{}: {failing} fail", planted.name));
        }
    }
    assert!(lopsided.is_empty(), "{lopsided:#?}");
}
