//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::pattern`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::pattern(data));
