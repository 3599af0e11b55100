//! JPEG: `jpeg-decoder` 0.1.21 unwraps the frame of a file that ends before it has one.
//!
//! Fails by a panic at `jpeg-decoder-0.1.21/src/decoder.rs:412`.
//! Report: image-rs/jpeg-decoder#179.

#![no_main]

use jpeg_decoder::Decoder;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = Decoder::new(data).decode();
});
