//! What a report is asked for: how much it tells, and whose run it is.

use std::path::Path;

use crate::report::terminal::Color;

/// How much is told, and in which form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tell {
    /// JSON Lines on stdout.
    pub json: bool,
    /// A table by reducer at the end.
    pub stats: bool,
    /// Nothing but errors.
    pub quiet: bool,
    /// Each reducer too.
    pub verbose: bool,
    /// When colours are used.
    pub color: Color,
    /// A line every ten seconds where stderr is no terminal: someone waits for a log.
    pub logs_progress: bool,
}

/// Whose run it is.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// The target's name.
    pub target: &'a str,
}
