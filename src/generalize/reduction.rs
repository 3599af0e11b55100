//! The first step (DDSET, algorithm 1): a small input that fails, in the grammar's language where
//! that is possible.
//!
//! A small input of the language is kept to it. Another is minimized as `tmin` does it, wherever that
//! leads: nothing is faster, above all for nests that no parser reads. Only if the result isn't in the language, the smallest input on the way that was
//! is taken, and made smaller inside the language: Perses first, whose candidates are in it by
//! construction, then the flat reducers with each candidate parsed.

use std::cell::Cell;

use crate::event::{Event, Reporter, StopReason};
use crate::reduce::{self, Cause, Polish, Strategy};
use crate::search::{Admits, Search};
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;

use super::bytes::cut::stretches;
use super::bytes::repeats::{ENLARGED_DIVISOR, enlarged_count, runs};
use super::limits;
use crate::generalize::draws::sampler::Sampler;

/// A reduced input.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The bytes; they fail.
    pub input: Vec<u8>,
    /// Why it was stopped early.
    pub stopped: Option<StopReason>,
}

/// Reduces `input`, which has to fail. An error is one of the target; a budget that is over is
/// not.
pub fn reduce(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    sampler: Option<&Sampler>,
    seed: u64,
    reporter: &mut dyn Reporter,
) -> Result<Reduced, Stopped> {
    reduce_with(oracle, input, sampler, &options(seed), reporter)
}

/// The same with options for the minimization; their language is the sampler's.
///
/// The result fails as the input does; a limit ends it early with the smallest input until then.
pub(crate) fn reduce_with(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    sampler: Option<&Sampler>,
    options: &reduce::Options,
    reporter: &mut dyn Reporter,
) -> Result<Reduced, Stopped> {
    let limits = limits::to_minimize(input.len());
    let (reduced, ending) = limits::within(oracle, limits, |oracle| {
        reduce_wholly(oracle, input, sampler, options, reporter)
    });
    let reduced = reduced?;
    Ok(Reduced { stopped: ending.of_task(reduced.stopped), ..reduced })
}

/// The same without a limit.
fn reduce_wholly(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    sampler: Option<&Sampler>,
    options: &reduce::Options,
    reporter: &mut dyn Reporter,
) -> Result<Reduced, Stopped> {
    let language = sampler.map(|sampler| sampler.substitutes().clone());
    if let Some(sampler) = sampler
        && input.len() <= MAX_BYTES_WITHIN_LANGUAGE
        && options.cause == Cause::Detail
        && sampler.clone().accepts(input)
    {
        return inside(oracle, input, sampler, options, reporter);
    }
    let free = reduce::Options { language: language.clone(), ..options.clone() };
    let mut on_the_way = OnTheWay::default();
    let patience = Patience::of(input);
    let mut hear = |event: &Event<'_>| {
        if let Event::Reduced { best, .. } = event {
            if sampler.is_some() {
                on_the_way.note(best);
            }
            patience.begin(best);
        }
        reporter.report(event);
    };
    // With a grammar an input of that size is seldom minimized without it.
    let is_limited = sampler.is_none() && input.len() <= MAX_BYTES_OF_SMALL_INPUT;
    let taken: Option<Box<Admits<'_>>> = match is_limited {
        true => Some(Box::new(|_: &[u8]| patience.lasts())),
        false => None,
    };
    let (best, stopped) = run(oracle, input, taken, &free, &mut hear)?;
    let Some(mut sampler) = sampler.cloned() else { return Ok(Reduced { input: best, stopped }) };
    if stopped.is_some() || sampler.accepts(&best) {
        return Ok(Reduced { input: best, stopped });
    }
    let from = match on_the_way.last_in(&mut sampler) {
        Some(smaller) => smaller,
        None if input.len() <= MAX_PARSED_BYTES && sampler.accepts(input) => input.to_vec(),
        None => return Ok(Reduced { input: best, stopped }),
    };
    inside(oracle, &from, &sampler, options, reporter)
}

