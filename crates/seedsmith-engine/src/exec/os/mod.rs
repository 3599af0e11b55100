//! The operating system: system calls, child processes, memory files, and a watch over processes.

#[cfg(test)]
mod layouts;
pub(crate) mod memory;
pub(crate) mod process;
pub(crate) mod sys;
pub(crate) mod watch;
