//! Commands as targets: where they run, and notes about their start.

pub(super) mod workplace;