/// Minimizes an input of the language to another of the language.
///
/// Perses first, then the flat reducers, both with each candidate parsed before it is tested.
fn inside(
    oracle: &mut Oracle<'_>,
    from: &[u8],
    sampler: &Sampler,
    options: &reduce::Options,
    reporter: &mut dyn Reporter,
) -> Result<Reduced, Stopped> {
    let mut sampler = sampler.clone();
    let language = Some(sampler.substitutes().clone());
    let perses = reduce::Options { strategy: Strategy::Perses, language, ..options.clone() };
    let (mut best, mut stopped) = run(oracle, from, None, &perses, reporter)?;
    if !sampler.accepts(&best) {
        // Joined tokens can read as others: once more, with each candidate parsed.
        (best, stopped) = run(oracle, from, Some(of_language(&sampler)), &perses, reporter)?;
    }
    if stopped.is_none() {
        let patience = Patience::of(&best);
        let mut is_of_language = of_language(&sampler);
        let admits = |candidate: &[u8]| is_of_language(candidate) && patience.lasts();
        let mut hear = |event: &Event<'_>| {
            if let Event::Reduced { best, .. } = event {
                patience.begin(best);
            }
            reporter.report(event);
        };
        (best, stopped) = run(oracle, &best, Some(Box::new(admits)), options, &mut hear)?;
    }
    Ok(Reduced { input: best, stopped })
}

/// An input whose long runs are a little longer than they have to be, so that it fails in every process:
/// what a minimal amount exceeds, such as the stack, is not the same in all of them. If the input does not
/// fail then, numbers that may be offsets beyond the runs are enlarged too. The input itself where it has no
/// long runs, or does not fail with longer ones. Cost: at most two tests.
pub(crate) fn enlarged(oracle: &mut Oracle<'_>, input: Vec<u8>) -> Result<Vec<u8>, Stopped> {
    for has_offsets in [false, true] {
        let longer = longer(&input, has_offsets);
        if longer.len() > input.len() && oracle.outcome(&longer)? == Outcome::Fail {
            return Ok(longer);
        }
    }
    Ok(input)
}

/// The input with longer runs, and with the numbers that point after them where it `has_offsets`.
fn longer(input: &[u8], has_offsets: bool) -> Vec<u8> {
    let mut longer = Vec::with_capacity(input.len() + input.len() / ENLARGED_DIVISOR);
    // Where runs end, and by how many bytes the text after is moved.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for (span, unit) in runs(input) {
        let more = match span.len().checked_div(unit) {
            Some(count) => enlarged_count(count) - count,
            None => 0,
        };
        if more > 0 {
            moved.push((span.end, more * unit));
        }
        let mut text = input[span.clone()].to_vec();
        if has_offsets && unit == 0 {
            for number in stretches(&text, |byte| byte.is_ascii_digit()).into_iter().rev() {
                let value = std::str::from_utf8(&text[number.clone()]).ok();
                let Some(value) = value.and_then(|value| value.parse::<usize>().ok()) else {
                    continue;
                };
                let behind = moved.iter().filter(|(end, _)| *end <= value && value <= input.len());
                let by: usize = behind.map(|(_, by)| by).sum();
                if by > 0 {
                    let width = number.len();
                    text.splice(number, format!("{:0width$}", value + by).into_bytes());
                }
            }
        }
        longer.extend(text);
        longer.extend(input[span.start..span.start + unit].repeat(more));
    }
    longer
}

/// Inputs of the language up to this size are kept to it from the beginning. On the planted causes that
/// took 12 to 57 executions where a free minimization took 71 to 798
/// (docs/notes/2026-11-22-conditions.md).
const MAX_BYTES_WITHIN_LANGUAGE: usize = 4096;

/// Bytes of an input that is minimized without a grammar with a limit on candidates in vain. For such an input, minimization, pattern and
/// condition together should take no more than some 2,000 executions. A guess, not measured.
const MAX_BYTES_OF_SMALL_INPUT: usize = 1000;
/// Candidates in a row without a smaller result after which a minimization ends, besides those for each byte. With 60 and three for two
/// bytes, 64 planted causes without a grammar end at 1.1 bytes more on average than with 80 and three for each byte, and one of them at 51 more; with
/// 40 and one for each byte at 8.9 more on average.
const PATIENCE: usize = 60;
/// The same for each two bytes of the smallest result, because a pass over it takes one or two for each byte.
const PATIENCE_FOR_TWO_BYTES: usize = 3;

/// Inputs longer than this are not kept to a language, because parsing each candidate would take longer
/// than all of a free minimization.
const MAX_PARSED_BYTES: usize = 1 << 16;

/// Bytes that are parsed in search of an input of the language on the way of a minimization: four times as many as one
/// input may have. Not measured.
const MAX_BYTES_PARSED_ON_THE_WAY: usize = 4 * MAX_PARSED_BYTES;

/// The inputs that a minimization went through, of which the last in a language may be needed at its end.
///
/// They are parsed then, the smallest first, and not as they come: most of them are large and none of those is wanted.
#[derive(Default)]
struct OnTheWay(Vec<Vec<u8>>);

