//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::elf`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::elf(data));
