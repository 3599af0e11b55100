//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::observations`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::observations(data));
