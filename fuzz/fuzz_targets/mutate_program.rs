//! A parser, then a semantic check, then an interpreter.
//!
//! The document is a small program in JSON: nodes with a name, an operation and operands. It has to parse, every operand
//! has to be the name of an *earlier* node, names are given once, and each operation requires a
//! certain number of operands. Only then is it evaluated: a fuzzer should reach that code. No
//! planted bug.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use serde::Deserialize;

#[path = "mutate/in_place.rs"]
mod in_place;
#[path = "mutate/tally.rs"]
mod tally;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    nodes: Vec<Node>,
    result: String,
}

#[derive(Deserialize)]
struct Node {
    name: String,
    #[serde(flatten)]
    operation: Operation,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", tag = "op")]
enum Operation {
    Number { value: i64 },
    Text { value: String },
    Add { of: Vec<String> },
    Multiply { of: Vec<String> },
    Subtract { of: [String; 2] },
    Divide { of: [String; 2] },
    Less { of: [String; 2] },
    Equal { of: [String; 2] },
    Choose { of: [String; 3] },
    Concat { of: Vec<String> },
    Length { of: [String; 1] },
    Repeat { of: [String; 2] },
    Upper { of: [String; 1] },
    Slice { of: [String; 3] },
    Format { of: Vec<String>, pattern: String },
}

impl Operation {
    fn operands(&self) -> &[String] {
        match self {
            Self::Number { .. } | Self::Text { .. } => &[],
            Self::Add { of } | Self::Multiply { of } | Self::Concat { of } => of,
            Self::Format { of, .. } => of,
            Self::Subtract { of } | Self::Divide { of } | Self::Less { of } => of,
            Self::Equal { of } | Self::Repeat { of } => of,
            Self::Choose { of } | Self::Slice { of } => of,
            Self::Length { of } | Self::Upper { of } => of,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(i64),
    Text(String),
}

impl Value {
    fn number(&self) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.trim().parse().unwrap_or(text.len() as i64),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Longer texts are cut: the interpreter has to end.
const LONGEST: usize = 4096;

/// Parses, and checks what the grammar can't say.
fn read(data: &[u8]) -> Option<Program> {
    let program: Program = serde_json::from_slice(data).ok()?;
    let mut names: HashMap<&str, ()> = HashMap::new();
    for node in &program.nodes {
        if !node.operation.operands().iter().all(|name| names.contains_key(name.as_str())) {
            return None;
        }
        if names.insert(&node.name, ()).is_some() {
            return None;
        }
    }
    names.contains_key(program.result.as_str()).then_some(program)
}

/// The value of every node, in order.
fn evaluate(program: &Program) -> Option<Value> {
    let mut values: HashMap<&str, Value> = HashMap::new();
    for node in &program.nodes {
        let of: Vec<&Value> =
            node.operation.operands().iter().map(|name| &values[name.as_str()]).collect();
        let value = apply(&node.operation, &of);
        values.insert(&node.name, value);
    }
    values.remove(program.result.as_str())
}

fn apply(operation: &Operation, of: &[&Value]) -> Value {
    let number = |index: usize| of[index].number();
    match operation {
        Operation::Number { value } => Value::Number(*value),
        Operation::Text { value } => Value::Text(value.chars().take(LONGEST).collect()),
        Operation::Add { .. } => {
            Value::Number(of.iter().fold(0, |sum, value| sum.wrapping_add(value.number())))
        }
        Operation::Multiply { .. } => {
            Value::Number(of.iter().fold(1, |product, value| product.wrapping_mul(value.number())))
        }
        Operation::Subtract { .. } => Value::Number(number(0).wrapping_sub(number(1))),
        Operation::Divide { .. } => match number(1) {
            0 => Value::Text("none".to_owned()),
            by => Value::Number(number(0).wrapping_div(by)),
        },
        Operation::Less { .. } => match (of[0], of[1]) {
            (Value::Text(left), Value::Text(right)) => Value::Number(i64::from(left < right)),
            _ => Value::Number(i64::from(number(0) < number(1))),
        },
        Operation::Equal { .. } => Value::Number(i64::from(of[0] == of[1])),
        Operation::Choose { .. } => of[if number(0) != 0 { 1 } else { 2 }].clone(),
        Operation::Concat { .. } => {
            let text: String = of.iter().map(|value| value.text()).collect();
            Value::Text(text.chars().take(LONGEST).collect())
        }
        Operation::Length { .. } => Value::Number(of[0].text().chars().count() as i64),
        Operation::Repeat { .. } => {
            let text = of[0].text();
            let times = number(1).clamp(0, (LONGEST / text.len().max(1)) as i64);
            Value::Text(text.repeat(times as usize))
        }
        Operation::Upper { .. } => Value::Text(of[0].text().to_uppercase()),
        Operation::Slice { .. } => {
            let characters: Vec<char> = of[0].text().chars().collect();
            let end = number(2).clamp(0, characters.len() as i64) as usize;
            let start = number(1).clamp(0, end as i64) as usize;
            Value::Text(characters[start..end].iter().collect())
        }
        Operation::Format { pattern, .. } => {
            let mut operands = of.iter();
            let mut text = String::new();
            for piece in pattern.split("{}") {
                text.push_str(piece);
                if let Some(value) = operands.next() {
                    text.push_str(&value.text());
                }
            }
            Value::Text(text.chars().take(LONGEST).collect())
        }
    }
}

fn is_valid(data: &[u8]) -> bool {
    read(data).is_some()
}

fuzz_target!(init: in_place::or_in_a_worker(is_valid), |data: &[u8]| {
    let program = read(data);
    tally::count(program.is_some());
    let Some(program) = program else { return };
    std::hint::black_box(evaluate(&program));
});

seedsmith::repairing_mutator!();
