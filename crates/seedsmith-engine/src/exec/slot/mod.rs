//! The driver's side of a slot that has a zygote: queue, reports, deaths.
//!
//! Nothing here blocks, not even while the zygote starts. All that the worker writes is read as
//! untrusted: a target may scribble over the shared memory.

mod arena;
mod deadlines;
mod driver;
mod plan;
mod reap;
mod state;
mod zygote;

pub(crate) use plan::{Injection, LaunchPlan, MAX_RUNS_OF_A_WORKER};
