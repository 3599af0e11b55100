//! A forty-fifth list of planted causes: 24 that were written by someone who had read neither the generalizer
//! nor any other list than the forty-first. Two are of each of twelve kinds, in different formats. Half of them
//! have a grammar, two of these one of their own, and half have none. Nine programs reject what is invalid.

mod code;
mod formats;
mod json;
mod marked;
mod own;
mod scripts;
mod texts;

use seedsmith_grammar::Random;

use crate::draws::{chance, extras};
use crate::two_sided::{TwoSided, one, shuffled};

/// All of them.
pub fn forty_fifth() -> impl Iterator<Item = &'static TwoSided> {
    [
        json::JSON,
        formats::FORMATS,
        own::OWN,
        marked::MARKED,
        texts::TEXTS,
        code::CODE,
        scripts::SCRIPTS,
    ]
    .into_iter()
    .flatten()
}

/// A text without what comes after a mark in each line.
fn without_remarks(input: &str, mark: &str) -> String {
    let lines = input.lines().map(|line| line.split(mark).next().unwrap_or_default());
    lines.collect::<Vec<&str>>().join("\n")
}

/// These parts and about a third of the others, in any order.
fn mixed(dice: &mut Random, parts: Vec<String>, others: &[&str]) -> Vec<String> {
    let mut all = extras(dice, others);
    all.extend(parts);
    shuffled(dice, all)
}

/// A name, sometimes with a number after it.
fn name(dice: &mut Random) -> String {
    let known = ["alpha", "list", "item", "user", "total", "index", "cache", "node", "path"];
    let name = one(dice, &known);
    match chance(dice, 30) {
        true => format!("{name}{}", dice.below(20)),
        false => name.to_owned(),
    }
}
