//! S-expressions and a small Lisp: definitions, closures, lists and text.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use lexpr::{Parser, Value};

const MOST_STEPS: usize = 2_000;
const DEEPEST: usize = 40;

type Scope = Rc<RefCell<Names>>;

struct Names {
    own: HashMap<String, Datum>,
    outer: Option<Scope>,
}

#[derive(Clone)]
enum Datum {
    Nothing,
    Truth(bool),
    Integer(i64),
    Real(f64),
    Text(Rc<str>),
    Name(Rc<str>),
    List(Rc<Vec<Datum>>),
    Function(Rc<Function>),
    Builtin(Rc<str>),
}

struct Function {
    parameters: Vec<String>,
    rest: Option<String>,
    body: Vec<Value>,
    scope: Scope,
}

type Result = std::result::Result<Datum, String>;

struct Machine {
    steps: usize,
    output: String,
    scopes: Vec<Scope>,
}

fn lookup(scope: &Scope, name: &str) -> Option<Datum> {
    let names = scope.borrow();
    names.own.get(name).cloned().or_else(|| names.outer.as_ref().and_then(|outer| lookup(outer, name)))
}

const BUILTINS: [&str; 26] = [
    "+", "-", "*", "/", "mod", "<", ">", "=", "not", "list", "cons", "car", "cdr", "null?", "length", "append",
    "reverse", "map", "filter", "fold", "string-append", "string-length", "number->string", "display", "equal?", "apply",
];

impl Datum {
    fn of(value: &Value) -> Datum {
        match value {
            Value::Nil | Value::Null => Datum::List(Rc::new(Vec::new())),
            Value::Bool(truth) => Datum::Truth(*truth),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => Datum::Integer(integer),
                None => Datum::Real(number.as_f64().unwrap_or_default()),
            },
            Value::Char(one) => Datum::Text(one.to_string().into()),
            Value::String(text) => Datum::Text(text.as_ref().into()),
            Value::Symbol(name) | Value::Keyword(name) => Datum::Name(name.as_ref().into()),
            Value::Bytes(bytes) => Datum::List(Rc::new(bytes.iter().map(|one| Datum::Integer((*one).into())).collect())),
            Value::Cons(cons) => Datum::List(Rc::new(cons.to_ref_vec().0.into_iter().map(Datum::of).collect())),
            Value::Vector(items) => Datum::List(Rc::new(items.iter().map(Datum::of).collect())),
        }
    }

    fn is_true(&self) -> bool {
        !matches!(self, Datum::Truth(false) | Datum::Nothing)
    }

    fn text(&self, depth: usize) -> String {
        match self {
            Datum::Nothing => "nothing".to_owned(),
            Datum::Truth(truth) => if *truth { "#t" } else { "#f" }.to_owned(),
            Datum::Integer(number) => number.to_string(),
            Datum::Real(number) => format!("{number}"),
            Datum::Text(text) => text.to_string(),
            Datum::Name(name) => format!("'{name}"),
            Datum::List(_) if depth > 4 => "...".to_owned(),
            Datum::List(items) => {
                let texts: Vec<String> = items.iter().take(8).map(|item| item.text(depth + 1)).collect();
                format!("({})", texts.join(" "))
            }
            Datum::Function(function) => format!("function of {}", function.parameters.join(" ")),
            Datum::Builtin(name) => format!("builtin {name}"),
        }
    }

    /// Lists may share parts, so deeply nested values count as different.
    fn equals(&self, other: &Datum, depth: usize) -> bool {
        match (self, other) {
            _ if depth > 5 => false,
            (Datum::Nothing, Datum::Nothing) => true,
            (Datum::Truth(left), Datum::Truth(right)) => left == right,
            (Datum::Integer(left), Datum::Integer(right)) => left == right,
            (Datum::Integer(_) | Datum::Real(_), Datum::Integer(_) | Datum::Real(_)) => self.real() == other.real(),
            (Datum::Text(left), Datum::Text(right)) | (Datum::Name(left), Datum::Name(right)) => left == right,
            (Datum::List(left), Datum::List(right)) => {
                left.len() == right.len() && left.iter().zip(right.iter()).all(|(left, right)| left.equals(right, depth + 1))
            }
            (Datum::Function(left), Datum::Function(right)) => Rc::ptr_eq(left, right),
            _ => false,
        }
    }

    fn real(&self) -> Option<f64> {
        match self {
            Datum::Integer(number) => Some(*number as f64),
            Datum::Real(number) => Some(*number),
            _ => None,
        }
    }

    fn list(&self) -> std::result::Result<&Rc<Vec<Datum>>, String> {
        match self {
            Datum::List(items) => Ok(items),
            other => Err(format!("{} is no list", other.text(0))),
        }
    }
}

