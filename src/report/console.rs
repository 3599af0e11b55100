//! Talk for people, on stderr; and the result's path, on stdout.

use std::cell::OnceCell;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use super::abstracted::{self, Abstracted};
use super::finished::{Finished, Isolated};
use super::groups::{self, Groups};
use super::progress::Progress;
use super::tell::Tell;
use super::{stats, summary};
use crate::event::Event;

/// Talks to a person.
pub struct Console {
    program: &'static str,
    tell: Tell,
    progress: Progress,
    lost: OnceCell<io::Error>,
}

impl Console {
    /// A console that speaks as `program`.
    pub fn new(program: &'static str, tell: Tell, max_time: Option<Duration>) -> Self {
        let progress = Progress::new(!tell.quiet, max_time);
        Console { program, tell, progress, lost: OnceCell::new() }
    }

    /// Says a line, unless quiet.
    pub fn say(&mut self, text: &str) {
        if !self.tell.quiet {
            self.print(text);
        }
    }

    /// Says a line, if verbose.
    pub fn say_more(&mut self, text: &str) {
        if self.tell.verbose {
            self.print(text);
        }
    }

    /// Says what has to be said even if quiet.
    pub fn error(&mut self, text: &str) {
        self.progress.clear();
        self.print(&format!("error: {text}"));
    }

    /// Says what went wrong with a part of the whole, even if quiet.
    pub fn problem(&mut self, text: &str) {
        self.print(text);
    }

    /// Says how many inputs fail; and which don't, if verbose.
    pub fn groups(&mut self, groups: &Groups) {
        self.progress.clear();
        self.say(&groups::headline(groups));
    }

    /// Says lines that stand for themselves, unless quiet.
    pub fn talk(&mut self, text: &str) {
        if !self.tell.quiet {
            write(text);
        }
    }

    /// Follows an event.
    pub fn hear(&mut self, event: &Event<'_>) {
        self.progress.hear(event);
        match event {
            Event::Note(text) => self.say(text),
            Event::Detail(text) => self.say_more(text),
            Event::Started { signature, .. } => self.say_more(&format!("hunting {signature}")),
            Event::ReducerEnded(stats) if stats.counts.tests > 0 => {
                self.say_more(&stats::line(stats));
            }
            Event::ByCatch { signature, .. } => self.say_more(&format!("by-catch: {signature}")),
            _ => {}
        }
    }

    /// Says how a reduction ended.
    pub fn finished(&mut self, finished: &Finished) {
        self.progress.clear();
        self.say(&summary::headline(finished));
        if !self.tell.quiet {
            write(&summary::facts(finished));
        }
        if self.tell.stats {
            write(&stats::table(&finished.stats));
        }
    }

    /// Says how a generalization ended.
    pub fn abstracted(&mut self, told: &Abstracted) {
        self.progress.clear();
        self.say(&abstracted::headline(told));
        if !self.tell.quiet {
            write(&abstracted::facts(told));
        }
    }

    /// Says how an isolation ended.
    pub fn isolated(&mut self, isolated: &Isolated) {
        self.progress.clear();
        self.say(&summary::isolation_headline(isolated));
        if !self.tell.quiet {
            write(&summary::isolation_facts(isolated));
        }
    }

    /// Hands the result's path to whatever reads stdout. A person was told already.
    pub fn hand_over_path(&self, path: &Path) {
        if self.tell.quiet || !std::io::stdout().is_terminal() {
            self.hand_over(format!("{}\n", path.display()));
        }
    }

    /// Hands a line of data to whatever reads stdout. A person was told already.
    pub fn hand_over_text(&self, text: &str) {
        if self.tell.quiet || !std::io::stdout().is_terminal() {
            self.hand_over(format!("{text}\n"));
        }
    }

    /// Hands data over on stdout.
    pub fn hand_over(&self, data: impl AsRef<[u8]>) {
        let mut stdout = std::io::stdout().lock();
        let written = stdout.write_all(data.as_ref()).and_then(|()| stdout.flush());
        if let Some(error) = trouble(written) {
            // The first one says why.
            let _ = self.lost.set(error);
        }
    }

    /// Why data was lost on its way to stdout, if it was.
    pub fn take_lost(&mut self) -> Option<io::Error> {
        self.lost.take()
    }

    fn print(&self, text: &str) {
        self.progress.suspend(|| write(&format!("{}: {text}\n", self.program)));
    }
}

/// What is wrong with stdout. Whoever closed it doesn't want the rest.
pub fn trouble(written: io::Result<()>) -> Option<io::Error> {
    written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}

/// stderr may be closed; that is no reason to end.
fn write(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
