//! Regular expressions: `regex-syntax` 0.5.3 meets flags where its translator expects an expression.
//!
//! Fails by a panic at `regex-syntax-0.5.3/src/hir/translate.rs:203`.
//! Report: rust-lang/regex#465.

#![no_main]

use libfuzzer_sys::fuzz_target;
use regex_syntax::Parser;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Parser::new().parse(text);
    }
});
