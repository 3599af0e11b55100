//! What the causes in JSON share: how they read things, and how they write objects.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::extras;
use crate::readers::{has_short_numbers, is_json};
use crate::two_sided::{read_json, shuffled};

/// What is read of each thing in a list; nothing if one is odd.
pub fn all<T>(list: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

/// The things below a key at the top of an input; nothing if the input is odd.
pub fn top(input: &str, key: &str) -> Option<Value> {
    let is_right = is_json(input) && has_short_numbers(input);
    read_json(input).get_mut(key).filter(|_| is_right).map(Value::take)
}

/// What is read of each thing in a list below a key at the top; nothing if one is odd.
pub fn each<T>(input: &str, key: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    all(&top(input, key)?, read)
}

/// What is read of each thing that has a key, below a key at the top; nothing if one is odd.
pub fn each_named<T>(input: &str, key: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    top(input, key)?.as_object()?.values().map(read).collect()
}

/// A text.
pub fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// An object with these pairs, and some others, in any order.
pub fn object(dice: &mut Random, pairs: &[String], others: &[&str]) -> String {
    let all = [pairs, &extras(dice, others)].concat();
    format!("{{{}}}", shuffled(dice, all).join(","))
}

/// A list of texts.
pub fn texts(all: &[impl AsRef<str>]) -> String {
    let all: Vec<String> = all.iter().map(|text| format!("\"{}\"", text.as_ref())).collect();
    format!("[{}]", all.join(","))
}
