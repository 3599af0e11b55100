//! CSS: `lightningcss` 1.0.0-alpha.58 sends two kinds of `calc()` percentages back and forth without end.
//!
//! Fails by stack overflow in `lightningcss::values::percentage`, however short the input.
//! Report: parcel-bundler/lightningcss#827.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lightningcss::stylesheet::{ParserOptions, StyleSheet};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = StyleSheet::parse(text, ParserOptions::default());
    }
});
