//! The library's interface for programs: a [`Session`] with an input on a [`Target`], and its tasks.
//!
//! It is separate from [`session`](crate::session), which does the tasks, so that a caller has few
//! types to know: options are built by methods, results are read by methods, and errors can be
//! matched. It adds no behaviour.

mod generalize;
mod minimize;
mod repair;
mod session;
mod target;

pub use generalize::GeneralizeOptions;
pub use minimize::MinimizeOptions;
pub use repair::{RepairOptions, Repaired};
pub use session::Session;
pub use target::Target;
