//! A forty-eighth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds: one with
//! a grammar, and one without. Three of the grammars are the list's own.

mod depths;
mod figures;
mod lengths;
mod names;
mod orders;
mod ranges;
mod rows;

use crate::draws::chance;
use crate::two_sided::{TwoSided, one};
use seedsmith_grammar::Random;

/// All of them.
pub fn forty_eighth() -> impl Iterator<Item = &'static TwoSided> {
    [
        ranges::RANGES,
        depths::DEPTHS,
        names::NAMES,
        figures::FIGURES,
        lengths::LENGTHS,
        orders::ORDERS,
        rows::ROWS,
    ]
    .into_iter()
    .flatten()
}

/// Lines, each further inside, but for half of the time.
fn indented(dice: &mut Random, lines: &str) -> String {
    match chance(dice, 50) {
        true => lines.lines().map(|line| format!("  {line}\n")).collect(),
        false => lines.to_owned(),
    }
}

/// A short list of numbers as they are drawn and measured: some negative, some of exactly three decimals.
fn measure(dice: &mut Random) -> String {
    let sign = if chance(dice, 22) { "-" } else { "" };
    let whole = [0, dice.below(12), 10 + dice.below(200)][dice.below(3)];
    let end = one(dice, &["", "", "", ".5", ".25", ".75", ".125", ".375", ".062", ".0625"]);
    match (whole, end) {
        (0, "") => "0".to_owned(),
        _ => format!("{sign}{whole}{end}"),
    }
}
