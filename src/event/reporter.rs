//! The contract of reporters.

use std::io;
use std::path::PathBuf;

use super::Event;

/// Takes the events of a run. The console, JSON Lines, the journal and the pages are reporters; a closure
/// `FnMut(&Event<'_>)` is one too.
///
/// An implementation has these duties:
///
/// 1. It ignores events that it does not know: [`Event`] gets new variants.
/// 2. It returns soon. The search waits for it, and `Reduced` and `Progress` come many times.
/// 3. It keeps nothing that an event borrows. It copies the data that it needs later.
/// 4. It does not panic and does not end the program. If it cannot write, it keeps the error for
///    [`take_error`](Reporter::take_error), and accepts further events.
/// 5. It treats every text of an event as hostile: a target or an input may have written it. It escapes
///    characters that its reader would obey.
///
/// A caller has two: it reports events of one run from one thread in the order in which they happen, and it
/// reports `Reduced` only when the input is where a user will find it.
pub trait Reporter {
    /// Takes note of an event.
    fn report(&mut self, event: &Event<'_>);

    /// The first error since the last call, if there was one. A reader that has closed its end of a pipe is
    /// none.
    fn take_error(&mut self) -> Option<ReportError> {
        None
    }
}

impl<F: FnMut(&Event<'_>) + ?Sized> Reporter for F {
    fn report(&mut self, event: &Event<'_>) {
        self(event);
    }
}

/// A reporter that ignores every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _event: &Event<'_>) {}
}

/// A reporter could not write.
#[derive(Debug, thiserror::Error)]
#[error("failed to write to {}: {source}", place.as_ref().map_or("stdout".into(), |path| path.to_string_lossy()))]
pub struct ReportError {
    /// The file; `None` for stdout.
    pub place: Option<PathBuf>,
    /// Why.
    pub source: io::Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_is_a_reporter_without_errors() {
        let mut heard = Vec::new();
        let mut closure = |event: &Event<'_>| {
            if let Event::Message(text) = event {
                heard.push((*text).to_owned());
            }
        };
        let reporter: &mut dyn Reporter = &mut closure;
        reporter.report(&Event::Message("one"));
        reporter.report(&Event::Detail("two"));
        assert!(reporter.take_error().is_none());
        assert_eq!(heard, ["one"]);
    }

    #[test]
    fn an_error_says_where_it_was() {
        let error = |place| ReportError { place, source: io::Error::other("planted") };
        assert_eq!(error(None).to_string(), "failed to write to stdout: planted");
        let page = error(Some("page.html".into()));
        assert_eq!(page.to_string(), "failed to write to page.html: planted");
    }
}
