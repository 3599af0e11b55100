//! Numbers with marks between them that are one value: dates, times, addresses and versions.
//!
//! The numbers of a chain are compared with each other and with bounds, and a whole chain with another one of as many
//! numbers: `2021-05-30` is after `2021-04-01`.

use crate::generalize::predicate::name::Name;
use std::ops::Range;

use super::Features;
use crate::generalize::bytes::cut::stretches;
use crate::generalize::predicate::feature::{CHAIN, Feature, Part};
use crate::generalize::predicate::term::Term;

/// Marks between the numbers of a chain.
const MARKS: &[u8] = b"-:./";
/// Numbers of a chain that is a value of its own: three, because two are also a fraction, a range or a pair.
const MIN_NUMBERS: usize = 3;
/// Numbers of a chain that is compared as a whole, because a date, a time and a fraction have seven.
const MAX_COMPARED_NUMBERS: usize = 7;
/// What a number is worth less than the one before it, because numbers of four digits are smaller.
const STEP: i128 = 100_000;
/// Chains of one name that are read, a bound on the time because each is a part with features of its own.
const MAX_CHAINS: usize = 64;

/// The chains of three and more numbers in a text: the mark between the numbers, and where these are.
pub(in crate::generalize::predicate) fn chains(input: &[u8]) -> Vec<(u8, Vec<Range<usize>>)> {
    let numbers = stretches(input, |byte| byte.is_ascii_digit());
    let (mut found, mut at) = (Vec::new(), 0);
    while at < numbers.len() {
        let mark = input.get(numbers[at].end).copied().filter(|mark| MARKS.contains(mark));
        let is_next = |two: &[Range<usize>]| {
            two[1].start == two[0].end + 1 && input.get(two[0].end).copied() == mark
        };
        let length = 1 + numbers[at..].windows(2).take_while(|two| is_next(two)).count();
        // With a mark more it is no date.
        let ends = [numbers[at].start.checked_sub(1), Some(numbers[at + length - 1].end)];
        let is_alone = ends.into_iter().flatten().all(|at| input.get(at).copied() != mark);
        if let Some(mark) = mark.filter(|_| length >= MIN_NUMBERS && is_alone) {
            found.push((mark, numbers[at..at + length].to_vec()));
        }
        at += length;
    }
    found
}

/// Takes in the chains of three and more numbers with one mark between them, by that mark.
pub(super) fn of_chains(input: &[u8], found: &mut Features) {
    for (mark, numbers) in chains(input) {
        let values = numbers.iter().map(|span| super::number(&input[span.clone()]));
        let Some(values) = values.collect::<Option<Vec<i128>>>() else { continue };
        let name = Name::from(format!("{CHAIN}\"{}\"", char::from(mark)));
        if found.count_parts(&name) < MAX_CHAINS {
            found.add_part(&name, part(&values));
        }
    }
}

/// The features of one chain.
fn part(values: &[i128]) -> Part {
    let name = Name::from("number");
    let number = || name.clone();
    let (first, second, last) = (values[0], values[1], values[values.len() - 1]);
    let terms = [Term::First(number()), Term::Second(number()), Term::Last(number())];
    let [one, two, three] = terms;
    let [greatest, least] =
        [values.iter().max(), values.iter().min()].map(|value| *value.expect("it has numbers"));
    let own = [
        (Feature::Value(one.clone()), first),
        (Feature::Value(two.clone()), second),
        (Feature::Value(three), last),
        (Feature::Value(Term::Greatest(number())), greatest),
        (Feature::Value(Term::Least(number())), least),
        (Feature::Count(number()), values.len() as i128),
        (Feature::Difference(one, two), first.saturating_sub(second)),
    ];
    Part::of(own.iter().map(|(feature, value)| (feature, value)))
}

/// A whole chain as one number that is greater if the chain is: the numbers of the chain, and how many they are. Nothing
/// for a text that is no chain of at least two short numbers.
pub(super) fn size(text: &[u8]) -> Option<(usize, i128)> {
    let is_between = |byte: &u8| MARKS.contains(byte) || b" T".contains(byte);
    let text = text.strip_suffix(b"Z").unwrap_or(text);
    let numbers: Vec<&[u8]> = text.split(is_between).collect();
    if !(2..=MAX_COMPARED_NUMBERS).contains(&numbers.len()) {
        return None;
    }
    let is_short = |number: &&[u8]| (1..=4).contains(&number.len());
    let is_number = |number: &&[u8]| number.iter().all(u8::is_ascii_digit);
    if !numbers.iter().all(|number| is_short(number) && is_number(number)) {
        return None;
    }
    let values = numbers.iter().filter_map(|number| super::number(number));
    Some((numbers.len(), values.fold(0, |size, number| size * STEP + number)))
}

/// By how much one chain is greater than another one of as many numbers.
pub(super) fn difference(one: &[u8], other: &[u8]) -> Option<i128> {
    let ((numbers, one), (others, other)) = (size(one)?, size(other)?);
    (numbers == others).then(|| one.saturating_sub(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::condition::{Bound, Condition};

    #[test]
    fn a_condition_says_how_many_numbers_there_are_and_which_is_too_great() {
        let name = Name::from("number");
        let number = || name.clone();
        let count = || Feature::Count(number());
        let greatest = Feature::Value(Term::Greatest(number()));
        let bounds = vec![
            (count(), Bound::AtLeast(4)),
            (count(), Bound::AtMost(4)),
            (greatest, Bound::AtLeast(256)),
        ];
        let feature = Feature::Parts(format!("{CHAIN}\".\"").into(), bounds);
        let told = Condition { feature, bound: Bound::AtLeast(1) }.to_string();
        let numbers = "has 4 numbers and has a number that is at least 256";
        assert_eq!(told, format!("some <numbers> around \".\" {numbers}"));
    }

    #[test]
    fn a_later_date_is_greater_and_a_date_has_three_numbers() {
        assert!(difference(b"2021-05-30", b"2021-04-31") > Some(0));
        assert!(difference(b"9:59", b"10:00") < Some(0));
        assert_eq!(difference(b"9:59", b"10:00:00"), None);
        assert_eq!(size(b"12"), None);
        let mut found = Features::new();
        of_chains(b"on 2021-02-30 at 1.5, v1.2.3, 7-7-40-", &mut found);
        let late = |mark: &str, bound: i128| {
            let last = Feature::Value(Term::Last("number".into()));
            let name = format!("<numbers> around \"{mark}\"");
            Feature::Parts(name.into(), vec![(last, Bound::AtLeast(bound))]).value(&found)
        };
        assert_eq!([late("-", 30), late("-", 31), late(".", 3)], [1, 0, 1].map(Some));
        let greatest = Feature::Value(Term::Greatest("number".into()));
        let name = Name::from("<numbers> around \"-\"");
        let year =
            |bound| Feature::Parts(name.clone(), vec![(greatest.clone(), bound)]).value(&found);
        assert_eq!([Bound::AtLeast(2021), Bound::AtLeast(2022)].map(year), [1, 0].map(Some));
    }
}
