//! Files that commands write besides their results: regression tests, files for other tools, kits.

pub(super) mod emit_test;
pub(super) mod exchange;
pub(super) mod kit;
pub(super) mod page;
