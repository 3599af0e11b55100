//! WGSL: `naga` 0.11.0 follows nested blocks by recursion without a limit.
//!
//! Fails by stack overflow in `naga::front::wgsl`, from some ten thousand levels on.
//! Report: same class as gfx-rs/wgpu#5652.

#![no_main]

use libfuzzer_sys::fuzz_target;
use naga::front::wgsl;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = wgsl::parse_str(text);
    }
});
