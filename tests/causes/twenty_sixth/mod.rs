//! A twenty-sixth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

mod formats;
mod json;
mod plain;

use seedsmith_grammar::Random;

use crate::two_sided::{TwoSided, one, shuffled, word};

/// All of them.
pub fn twenty_sixth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}

/// Whether two of some things are equal.
fn has_equals<T: PartialEq>(all: &[T]) -> bool {
    all.iter().enumerate().any(|(at, thing)| all[at + 1..].contains(thing))
}

/// Whether something happens that does once in so many throws.
fn rarely(dice: &mut Random, throws: usize) -> bool {
    dice.below(throws) == 0
}

/// Each of some parts that do not matter, with one chance in three.
fn extras(dice: &mut Random, parts: &[&str]) -> Vec<String> {
    let kept = parts.iter().filter(|_| rarely(dice, 3));
    kept.map(|part| (*part).to_owned()).collect()
}

/// Some names, one of which is there a second time once in so many throws.
fn names(dice: &mut Random, known: &[&str], most: usize, throws: usize) -> Vec<String> {
    let all = known.iter().map(|name| (*name).to_owned()).collect();
    let mut all = shuffled(dice, all);
    all.truncate(1 + dice.below(most));
    if rarely(dice, throws) {
        let name = all[dice.below(all.len())].clone();
        all.insert(dice.below(all.len() + 1), name);
    }
    all
}

/// An object with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A whole number of a range, or near to one of its ends, or anywhere below the top.
fn near_range(dice: &mut Random, low: usize, high: usize, top: usize) -> usize {
    match dice.below(7) {
        0 => [low, low + 1, high - 1, high][dice.below(4)],
        1 => low + dice.below(high - low + 1),
        2 | 3 => [low - 1, low - 2, high + 1, high + 2][dice.below(4)],
        4 => [low / 10, high * 10][dice.below(2)].min(top),
        5 => dice.below(low),
        _ => high + 1 + dice.below(top - high),
    }
}

/// A number that is less than another one, or greater, or the same, and often only just.
fn near_number(dice: &mut Random, other: usize) -> usize {
    match dice.below(6) {
        0 => other.max(1) - 1,
        1 => dice.below(other.max(1)),
        2 => other,
        3 => other + 1,
        4 => other / 10,
        _ => other + dice.below(900),
    }
}

/// A number that has so many decimals, the last of which is no zero.
fn decimal(dice: &mut Random, places: usize) -> String {
    let mut digits: String = (1..places).map(|_| char::from(b'0' + dice.below(10) as u8)).collect();
    digits.push(char::from(b'1' + dice.below(9) as u8));
    format!("{}.{digits}", [0, 1 + dice.below(9), dice.below(150)][dice.below(3)])
}

/// A number that is negative, or has three decimals, or is nearly such a number.
fn measure(dice: &mut Random) -> String {
    let sign = one(dice, &["", "", "", "-"]);
    let digits = match dice.below(8) {
        0..=2 => decimal(dice, 3),
        3 => decimal(dice, 4),
        4 => decimal(dice, 2),
        5 => decimal(dice, 1),
        _ => (1 + dice.below(400)).to_string(),
    };
    format!("{sign}{digits}")
}

/// A name with a character that is not ASCII.
fn foreign(dice: &mut Random) -> String {
    let sign = one(dice, &["é", "ø", "Ü", "ç", "ß", "ł", "Ж", "山", "–", "’"]);
    format!("{}{}{sign}{}", one(dice, &["", "St. ", "A"]), word(dice, 4), word(dice, 4))
}

/// Three steps, which are often in this order, with others and the same ones between them.
fn steps<'t>(dice: &mut Random, wanted: [&'t str; 3], others: &[&'t str]) -> Vec<&'t str> {
    let mut steps = wanted.to_vec();
    match dice.below(8) {
        0..=2 => {}
        3 | 4 => steps.rotate_left(1 + dice.below(2)),
        5 => steps.swap(0, 1),
        6 => steps.swap(1, 2),
        _ => _ = steps.remove(dice.below(3)),
    }
    for _ in 0..dice.below(4) {
        let known = if rarely(dice, 4) { &wanted[..] } else { others };
        let more = one(dice, known);
        steps.insert(dice.below(steps.len() + 1), more);
    }
    steps
}

/// The lengths of some rows, one of which often differs.
fn lengths(dice: &mut Random) -> Vec<usize> {
    let usual = 2 + dice.below(4);
    let mut all = vec![usual; 1 + dice.below(4)];
    if rarely(dice, 2) {
        let at = dice.below(all.len());
        all[at] = [usual - 1, usual + 1, usual + 2, 1][dice.below(4)];
    }
    all
}
