//! What the causes in JSON share: how they read values, and how they write objects.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::extras;
use crate::readers::{has_short_numbers, is_json};
use crate::two_sided::{read_json, shuffled};

/// The value of an input; nothing if the input is odd.
pub fn value(input: &str) -> Option<Value> {
    (is_json(input) && has_short_numbers(input)).then(|| read_json(input))
}

/// What is read of each thing in a list; nothing if one is odd.
pub fn all<T>(list: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

/// What is read of each thing that has a key; nothing if one is odd.
pub fn keyed<T>(things: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    things.as_object()?.values().map(read).collect()
}

/// A text.
pub fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// An object with these pairs in any order.
pub fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// An object with one pair, and some others.
pub fn around_pair(dice: &mut Random, pair: String, others: &[&str]) -> String {
    let mut pairs = extras(dice, others);
    pairs.push(pair);
    object(dice, pairs)
}
