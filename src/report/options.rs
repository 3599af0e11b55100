//! How much the reporters of a run print, and in which form.

use crate::report::terminal::Color;

/// How much is printed, and in which form.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReportOptions {
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
