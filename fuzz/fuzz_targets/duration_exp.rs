//! Durations: `parse_duration` 2.1.1 raises ten to whatever exponent the text names, in big integers.
//!
//! Fails by not ending (the power in `num_bigint`).
//! Report: RUSTSEC-2021-0041.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = parse_duration::parse(text);
    }
});
