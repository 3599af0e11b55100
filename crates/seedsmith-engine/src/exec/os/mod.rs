//! The operating system: system calls, child processes, memory files, and a watch over processes.
//!
//! `sys` declares by hand the calls that preloaded libraries make too; the other files use the
//! crate `nix` where they can. `layouts` compares the declarations with the `libc` crate, in builds
//! of the tests.

#[cfg(test)]
mod layouts;
pub(crate) mod memory;
pub(crate) mod process;
pub(crate) mod sys;
pub(crate) mod watch;