impl Machine {
    fn scope(&mut self, own: HashMap<String, Datum>, outer: Option<Scope>) -> Scope {
        let scope = Rc::new(RefCell::new(Names { own, outer }));
        self.scopes.push(scope.clone());
        scope
    }

    fn fold(given: &[Datum], integer: fn(i64, i64) -> Option<i64>, real: fn(f64, f64) -> f64) -> Result {
        let mut numbers = given.iter();
        let mut sum = numbers.next().cloned().ok_or("no number")?;
        for next in numbers {
            sum = match (&sum, next) {
                (Datum::Integer(left), Datum::Integer(right)) => {
                    integer(*left, *right).map(Datum::Integer).ok_or("too large a number")?
                }
                (left, right) => Datum::Real(real(left.real().ok_or("no number")?, right.real().ok_or("no number")?)),
            };
        }
        Ok(sum)
    }

    fn builtin(&mut self, name: &str, given: &[Datum], depth: usize) -> Result {
        Ok(match (name, given) {
            ("+", _) => Self::fold(given, i64::checked_add, |left, right| left + right)?,
            ("-", [Datum::Integer(one)]) => Datum::Integer(one.checked_neg().ok_or("too large a number")?),
            ("-", _) => Self::fold(given, i64::checked_sub, |left, right| left - right)?,
            ("*", _) => Self::fold(given, i64::checked_mul, |left, right| left * right)?,
            ("/", _) => Self::fold(given, i64::checked_div, |left, right| left / right)?,
            ("mod", _) => Self::fold(given, i64::checked_rem_euclid, |left, right| left % right)?,
            ("<", [left, right]) => Datum::Truth(left.real() < right.real()),
            (">", [left, right]) => Datum::Truth(left.real() > right.real()),
            ("=" | "equal?", [left, right]) => Datum::Truth(left.equals(right, 0)),
            ("not", [one]) => Datum::Truth(!one.is_true()),
            ("list", _) => Datum::List(Rc::new(given.to_vec())),
            ("cons", [first, rest]) => {
                let mut items = vec![first.clone()];
                items.extend(rest.list()?.iter().take(100).cloned());
                Datum::List(Rc::new(items))
            }
            ("car", [list]) => list.list()?.first().cloned().ok_or("an empty list")?,
            ("cdr", [list]) => Datum::List(Rc::new(list.list()?.get(1..).ok_or("an empty list")?.to_vec())),
            ("null?", [list]) => Datum::Truth(list.list()?.is_empty()),
            ("length", [list]) => Datum::Integer(list.list()?.len() as i64),
            ("append", lists) => {
                let mut all = Vec::new();
                for list in lists {
                    all.extend(list.list()?.iter().cloned());
                }
                all.truncate(100);
                Datum::List(Rc::new(all))
            }
            ("reverse", [list]) => Datum::List(Rc::new(list.list()?.iter().rev().cloned().collect())),
            ("map", [function, list]) => {
                let items = list.list()?.clone();
                let mapped: std::result::Result<_, _> =
                    items.iter().map(|item| self.call(function, std::slice::from_ref(item), depth + 1)).collect();
                Datum::List(Rc::new(mapped?))
            }
            ("filter", [function, list]) => {
                let mut kept = Vec::new();
                for item in list.list()?.clone().iter() {
                    if self.call(function, std::slice::from_ref(item), depth + 1)?.is_true() {
                        kept.push(item.clone());
                    }
                }
                Datum::List(Rc::new(kept))
            }
            ("fold", [function, first, list]) => {
                let mut sum = first.clone();
                for item in list.list()?.clone().iter() {
                    sum = self.call(function, &[sum, item.clone()], depth + 1)?;
                }
                sum
            }
            ("string-append", _) => {
                let mut text = String::new();
                for one in given {
                    match one {
                        Datum::Text(own) if text.len() < 1000 => text.push_str(own),
                        Datum::Text(_) => return Err("too long a text".to_owned()),
                        other => return Err(format!("{} is no text", other.text(0))),
                    }
                }
                Datum::Text(text.into())
            }
            ("string-length", [Datum::Text(text)]) => Datum::Integer(text.chars().count() as i64),
            ("number->string", [one]) if one.real().is_some() => Datum::Text(one.text(0).into()),
            ("display", [one]) => {
                if self.output.len() < 1000 {
                    self.output += &one.text(0);
                }
                Datum::Nothing
            }
            ("apply", [function, list]) => {
                let given = list.list()?.clone();
                self.call(function, &given, depth + 1)?
            }
            _ => return Err(format!("{name} of {} arguments", given.len())),
        })
    }

