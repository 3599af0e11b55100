//! The keys of the view.

use std::sync::Arc;

use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

use super::state::ViewState;
use crate::wishes::Wishes;

/// What keys do.
#[derive(Clone)]
pub(crate) struct Keys {
    /// Flags that the search looks at.
    pub wishes: Wishes,
    /// Ends the search, as Ctrl-C does.
    pub stop: Arc<dyn Fn() + Send + Sync>,
}

/// What the screen has to do after a key, besides drawing the next frame as ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redraw {
    /// Nothing but the next frame.
    Changes,
    /// Every place: another program may have written on the terminal.
    Everything,
}

/// The keys, as the last line of the view has them.
pub(super) const HELP: &str =
    "q stop and keep the result   s skip this reducer   k write the best now";
/// The same for a narrow terminal.
pub(super) const SHORT_HELP: &str = "q stop  s skip  k write";

impl Keys {
    /// Does what a key asks for, and notes it for the view.
    ///
    /// In this mode of the terminal Ctrl-C is a key and no signal.
    pub(super) fn follow(&self, event: &Event, state: &mut ViewState) -> Redraw {
        let Event::Key(key) = event else { return Redraw::Changes };
        if key.kind == KeyEventKind::Release {
            return Redraw::Changes;
        }
        let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if has_control => self.stop(state),
            KeyCode::Char('l') if has_control => return Redraw::Everything,
            KeyCode::Char('q') => self.stop(state),
            KeyCode::Char('s') => {
                self.wishes.skip_reducer();
                state.note_key("the reducer is skipped after its current test");
            }
            KeyCode::Char('k') => {
                self.wishes.write_best();
                state.note_key("the best is written after the current step");
            }
            _ => {}
        }
        Redraw::Changes
    }

    /// Asks for an end, and says that it takes a moment: the search ends after the tests that run.
    fn stop(&self, state: &mut ViewState) {
        state.note_key("stopping; once more ends at once");
        (self.stop)();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use ratatui::crossterm::event::KeyEvent;

    use super::*;

    #[test]
    fn each_key_does_one_thing() {
        let stopped = Arc::new(AtomicU32::new(0));
        let heard = stopped.clone();
        let keys = Keys {
            wishes: Wishes::default(),
            stop: Arc::new(move || {
                heard.fetch_add(1, Ordering::Relaxed);
            }),
        };
        let mut state = ViewState::default();
        let mut press = |key: char, modifiers| {
            let event = Event::Key(KeyEvent::new(KeyCode::Char(key), modifiers));
            keys.follow(&event, &mut state)
        };
        press('x', KeyModifiers::NONE);
        press('c', KeyModifiers::NONE);
        assert!(!keys.wishes.wants_skip() && !keys.wishes.takes_write());
        press('s', KeyModifiers::NONE);
        assert!(keys.wishes.wants_skip() && !keys.wishes.takes_write());
        press('k', KeyModifiers::NONE);
        assert!(keys.wishes.takes_write() && !keys.wishes.takes_write());
        assert_eq!(stopped.load(Ordering::Relaxed), 0);
        press('q', KeyModifiers::NONE);
        press('c', KeyModifiers::CONTROL);
        assert_eq!(stopped.load(Ordering::Relaxed), 2);
        assert_eq!(press('l', KeyModifiers::CONTROL), Redraw::Everything);
    }
}
