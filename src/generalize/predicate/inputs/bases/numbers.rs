//! The minimized input and the given ones with other numbers: a near one where the failure needs it, and signs and decimals that are gone or elsewhere.
//!
//! A target that reads columns of numbers rejects most other edits, so that a failure that needs a negative number, or one with three decimals, had no
//! passing input. These inputs have the same shape, and show too whether two such numbers have to be together. A number of which the pattern
//! found no slot may be one of several that fail.

use std::ops::Range;

use seedsmith_engine::Stopped;

use super::{Edit, distinct, edited, tested};
use crate::generalize::bytes::cut::stretches;
use crate::generalize::bytes::integers::word;
use crate::generalize::domain::Domain;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::{Pattern, Slot, Subject};

/// Tests of the minimized input with signs and decimals elsewhere at most, because each number that has a sign or decimals takes two and one for each
/// other number.
const MAX_TESTS_OF_SIGNS: usize = 24;
/// Tests of it with near numbers at most: two for each of eight.
const MAX_TESTS_OF_NEAR: usize = 16;
/// Tests of the given inputs at most, because they have more numbers, most of which do not matter.
const MAX_TESTS_OF_GIVEN: usize = 12;
/// Other numbers that get a sign or decimals: the nearest ones, because parts that are far away seldom matter.
const MAX_OTHERS: usize = 5;

/// Tests of the pattern's ranges at most: four for each of six. The search for the pattern has made most of them, so that they cost nothing.
const MAX_TESTS_OF_RANGES: usize = 24;
/// How far a number is from the only bound of a range, because the search for the pattern has tried it too.
const FAR: i128 = 1 << 12;

/// A number: its digits with a point between them, and the sign before it.
#[derive(Clone, Debug)]
struct Number {
    span: Range<usize>,
    is_negative: bool,
    /// The digits after the point.
    decimals: Range<usize>,
}

/// Such inputs of the minimized one, which comes first, and of the given ones, each with whether it fails; rejected ones are left out.
///
/// Cost: at most `MAX_TESTS_OF_SIGNS`, `MAX_TESTS_OF_NEAR` and `MAX_TESTS_OF_GIVEN` tests; none of an input without such numbers. Near numbers are tried
/// of those that are `required`.
pub(in crate::generalize::predicate) fn numbers(
    prober: &mut Prober<'_, '_>,
    bases: &[Subject],
    required: &[String],
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let Some((minimized, given)) = bases.split_first() else { return Ok(Vec::new()) };
    let small = &minimized.input[..];
    let kept: Vec<&[u8]> = numbers_of(small).into_iter().map(|own| &small[own.span]).collect();
    let of_given = given.iter().flat_map(|base| {
        let mut made = without(&base.input);
        made.sort_by_key(|(number, _)| !kept.contains(&&base.input[number.span.clone()]));
        made.into_iter().map(|(_, made)| made).collect::<Vec<_>>()
    });
    let without = without(small).into_iter().map(|(_, made)| made);
    let signs = without.chain(elsewhere(small)).take(MAX_TESTS_OF_SIGNS);
    let near = near(small, required).into_iter().take(MAX_TESTS_OF_NEAR);
    let all = distinct(signs.chain(near).chain(of_given.take(MAX_TESTS_OF_GIVEN)));
    tested(prober, all)
}

/// The minimized input with the numbers at the bounds of each of the pattern's ranges and right outside of them, narrow ranges first, each with whether
/// it fails; rejected ones are left out.
///
/// Without them all failing inputs would have the same number, and a condition would say that it is just this one. Cost: at most
/// `MAX_TESTS_OF_RANGES` tests.
pub(in crate::generalize::predicate) fn at_bounds(
    prober: &mut Prober<'_, '_>,
    pattern: &Pattern,
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let bounds = |slot: &Slot| match slot.domain {
        Domain::Integer { low: Some(low), high: Some(high) } => Some((low, high)),
        Domain::Integer { low: Some(low), high: None } => Some((low, low.saturating_add(FAR))),
        Domain::Integer { low: None, high: Some(high) } => Some((high.saturating_sub(FAR), high)),
        _ => None,
    };
    let mut ranges: Vec<(i128, i128, &Slot)> = Vec::new();
    for slot in &pattern.slots {
        ranges.extend(bounds(slot).map(|(low, high)| (low, high, slot)));
    }
    ranges.sort_by_key(|(low, high, _)| high.saturating_sub(*low));
    let mut subject = pattern.subject.clone();
    let made = ranges.into_iter().flat_map(|(low, high, slot)| {
        let values = [low, high, low.saturating_sub(1), high.saturating_add(1)];
        values.map(|value| {
            let words = slot.nodes.iter().flat_map(|node| word(&pattern.subject, *node, value));
            subject.render(&words.collect())
        })
    });
    let made: Vec<Vec<u8>> = made.flatten().take(MAX_TESTS_OF_RANGES).collect();
    tested(prober, distinct(made))
}

