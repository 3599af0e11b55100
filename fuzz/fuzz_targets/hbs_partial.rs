//! Handlebars: `handlebars` 3.5.4 closes a partial block and finds no template left on its stack.
//!
//! Fails by a panic at `handlebars-3.5.4/src/template.rs:672`.
//! Report: sunng87/handlebars-rust#427.

#![no_main]

use handlebars::Handlebars;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Handlebars::new().register_template_string("page", text);
    }
});
