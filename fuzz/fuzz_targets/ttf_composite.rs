//! TrueType: `ttf-parser` 0.14.0 outlines composite glyphs that share parts, each part again and again.
//!
//! Fails by not ending (`ttf_parser::tables::glyf::outline_impl`).
//! Report: harfbuzz/ttf-parser#79.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// An outline that is not drawn.
struct Undrawn;

impl OutlineBuilder for Undrawn {
    fn move_to(&mut self, _x: f32, _y: f32) {}
    fn line_to(&mut self, _x: f32, _y: f32) {}
    fn quad_to(&mut self, _x1: f32, _y1: f32, _x: f32, _y: f32) {}
    fn curve_to(&mut self, _x1: f32, _y1: f32, _x2: f32, _y2: f32, _x: f32, _y: f32) {}
    fn close(&mut self) {}
}

fuzz_target!(|data: &[u8]| {
    if let Ok(face) = Face::from_slice(data, 0) {
        for glyph in 0..face.number_of_glyphs() {
            face.outline_glyph(GlyphId(glyph), &mut Undrawn);
        }
    }
});
