//! The processes that run candidates, and the memory that they share with the driver.
//!
//! A slot's processes are a *zygote*, started by [`launch`], and the workers that it forks. They and the driver talk
//! through one mapping ([`protocol`]). Most files here are compiled twice: into this crate, and into the library that
//! `build.rs` makes of `runtime.rs` and that is preloaded into libFuzzer executables. Such a file names its neighbours
//! by `super::`, which is this module in the one and the library's root in the other.

mod child;
mod copy;
pub(super) mod launch;
mod leftovers;
pub(super) mod protocol;
pub(super) mod seal;
mod variation;
pub(super) mod worker;
pub(super) mod zygote;

// The files that are compiled twice name it `crate::exec::os::sys`.
use super::os::sys;