    fn call(&mut self, function: &Datum, given: &[Datum], depth: usize) -> Result {
        match function {
            Datum::Builtin(name) => self.builtin(name, given, depth),
            Datum::Function(function) => {
                let wanted = function.parameters.len();
                if given.len() < wanted || given.len() > wanted && function.rest.is_none() {
                    return Err(format!("{} arguments for {wanted}", given.len()));
                }
                let mut own: HashMap<String, Datum> = function.parameters.iter().cloned().zip(given.iter().cloned()).collect();
                if let Some(rest) = &function.rest {
                    own.insert(rest.clone(), Datum::List(Rc::new(given[wanted..].to_vec())));
                }
                let scope = self.scope(own, Some(function.scope.clone()));
                self.body(&function.body.iter().collect::<Vec<_>>(), &scope, depth + 1)
            }
            other => Err(format!("{} is no function", other.text(0))),
        }
    }

    fn body(&mut self, body: &[&Value], scope: &Scope, depth: usize) -> Result {
        let mut last = Datum::Nothing;
        for one in body {
            last = self.run(one, scope, depth)?;
        }
        Ok(last)
    }

    fn function(parameters: &Value, body: &[&Value], scope: &Scope) -> Result {
        let (names, rest): (Vec<&Value>, Option<&Value>) = match parameters {
            Value::Cons(cons) => {
                let (names, rest) = cons.to_ref_vec();
                (names, (!rest.is_null()).then_some(rest))
            }
            Value::Null => (Vec::new(), None),
            other => (Vec::new(), Some(other)),
        };
        let name = |value: &Value| value.as_symbol().map(str::to_owned).ok_or("a parameter is a name");
        let parameters: std::result::Result<Vec<String>, _> = names.into_iter().map(name).collect();
        Ok(Datum::Function(Rc::new(Function {
            parameters: parameters?,
            rest: rest.map(name).transpose()?,
            body: body.iter().map(|one| (*one).clone()).collect(),
            scope: scope.clone(),
        })))
    }

    fn quasi(&mut self, value: &Value, scope: &Scope, depth: usize) -> Result {
        let Value::Cons(cons) = value else { return Ok(Datum::of(value)) };
        let items = cons.to_ref_vec().0;
        if let [Value::Symbol(name), inner] = items.as_slice() {
            if name.as_ref() == "unquote" {
                return self.run(inner, scope, depth + 1);
            }
        }
        let items: std::result::Result<_, _> = items.into_iter().map(|item| self.quasi(item, scope, depth + 1)).collect();
        Ok(Datum::List(Rc::new(items?)))
    }

