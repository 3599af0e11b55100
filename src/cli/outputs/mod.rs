//! What commands give besides their results: regression tests, files for other tools, kits, pages, and the view.

pub(super) mod casr;
pub(super) mod emit_test;
pub(super) mod exchange;
pub(super) mod kit;
pub(super) mod page;
pub(super) mod shard;
pub(super) mod view;
