//! pest grammars: read, checked, optimized, and then matched with a few texts by a matcher written
//! for this target.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use std::collections::HashMap;

use pest_meta::ast::{Expr, Rule, RuleType};
use pest_meta::optimizer::{OptimizedExpr, OptimizedRule, optimize};
use pest_meta::{parser, validator};

const MOST_STEPS: usize = 3_000;
const DEEPEST: usize = 60;
/// Repetitions are written out by the optimizer: larger grammars are refused.
const LARGEST: usize = 2_000;

/// How large an expression is with its repetitions written out.
fn size(of: &Expr) -> usize {
    let times = |expr: &Expr, times: u32| size(expr).saturating_mul(times as usize + 1);
    1 + match of {
        Expr::Seq(left, right) | Expr::Choice(left, right) => size(left).saturating_add(size(right)),
        Expr::PosPred(expr) | Expr::NegPred(expr) | Expr::Opt(expr) => size(expr),
        Expr::Rep(expr) | Expr::RepOnce(expr) | Expr::Push(expr) => 2 * size(expr),
        Expr::RepExact(expr, count) | Expr::RepMin(expr, count) | Expr::RepMax(expr, count) => times(expr, *count),
        Expr::RepMinMax(expr, _, count) => times(expr, *count),
        _ => 0,
    }
    .min(LARGEST * 2)
}

