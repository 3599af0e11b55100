//! Files that commands write besides their results: regression tests, files for other tools, kits.

pub mod emit_test;
pub mod exchange;
pub mod kit;
