//! Compares the tree reducers with their sources, and with brute force.
//!
//! Here are the languages and inputs that these tests share.

mod edits;
mod minimality;
mod properties;
mod random;
mod sources;
mod stale;
mod texts;

use std::sync::Arc;

use super::shape::{Edit, Shape};
use crate::reduce::testing::{Found, reduce_by};
use crate::reduce::{Options, PicirenySteps, Strategy, minimize};
use seedsmith_grammar::Language;
use seedsmith_grammar::Parser;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::g4;

pub(super) const EXPRESSION: &str = "grammar E; s: e EOF;
    e: e '*' e | e '/' e | e '+' e | e '-' e | '(' e ')' | N; N: [0-9]+; WS: [ \\t\\n]+ -> skip;";

pub(super) const LISTS: &str =
    "grammar L; s: item* EOF; item: list | 'let' ID '=' value ';' | '{' item+ '}';
    list: '[' (value (',' value)*)? ']' ; value: ID | NUMBER | list | '(' value ')';
    ID: [a-z]+; NUMBER: [0-9]+; WS: [ \\t\\n]+ -> skip; C: '#' ~[\\n]* '\\n' -> skip;";

pub(super) fn language(text: &str) -> Arc<Substitutes> {
    let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
    let language = Language::of(Parser::new(Arc::new(grammar)), Some("s")).unwrap();
    Arc::new(Substitutes::new(language))
}

pub(super) fn shape<'l>(language: &'l Substitutes, input: &[u8]) -> Shape<'l> {
    let mut reader = language.parser();
    let tree = reader.parse_while(input, &|| true).unwrap().tree;
    Shape::new(language, reader, input.to_vec(), tree)
}

pub(super) fn rendered(shape: &Shape<'_>, edits: &[Edit<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    shape.render(edits, &mut out);
    out
}

fn reduce(
    strategy: Strategy,
    language: &Arc<Substitutes>,
    input: &[u8],
    fails: impl Fn(&[u8]) -> bool + 'static,
) -> Found {
    let language = Some(language.clone());
    let picireny = PicirenySteps { coarse: true, hoist: true, ..PicirenySteps::default() };
    let options = Options { strategy, language, picireny, ..Options::default() };
    reduce_by(input, fails, |search| minimize(search, &options))
}
