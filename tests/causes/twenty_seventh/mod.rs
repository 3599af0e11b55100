//! A twenty-seventh list of planted causes: 24 that were written and committed before the
//! generalizer was run on any of them, by someone who had not read it. Two are of each of twelve
//! kinds, in different formats. A third is in JSON, a third has no grammar, and a third is in eight
//! other formats.

mod formats;
mod json;
mod plain;

use seedsmith_grammar::Random;

use crate::draws::chance;
use crate::two_sided::{TwoSided, one, shuffled, word};

/// All of them.
pub fn twenty_seventh() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}

/// Whether something is there more than once.
fn repeats<T: PartialEq>(all: &[T]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// Whether some rows differ in length.
fn are_ragged(lengths: &[usize]) -> bool {
    lengths.iter().any(|length| *length != lengths[0])
}

/// Whether a number is negative, and a number (maybe the same one) has exactly three decimals.
fn are_fine_and_negative(numbers: &[(bool, usize)]) -> bool {
    let is_fine = numbers.iter().any(|(_, decimals)| *decimals == 3);
    is_fine && numbers.iter().any(|(is_negative, _)| *is_negative)
}

/// Some of these parts, none of which the cause is about.
fn asides(dice: &mut Random, parts: &[&str]) -> Vec<String> {
    let kept = parts.iter().filter(|_| chance(dice, 30));
    kept.map(|part| part.to_string()).collect()
}

/// Different things of these in any order, and so many times in a hundred one of them again.
fn listed(dice: &mut Random, known: &[&str], most: usize, percent: usize) -> Vec<String> {
    let all = known.iter().map(|thing| thing.to_string()).collect();
    let mut all = shuffled(dice, all);
    all.truncate(1 + dice.below(most));
    if chance(dice, percent) {
        let at = dice.below(all.len());
        let place = dice.below(all.len() + 1);
        all.insert(place, all[at].clone());
    }
    all
}

/// An object in JSON with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A number inside of a range so many times in a hundred, or else outside of it and often just so.
fn about(dice: &mut Random, [low, high]: [usize; 2], percent: usize) -> usize {
    let is_inside = chance(dice, percent);
    match (is_inside, dice.below(3)) {
        (true, 0) => low,
        (true, 1) => high,
        (true, _) => low + dice.below(high - low + 1),
        (false, 0) => [low - 1, high + 1][dice.below(2)],
        (false, 1) => dice.below(low),
        (false, _) => high + 1 + dice.below(4 * high),
    }
}

/// A number that is less than another one so many times in a hundred.
fn rival(dice: &mut Random, other: usize, percent: usize) -> usize {
    let is_less = chance(dice, percent) && other > 0;
    match (is_less, dice.below(3)) {
        (true, 0) => other - 1,
        (true, 1) => other / 10,
        (true, _) => dice.below(other),
        (false, 0) => other,
        (false, 1) => other + 1,
        (false, _) => other + dice.below(300),
    }
}

/// A count that is the same as another so many times in a hundred, or else often nearly so.
fn claimed(dice: &mut Random, count: usize, percent: usize) -> usize {
    let is_same = chance(dice, percent);
    match (is_same, dice.below(3)) {
        (true, _) => count,
        (false, 0) => count.checked_sub(1).unwrap_or(7),
        (false, 1) => count + 1,
        (false, _) => count + 2 + dice.below(20),
    }
}

/// A number with up to four decimals, the last of which is not zero, and maybe with a minus.
fn reading(dice: &mut Random) -> String {
    let sign = if chance(dice, 25) { "-" } else { "" };
    let places = [0, 0, 1, 2, 3, 3, 4][dice.below(7)];
    let whole = [0, 1 + dice.below(9), 1 + dice.below(360)][dice.below(3)];
    if places == 0 {
        return format!("{sign}{}", whole + 1);
    }
    let mut digits: String = (1..places).map(|_| dice.below(10).to_string()).collect();
    digits += &(1 + dice.below(9)).to_string();
    format!("{sign}{whole}.{digits}")
}

/// A few letters with one among them that is not ASCII.
fn accented(dice: &mut Random) -> String {
    let letter = one(dice, &["ä", "Ö", "ñ", "è", "å", "š", "Σ", "я", "海", "½", "“"]);
    let (before, after) = (word(dice, 5), word(dice, 3));
    match dice.below(3) {
        0 => format!("{letter}{after}"),
        1 => format!("{before}{letter}"),
        _ => format!("{before}{letter}{after}"),
    }
}

/// Three events, about half of the time in this order, and others among them.
fn events<'t>(dice: &mut Random, wanted: [&'t str; 3], others: &[&'t str]) -> Vec<&'t str> {
    let [first, second, third] = wanted;
    let mut all = match dice.below(10) {
        0..=4 => vec![first, second, third],
        5 => vec![second, first, third],
        6 => vec![first, third, second],
        7 => vec![third, second, first],
        8 => vec![third, first, second],
        _ => vec![first, third],
    };
    for _ in 0..dice.below(4) {
        let place = dice.below(all.len() + 1);
        all.insert(place, one(dice, others));
    }
    all
}

/// How long each row is: most often all alike, or all but one.
fn widths(dice: &mut Random) -> Vec<usize> {
    let width = 1 + dice.below(4);
    let mut all = vec![width; 2 + dice.below(3)];
    if chance(dice, 40) {
        let at = dice.below(all.len());
        all[at] = if width > 1 && chance(dice, 50) { width - 1 } else { width + 1 };
    }
    all
}