struct Matcher<'g, 't> {
    rules: HashMap<&'g str, &'g OptimizedRule>,
    text: &'t str,
    steps: usize,
    stack: Vec<String>,
    found: Vec<(&'g str, usize, usize)>,
}

impl<'g> Matcher<'g, '_> {
    fn rule(&mut self, name: &'g str, at: usize, is_atomic: bool, depth: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let class = |is_it: fn(char) -> bool| {
            rest.chars().next().filter(|one| is_it(*one)).map(|one| at + one.len_utf8())
        };
        if let Some(rule) = self.rules.get(name).copied() {
            let is_atomic = match rule.ty {
                RuleType::Atomic | RuleType::CompoundAtomic => true,
                RuleType::NonAtomic => false,
                RuleType::Normal | RuleType::Silent => is_atomic,
            };
            let index = self.found.len();
            let end = self.expression(&rule.expr, at, is_atomic, depth + 1);
            match end {
                Some(end) if rule.ty != RuleType::Silent => self.found.insert(index, (name, at, end)),
                Some(_) => {}
                None => self.found.truncate(index),
            }
            return end;
        }
        match name {
            "ANY" => class(|_| true),
            "SOI" => (at == 0).then_some(at),
            "EOI" => rest.is_empty().then_some(at),
            "ASCII_DIGIT" => class(|one| one.is_ascii_digit()),
            "ASCII_NONZERO_DIGIT" => class(|one| one.is_ascii_digit() && one != '0'),
            "ASCII_BIN_DIGIT" => class(|one| matches!(one, '0' | '1')),
            "ASCII_OCT_DIGIT" => class(|one| one.is_digit(8)),
            "ASCII_HEX_DIGIT" => class(|one| one.is_ascii_hexdigit()),
            "ASCII_ALPHA_LOWER" => class(|one| one.is_ascii_lowercase()),
            "ASCII_ALPHA_UPPER" => class(|one| one.is_ascii_uppercase()),
            "ASCII_ALPHA" => class(|one| one.is_ascii_alphabetic()),
            "ASCII_ALPHANUMERIC" => class(|one| one.is_ascii_alphanumeric()),
            "ASCII" => class(|one| one.is_ascii()),
            "NEWLINE" => rest.starts_with('\n').then_some(at + 1),
            "LETTER" | "ALPHABETIC" => class(char::is_alphabetic),
            "NUMBER" => class(char::is_numeric),
            "PEEK" => {
                let top = self.stack.last()?;
                rest.starts_with(top.as_str()).then_some(at + top.len())
            }
            "PEEK_ALL" => {
                let all: String = self.stack.iter().rev().map(String::as_str).collect();
                rest.starts_with(&all).then_some(at + all.len())
            }
            "POP" => {
                let top = self.stack.pop()?;
                rest.starts_with(&top).then_some(at + top.len())
            }
            "POP_ALL" => {
                let all: String = self.stack.drain(..).rev().collect();
                rest.starts_with(&all).then_some(at + all.len())
            }
            "DROP" => self.stack.pop().map(|_| at),
            _ => None,
        }
    }

    /// White space and comments, where the grammar has rules for them.
    fn skip(&mut self, mut at: usize, depth: usize) -> usize {
        for _ in 0..64 {
            let before = at;
            for name in ["WHITESPACE", "COMMENT"] {
                if let Some((name, _)) = self.rules.get_key_value(name) {
                    at = self.rule(name, at, true, depth + 1).unwrap_or(at);
                }
            }
            if at == before {
                break;
            }
        }
        at
    }

    fn expression(&mut self, of: &'g OptimizedExpr, at: usize, is_atomic: bool, depth: usize) -> Option<usize> {
        self.steps += 1;
        if self.steps > MOST_STEPS || depth > DEEPEST {
            return None;
        }
        let rest = &self.text[at..];
        match of {
            OptimizedExpr::Str(text) => rest.starts_with(text.as_str()).then_some(at + text.len()),
            OptimizedExpr::Insens(text) => {
                let is_it = rest.get(..text.len()).is_some_and(|own| own.eq_ignore_ascii_case(text));
                is_it.then_some(at + text.len())
            }
            OptimizedExpr::Range(from, to) => {
                let one = rest.chars().next()?;
                let is_in = one >= from.chars().next()? && one <= to.chars().next()?;
                is_in.then_some(at + one.len_utf8())
            }
            OptimizedExpr::Ident(name) => self.rule(name, at, is_atomic, depth),
            OptimizedExpr::PeekSlice(from, to) => {
                let length = self.stack.len() as i32;
                let place = |index: i32| if index < 0 { length + index } else { index }.clamp(0, length);
                let (from, to) = (place(*from), to.map_or(length, place));
                let all: String = self.stack.get(from as usize..to as usize)?.concat();
                rest.starts_with(&all).then_some(at + all.len())
            }
            OptimizedExpr::PosPred(inner) => self.expression(inner, at, is_atomic, depth + 1).map(|_| at),
            OptimizedExpr::NegPred(inner) => match self.expression(inner, at, is_atomic, depth + 1) {
                Some(_) => None,
                None => Some(at),
            },
            OptimizedExpr::Seq(left, right) => {
                let mut end = self.expression(left, at, is_atomic, depth + 1)?;
                if !is_atomic {
                    end = self.skip(end, depth);
                }
                self.expression(right, end, is_atomic, depth + 1)
            }
            OptimizedExpr::Choice(left, right) => {
                let first = self.expression(left, at, is_atomic, depth + 1);
                first.or_else(|| self.expression(right, at, is_atomic, depth + 1))
            }
            OptimizedExpr::Opt(inner) => Some(self.expression(inner, at, is_atomic, depth + 1).unwrap_or(at)),
            OptimizedExpr::Rep(inner) => {
                let mut end = at;
                loop {
                    let from = if is_atomic || end == at { end } else { self.skip(end, depth) };
                    match self.expression(inner, from, is_atomic, depth + 1) {
                        Some(next) if next > end => end = next,
                        _ => return Some(end),
                    }
                }
            }
            OptimizedExpr::Skip(stops) => {
                let ends = stops.iter().filter_map(|stop| rest.find(stop.as_str()));
                Some(at + ends.min().unwrap_or(rest.len()))
            }
            OptimizedExpr::Push(inner) => {
                let end = self.expression(inner, at, is_atomic, depth + 1)?;
                self.stack.push(self.text[at..end].to_owned());
                Some(end)
            }
            OptimizedExpr::RestoreOnErr(inner) => {
                let before = self.stack.clone();
                let end = self.expression(inner, at, is_atomic, depth + 1);
                if end.is_none() {
                    self.stack = before;
                }
                end
            }
        }
    }
}

fn read(text: &str) -> Option<Vec<Rule>> {
    let pairs = parser::parse(parser::Rule::grammar_rules, text).ok()?;
    validator::validate_pairs(pairs.clone()).ok()?;
    let rules = parser::consume_rules(pairs).ok()?;
    (rules.iter().map(|rule| size(&rule.expr)).sum::<usize>() <= LARGEST).then_some(rules)
}

fn process(data: &[u8], goes_on: bool) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let Some(rules) = read(text) else { return false };
    if goes_on {
        harness::after(|| {
            let rules = optimize(rules);
            for text in ["", "a1", "(x + 12) * [y, 3]", "key = \"value\" # note\n", "if a then 'b' else c"] {
                for first in rules.iter().take(3) {
                    let by_name = rules.iter().map(|rule| (rule.name.as_str(), rule)).collect();
                    let mut matcher = Matcher { rules: by_name, text, steps: 0, stack: Vec::new(), found: Vec::new() };
                    let end = matcher.rule(&first.name, 0, false, 0);
                    std::hint::black_box((end, matcher.found.len()));
                }
            }
        });
    }
    true
}

target!(process);
