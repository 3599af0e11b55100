//! JSON: `serde_json` parses the input, and the value is walked, printed and parsed again.
//!
//! Shows the repairing mutator on a parser alone. No planted bug.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

#[path = "mutate/in_place.rs"]
mod in_place;
#[path = "mutate/tally.rs"]
mod tally;

fn is_valid(data: &[u8]) -> bool {
    serde_json::from_slice::<Value>(data).is_ok()
}

/// What a program does with a document: look into everything.
fn weigh(value: &Value) -> u64 {
    match value {
        Value::Null => 1,
        Value::Bool(yes) => 2 + u64::from(*yes),
        Value::Number(number) => number.as_u64().map_or(4, |number| number % 97),
        Value::String(text) => text.chars().map(u64::from).sum(),
        Value::Array(items) => items.iter().map(weigh).fold(5, u64::wrapping_add),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| weigh(value).wrapping_mul(name.len() as u64))
            .fold(6, u64::wrapping_add),
    }
}

fuzz_target!(init: in_place::or_in_a_worker(is_valid), |data: &[u8]| {
    let parsed = serde_json::from_slice::<Value>(data);
    tally::count(parsed.is_ok());
    let Ok(value) = parsed else { return };
    let text = value.to_string();
    let again: Value = serde_json::from_str(&text).expect("what was printed is read again");
    assert_eq!(weigh(&value), weigh(&again));
});

seedsmith::repairing_mutator!();
