//! Seedsmith's own code: `seedsmith::fuzzed::png` says what it runs.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::png(data));
