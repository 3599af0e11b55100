//! The condition under which an input fails, in one sentence: what a pattern of places cannot say.
//!
//! ```text
//! inputs that the search has tested -+-> features -> learn -> predicate -> inputs made against it
//!                  mutants, both sides +                          |                   |
//!                        ^---------------------------------------+---- until new ones agree
//! ```
//!
//! As Alhazen and Avicenna do it: features of parsed inputs ([`feature`]), the simplest condition
//! that separates failing from passing ones ([`mod@learn`]), and further inputs near its boundary, until
//! these agree (`inputs`). The reported figures are of inputs that came after the last learning: mutants, and
//! inputs that were made against the condition.

mod bound;
pub mod condition;
pub mod feature;
mod features;
mod formula;
mod hasher;
pub(super) mod inputs;
pub mod learn;
mod measured;
mod measuring;
mod name;
mod phrases;
pub mod plain;
mod read;
mod required;
mod sentence;
mod sentence_of_parts;
mod some_of;
mod term;

use std::collections::HashSet;

use seedsmith_engine::Stopped;

use super::pattern::{Pattern, Subject};
use super::subjects::in_language;
use crate::corpus::processors;
use crate::generalize::draws::prober::Prober;
use crate::generalize::draws::sampler::Sampler;
use feature::Words;
use inputs::against::Adversary;
use inputs::alphabet::Alphabet;
use inputs::bases::absent;
use inputs::bases::ascii::in_ascii;
use inputs::bases::beside::bodies_beside;
use inputs::bases::counts::counts;
use inputs::bases::left_out::left_out;
use inputs::bases::lengths::lengths;
use inputs::bases::numbers::{at_bounds, numbers};
use inputs::bases::siblings::siblings;
use inputs::bases::subsets::subsets;
use inputs::mutants::Mutants;
use inputs::samples::Samples;
use learn::{Table, learn_some};
pub use measured::Measured;
use measuring::{Effort, MAX_EITHERS, Tools};
use plain::left_out::Ignored;
use required::{
    fails_in_capitals, in_one_case, required_marks, required_numbers, required_pairs,
    required_words,
};

/// Inputs longer than this are not learnt from, because each mutant of one is parsed and has a feature for each pair of
/// its names. A minimized input that is longer has no condition. The original of 38 kB of a public crash
/// (`lua_backtick`) took more than 600 s; those of the planted causes are shorter than 400 bytes.
pub(super) const MAX_LEARNT_BYTES: usize = 1000;
/// Mutants of one round, in tests. 32 because two rounds that agree are then 64 inputs, of which one in
/// twenty that disagrees is missed in 4 % of cases.
const TESTS_PER_ROUND: usize = 32;
/// Rounds at most, so that a condition costs at most 256 tests before its measurement.
const MAX_ROUNDS: usize = 8;
/// Rounds after which the search is given up if no predicate agrees with the inputs, so that an input
/// without a condition costs 128 tests. Not measured.
const ROUNDS_WITHOUT_AGREEMENT: usize = 4;
/// Mutants of a round that a predicate may be wrong about, because a target refuses or crashes on some
/// input for another reason.
const MAX_WRONG_PER_ROUND: usize = 1;
/// Rounds in a row that agree before a predicate is measured, because one round agrees with a wrong
/// predicate too often.
const AGREEING_ROUNDS: usize = 2;
/// Inputs that pass of which others are made against a condition. Not measured.
const MAX_PASSING_BASES: usize = 12;
/// Failing inputs with another word of a kind that mutants are made of as often as of the given one: few, because each has
/// a share of the mutants.
const MAX_PREFERRED_SIBLINGS: usize = 3;
/// Tests that a round leaves for a measurement: one with few inputs, with those beside it, and those of a condition that is not exact. With 100 no test
/// was left for the last ones of a measurement of a planted cause, whose condition had been found.
const TESTS_AFTER_ROUNDS: usize = 120;

