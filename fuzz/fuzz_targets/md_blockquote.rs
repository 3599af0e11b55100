//! Markdown: `pulldown-cmark` 0.8.0 follows an HTML tag out of a block quote and then past the line's end.
//!
//! Fails by a panic at `pulldown-cmark-0.8.0/src/scanners.rs:1062`.
//! Report: pulldown-cmark/pulldown-cmark#521.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pulldown_cmark_08::{Parser, html};

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let mut page = String::new();
        html::push_html(&mut page, Parser::new(text));
    }
});
