//! The terminal while the view has it: taken over, drawn by a thread, and given back however the program ends.

use std::io::{self, Stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::draw::draw;
use super::keys::{Keys, Redraw};
use super::state::ViewState;

/// Time between two frames; a key is read within it. Ten a second look alive; not measured.
const FRAME_INTERVAL: Duration = Duration::from_millis(100);
/// How long the terminal is waited for where a frame is being drawn: a frame takes milliseconds, and a
/// terminal that reads nothing must not keep the program from ending.
const MAX_FRAME_TIME: Duration = Duration::from_millis(100);

/// Whether the view has the terminal. There is one terminal, and signals and panics give it back too.
static HAS_TERMINAL: AtomicBool = AtomicBool::new(false);
/// Held while a frame is drawn.
static FRAME: Mutex<()> = Mutex::new(());

/// Gives the terminal back if the view has it. May be called at any time, from any thread.
pub(crate) fn restore() {
    if !HAS_TERMINAL.swap(false, Ordering::SeqCst) {
        return;
    }
    let since = Instant::now();
    // The thread that draws may be the one that panics: no frame is waited for longer than it can take.
    while matches!(FRAME.try_lock(), Err(TryLockError::WouldBlock)) {
        if since.elapsed() >= MAX_FRAME_TIME {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Restores the terminal before the message of a panic is printed.
fn restore_on_panic() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
    });
}

/// The terminal, and the thread that draws on it.
///
/// There is at most one at a time. It is closed by [`Screen::close`]; [`restore`] gives the terminal back in all other
/// cases, and the thread then ends by itself.
pub(super) struct Screen {
    /// Set to end the thread.
    ends: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    ///
    /// The terminal does not obey, or there is no thread to be had. Then the terminal is as it was.
    pub(super) fn open(
        state: &Arc<Mutex<ViewState>>,
        keys: &Keys,
        has_colors: bool,
    ) -> io::Result<Self> {
        restore_on_panic();
        HAS_TERMINAL.store(true, Ordering::SeqCst);
        let opened = take_over().and_then(|terminal| {
            let ends = Arc::new(AtomicBool::new(false));
            let (seen, state, keys) = (ends.clone(), state.clone(), keys.clone());
            let run = move || show(terminal, &seen, &state, &keys, has_colors);
            let thread = std::thread::Builder::new().name("view".to_owned()).spawn(run)?;
            Ok(Screen { ends, thread })
        });
        if opened.is_err() {
            restore();
        }
        opened
    }

    /// Ends the thread and gives the terminal back. Takes as long as a frame at most.
    pub(super) fn close(self) {
        self.ends.store(true, Ordering::SeqCst);
        let _ = self.thread.join();
        restore();
    }
}

/// Switches to the alternate screen and to raw mode, in which each key is read at once.
fn take_over() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen)?;
    Terminal::new(CrosstermBackend::new(io::stdout()))
}

/// Draws frames and follows keys until `ends` is set or the terminal is given back.
///
/// The state is locked while a frame is made, and free while it is written to the terminal.
fn show(
    mut terminal: Terminal<CrosstermBackend<Stdout>>,
    ends: &AtomicBool,
    state: &Mutex<ViewState>,
    keys: &Keys,
    has_colors: bool,
) {
    let goes_on = || !ends.load(Ordering::SeqCst) && HAS_TERMINAL.load(Ordering::SeqCst);
    while goes_on() {
        {
            let _frame = FRAME.lock().unwrap_or_else(PoisonError::into_inner);
            if !goes_on() {
                return;
            }
            // Not held while the frame is written. A terminal that is gone sends SIGHUP: the search ends by that.
            let _ = terminal.draw(|frame| {
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                draw(frame, &state, has_colors);
            });
        }
        match event::poll(FRAME_INTERVAL) {
            Ok(true) => {
                let Ok(event) = event::read() else { continue };
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if keys.follow(&event, &mut state) == Redraw::Everything {
                    let _ = terminal.clear();
                }
            }
            Ok(false) => {}
            // There is nothing to read keys from.
            Err(_) => std::thread::sleep(FRAME_INTERVAL),
        }
    }
}
