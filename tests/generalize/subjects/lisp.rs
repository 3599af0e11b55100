//! A Lisp with functions, bindings and exceptions, in the manner of Clojure.

use super::{Failure, Said};

/// More than the language takes: any form is taken anywhere.
pub const GRAMMAR: &str = "grammar Lisp; file: form+ EOF;
    form: '(' form* ')' | '[' form* ']' | STRING | INT | SYMBOL | KEYWORD;
    STRING: '\"' [a-z]* '\"'; INT: [0-9]+; SYMBOL: [a-z] [a-z_-]*; KEYWORD: ':' [a-z]+;
    WS: [ \\n]+ -> skip;";

const FUNCTIONS: [&str; 4] = ["str", "inc", "list", "print"];

enum Form {
    List(Vec<Form>),
    Vector(Vec<Form>),
    Symbol(String),
    /// A text, a number or a keyword.
    Literal,
}

/// The program's verdict on a file.
pub fn says(text: &str) -> Said {
    let mut reader = text;
    let mut program = Program::default();
    let mut is_empty = true;
    while !reader.trim_start().is_empty() {
        is_empty = false;
        let is_valid = read(&mut reader).and_then(|form| program.run(&form));
        if is_valid.is_none() {
            return Said::Rejected;
        }
    }
    if is_empty { Said::Rejected } else { Said::Taken(program.failures) }
}

/// Reads a form from the beginning of `text`.
fn read(text: &mut &str) -> Option<Form> {
    *text = text.trim_start();
    let first = text.chars().next()?;
    let end = |rest: &str, belongs: fn(char) -> bool| {
        rest[1..].find(|c| !belongs(c)).map_or(rest.len(), |at| at + 1)
    };
    let length = match first {
        '(' | '[' => {
            let close = if first == '(' { ')' } else { ']' };
            *text = &text[1..];
            let mut forms = Vec::new();
            loop {
                *text = text.trim_start();
                if let Some(rest) = text.strip_prefix(close) {
                    *text = rest;
                    return Some(if first == '(' {
                        Form::List(forms)
                    } else {
                        Form::Vector(forms)
                    });
                }
                forms.push(read(text)?);
            }
        }
        '"' => text[1..].find('"')? + 2,
        '0'..='9' => end(text, |c| c.is_ascii_digit()),
        ':' => end(text, |c| c.is_ascii_lowercase()),
        'a'..='z' => {
            let length = end(text, |c| c.is_ascii_lowercase() || c == '-' || c == '_');
            let name = text[..length].to_owned();
            *text = &text[length..];
            return Some(Form::Symbol(name));
        }
        _ => return None,
    };
    *text = &text[length..];
    Some(Form::Literal)
}

#[derive(Default)]
struct Program {
    bound: Vec<String>,
    loops: usize,
    failures: Vec<Failure>,
}

impl Program {
    fn run(&mut self, form: &Form) -> Option<()> {
        match form {
            Form::Literal => Some(()),
            Form::Symbol(name) => {
                let is_known = self.bound.contains(name) || FUNCTIONS.contains(&&name[..]);
                is_known.then_some(())
            }
            Form::Vector(forms) => forms.iter().try_for_each(|form| self.run(form)),
            Form::List(forms) => match forms.split_first() {
                None => Some(()),
                Some((Form::Symbol(head), rest)) => self.call(head, rest),
                Some(_) => None,
            },
        }
    }

    fn call(&mut self, head: &str, rest: &[Form]) -> Option<()> {
        let outside = self.bound.len();
        match head {
            "fn" => {
                let (Form::Vector(parameters), body) = rest.split_first()? else { return None };
                let names = parameters.iter().map(symbol).collect::<Option<Vec<String>>>()?;
                let is_one = |at: &usize| {
                    let written = |name: &String| name.replace('-', "_");
                    names[..*at]
                        .iter()
                        .any(|other| other != &names[*at] && written(other) == written(&names[*at]))
                };
                let is_twice = (0..names.len()).any(|at| is_one(&at));
                self.failures.extend(is_twice.then_some(Failure::ParametersOfOneName));
                self.bound.extend(names);
                body.iter().try_for_each(|form| self.run(form))?;
            }
            "let" | "loop" => {
                let (Form::Vector(bindings), body) = rest.split_first()? else { return None };
                for pair in bindings.chunks(2) {
                    let [name, value] = pair else { return None };
                    self.run(value)?;
                    self.bound.push(symbol(name)?);
                }
                self.loops += usize::from(head == "loop");
                body.iter().try_for_each(|form| self.run(form))?;
                self.loops -= usize::from(head == "loop");
            }
            "try" => {
                let (caught, body) = rest.split_last()?;
                let Form::List(caught) = caught else { return None };
                let [Form::Symbol(catch), Form::Symbol(_), name, handler @ ..] = &caught[..] else {
                    return None;
                };
                if catch != "catch" {
                    return None;
                }
                let is_literal = self.loops > 0 && matches!(body, [Form::Literal]);
                self.failures.extend(is_literal.then_some(Failure::LiteralInTry));
                body.iter().try_for_each(|form| self.run(form))?;
                self.bound.push(symbol(name)?);
                handler.iter().try_for_each(|form| self.run(form))?;
            }
            _ => {
                if !FUNCTIONS.contains(&head) {
                    return None;
                }
                let is_bound = self.bound.iter().any(|name| name == head);
                self.failures.extend(is_bound.then_some(Failure::ShadowedFunction));
                rest.iter().try_for_each(|form| self.run(form))?;
            }
        }
        self.bound.truncate(outside);
        Some(())
    }
}

fn symbol(form: &Form) -> Option<String> {
    match form {
        Form::Symbol(name) => Some(name.clone()),
        _ => None,
    }
}
