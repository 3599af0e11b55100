//! INI: `rust-ini` 0.15.0 unwraps the character of a `\x` escape that names half a surrogate pair.
//!
//! Fails by a panic at `rust-ini-0.15.0/src/ini.rs:1106`.
//! Report: zonyitoo/rust-ini#75.

#![no_main]

use ini::Ini;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Ini::load_from_str(text);
    }
});
