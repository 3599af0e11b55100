//! SQL from a grammar: what the fuzzer mutates are the choices of a derivation, so every input gets past the parser's
//! first token.
//!
//! The parser is `sql_infix`'s, `sqlparser` 0.9.0. This target shows the way and has no planted bug; when it meets that
//! crate's own is up to the fuzzer.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use seedsmith::Texts;
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
