//! KDL and a small machine: nodes are statements with variables, blocks, functions and a canvas.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::HashMap;
use std::fmt::Write;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};

const MOST_STEPS: usize = 2_000;
const MOST_CALLS: usize = 16;
const LONGEST_OUTPUT: usize = 4_096;
const SIDE: usize = 16;

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Null,
    Truth(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Value {
    fn is_true(&self) -> bool {
        match self {
            Value::Null => false,
            Value::Truth(truth) => *truth,
            Value::Integer(number) => *number != 0,
            Value::Real(number) => *number != 0.0,
            Value::Text(text) => !text.is_empty(),
        }
    }

    fn integer(&self) -> i64 {
        match self {
            Value::Null => 0,
            Value::Truth(truth) => i64::from(*truth),
            Value::Integer(number) => *number,
            Value::Real(number) => *number as i64,
            Value::Text(text) => text.trim().parse().unwrap_or(text.len() as i64),
        }
    }

    fn real(&self) -> f64 {
        match self {
            Value::Real(number) => *number,
            Value::Text(text) => text.trim().parse().unwrap_or(f64::NAN),
            other => other.integer() as f64,
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Truth(truth) => truth.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => format!("{number:.3}"),
            Value::Text(text) => text.clone(),
        }
    }
}

/// Why a block ended early.
enum End {
    Leave,
    Return(Value),
    Error(String),
}

struct Machine<'d> {
    scopes: Vec<HashMap<String, Value>>,
    functions: HashMap<&'d str, &'d KdlNode>,
    steps: usize,
    calls: usize,
    output: String,
    canvas: [[u8; SIDE]; SIDE],
    pen: (i64, i64),
}

impl<'d> Machine<'d> {
    fn new() -> Self {
        Machine {
            scopes: vec![HashMap::new()],
            functions: HashMap::new(),
            steps: 0,
            calls: 0,
            output: String::new(),
            canvas: [[0; SIDE]; SIDE],
            pen: (0, 0),
        }
    }

    fn value(&self, entry: &KdlEntry) -> Result<Value, End> {
        let plain = match entry.value() {
            KdlValue::String(text) => match text.strip_prefix('$') {
                Some(name) => {
                    let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
                    found.cloned().ok_or_else(|| End::Error(format!("no variable {name}")))?
                }
                None => Value::Text(text.clone()),
            },
            KdlValue::Integer(number) => Value::Integer(*number as i64),
            KdlValue::Float(number) => Value::Real(*number),
            KdlValue::Bool(truth) => Value::Truth(*truth),
            KdlValue::Null => Value::Null,
        };
        let Some(ty) = entry.ty() else { return Ok(plain) };
        Ok(match ty.value() {
            "int" => Value::Integer(plain.integer()),
            "real" => Value::Real(plain.real()),
            "text" => Value::Text(plain.text()),
            "len" => Value::Integer(plain.text().chars().count() as i64),
            "not" => Value::Truth(!plain.is_true()),
            "neg" => match plain {
                Value::Real(number) => Value::Real(-number),
                other => Value::Integer(other.integer().wrapping_neg()),
            },
            "hex" => Value::Text(format!("{:x}", plain.integer())),
            "upper" => Value::Text(plain.text().to_uppercase()),
            "reversed" => Value::Text(plain.text().chars().rev().collect()),
            other => return Err(End::Error(format!("no conversion {other}"))),
        })
    }

    fn arguments(&self, node: &KdlNode) -> Result<Vec<Value>, End> {
        node.entries().iter().filter(|entry| entry.name().is_none()).map(|one| self.value(one)).collect()
    }

    fn property(&self, node: &KdlNode, name: &str) -> Result<Option<Value>, End> {
        let is_it = |entry: &&KdlEntry| entry.name().is_some_and(|own| own.value() == name);
        node.entries().iter().find(is_it).map(|entry| self.value(entry)).transpose()
    }

    fn say(&mut self, text: &str) {
        if self.output.len() + text.len() < LONGEST_OUTPUT {
            self.output.push_str(text);
        }
    }

    fn set(&mut self, name: &str, value: Value) {
        let scope = self.scopes.iter().rposition(|scope| scope.contains_key(name));
        let scope = scope.unwrap_or(self.scopes.len() - 1);
        self.scopes[scope].insert(name.to_owned(), value);
    }

    fn block(&mut self, document: Option<&'d KdlDocument>) -> Result<(), End> {
        self.scopes.push(HashMap::new());
        let done = document.map_or(Ok(()), |document| document.nodes().iter().try_for_each(|node| self.step(node)));
        self.scopes.pop();
        done
    }

    fn call(&mut self, name: &str, given: &[Value]) -> Result<Value, End> {
        let Some(function) = self.functions.get(name).copied() else {
            return Err(End::Error(format!("no function {name}")));
        };
        if self.calls >= MOST_CALLS {
            return Err(End::Error("calls are nested too deeply".to_owned()));
        }
        let names = self.arguments(function)?;
        if names.len() != given.len() + 1 {
            return Err(End::Error(format!("{name} takes {} arguments", names.len() - 1)));
        }
        let scope = names[1..].iter().map(Value::text).zip(given.iter().cloned()).collect();
        self.scopes.push(scope);
        self.calls += 1;
        let done = self.block(function.children());
        self.calls -= 1;
        self.scopes.pop();
        match done {
            Err(End::Return(value)) => Ok(value),
            Err(error @ End::Error(_)) => Err(error),
            Ok(()) | Err(End::Leave) => Ok(Value::Null),
        }
    }

