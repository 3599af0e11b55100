//! What a terminal can show: colours, links and columns, and text that is laid out for it.
//!
//! Reports are written once, as text with styles ([`Styled`], [`Facts`]); a [`Look`] says what becomes
//! of it on a stream. In a pipe it is plain text of lines as long as they are.

pub(crate) mod console;
mod facts;
mod links;
pub(super) mod progress;
mod styled;
pub(super) mod table;

use std::os::fd::AsFd;

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};

pub(super) use facts::Facts;
pub(super) use styled::{FAILURE, FAINT, GOOD, STRONG, Styled, width};

/// Columns of a line of prose: wider lines are hard to read. clap wraps help at 100 too; not measured.
const MAX_PROSE_COLUMNS: usize = 100;

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal that has them, unless the environment says otherwise (`NO_COLOR`,
    /// `CLICOLOR_FORCE`).
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// How text looks on a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// Whether it has colours.
    pub has_colors: bool,
    /// Whether places are links.
    pub has_links: bool,
    /// How wide a terminal is; `None` where there is no terminal.
    pub columns: Option<usize>,
}

impl Look {
    /// How text looks on stdout or stderr.
    pub(super) fn on(stream: &(impl RawStream + AsFd), color: Color) -> Self {
        let has_colors = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        };
        let is_terminal = stream.is_terminal();
        let size = terminal_size::terminal_size_of(stream).filter(|_| is_terminal);
        Look {
            has_colors,
            has_links: has_colors && links::are_shown(is_terminal, |name| std::env::var(name).ok()),
            columns: size.map(|(columns, _)| usize::from(columns.0)).filter(|columns| *columns > 0),
        }
    }

    /// Columns for prose; `None` where lines are as long as they are.
    pub(super) fn prose_columns(&self) -> Option<usize> {
        self.columns.map(|columns| columns.clamp(20, MAX_PROSE_COLUMNS))
    }
}
