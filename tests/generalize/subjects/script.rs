//! A scripting language with scopes, labels and classes, in the manner of JavaScript and Lua.

use super::{Failure, Said};

/// More than the language takes: names need not be known, labels need not be there.
pub const GRAMMAR: &str = "grammar Script; program: statement* EOF;
    statement: 'var' NAME '=' expression ';' | 'const' '[' (NAME (',' NAME)*)? ']' '=' expression ';'
        | NAME ':' statement | 'break' NAME? ';' | 'while' '(' expression ')' block | block
        | place '>>=' expression ';' | expression ';';
    block: '{' statement* '}';
    place: NAME | STRING '.' 'length' | NAME '.' 'length';
    expression: expression '+' expression | expression '(' (expression (',' expression)*)? ')'
        | 'class' ('extends' '(' expression ')')? '{' '}'
        | 'function' '(' (NAME (',' NAME)*)? ')' block
        | '[' (expression (',' expression)*)? ']' | '(' expression ')' | STRING | INT | NAME;
    NAME: [a-z]+; INT: [0-9]+; STRING: '\"' [a-z]* '\"'; WS: [ \\n]+ -> skip;";

const KEYWORDS: [&str; 7] = ["var", "const", "break", "while", "class", "extends", "function"];

/// The program's verdict on a script.
pub fn says(text: &str) -> Said {
    let Some(tokens) = tokens(text) else { return Said::Rejected };
    let mut script = Script { tokens, at: 0, names: Vec::new(), ..Script::default() };
    while script.at < script.tokens.len() {
        if script.statement(None).is_none() {
            return Said::Rejected;
        }
    }
    Said::Taken(script.failures)
}

fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'a'..='z' => rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len()),
            '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
            '"' => rest[1..].find('"')? + 2,
            _ if rest.starts_with(">>=") => 3,
            _ => first.len_utf8(),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// The kind of an expression, as far as it matters.
#[derive(Clone, PartialEq)]
enum Value {
    Function(String),
    Class,
    Number,
    Other,
}

#[derive(Default)]
struct Script {
    tokens: Vec<String>,
    at: usize,
    /// Names that are known, and whether they hold functions.
    names: Vec<(String, bool)>,
    labels: Vec<String>,
    loops: usize,
    failures: Vec<Failure>,
}

impl Script {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> Option<()> {
        (self.peek(0) == token).then(|| self.at += 1)
    }

