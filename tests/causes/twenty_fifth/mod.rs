//! A twenty-fifth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

mod formats;
mod json;
mod plain;

use seedsmith_grammar::Random;

use crate::two_sided::{TwoSided, one, shuffled, word};

/// All of them.
pub fn twenty_fifth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS].into_iter().flatten()
}

/// Whether one of some things is there twice.
fn has_twice<T: PartialEq>(all: &[T]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// At most so many of some texts, in any order.
fn some(dice: &mut Random, known: &[&str], most: usize) -> Vec<String> {
    let mut texts = shuffled(dice, known.iter().map(|text| (*text).to_owned()).collect());
    texts.truncate(1 + dice.below(most));
    texts
}

/// Puts one of some texts in a second time, one time in so many.
fn again(dice: &mut Random, texts: &mut Vec<String>, rarity: usize) {
    if dice.below(rarity) == 0 {
        let text = texts[dice.below(texts.len())].clone();
        texts.insert(dice.below(texts.len() + 1), text);
    }
}

/// Each of some lines, or other parts, with one chance in so many.
fn maybe(dice: &mut Random, parts: &[&str], rarity: usize) -> Vec<String> {
    let mut found = Vec::new();
    for part in parts {
        if dice.below(rarity) == 0 {
            found.push((*part).to_owned());
        }
    }
    found
}

/// A number with so many decimals, the last of which is no zero.
fn decimal(dice: &mut Random, places: u32) -> String {
    let whole = [dice.below(10), dice.below(200)][dice.below(2)];
    let (width, tens) = (places as usize, 10_usize.pow(places - 1));
    format!("{whole}.{:0width$}", dice.below(tens) * 10 + 1 + dice.below(9))
}

/// A number that is often negative, or has three decimals, or is nearly such a number.
fn amount(dice: &mut Random) -> String {
    match dice.below(12) {
        0 => format!("-{}", 1 + dice.below(200)),
        1 => {
            let places = [1, 2, 4][dice.below(3)];
            format!("-{}", decimal(dice, places))
        }
        2 | 3 => decimal(dice, 3),
        4 => format!("{}{}", one(dice, &["-", "", ""]), decimal(dice, 3)),
        5 => decimal(dice, 4),
        6 | 7 => {
            let places = 1 + dice.below(2) as u32;
            decimal(dice, places)
        }
        _ => dice.below(2000).to_string(),
    }
}

/// A word with a character that is not ASCII.
fn foreign(dice: &mut Random) -> String {
    let mut text = word(dice, 5);
    let sign = one(dice, &["é", "Å", "ß", "ñ", "€", "日", "ø", "—", "λ", "½"]);
    text.insert_str(dice.below(text.len() + 1), sign);
    text
}

/// Three steps that are often the wanted ones in the wanted order and otherwise nearly that, with
/// some others between them.
fn nearly_in_order<'t>(
    dice: &mut Random,
    wanted: [&'t str; 3],
    others: &[&'t str],
) -> Vec<&'t str> {
    let [a, b, c] = wanted;
    let near = [[a, c, b], [b, a, c], [c, b, a], [b, c, a], [a, others[0], c], [a, b, others[1]]];
    let mut steps = match dice.below(3) {
        0 => wanted.to_vec(),
        _ => near[dice.below(6)].to_vec(),
    };
    for _ in 0..dice.below(4) {
        let other = match dice.below(4) {
            0 => wanted[dice.below(3)],
            _ => others[dice.below(others.len())],
        };
        steps.insert(dice.below(steps.len() + 1), other);
    }
    steps
}

/// How long rows are, one of which is often longer or shorter than the others.
fn lengths(dice: &mut Random, usual: usize, most: usize) -> Vec<usize> {
    let mut lengths = vec![usual; 1 + dice.below(most)];
    if dice.below(2) == 0 {
        let at = dice.below(lengths.len());
        lengths[at] = [usual + 1, usual.max(2) - 1, usual + 2, 1][dice.below(4)];
    }
    lengths
}

/// A program in Lua without its texts and remarks.
fn bare(input: &str) -> String {
    let (mut found, mut rest) = (String::new(), input);
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => rest[1..].find(c).map_or(rest.len(), |at| at + 2),
            _ => {
                found.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[end..];
    }
    found
}

/// The parameters of each function of a program in Lua.
fn parameters(input: &str) -> Vec<Vec<String>> {
    let (bare, mut found) = (bare(input), Vec::new());
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, keyword) in bare.match_indices("function") {
        let rest = &bare[at + keyword.len()..];
        let Some((name, rest)) = rest.split_once('(') else { continue };
        let Some((names, _)) = rest.split_once(')') else { continue };
        let is_name = name.trim().chars().all(|c| is_letter(c) || ".:".contains(c));
        if !bare[..at].ends_with(is_letter) && !name.starts_with(is_letter) && is_name {
            found.push(names.split(',').map(|name| name.trim().to_owned()).collect());
        }
    }
    found
}
