//! The run of `repair`.

mod changes;
mod result;

pub use changes::{Change, changes};
pub use result::{RepairRow, RepairStatus, RepairTotals};
