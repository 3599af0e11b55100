//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::reports`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::reports(data));
