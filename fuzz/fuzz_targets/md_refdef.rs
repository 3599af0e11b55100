//! Markdown: `pulldown-cmark` 0.13.3 is left with an empty paragraph by a link reference definition, all extensions on.
//!
//! Fails by a panic at `pulldown-cmark-0.13.3/src/parse.rs:2367`.
//! Report: pulldown-cmark/pulldown-cmark#1095.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pulldown_cmark_013::{Options, Parser};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        for event in Parser::new_ext(text, Options::all()) {
            drop(event);
        }
    }
});
