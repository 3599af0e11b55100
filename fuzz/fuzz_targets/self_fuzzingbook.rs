//! Seedsmith's own code: `seedsmith::fuzzed::fuzzingbook` says what it runs.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::fuzzingbook(data));