    fn run(&mut self, value: &Value, scope: &Scope, depth: usize) -> Result {
        self.steps += 1;
        if self.steps > MOST_STEPS || depth > DEEPEST {
            return Err("this takes too long".to_owned());
        }
        let cons = match value {
            Value::Symbol(name) => {
                let builtin = || BUILTINS.contains(&name.as_ref()).then(|| Datum::Builtin(name.as_ref().into()));
                return lookup(scope, name).or_else(builtin).ok_or_else(|| format!("{name} is not defined"));
            }
            Value::Cons(cons) => cons,
            other => return Ok(Datum::of(other)),
        };
        let (items, tail) = cons.to_ref_vec();
        if !tail.is_null() {
            return Err("a call is a proper list".to_owned());
        }
        match (items[0].as_symbol(), &items[1..]) {
            (Some("quote"), [one]) => Ok(Datum::of(one)),
            (Some("quasiquote"), [one]) => self.quasi(one, scope, depth),
            (Some("if"), [condition, then, otherwise @ ..]) => {
                if self.run(condition, scope, depth + 1)?.is_true() {
                    self.run(then, scope, depth + 1)
                } else {
                    self.body(otherwise, scope, depth + 1)
                }
            }
            (Some("define"), [Value::Symbol(name), value]) => {
                let value = self.run(value, scope, depth + 1)?;
                scope.borrow_mut().own.insert(name.to_string(), value);
                Ok(Datum::Nothing)
            }
            (Some("define"), [Value::Cons(head), body @ ..]) => {
                let name = head.car().as_symbol().ok_or("a function has a name")?;
                let function = Self::function(head.cdr(), body, scope)?;
                scope.borrow_mut().own.insert(name.to_owned(), function);
                Ok(Datum::Nothing)
            }
            (Some("set!"), [Value::Symbol(name), value]) => {
                let value = self.run(value, scope, depth + 1)?;
                let mut at = Some(scope.clone());
                while let Some(here) = at {
                    if let Some(own) = here.borrow_mut().own.get_mut(name.as_ref()) {
                        *own = value;
                        return Ok(Datum::Nothing);
                    }
                    at = here.borrow().outer.clone();
                }
                Err(format!("{name} is not defined"))
            }
            (Some("lambda"), [parameters, body @ ..]) => Self::function(parameters, body, scope),
            (Some("let" | "let*"), [Value::Cons(pairs), body @ ..]) => {
                let inner = self.scope(HashMap::new(), Some(scope.clone()));
                for pair in pairs.to_ref_vec().0 {
                    let pair = pair.as_cons().ok_or("a binding is a pair")?.to_ref_vec().0;
                    let [Value::Symbol(name), value] = pair.as_slice() else {
                        return Err("a binding is a name and a value".to_owned());
                    };
                    let from = if items[0].as_symbol() == Some("let*") { inner.clone() } else { scope.clone() };
                    let value = self.run(value, &from, depth + 1)?;
                    inner.borrow_mut().own.insert(name.to_string(), value);
                }
                self.body(body, &inner, depth + 1)
            }
            (Some("begin"), body) => self.body(body, scope, depth + 1),
            (Some("and"), all) => {
                let mut last = Datum::Truth(true);
                for one in all {
                    last = self.run(one, scope, depth + 1)?;
                    if !last.is_true() {
                        break;
                    }
                }
                Ok(last)
            }
            (Some("or"), any) => {
                for one in any {
                    let value = self.run(one, scope, depth + 1)?;
                    if value.is_true() {
                        return Ok(value);
                    }
                }
                Ok(Datum::Truth(false))
            }
            (Some("cond"), clauses) => {
                for clause in clauses {
                    let clause = clause.as_cons().ok_or("a clause is a list")?.to_ref_vec().0;
                    let is_else = clause[0].as_symbol() == Some("else");
                    if is_else || self.run(clause[0], scope, depth + 1)?.is_true() {
                        return self.body(&clause[1..], scope, depth + 1);
                    }
                }
                Ok(Datum::Nothing)
            }
            (_, given) => {
                let function = self.run(items[0], scope, depth + 1)?;
                let given: std::result::Result<Vec<Datum>, String> =
                    given.iter().map(|one| self.run(one, scope, depth + 1)).collect();
                self.call(&function, &given?, depth + 1)
            }
        }
    }
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let mut parser = Parser::from_slice(data);
    let mut forms = Vec::new();
    loop {
        match parser.next_value() {
            Ok(Some(form)) => forms.push(form),
            Ok(None) => break,
            Err(_) => return false,
        }
    }
    if forms.is_empty() {
        return false;
    }
    if goes_on {
        harness::after(|| {
            let mut machine = Machine { steps: 0, output: String::new(), scopes: Vec::new() };
            let scope = machine.scope(HashMap::new(), None);
            for form in &forms {
                match machine.run(form, &scope, 0) {
                    Ok(value) => machine.output += &value.text(0),
                    Err(problem) => machine.output += &problem,
                }
                machine.output.truncate(machine.output.floor_char_boundary(2000));
            }
            // Functions and scopes hold each other.
            machine.scopes.iter().for_each(|scope| scope.borrow_mut().own.clear());
            std::hint::black_box(machine.output);
        });
    }
    true
}

target!(process, "sexp");
