//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::islands`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::islands(data));