/// The numbers of an input. A sign is one if no letter or digit comes before it, because `3-4` is no negative number.
fn numbers_of(input: &[u8]) -> Vec<Number> {
    let spans = stretches(input, |byte| byte.is_ascii_digit() || byte == b'.').into_iter();
    let numbers = spans.filter_map(|span| {
        let text = &input[span.clone()];
        let is_number = text[0].is_ascii_digit() && text[text.len() - 1].is_ascii_digit();
        let points = text.iter().filter(|byte| **byte == b'.').count();
        if !is_number || points > 1 {
            return None;
        }
        let point = text.iter().position(|byte| *byte == b'.');
        let decimals = point.map_or(span.end, |at| span.start + at + 1)..span.end;
        let before = input[..span.start].split_last();
        let is_negative = before.is_some_and(|(last, rest)| {
            *last == b'-' && rest.last().is_none_or(|byte| !byte.is_ascii_alphanumeric())
        });
        let is_in_word = before.is_some_and(|(last, _)| last.is_ascii_alphabetic());
        (!is_in_word).then_some(Number { span, is_negative, decimals })
    });
    numbers.collect()
}

/// The sign of a negative number, and nothing in its place.
///
/// Only for a number that has one.
fn sign_of(number: &Number) -> Edit {
    (number.span.start - 1..number.span.start, Vec::new())
}

/// An input without the sign of one of its numbers, and with a decimal less or more, each with the number.
fn without(input: &[u8]) -> Vec<(Number, Vec<u8>)> {
    let mut made = Vec::new();
    for one in numbers_of(input) {
        let mut add = |edit| made.push((one.clone(), edited(input, vec![edit])));
        if one.is_negative {
            add(sign_of(&one));
        }
        if !one.decimals.is_empty() {
            let is_only = one.decimals.len() == 1;
            let from = if is_only { one.decimals.start - 1 } else { one.span.end - 1 };
            add((from..one.span.end, Vec::new()));
            add((one.span.end..one.span.end, b"5".to_vec()));
        }
    }
    made
}

/// An input with the sign or the decimals of one of its numbers at another one.
fn elsewhere(input: &[u8]) -> Vec<Vec<u8>> {
    let all = numbers_of(input);
    let mut made = Vec::new();
    for (at, one) in all.iter().enumerate() {
        let mut others: Vec<usize> = (0..all.len()).filter(|other| *other != at).collect();
        others.sort_by_key(|other| all[*other].span.start.abs_diff(one.span.start));
        for number in others.into_iter().take(MAX_OTHERS) {
            let other = &all[number];
            let start = other.span.start;
            if one.is_negative && !other.is_negative {
                made.push(edited(input, vec![sign_of(one), (start..start, b"-".to_vec())]));
            }
            // Two with decimals are exchanged once.
            let has_decimals = |number: &Number| !number.decimals.is_empty();
            if has_decimals(one) && (!has_decimals(other) || number > at) {
                let [own, its] = [one, other].map(|number| input[number.span.clone()].to_vec());
                made.push(edited(input, vec![(one.span.clone(), its), (other.span.clone(), own)]));
            }
        }
    }
    made.retain(|made| made != input);
    made
}

/// An input with one of its required numbers one greater or smaller, the longest numbers first: a short one is more often part of a date.
fn near(input: &[u8], required: &[String]) -> Vec<Vec<u8>> {
    let text = |number: &Number| String::from_utf8_lossy(&input[number.span.clone()]).into_owned();
    let mut numbers = numbers_of(input);
    numbers.retain(|number| number.decimals.is_empty() && required.contains(&text(number)));
    numbers.sort_by_key(|number| std::cmp::Reverse(number.span.len()));
    let near = numbers.iter().flat_map(|number| {
        let (text, width) = (text(number), number.span.len());
        let value = text.parse::<u64>().ok();
        let near = value.map(|value| [value.checked_add(1), value.checked_sub(1)]);
        near.into_iter().flatten().flatten().map(move |value| {
            let text = match text.starts_with('0') {
                true => format!("{value:0width$}"),
                false => value.to_string(),
            };
            edited(input, vec![(number.span.clone(), text.into_bytes())])
        })
    });
    near.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(made: impl IntoIterator<Item = Vec<u8>>) -> Vec<String> {
        made.into_iter().map(|one| String::from_utf8(one).unwrap()).collect()
    }

    #[test]
    fn signs_and_decimals_go_and_come_elsewhere() {
        let without = |text: &str| texts(without(text.as_bytes()).into_iter().map(|one| one.1));
        assert_eq!(without("v -1 2.125 7"), ["v 1 2.125 7", "v -1 2.12 7", "v -1 2.1255 7"]);
        assert_eq!(without("a-1 3-4 1.2.3 12"), [""; 0]);
        let elsewhere = |text: &str| texts(elsewhere(text.as_bytes()));
        let wanted = ["v 1 -2.125 7", "v 1 2.125 -7", "v -2.125 1 7", "v -1 7 2.125"];
        let mut found = elsewhere("v -1 2.125 7");
        found.sort();
        let mut wanted = wanted.to_vec();
        wanted.sort();
        assert_eq!(found, wanted);
    }

    #[test]
    fn required_numbers_are_one_greater_and_one_smaller() {
        let required = ["502", "09"].map(str::to_owned);
        let made = texts(near(b"09:12 502 7 v502", &required));
        let wanted =
            ["09:12 503 7 v502", "09:12 501 7 v502", "10:12 502 7 v502", "08:12 502 7 v502"];
        assert_eq!(made, wanted);
    }
}
