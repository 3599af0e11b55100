//! SQL: `sqlparser` 0.9.0 gives some tokens an infix precedence that its infix parser doesn't know.
//!
//! Fails by a panic at `sqlparser-0.9.0/src/parser.rs:897`.
//! Report: apache/datafusion-sqlparser-rs#314.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Parser::parse_sql(&GenericDialect {}, text);
    }
});
