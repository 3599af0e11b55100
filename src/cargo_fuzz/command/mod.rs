//! Commands as targets: where they run, and what to know about their start.

pub(super) mod workplace;
