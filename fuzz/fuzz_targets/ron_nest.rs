//! RON: `ron` 0.6.4 follows nested lists by recursion without a limit.
//!
//! Fails by stack overflow in `ron::de`, from some ten thousand levels on.
//! Report: ron-rs/ron#307.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = ron::from_str::<ron::Value>(text);
    }
});
