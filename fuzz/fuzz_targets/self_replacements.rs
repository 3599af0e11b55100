//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::replacements`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::replacements(data));
