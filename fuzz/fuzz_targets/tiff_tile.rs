//! TIFF: `tiff` 0.7.0 divides by the tile width that the file gives, which can be zero.
//!
//! Fails by a panic at `tiff-0.7.0/src/decoder/mod.rs:1312`.
//! Report: image-rs/image-tiff#138.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tiff::decoder::Decoder;

fuzz_target!(|data: &[u8]| {
    if let Ok(mut decoder) = Decoder::new(Cursor::new(data)) {
        let _ = decoder.read_image();
    }
});
