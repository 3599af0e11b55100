//! Talk for people, on stderr; and the result's path, on stdout.
//!
//! What a target or an input wrote is part of nearly every line. Control characters are escaped
//! here, where text leaves for a terminal, and nowhere before.

use std::cell::{OnceCell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use super::abstracted::{self, Abstracted};
use super::finished::{Finished, Isolated};
use super::groups::{self, Groups};
use super::progress::Progress;
use super::summary::Facts;
use super::summary::judged::JudgedKit;
use super::summary::ran::Ran;
use super::tell::Tell;
use super::{stats, summary};
use crate::event::Event;
use seedsmith_grammar::harmless::harmless;

/// Talks to a person.
pub struct Console {
    program: &'static str,
    tell: Tell,
    progress: Progress,
    talk: RefCell<Box<dyn Write>>,
    data: RefCell<Box<dyn Write>>,
    is_data_for_a_person: bool,
    lost: OnceCell<io::Error>,
}

impl Console {
    /// A console that speaks as `program`.
    pub fn new(program: &'static str, tell: Tell, max_time: Option<Duration>) -> Self {
        Console {
            program,
            tell,
            progress: Progress::new(tell, max_time),
            talk: RefCell::new(Box::new(anstream::stderr())),
            data: RefCell::new(Box::new(io::stdout())),
            is_data_for_a_person: io::stdout().is_terminal(),
            lost: OnceCell::new(),
        }
    }

    /// The same, which writes elsewhere. `is_data_for_a_person` says whether data goes to a terminal.
    #[cfg(test)]
    pub fn into(
        self,
        (talk, data): (Box<dyn Write>, Box<dyn Write>),
        is_data_for_a_person: bool,
    ) -> Self {
        let (talk, data) = (RefCell::new(talk), RefCell::new(data));
        Console { talk, data, is_data_for_a_person, ..self }
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
            self.write(text);
        }
    }

    /// Follows an event.
    pub fn hear(&mut self, event: &Event<'_>) {
        if let Some(line) = self.progress.hear(event) {
            self.say(&line);
        }
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
            self.write(&summary::facts(finished));
        }
        if self.tell.stats {
            self.write(&stats::table(&finished.stats));
        }
    }

    /// Says what came of running one input. This is what was asked for, so it is data.
    pub fn ran(&mut self, ran: &Ran<'_>) {
        self.progress.clear();
        let lines = format!("{}\n{}", summary::ran::headline(ran), summary::ran::facts(ran));
        self.hand_over_lines(&lines);
    }

    /// Says what a fix is worth. This is what was asked for, so it is data.
    pub fn judged(&mut self, kit: &JudgedKit<'_>) {
        self.progress.clear();
        let lines = format!("{}\n{}", summary::judged::headline(kit), summary::judged::facts(kit));
        self.hand_over_lines(&lines);
    }

    /// Says what became of a folder.
    pub fn folder_finished(&mut self, headline: &str) {
        self.progress.clear();
        self.say(headline);
    }

    /// Says how a generalization ended.
    pub fn abstracted(&mut self, told: &Abstracted) {
        self.progress.clear();
        self.say(&abstracted::headline(told));
        if !self.tell.quiet {
            self.write_facts(&abstracted::facts(told));
        }
    }

    /// Says how an isolation ended.
    pub fn isolated(&mut self, isolated: &Isolated) {
        self.progress.clear();
        self.say(&summary::isolation_headline(isolated));
        if !self.tell.quiet {
            self.write(&summary::isolation_facts(isolated));
        }
    }

    /// Hands the result's path to whatever reads stdout. A person was told already.
    pub fn hand_over_path(&self, path: &Path) {
        if self.tell.quiet || !self.is_data_for_a_person {
            let mut line = path.as_os_str().as_encoded_bytes().to_vec();
            line.push(b'\n');
            self.hand_over(line);
        }
    }

    /// Hands a line of data to whatever reads stdout. A person was told already.
    pub fn hand_over_text(&self, text: &str) {
        if self.tell.quiet || !self.is_data_for_a_person {
            self.hand_over(format!("{text}\n"));
        }
    }

    /// Hands lines that were made for people over on stdout, escaped wherever they go.
    pub fn hand_over_lines(&self, lines: &str) {
        self.hand_over(harmless(lines, &['\n', '\t']).as_bytes());
    }

    /// Hands data over on stdout: byte for byte to a program or a file, escaped to a terminal.
    pub fn hand_over(&self, data: impl AsRef<[u8]>) {
        let data = data.as_ref();
        let mut out = self.data.borrow_mut();
        let written = if self.is_data_for_a_person {
            out.write_all(for_terminal(&String::from_utf8_lossy(data)).as_bytes())
        } else {
            out.write_all(data)
        };
        let written = written.and_then(|()| out.flush());
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
        self.progress.suspend(|| self.write(&format!("{}: {text}\n", self.program)));
    }

    fn write(&self, text: &str) {
        self.write_styled(&for_terminal(text));
    }

    /// Writes facts with their styles, which are ours and come after the escaping.
    fn write_facts(&self, facts: &Facts) {
        let mut out = String::new();
        for (style, text) in facts.stretches() {
            out += &format!("{style}{}{style:#}", for_terminal(text));
        }
        self.write_styled(&out);
    }

    /// stderr may be closed; that is no reason to end.
    fn write_styled(&self, text: &str) {
        let mut talk = self.talk.borrow_mut();
        let _ = talk.write_all(text.as_bytes()).and_then(|()| talk.flush());
    }
}

/// A text for a terminal: what a terminal would obey is escaped, but for line feeds. A tab becomes
/// blanks.
fn for_terminal(text: &str) -> String {
    harmless(&text.replace('\t', "    "), &['\n']).into_owned()
}

/// What is wrong with stdout. Whoever closed it doesn't want the rest.
pub fn trouble(written: io::Result<()>) -> Option<io::Error> {
    written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}