    fn name(&mut self) -> Option<String> {
        let name = self.peek(0).to_owned();
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase());
        (is_name && !KEYWORDS.contains(&&name[..])).then(|| {
            self.at += 1;
            name
        })
    }

    /// One statement; `label` is the one right before it.
    fn statement(&mut self, label: Option<&str>) -> Option<()> {
        match self.peek(0) {
            "var" => {
                self.at += 1;
                let name = self.name()?;
                self.take("=")?;
                let value = self.expression()?;
                self.names.push((name, matches!(value, Value::Function(_))));
                self.take(";")
            }
            "const" => {
                self.at += 1;
                self.take("[")?;
                let names = self.list("]", Script::name)?;
                let is_twice = (1..names.len()).any(|at| names[..at].contains(&names[at]));
                self.failures.extend(is_twice.then_some(Failure::EqualNames));
                self.names.extend(names.into_iter().map(|name| (name, false)));
                self.take("=")?;
                self.expression()?;
                self.take(";")
            }
            "break" => {
                self.at += 1;
                match self.name() {
                    Some(name) if Some(&name[..]) == label => {
                        self.failures.push(Failure::BreakOfOwnLabel);
                    }
                    Some(name) if !self.labels.contains(&name) => return None,
                    None if self.loops == 0 => return None,
                    _ => {}
                }
                self.take(";")?;
                let is_declared = self.loops >= 2 && self.peek(0) == "var";
                self.failures.extend(is_declared.then_some(Failure::VariableAfterBreak));
                Some(())
            }
            "while" => {
                self.at += 1;
                self.take("(")?;
                self.expression()?;
                self.take(")")?;
                self.loops += 1;
                self.block()?;
                self.loops -= 1;
                Some(())
            }
            "{" => self.block(),
            _ if self.peek(1) == ":" => {
                let name = self.name()?;
                self.at += 1;
                self.labels.push(name.clone());
                self.statement(Some(&name))?;
                self.labels.pop();
                Some(())
            }
            _ if self.peek(1) == "." => {
                let is_text = self.peek(0).starts_with('"');
                if !is_text {
                    self.known()?;
                } else {
                    self.at += 1;
                }
                self.at += 1;
                self.take("length")?;
                self.take(">>=")?;
                self.failures.extend(is_text.then_some(Failure::ShiftOfLength));
                self.expression()?;
                self.take(";")
            }
            _ if self.peek(1) == ">>=" => {
                self.known()?;
                self.at += 1;
                self.expression()?;
                self.take(";")
            }
            _ => {
                self.expression()?;
                self.take(";")
            }
        }
    }

    fn block(&mut self) -> Option<()> {
        let (names, labels) = (self.names.len(), std::mem::take(&mut self.labels));
        self.take("{")?;
        while self.take("}").is_none() {
            self.statement(None)?;
        }
        self.names.truncate(names);
        self.labels = labels;
        Some(())
    }

    /// A name that is known, and whether it holds a function.
    fn known(&mut self) -> Option<(String, bool)> {
        let name = self.name()?;
        self.names.iter().rev().find(|known| known.0 == name).cloned()
    }

    fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Script) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut items = Vec::new();
        while self.take(end).is_none() {
            if !items.is_empty() {
                self.take(",")?;
            }
            items.push(item(self)?);
        }
        Some(items)
    }

    fn expression(&mut self) -> Option<Value> {
        let mut value = self.operand()?;
        while self.take("+").is_some() {
            self.operand()?;
            value = Value::Other;
        }
        Some(value)
    }

    fn operand(&mut self) -> Option<Value> {
        let first = self.peek(0).to_owned();
        let value = match &first[..] {
            "class" => {
                self.at += 1;
                if self.take("extends").is_some() {
                    self.take("(")?;
                    let base = self.expression()?;
                    self.take(")")?;
                    let is_class = base == Value::Class;
                    self.failures.extend(is_class.then_some(Failure::ClassOfClass));
                }
                self.take("{")?;
                self.take("}")?;
                Value::Class
            }
            "function" => {
                self.at += 1;
                self.take("(")?;
                let names = self.names.len();
                let parameters = self.list(")", Script::name)?;
                self.names.extend(parameters.into_iter().map(|name| (name, false)));
                let loops = std::mem::take(&mut self.loops);
                self.block()?;
                self.loops = loops;
                self.names.truncate(names);
                Value::Function(String::new())
            }
            "[" => {
                self.at += 1;
                self.list("]", Script::expression)?;
                Value::Other
            }
            "(" => {
                self.at += 1;
                let value = self.expression()?;
                self.take(")")?;
                value
            }
            "join" if self.peek(1) == "(" => {
                self.at += 2;
                let given = self.list(")", Script::expression)?;
                let [first, Value::Number, second, Value::Number] = &given[..] else { return None };
                let (Value::Function(one), Value::Function(other)) = (first, second) else {
                    return None;
                };
                let is_same = one == other && !one.is_empty();
                self.failures.extend(is_same.then_some(Failure::JoinedWithItself));
                return Some(Value::Other);
            }
            _ if first.starts_with('"') => {
                self.at += 1;
                Value::Other
            }
            _ if first.starts_with(|c: char| c.is_ascii_digit()) => {
                self.at += 1;
                Value::Number
            }
            _ => match self.known()? {
                (name, true) => Value::Function(name),
                _ => Value::Other,
            },
        };
        let mut value = value;
        while self.take("(").is_some() {
            if !matches!(value, Value::Function(_)) {
                return None;
            }
            self.list(")", Script::expression)?;
            value = Value::Other;
        }
        Some(value)
    }
}
