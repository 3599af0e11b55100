//! JavaScript: `Boa` 0.10.0 unwraps a BigInt literal that has no digits.
//!
//! Fails by a panic at `Boa-0.10.0/src/syntax/lexer/number.rs:291`.
//! Report: boa-dev/boa#772.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = boa::parse(text);
    }
});
