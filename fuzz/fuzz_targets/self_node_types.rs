//! Fuzzes seedsmith's own code: see `seedsmith::fuzzed::node_types`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::node_types(data));
