//! SQLite's SQL: parsed and printed. No code of ours runs after the parser.

#![no_main]

#[path = "harness/mod.rs"]
#[macro_use]
mod harness;

use bumpalo::Bump;
use fallible_iterator::FallibleIterator;
use sqlite3_parser::lexer::sql::Parser;

fn process(data: &[u8], goes_on: bool) -> bool {
    let arena = Bump::new();
    let mut parser = Parser::new(&arena, data);
    let mut commands = Vec::new();
    loop {
        match parser.next() {
            Ok(Some(command)) => commands.push(command),
            Ok(None) => break,
            Err(_) => return false,
        }
    }
    if commands.is_empty() {
        return false;
    }
    if goes_on {
        harness::after(|| {
            let printed: Vec<String> = commands.iter().map(ToString::to_string).collect();
            std::hint::black_box(printed);
        });
    }
    true
}

target!(process, "sql");
