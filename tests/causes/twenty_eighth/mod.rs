//! A twenty-eighth list of planted causes: 24 that were written and committed before the
//! generalizer was run on any of them, by someone who had not read it. Two are of each of twelve
//! kinds, in different formats. A third is in JSON, a third has no grammar, and a third is in eight
//! other formats.

mod formats;
mod json;
mod plain;

use seedsmith_grammar::Random;

use crate::draws::chance;
use crate::readers::{Section, is_name, is_shown};
use crate::two_sided::{TwoSided, one, word};

/// All of them.
pub fn twenty_eighth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}

/// The tokens of a text: words of letters, digits and some signs, texts in quotation marks, and
/// other signs; nothing if a text in quotation marks is odd.
fn tokens<'t>(input: &'t str, quote: char, signs: &str) -> Option<Vec<&'t str>> {
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
        let size = match first {
            _ if first == quote => {
                let size = rest[1..].find(quote)?;
                let inner = &rest[1..=size];
                (is_shown(inner) && !inner.contains('\\')).then_some(size + 2)?
            }
            _ if is_inside(first) => rest.find(|c| !is_inside(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    Some(found)
}

/// Whether some tokens are right ones with commas between them.
fn are_listed(tokens: &[&str], is_right: impl Fn(&str) -> bool) -> bool {
    let mut parts = tokens.split(|token| *token == ",");
    parts.all(|part| matches!(part, [token] if is_right(token)))
}

/// The sections of settings, the first of which has no name; nothing if a line is odd, or a name is
/// there twice.
fn settings(input: &str, remark: char) -> Option<Vec<Section<'_>>> {
    let mut all: Vec<Section> = vec![("", Vec::new())];
    let lines = input.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with(remark)) {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']')?.trim();
            let is_new = all.iter().all(|(other, _)| *other != name);
            all.push((Some(name).filter(|_| is_new && is_name(name))?, Vec::new()));
        } else {
            let (key, value) = line.split_once('=')?;
            let (key, pairs) = (key.trim_end(), &mut all.last_mut()?.1);
            let is_new = pairs.iter().all(|(other, _)| *other != key);
            pairs.push((Some(key).filter(|_| is_new && is_name(key))?, value.trim_start()));
        }
    }
    Some(all)
}

/// Whether some lengths are not all the same.
fn are_uneven(lengths: &[usize]) -> bool {
    lengths.windows(2).any(|pair| pair[0] != pair[1])
}

/// Whether a number is negative, and a number (maybe the same one) has exactly so many decimals.
fn are_negative_and_fine(numbers: &[(bool, usize)], wanted: usize) -> bool {
    let is_fine = numbers.iter().any(|(_, decimals)| *decimals == wanted);
    is_fine && numbers.iter().any(|(is_negative, _)| *is_negative)
}

/// A number from `low` to `high` so many times in a hundred, or else another, which is often next to
/// these.
fn around(dice: &mut Random, [low, high]: [usize; 2], percent: usize) -> usize {
    if chance(dice, percent) {
        return [low, high, low + dice.below(high - low + 1)][dice.below(3)];
    }
    let beyond = high + 1 + dice.below(3 * high);
    [low - 1, high + 1, dice.below(low), beyond][dice.below(4)]
}

/// A number above another one so many times in a hundred, or else one that is not.
fn above(dice: &mut Random, other: usize, percent: usize) -> usize {
    if chance(dice, percent) {
        return other + [1, 2, 1 + dice.below(20), 1 + dice.below(2000)][dice.below(4)];
    }
    let [next, lower] = [other.saturating_sub(1), dice.below(other + 1)];
    [other, next, lower, other / 10][dice.below(4)]
}

/// A count so many times in a hundred, or else another number, which is often next to it.
fn counted(dice: &mut Random, count: usize, percent: usize) -> usize {
    if chance(dice, percent) {
        return count;
    }
    let lower = count.checked_sub(1).unwrap_or(4);
    [lower, count + 1, count + 2, count + 3 + dice.below(30)][dice.below(4)]
}

/// A number that is not zero, maybe negative, and with up to five decimals, the last of which is not
/// zero.
fn figure(dice: &mut Random, places: &[usize]) -> String {
    let sign = if chance(dice, 25) { "-" } else { "" };
    let whole = [0, dice.below(10), 10 + dice.below(400)][dice.below(3)];
    match places[dice.below(places.len())] {
        0 => format!("{sign}{}", whole + 1),
        places => {
            let digits: String = (1..places).map(|_| dice.below(10).to_string()).collect();
            format!("{sign}{whole}.{digits}{}", 1 + dice.below(9))
        }
    }
}

/// A short word with a character that is not ASCII at its start, inside it or at its end.
fn foreign(dice: &mut Random) -> String {
    let letter = one(dice, &["é", "ü", "Å", "ç", "ø", "ž", "Ω", "ж", "山", "ß", "ı"]);
    let (before, after) = (word(dice, 4), word(dice, 4));
    match dice.below(4) {
        0 => format!("{letter}{after}"),
        1 => format!("{before}{letter}"),
        _ => format!("{before}{letter}{after}"),
    }
}

/// Three steps among others, in this order about half of the time.
fn steps<'t>(dice: &mut Random, wanted: [&'t str; 3], others: &[&'t str]) -> Vec<&'t str> {
    let mut all = wanted.to_vec();
    match dice.below(8) {
        0 => all.swap(0, 1),
        1 => all.swap(1, 2),
        2 => all.rotate_left(1),
        3 => {
            all.remove(dice.below(3));
        }
        _ => {}
    }
    for _ in 0..dice.below(4) {
        let at = dice.below(all.len() + 1);
        all.insert(at, one(dice, others));
    }
    all
}

/// The lengths of some rows: the same for all, or so many times in a hundred another one for one.
fn lengths(dice: &mut Random, percent: usize) -> Vec<usize> {
    let length = 1 + dice.below(4);
    let mut all = vec![length; 1 + dice.below(4)];
    if chance(dice, percent) && all.len() > 1 {
        let at = dice.below(all.len());
        all[at] = [length + 1, (length - 1).max(1)][dice.below(2)];
    }
    all
}
