//! GIF: `gif` 0.11.1 makes no progress on some image data and never says so.
//!
//! Fails by not ending (`gif::reader::decoder::StreamingDecoder::next_state`).
//! Report: image-rs/image-gif#101.

#![no_main]

use gif::{ColorOutput, DecodeOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    if let Ok(mut decoder) = options.read_info(data) {
        while let Ok(Some(_)) = decoder.read_next_frame() {}
    }
});
