//! The driver's side of a slot that has a zygote: queue, reports, deaths.
//!
//! Nothing here blocks, not even while the zygote starts. All that the worker writes is read as
//! untrusted: a target may scribble over the shared memory.

mod birth;
mod burial;
mod driver;
mod patience;
mod plan;
mod state;

pub(crate) use plan::{Injection, Plan};
