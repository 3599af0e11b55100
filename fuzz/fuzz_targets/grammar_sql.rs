//! SQL from a grammar: what the fuzzer mutates are the choices of a derivation, so every input gets past the parser's
//! first token.
//!
//! The bug is `sql_infix`'s: `sqlparser` 0.9.0 gives some tokens an infix precedence that its infix parser doesn't know.
//! Fails by a panic at `sqlparser-0.9.0/src/parser.rs:897`.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use seedsmith::grammar::generate::arbitrary::Texts;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use std::sync::{LazyLock, Mutex};

/// A script in the built-in SQL grammar.
#[derive(Debug)]
struct Script(String);

static TEXTS: LazyLock<Mutex<Texts>> =
    LazyLock::new(|| Mutex::new(Texts::open("sql", None).expect("it is built in")));

impl<'a> Arbitrary<'a> for Script {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let text = TEXTS.lock().expect("nothing panics while it is locked").arbitrary(bytes)?;
        Ok(Script(String::from_utf8(text).expect("the grammar is of characters")))
    }
}

fuzz_target!(|script: Script| {
    let _ = Parser::parse_sql(&GenericDialect {}, &script.0);
});
