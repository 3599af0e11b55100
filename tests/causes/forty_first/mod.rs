//! A forty-first list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

mod formats;
mod json;
mod markup;
mod plain;
mod scripts;

use seedsmith_grammar::Random;

use crate::draws::chance;
use crate::two_sided::TwoSided;

/// All of them.
pub fn forty_first() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, scripts::SCRIPTS, formats::FORMATS, markup::MARKUP]
        .into_iter()
        .flatten()
}

/// Whether a number is negative, and a number (maybe the same one) has exactly that number of decimals.
fn are_negative_and_exact(numbers: &[(bool, usize)], places: usize) -> bool {
    let is_exact = numbers.iter().any(|(_, decimals)| *decimals == places);
    is_exact && numbers.iter().any(|(is_negative, _)| *is_negative)
}

/// A number that is not zero, maybe negative, and often with that number of decimals. The last decimal is not zero.
fn amount(dice: &mut Random, places: usize) -> String {
    let sign = if chance(dice, 18) { "-" } else { "" };
    let whole = [0, 0, dice.below(12)][dice.below(3)];
    match [0, 0, places - 1, places, places, places + 1, places + 2][dice.below(7)] {
        0 => format!("{sign}{}", whole + 1),
        count => {
            let digits: String = (1..count).map(|_| dice.below(10).to_string()).collect();
            format!("{sign}{whole}.{digits}{}", 1 + dice.below(9))
        }
    }
}
