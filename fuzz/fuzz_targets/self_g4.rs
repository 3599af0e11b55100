//! Seedsmith's own code: `seedsmith::fuzzed::g4` says what it runs.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::g4(data));
