//! Text of the console that waits while the view has the terminal.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that wait at most; what comes then is lost. A guess at more than anybody reads; not measured.
const MAX_HELD_BYTES: usize = 1 << 20;

/// stderr, or a place where text waits for it. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Held(Arc<Mutex<Waiting>>);

/// The text that waits.
#[derive(Default)]
struct Waiting {
    is_holding: bool,
    text: Vec<u8>,
}

impl Held {
    /// Keeps text from now on.
    pub(super) fn hold(&self) {
        self.lock().is_holding = true;
    }

    /// Writes the kept text to stderr, and later text at once.
    pub(super) fn release(&self) {
        let text = {
            let mut waiting = self.lock();
            waiting.is_holding = false;
            std::mem::take(&mut waiting.text)
        };
        // stderr may be closed; that is no reason to end.
        let _ = io::stderr().write_all(&text);
    }

    /// The text. A thread that panicked while it wrote leaves it whole.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writing never fails while text waits. A text that does not fit is left out as a whole.
impl Write for Held {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut waiting = self.lock();
        if !waiting.is_holding {
            drop(waiting);
            return io::stderr().write(text);
        }
        if waiting.text.len() + text.len() <= MAX_HELD_BYTES {
            waiting.text.extend_from_slice(text);
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.lock().is_holding { Ok(()) } else { io::stderr().flush() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_waits_while_the_view_is_open_and_no_more_of_it_than_fits() {
        let held = Held::default();
        held.hold();
        let mut out = held.clone();
        out.write_all(b"one\n").unwrap();
        out.write_all(&vec![b'x'; MAX_HELD_BYTES]).unwrap();
        out.write_all(b"two\n").unwrap();
        assert_eq!(held.lock().text, b"one\ntwo\n");
        held.lock().text.clear();
        held.release();
        assert!(!held.lock().is_holding);
    }
}
