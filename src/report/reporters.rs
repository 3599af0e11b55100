//! The reporters of a run, which take the same events: the console, JSON Lines if they are wanted, and those
//! that a task adds, such as a page.

use std::time::Duration;

use super::json::Json;
use super::options::ReportOptions;
use super::terminal::console::Console;
#[cfg(feature = "view")]
use super::view::{Keys, View, ViewError};
use crate::event::{Event, ReportError, Reporter};

/// All reporters of a run, as one. The command line makes it once and hands it to the task as a
/// `&mut dyn Reporter`.
pub(crate) struct Reporters {
    all: Vec<Box<dyn Reporter>>,
}

impl Reporters {
    /// The reporters that `options` ask for. The console prints under the name of `program`; it needs
    /// `max_time` to show it beside the elapsed time.
    pub(crate) fn new(
        program: &'static str,
        options: ReportOptions,
        max_time: Option<Duration>,
    ) -> Self {
        let mut reporters = Reporters::of(Box::new(Console::new(program, options, max_time)));
        if options.json {
            reporters.add(Box::new(Json::to_stdout()));
        }
        reporters
    }

    /// The reporters of a run that is drawn on the whole terminal; `keys` act on the search.
    ///
    /// # Errors
    ///
    /// Standard output is no terminal that can be drawn on.
    #[cfg(feature = "view")]
    pub(crate) fn with_view(
        program: &'static str,
        options: ReportOptions,
        keys: Keys,
    ) -> Result<Self, ViewError> {
        let (view, console) = View::new(program, options, keys)?;
        // The view comes first: it gives the terminal back before the console prints a result.
        Ok(Reporters { all: vec![Box::new(view), Box::new(console)] })
    }

    /// One reporter alone.
    pub(super) fn of(reporter: Box<dyn Reporter>) -> Self {
        Reporters { all: vec![reporter] }
    }

    /// Adds a reporter. It takes the events from now on, after the others.
    pub(crate) fn add(&mut self, reporter: Box<dyn Reporter>) {
        self.all.push(reporter);
    }

    /// Reports a line for people: [`Event::Message`].
    pub(crate) fn say(&mut self, text: &str) {
        self.report(&Event::Message(text));
    }
}

impl Reporter for Reporters {
    fn report(&mut self, event: &Event<'_>) {
        self.all.iter_mut().for_each(|one| one.report(event));
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.all.iter_mut().find_map(|one| one.take_error())
    }
}

#[cfg(test)]
pub(super) mod hostile;
#[cfg(test)]
mod tests;
