//! Regular expressions: `regex-syntax` 0.5.3 repeats a group of flags, for which its translator keeps no expression.
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
