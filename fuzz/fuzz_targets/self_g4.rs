//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::g4`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::g4(data));
