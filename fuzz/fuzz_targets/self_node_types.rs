//! Seedsmith's own code: `seedsmith::fuzzed::node_types` says what it runs.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seedsmith::fuzzed::node_types(data));