impl OnTheWay {
    /// Keeps an input. Those of more than `MAX_PARSED_BYTES` are left out, and the largest ones if all of them
    /// together are longer than may be parsed.
    fn note(&mut self, best: &[u8]) {
        if best.len() <= MAX_PARSED_BYTES {
            self.0.push(best.to_vec());
        }
        let mut bytes: usize = self.0.iter().map(Vec::len).sum();
        let mut dropped = 0;
        while bytes > MAX_BYTES_PARSED_ON_THE_WAY {
            bytes -= self.0[dropped].len();
            dropped += 1;
        }
        self.0.drain(..dropped);
    }

    /// The smallest input in the language. Costs parsing.
    fn last_in(mut self, sampler: &mut Sampler) -> Option<Vec<u8>> {
        std::iter::from_fn(|| self.0.pop()).find(|input| sampler.accepts(input))
    }
}

/// To a 1-minimal input and no further: a byte less at the cost of thousands of tests would say
/// nothing more, since what matters is asked next.
pub(crate) fn options(seed: u64) -> reduce::Options {
    reduce::Options { seed, polish: Polish::Tests(0), ..reduce::Options::default() }
}

/// Takes the candidates that are in a language.
fn of_language(sampler: &Sampler) -> Box<Admits<'static>> {
    let mut sampler = sampler.clone();
    Box::new(move |candidate: &[u8]| sampler.accepts(candidate))
}

/// How many candidates in a row a minimization tries without a smaller result, of those in the language if there is one: nearly all that come after them are larger
/// steps that were tried before, and what is minimal is looked into byte by byte anyway.
struct Patience {
    /// Candidates since the last smaller result.
    candidates: Cell<usize>,
    /// Bytes of the smallest result.
    bytes: Cell<usize>,
}

impl Patience {
    /// That of an input that is minimized now.
    fn of(input: &[u8]) -> Self {
        Patience { candidates: Cell::new(0), bytes: Cell::new(input.len()) }
    }

    /// A smaller result was found.
    fn begin(&self, best: &[u8]) {
        self.candidates.set(0);
        self.bytes.set(best.len());
    }

    /// Whether another candidate is tried.
    fn lasts(&self) -> bool {
        self.candidates.set(self.candidates.get() + 1);
        self.candidates.get() <= PATIENCE + PATIENCE_FOR_TWO_BYTES * self.bytes.get() / 2
    }
}

/// One reduction; of candidates that `within` takes, if there are such.
fn run(
    oracle: &mut Oracle<'_>,
    input: &[u8],
    within: Option<Box<Admits<'_>>>,
    options: &reduce::Options,
    reporter: &mut dyn Reporter,
) -> Result<(Vec<u8>, Option<StopReason>), Stopped> {
    let mut search = Search::new(oracle, input.to_vec(), reporter);
    if let Some(within) = within {
        search.take_only(within);
    }
    let stopped = match reduce::minimize(&mut search, options) {
        Ok(()) => None,
        Err(Stopped::Early(reason)) => Some(reason),
        Err(stopped) => return Err(stopped),
    };
    Ok((search.best().to_vec(), stopped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::SameFailure;
    use seedsmith_engine::Sameness;
    use seedsmith_engine::internal::Budget;
    use seedsmith_engine::{Kind, Signature};

    fn enlarged_of(input: Vec<u8>, fails: fn(&[u8]) -> bool) -> usize {
        let target = ClosureTarget::failing_if(fails);
        let judge = SameFailure {
            signature: Signature::of_kind(Kind::Command),
            sameness: Sameness::default(),
        };
        let mut oracle = Oracle::new(&target, judge, 1, Budget::default()).unwrap();
        enlarged(&mut oracle, input).unwrap().len()
    }

    #[test]
    fn long_runs_are_enlarged_by_a_sixteenth_where_the_input_fails_then() {
        let nest = [b"x".as_slice(), &b"[".repeat(1600), b"1", &b"{}".repeat(1600)].concat();
        assert_eq!(enlarged_of(nest.clone(), |_| true), nest.len() + 100 + 200);
        assert_eq!(enlarged_of(nest.clone(), |input| input.len() == 4802), nest.len());
        assert_eq!(enlarged_of(b"[".repeat(1000), |_| true), 1000);
    }

    #[test]
    fn numbers_that_point_behind_a_long_run_are_enlarged_with_it() {
        let nest = [&b"1 "[..], &b"[".repeat(1600), b" x 1603 9"].concat();
        let grown = [&b"1 "[..], &b"[".repeat(1700), b" x 1703 9"].concat();
        assert_eq!(longer(&nest, true), grown);
        assert_eq!(longer(b"[1 1]", true), b"[1 1]");
    }
}
