//! Talk for people, on stderr; and the result's path, on stdout.
//!
//! What a target or an input wrote is part of nearly every line. Control characters are escaped
//! here, where text leaves for a terminal, and nowhere before.

use std::cell::{OnceCell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use crate::event::Event;
use crate::report::finished::{Finished, Isolated};
use crate::report::options::Tell;
use crate::report::summary;
use crate::report::summary::generalized;
use crate::report::summary::generalized::Abstracted;
use crate::report::summary::groups;
use crate::report::summary::groups::Groups;
use crate::report::summary::judged::JudgedKit;
use crate::report::summary::ran::Ran;
use crate::report::summary::reducers;
use crate::report::terminal::progress::Progress;
use crate::report::terminal::{FAILURE, FAINT, Facts, Look, Styled};
use anstyle::Style;
use seedsmith_grammar::control_chars::escape_control_chars;

/// Talks to a person.
pub struct Console {
    program: &'static str,
    tell: Tell,
    progress: Progress,
    talk: RefCell<Box<dyn Write>>,
    talk_look: Look,
    data: RefCell<Box<dyn Write>>,
    data_look: Look,
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
            talk: RefCell::new(Box::new(io::stderr())),
            talk_look: Look::on(&io::stderr(), tell.color),
            data: RefCell::new(Box::new(io::stdout())),
            data_look: Look::on(&io::stdout(), tell.color),
            is_data_for_a_person: io::stdout().is_terminal(),
            lost: OnceCell::new(),
        }
    }

    /// The same, which writes elsewhere, with that look. `is_data_for_a_person` says whether data goes
    /// to a terminal.
    #[cfg(test)]
    pub fn into(
        self,
        (talk, data): (Box<dyn Write>, Box<dyn Write>),
        look: Look,
        is_data_for_a_person: bool,
    ) -> Self {
        let (talk, data) = (RefCell::new(talk), RefCell::new(data));
        Console { talk, talk_look: look, data, data_look: look, is_data_for_a_person, ..self }
    }

    /// Says a line, unless quiet.
    pub fn say(&mut self, text: &str) {
        if !self.tell.quiet {
            self.print(text);
        }
    }

    fn say_styled(&mut self, line: &Styled) {
        if !self.tell.quiet {
            self.print_styled(std::slice::from_ref(line));
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
        let mut lines: Vec<Styled> = text.lines().map(Styled::plain).collect();
        let first = lines.first().map(Styled::text).unwrap_or_default();
        let headed =
            Styled::default().with(FAILURE, "error").with(Style::new(), &format!(": {first}"));
        lines.splice(..lines.len().min(1), [headed]);
        self.print_styled(&lines);
    }

    /// Says what went wrong with a part of the whole, even if quiet.
    pub fn problem(&mut self, text: &str) {
        self.print(text);
    }

    /// Says how many inputs fail; and which don't, if verbose.
    pub fn groups(&mut self, groups: &Groups) {
        self.progress.clear();
        self.say(&groups::headline(groups));
        if let Some(joined) = &groups.joined {
            self.say(&joined.headline());
        }
    }

    /// Says what was made of many inputs, unless quiet.
    pub fn results(&mut self, groups: &Groups) {
        if !self.tell.quiet {
            self.write_styled(&groups::table(groups, &self.talk_look));
        }
    }

    /// Hands the table of many inputs over on stdout.
    pub fn hand_over_table(&self, groups: &Groups) {
        self.hand_over_styled(&groups::table(groups, &self.data_look));
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
                self.say_more(&reducers::line(stats));
            }
            Event::OtherFailure { signature, .. } => {
                self.say_more(&format!("another failure: {signature}"))
            }
            _ => {}
        }
    }

    /// Says how a reduction ended.
    pub fn finished(&mut self, finished: &Finished) {
        self.progress.clear();
        self.say_styled(&summary::headline(finished));
        if !self.tell.quiet {
            self.write_facts(&summary::facts(finished, self.tell.verbose));
        }
        if self.tell.stats {
            self.write(&reducers::table(&finished.stats));
        }
    }

    /// Says what came of running one input. This is what was asked for, so it is data.
    pub fn ran(&mut self, ran: &Ran<'_>) {
        self.progress.clear();
        let (headline, facts) =
            (summary::ran::headline(ran), summary::ran::facts(ran, self.tell.verbose));
        let columns = self.data_look.prose_columns().unwrap_or(usize::MAX);
        let lines = headline.wrapped(columns, columns);
        let headline: String =
            lines.iter().map(|line| format!("{}\n", line.render(&self.data_look))).collect();
        self.hand_over_styled(&(headline + &facts.render(&self.data_look)));
    }

    /// Says what a fix is worth. This is what was asked for, so it is data.
    pub fn judged(&mut self, kit: &JudgedKit<'_>) {
        self.progress.clear();
        let facts = summary::judged::facts(kit).render(&self.data_look);
        self.hand_over_styled(&format!("{}\n{facts}", summary::judged::headline(kit)));
    }

    /// Shows how many of the inputs are done.
    pub fn count(&self, done: usize, all: usize) {
        self.progress.count(done, all);
    }

    /// Removes the progress.
    pub fn clear(&self) {
        self.progress.clear();
    }

    /// Says what became of a folder.
    pub fn folder_finished(&mut self, headline: &str) {
        self.progress.clear();
        self.say(headline);
    }

    /// Says how a generalization ended.
    pub fn abstracted(&mut self, told: &Abstracted) {
        self.progress.clear();
        self.say(&generalized::headline(told));
        if !self.tell.quiet {
            self.write_facts(&generalized::facts(told, self.tell.verbose));
        }
    }

    /// Says how an isolation ended.
    pub fn isolated(&mut self, isolated: &Isolated) {
        self.progress.clear();
        self.say(&summary::isolation_headline(isolated));
        if !self.tell.quiet {
            self.write_facts(&summary::isolation_facts(isolated, self.tell.verbose));
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
        self.hand_over(escape_control_chars(lines, &['\n', '\t']).as_bytes());
    }

    /// Hands lines over whose control characters are escaped and whose styles fit stdout.
    fn hand_over_styled(&self, lines: &str) {
        self.hand_over_as_it_is(lines.as_bytes());
    }

    /// Hands data over on stdout: byte for byte to a program or a file, escaped to a terminal.
    pub fn hand_over(&self, data: impl AsRef<[u8]>) {
        let data = data.as_ref();
        if self.is_data_for_a_person {
            self.hand_over_as_it_is(for_terminal(&String::from_utf8_lossy(data)).as_bytes());
        } else {
            self.hand_over_as_it_is(data);
        }
    }

    fn hand_over_as_it_is(&self, data: &[u8]) {
        let mut out = self.data.borrow_mut();
        let mut written = Ok(());
        self.progress.suspend(|| written = out.write_all(data).and_then(|()| out.flush()));
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
        let lines: Vec<Styled> = text.lines().map(Styled::plain).collect();
        self.print_styled(&lines);
    }

    /// Prints lines under the program's name, above the progress.
    fn print_styled(&self, lines: &[Styled]) {
        let look = &self.talk_look;
        let mut out = String::new();
        let mut name = Some(Styled::default().with(FAINT, &format!("{}: ", self.program)));
        for line in lines {
            let columns = look.prose_columns().map_or(usize::MAX, |columns| columns - 1);
            let named = match name.take() {
                Some(name) => name.and(line),
                None => line.clone(),
            };
            for (at, line) in named.wrapped(columns, columns.saturating_sub(2)).iter().enumerate() {
                out += &format!("{}{}\n", if at > 0 { "  " } else { "" }, line.render(look));
            }
        }
        self.progress.suspend(|| self.write_styled(&out));
    }

    fn write(&self, text: &str) {
        self.write_styled(&for_terminal(text));
    }

    /// Writes facts with their styles, which are ours and come after the escaping.
    fn write_facts(&self, facts: &Facts) {
        self.write_styled(&facts.render(&self.talk_look));
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
    escape_control_chars(&text.replace('\t', "    "), &['\n']).into_owned()
}

/// What is wrong with stdout. Whoever closed it doesn't want the rest.
pub fn trouble(written: io::Result<()>) -> Option<io::Error> {
    written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}