/// The condition under which inputs fail, or the nearest one if no simple one is exact; nothing where that is wrong too
/// often. Where there is no grammar, texts are read by lines, words, numbers and
/// marks ([`plain`]). `origins` are further inputs that fail, such as the one that was minimized: there
/// numbers have other values, and parts have other neighbours. `structure` is a language for texts that the pattern
/// has no grammar of. Cost: at most the tests of `limits::for_condition`, where the caller has set no limit.
pub fn explain(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
    (origins, structure): (&[Vec<u8>], Option<Sampler>),
    seed: u64,
) -> Result<Option<Measured>, Stopped> {
    let is_short = |input: &&Vec<u8>| input.len() <= MAX_LEARNT_BYTES;
    let mut origins: Vec<Vec<u8>> = origins.iter().filter(is_short).cloned().collect();
    let structured = structure.and_then(|language| in_language(&language, &pattern.subject.input));
    let is_plain = pattern.subject.language.is_none() && structured.is_none();
    let mut left_out = match is_plain {
        true => left_out(prober, &pattern.subject.input, &origins)?,
        false => Default::default(),
    };
    let whole = origins.clone();
    for origin in &mut origins {
        *origin = left_out.of(origin).into_owned();
    }
    let origins = &origins[..];
    let Some(subject) = structured.or_else(|| parsed(&pattern.subject)) else { return Ok(None) };
    let Some(language) = subject.language.clone() else { return Ok(None) };
    let mut bases = vec![subject.clone()];
    bases.extend(origins.iter().filter_map(|input| in_language(&language, input)));
    let absent::Lacking { passing, beside, name, in_any_case } =
        absent::absent(prober, &mut bases)?;
    let lacking: Vec<Vec<u8>> = passing.into_iter().collect();
    let in_any_case = in_any_case && fails_in_capitals(prober, pattern)?;
    if in_any_case || pattern.slots.iter().any(|slot| slot.domain.is_in_any_case()) {
        left_out.0.push(Ignored::Case);
    }
    let mut required = required_words(pattern);
    required.iter_mut().for_each(|word| *word = in_one_case(word, &language, &left_out));
    let required_numbers = required_numbers(pattern);
    let matters = [&required[..], &required_marks(pattern)].concat();
    let is_binary = is_plain && bases.iter().any(|base| read::is_binary(&base.input));
    let mut siblings = match is_binary {
        true => lengths(prober, &subject.input)?,
        false => {
            // Where none is given, the minimized one is.
            let given = if bases.len() > 1 { &bases[1..] } else { &bases[..] };
            let (failing, mut found): (Vec<_>, Vec<_>) =
                subsets(prober, (given, is_plain), seed)?.into_iter().partition(|one| one.1);
            // Another word of a kind says more than fewer items that fail.
            // A remark may have another word of the kind.
            let whole = whole.iter().filter(|input| !origins.contains(input));
            let whole = whole.filter_map(|input| in_language(&language, input));
            let mut with_remarks: Vec<_> = bases.iter().cloned().chain(whole).collect();
            found.extend(siblings(prober, &mut with_remarks, (is_plain, &matters))?);
            found.extend(counts(prober, &bases[0])?);
            found.extend(bodies_beside(prober, (&bases[0], &bases[1..]))?);
            found.extend(in_ascii(prober, &bases)?);
            found.extend(numbers(prober, &bases, &required_numbers)?);
            found.extend(at_bounds(prober, pattern)?);
            found.extend(failing);
            found
        }
    };
    siblings.extend(beside);
    let of_kind =
        |wanted: bool| siblings.iter().filter(move |one| one.1 == wanted).map(|one| &one.0);
    let others: Vec<Vec<u8>> =
        lacking.iter().chain(of_kind(false)).chain(of_kind(true)).cloned().collect();
    let all = || std::iter::once(&subject.input).chain(origins).chain(&others).map(Vec::as_slice);
    let lines = if is_plain { read::line_names(&subject.input) } else { Vec::new() };
    // What the failing input lacks matters as much as what it needs.
    let absent = name.map(|name| format!("{name:?}"));
    let preferred = matters.iter().chain(&lines).chain(&absent);
    let preferred: Vec<String> =
        preferred.map(|name| in_one_case(name, &language, &left_out)).collect();
    let pairs = if is_plain { required_pairs(pattern) } else { Vec::new() };
    let pairs = pairs.iter().map(|pair| in_one_case(pair, &language, &left_out)).collect();
    // The words of a grammar stay as they are.
    let mut texts: Vec<Vec<u8>> = Vec::new();
    if !(is_plain && left_out.has_case()) {
        texts.extend(all().map(<[u8]>::to_vec));
    }
    if left_out.has_case() {
        texts.extend(all().map(<[u8]>::to_ascii_lowercase));
    }
    let words = required_numbers
        .iter()
        .fold(Words::of(texts.iter().map(Vec::as_slice)), |words, number| words.with_number(number))
        .with_preferred(&preferred)
        .with_pairs(pairs)
        .without(left_out.clone());
    let lists = bases.iter().flat_map(|base| read::keys_of_lists(base, &words)).collect();
    let words = words.with_lists(lists);
    let alphabet = Alphabet::of(all(), &language, is_plain);
    let (seen, all, table) = (HashSet::new(), Vec::new(), Table::default());
    let (rejected, jobs) = (Default::default(), processors());
    let waiting = Vec::new();
    let mut samples =
        Samples { language, words, alphabet, seen, all, table, waiting, rejected, jobs };
    samples.allow(std::iter::once(&subject.input).chain(origins).map(Vec::as_slice));
    samples.allow_keywords(&others);
    prober.tested.extend(lacking.iter().map(|input| (input.clone(), false)));
    prober.tested.extend(siblings.iter().cloned());
    // A person reads them first, and a condition that they do not meet is wrong.
    bases.iter().for_each(|base| samples.add_certain(&base.input));
    of_kind(true).for_each(|input| samples.add_certain(input));
    samples.add_known(&prober.tested);
    for input in of_kind(false) {
        samples.add_tested(input, false);
    }
    let kin: Vec<Vec<u8>> = of_kind(true).take(MAX_PREFERRED_SIBLINGS).cloned().collect();
    let mut others = [origins, &kin, &samples.failing_inputs(&prober.tested)].concat();
    for input in &mut others {
        *input = left_out.of(input).into_owned();
    }
    let mut mutants = Mutants::new(&subject, &others, seed);
    mutants.prefer(1 + origins.len() + kin.len());
    lacking.iter().for_each(|input| mutants.keep(input, false));
    siblings.iter().for_each(|(input, fails)| mutants.keep(input, *fails));
    let effort = Effort::of_budget(prober);
    let mut learnt = learn_some(samples.table(), &required);
    let mut agreeing = 0;
    for round in 0..MAX_ROUNDS {
        let is_hopeless = learnt.is_empty() && round >= ROUNDS_WITHOUT_AGREEMENT;
        let is_last = prober.tests_left() < effort.of(TESTS_PER_ROUND) + TESTS_AFTER_ROUNDS;
        if agreeing >= AGREEING_ROUNDS || is_hopeless || is_last {
            break;
        }
        let from = samples.all.len();
        samples.add_mutants(prober, &mut mutants, effort.of(TESTS_PER_ROUND), &learnt)?;
        let again = learn_some(samples.table(), &required);
        let is_same = !learnt.is_empty() && learnt.first() == again.first();
        let is_right = is_same && samples.wrong(from, &learnt[0]) <= MAX_WRONG_PER_ROUND;
        agreeing = if is_right { agreeing + 1 } else { 0 };
        learnt = again;
    }
    let mut adversary = Adversary::new(seed);
    let bases = std::iter::once(&subject.input).chain(&others);
    bases.for_each(|input| adversary.add(&mut samples, input, true));
    let lacking: Vec<Vec<u8>> = lacking.iter().chain(of_kind(false)).cloned().collect();
    of_kind(true).for_each(|input| adversary.add(&mut samples, input, true));
    for input in passing_bases(&samples, &lacking) {
        adversary.add(&mut samples, &input, false);
    }
    let tools = Tools {
        samples,
        mutants,
        adversary,
        required,
        effort,
        learnt: None,
        eithers_left: MAX_EITHERS,
    };
    let measured = tools.condition(prober, learnt.into_iter().next())?;
    Ok(measured.map(|measured| measured.without(&left_out)))
}

/// Inputs that pass: the one that has a name more first, then the last ones that were tested.
///
/// They are at most `MAX_PASSING_BASES`, and cost no test.
fn passing_bases(samples: &Samples, lacking: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let passing = samples.all.iter().rev().filter(|one| !one.fails).map(|one| &one.input);
    lacking.iter().chain(passing).take(MAX_PASSING_BASES).cloned().collect()
}

/// The subject with a tree that conditions can be read off.
///
/// Without a grammar the text is parsed by the grammar of all texts (`plain`). `None` if the input
/// is not in the language.
fn parsed(subject: &Subject) -> Option<Subject> {
    if subject.language.is_some() {
        return Some(subject.clone());
    }
    let mut language = plain::language()?;
    let tree = match language.read(&subject.input) {
        Ok((tree, None)) => tree,
        _ => return None,
    };
    let (input, language) = (subject.input.clone(), Some(language));
    Some(Subject { input, tree, language, shared: Default::default() })
}
