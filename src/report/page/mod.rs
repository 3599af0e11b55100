//! Pages for a browser: a pattern, and a run of repairs.
//!
//! Nothing here writes a file; a caller decides where a page goes.

mod frame;
mod marked;
mod pattern;
mod repair;

pub use frame::HEAD;
pub use pattern::pattern_page;
pub use repair::RepairPage;