    fn arithmetic(operation: &str, left: &Value, right: &Value) -> Result<Value, End> {
        let is_real = matches!(left, Value::Real(_)) || matches!(right, Value::Real(_));
        Ok(match operation {
            "add" => match (left, right) {
                (Value::Text(left), right) => Value::Text(left.clone() + &right.text()),
                _ if is_real => Value::Real(left.real() + right.real()),
                _ => Value::Integer(left.integer().wrapping_add(right.integer())),
            },
            "sub" if is_real => Value::Real(left.real() - right.real()),
            "sub" => Value::Integer(left.integer().wrapping_sub(right.integer())),
            "mul" => match (left, right) {
                (Value::Text(left), right) => Value::Text(left.repeat(right.integer().clamp(0, 8) as usize)),
                _ if is_real => Value::Real(left.real() * right.real()),
                _ => Value::Integer(left.integer().wrapping_mul(right.integer())),
            },
            "div" | "mod" if !is_real && right.integer() == 0 => {
                return Err(End::Error("division by zero".to_owned()));
            }
            "div" if is_real => Value::Real(left.real() / right.real()),
            "div" => Value::Integer(left.integer().wrapping_div(right.integer())),
            "mod" => Value::Integer(left.integer().wrapping_rem(right.integer().max(1))),
            "less" => Value::Truth(match (left, right) {
                (Value::Text(left), Value::Text(right)) => left < right,
                _ => left.real() < right.real(),
            }),
            "equal" => Value::Truth(left == right),
            other => return Err(End::Error(format!("no operation {other}"))),
        })
    }

    fn draw(&mut self, to: (i64, i64), with: u8) {
        let (from, steps) = (self.pen, (to.0 - self.pen.0).abs().max((to.1 - self.pen.1).abs()));
        for step in 0..=steps {
            let part = |from: i64, to: i64| if steps == 0 { from } else { from + (to - from) * step / steps };
            let (x, y) = (part(from.0, to.0), part(from.1, to.1));
            if let (0..16, 0..16) = (x, y) {
                self.canvas[y as usize][x as usize] = with;
            }
        }
        self.pen = to;
    }

    fn step(&mut self, node: &'d KdlNode) -> Result<(), End> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(End::Error("too many steps".to_owned()));
        }
        let given = self.arguments(node)?;
        match (node.name().value(), given.as_slice()) {
            ("let" | "set", [name, value]) => self.set(&name.text(), value.clone()),
            ("calc", [name, left, operation, right]) => {
                let value = Self::arithmetic(&operation.text(), left, right)?;
                self.set(&name.text(), value);
            }
            ("def", [name, ..]) => {
                if let Some(KdlValue::String(own)) = node.get(0) {
                    if self.functions.insert(own, node).is_some() {
                        let _ = writeln!(self.output, "{} is replaced", name.text());
                    }
                }
            }
            ("call", [name, given @ ..]) => {
                let value = self.call(&name.text(), given)?;
                if let Some(to) = self.property(node, "to")? {
                    self.set(&to.text(), value);
                }
            }
            ("return", [value]) => return Err(End::Return(value.clone())),
            ("leave", []) => return Err(End::Leave),
            ("if", [condition]) => {
                if condition.is_true() {
                    self.block(node.children())?;
                }
            }
            ("repeat", [times]) => {
                for number in 0..times.integer().clamp(0, 64) {
                    if let Some(name) = self.property(node, "as")? {
                        self.set(&name.text(), Value::Integer(number));
                    }
                    match self.block(node.children()) {
                        Err(End::Leave) => break,
                        other => other?,
                    }
                }
            }
            ("print", values) => {
                let between = self.property(node, "between")?.map_or(" ".to_owned(), |one| one.text());
                let texts: Vec<String> = values.iter().map(Value::text).collect();
                self.say(&texts.join(&between));
            }
            ("move", [x, y]) => self.pen = (x.integer().clamp(-64, 64), y.integer().clamp(-64, 64)),
            ("line", [x, y]) => {
                let with = self.property(node, "with")?.map_or(1, |one| one.integer() as u8);
                self.draw((x.integer().clamp(-64, 64), y.integer().clamp(-64, 64)), with);
            }
            ("fill", []) => {
                let with = self.property(node, "with")?.map_or(2, |one| one.integer() as u8);
                self.fill(with);
            }
            (other, given) => return Err(End::Error(format!("{other} with {} arguments", given.len()))),
        }
        Ok(())
    }

    fn fill(&mut self, with: u8) {
        let (0..16, 0..16) = self.pen else { return };
        let from = self.canvas[self.pen.1 as usize][self.pen.0 as usize];
        let mut waiting = vec![(self.pen.0 as usize, self.pen.1 as usize)];
        while let Some((x, y)) = waiting.pop() {
            if self.canvas[y][x] != from || from == with {
                continue;
            }
            self.canvas[y][x] = with;
            waiting.extend((x > 0).then(|| (x - 1, y)));
            waiting.extend((x + 1 < SIDE).then_some((x + 1, y)));
            waiting.extend((y > 0).then(|| (x, y - 1)));
            waiting.extend((y + 1 < SIDE).then_some((x, y + 1)));
        }
    }
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Ok(document) = KdlDocument::parse(text) else { return false };
    if goes_on {
        harness::after(|| {
            let mut machine = Machine::new();
            for node in document.nodes() {
                match machine.step(node) {
                    Ok(()) => {}
                    Err(End::Leave) => break,
                    Err(End::Return(value)) => machine.say(&value.text()),
                    Err(End::Error(message)) => {
                        machine.say(&message);
                        break;
                    }
                }
            }
            std::hint::black_box((machine.output, machine.canvas));
        });
    }
    true
}

target!(process);
