//! `tmin --view`: the search on the whole terminal, with keys to stop it, to skip a reducer and to write the best.
//!
//! The view is a reporter. It copies data from each event; a separate thread draws them ten times
//! a second and reads keys, so that neither a slow terminal nor a slow test makes the other wait. It is open from
//! `Started` to the result. Messages of the console wait until it is closed.

mod draw;
mod held;
mod keys;
mod reducer_rows;
mod screen;
mod sizes;
mod state;

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};

use self::held::Held;
pub(crate) use self::keys::Keys;
use self::screen::Screen;
pub(crate) use self::screen::restore;
use self::state::ViewState;
use super::options::ReportOptions;
use super::terminal::Look;
use super::terminal::console::Console;
use crate::event::{Event, Reporter};

/// Why there cannot be a view.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ViewError {
    /// There is nothing to draw on.
    #[error("--view needs a terminal, and standard output is none")]
    NoTerminal,
    /// The terminal cannot move its cursor.
    #[error("--view needs a terminal that can place text, and TERM is `{0}`")]
    Dumb(String),
}

/// Draws a search.
///
/// It is the first reporter of a run. So the terminal is given back before another one prints a result, and messages
/// wait from the moment on at which it is taken.
pub(super) struct View {
    /// Shared with the thread that draws.
    state: Arc<Mutex<ViewState>>,
    /// What keys do.
    keys: Keys,
    /// Whether anything is coloured.
    has_colors: bool,
    /// The terminal, while a search runs.
    screen: Option<Screen>,
    /// Messages of the console.
    held: Held,
}

impl View {
    /// A view that opens with the first search, and the console that prints beside it.
    ///
    /// # Errors
    ///
    /// Standard output is not a terminal on which a view can be drawn.
    pub(super) fn new(
        program: &'static str,
        options: ReportOptions,
        keys: Keys,
    ) -> Result<(Self, Console), ViewError> {
        let stdout = std::io::stdout();
        if !stdout.is_terminal() {
            return Err(ViewError::NoTerminal);
        }
        let term = std::env::var("TERM").unwrap_or_default();
        if matches!(term.as_str(), "" | "dumb") {
            return Err(ViewError::Dumb(term));
        }
        let held = Held::default();
        let console = Console::beside_view(program, options, Box::new(held.clone()));
        let view = View {
            state: Arc::default(),
            keys,
            has_colors: Look::on(&stdout, options.color).has_colors,
            screen: None,
            held,
        };
        Ok((view, console))
    }

    /// Gives the terminal back and prints the kept messages.
    fn close(&mut self) {
        if let Some(screen) = self.screen.take() {
            screen.close();
        }
        self.held.release();
    }
}

impl Reporter for View {
    /// Copies data of the event, opens the view at the beginning of a search and closes it before a result. Nothing is
    /// drawn here.
    fn report(&mut self, event: &Event<'_>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).follow(event);
        match event {
            Event::Started { .. } if self.screen.is_none() => {
                // Without a screen the console prints as ever.
                if let Ok(screen) = Screen::open(&self.state, &self.keys, self.has_colors) {
                    self.held.hold();
                    self.screen = Some(screen);
                }
            }
            Event::Minimized(_)
            | Event::FolderMinimized(_)
            | Event::PassedOver { .. }
            | Event::GroupsMinimized(_)
            | Event::Failed { .. } => self.close(),
            _ => {}
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.close();
    }
}
