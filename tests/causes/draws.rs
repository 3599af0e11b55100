//! What the generators of several lists draw, and what their readers ask of what they read.

use seedsmith_grammar::Random;

use crate::two_sided::{joined, one, shuffled, word};

/// The lines of a text that are neither empty nor remarks, without the blanks around them.
pub fn statements<'t>(input: &'t str, remark: &str) -> impl Iterator<Item = &'t str> {
    let lines = input.lines().map(str::trim);
    lines.filter(move |line| !line.is_empty() && !line.starts_with(remark))
}

/// Whether two of some things are the same.
pub fn has_twins<T: PartialEq>(all: &[T]) -> bool {
    all.iter().enumerate().any(|(at, thing)| all[at + 1..].contains(thing))
}

/// Whether some lengths are not all the same.
pub fn are_uneven(lengths: &[usize]) -> bool {
    lengths.iter().any(|length| *length != lengths[0])
}

/// Whether a number is negative, and a number (maybe the same one) has exactly three decimals.
pub fn are_negative_and_fine(numbers: &[(bool, usize)]) -> bool {
    let is_fine = numbers.iter().any(|(_, decimals)| *decimals == 3);
    is_fine && numbers.iter().any(|(is_negative, _)| *is_negative)
}

/// Whether something happens that does so many times in a hundred.
pub fn chance(dice: &mut Random, percent: usize) -> bool {
    dice.below(100) < percent
}

/// About a third of these parts, which do not matter.
pub fn extras(dice: &mut Random, parts: &[&str]) -> Vec<String> {
    let kept = parts.iter().filter(|_| chance(dice, 33));
    kept.map(|part| part.to_string()).collect()
}

/// A number from `low` to `high` so many times in a hundred, or else another, which is often next to
/// these.
pub fn around(dice: &mut Random, [low, high]: [usize; 2], percent: usize) -> usize {
    if chance(dice, percent) {
        return [low, high, low + dice.below(high - low + 1)][dice.below(3)];
    }
    let beyond = high + 1 + dice.below(2 * high);
    [low - 1, high + 1, dice.below(low), beyond][dice.below(4)]
}

/// A number above another one so many times in a hundred, or else one that is not.
pub fn above(dice: &mut Random, other: usize, percent: usize) -> usize {
    if chance(dice, percent) {
        return other + [1, 2, 1 + dice.below(30), 1 + dice.below(900)][dice.below(4)];
    }
    let [next, lower] = [other.saturating_sub(1), dice.below(other + 1)];
    [other, next, lower, other / 2][dice.below(4)]
}

/// A count so many times in a hundred, or else another number, which is often next to it.
pub fn counted(dice: &mut Random, count: usize, percent: usize) -> usize {
    if chance(dice, percent) {
        return count;
    }
    let lower = count.checked_sub(1).unwrap_or(3);
    [lower, count + 1, count + 2, count + 3 + dice.below(20)][dice.below(4)]
}

/// A number that is not zero, maybe negative, and often with three decimals. The last decimal is not
/// zero.
pub fn figure(dice: &mut Random) -> String {
    let sign = if chance(dice, 25) { "-" } else { "" };
    let whole = [0, dice.below(10), 10 + dice.below(300)][dice.below(3)];
    match [0, 0, 1, 2, 3, 3, 4][dice.below(7)] {
        0 => format!("{sign}{}", whole + 1),
        places => {
            let digits: String = (1..places).map(|_| dice.below(10).to_string()).collect();
            format!("{sign}{whole}.{digits}{}", 1 + dice.below(9))
        }
    }
}

/// A short word with a character that is not ASCII at its start, inside it or at its end.
pub fn foreign(dice: &mut Random) -> String {
    let letter = one(dice, &["é", "ö", "Å", "ñ", "ø", "š", "Λ", "д", "本", "æ", "ğ"]);
    let (before, after) = (word(dice, 5), word(dice, 5));
    match dice.below(4) {
        0 => format!("{letter}{after}"),
        1 => format!("{before}{letter}"),
        _ => format!("{before}{letter}{after}"),
    }
}

/// Three steps among others, in this order about half of the time.
pub fn steps<'t>(dice: &mut Random, wanted: [&'t str; 3], others: &[&'t str]) -> Vec<&'t str> {
    let mut all = wanted.to_vec();
    match dice.below(8) {
        0 => all.swap(0, 1),
        1 => all.swap(1, 2),
        2 => all.rotate_left(1 + dice.below(2)),
        3 => {
            all.remove(dice.below(3));
        }
        _ => {}
    }
    for _ in 0..dice.below(5) {
        let at = dice.below(all.len() + 1);
        all.insert(at, one(dice, others));
    }
    all
}

/// At most `most` different things of these, and `percent` times in a hundred one of them twice.
pub fn picked(dice: &mut Random, known: &[&str], most: usize, percent: usize) -> Vec<String> {
    let mut all = shuffled(dice, known.iter().map(|thing| thing.to_string()).collect());
    all.truncate(1 + dice.below(most));
    if chance(dice, percent) {
        let [from, to] = [dice.below(all.len()), dice.below(all.len() + 1)];
        all.insert(to, all[from].clone());
    }
    all
}

/// The lengths of at least `least` rows: the same for all, or `percent` times in a hundred another one
/// for one.
pub fn lengths(dice: &mut Random, least: usize, percent: usize) -> Vec<usize> {
    let length = 1 + dice.below(4);
    let mut all = vec![length; least + dice.below(4)];
    if chance(dice, percent) && all.len() > 1 {
        let at = dice.below(all.len());
        all[at] = [length + 1, length + 2, (length - 1).max(1)][dice.below(3)];
    }
    all
}

/// A link with these pairs as its query, in any order: to one of two hosts or any other, one of some paths, and with one of some ends.
pub fn link(
    dice: &mut Random,
    pairs: Vec<String>,
    [host, other]: [&str; 2],
    (paths, ends): (&[&str], &[&str]),
) -> String {
    let mut query = shuffled(dice, pairs).join("&");
    if !query.is_empty() {
        query.insert(0, '?');
    }
    let any = joined(dice, 2, ".", |dice| format!("h{}", word(dice, 6)));
    let host = one(dice, &[&any, host, other]);
    let path = one(dice, paths);
    let end = one(dice, ends);
    format!("https://{host}/{path}{query}{end}")
}
