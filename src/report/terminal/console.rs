//! Messages for people, on stderr; and the result's path, on stdout.
//!
//! What a target or an input wrote is part of nearly every line. Control characters are escaped
//! here, where text leaves for a terminal, and nowhere before.

mod events;

use std::cell::{OnceCell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use crate::event::ReportError;
use crate::report::options::ReportOptions;
use crate::report::terminal::progress::Progress;
use crate::report::terminal::{FAILURE, FAINT, Facts, Look, Styled};
use anstyle::Style;
use seedsmith_grammar::escape_control_chars;

/// Prints for people.
pub(crate) struct Console {
    program: &'static str,
    options: ReportOptions,
    progress: Progress,
    talk: RefCell<Box<dyn Write>>,
    talk_look: Look,
    data: RefCell<Box<dyn Write>>,
    data_look: Look,
    is_data_for_a_person: bool,
    lost: OnceCell<ReportError>,
}

impl Console {
    /// A console that prints under the name of `program`.
    pub(crate) fn new(
        program: &'static str,
        options: ReportOptions,
        max_time: Option<Duration>,
    ) -> Self {
        Console {
            program,
            options,
            progress: Progress::new(options, max_time),
            talk: RefCell::new(Box::new(io::stderr())),
            talk_look: Look::on(&io::stderr(), options.color),
            data: RefCell::new(Box::new(io::stdout())),
            data_look: Look::on(&io::stdout(), options.color),
            is_data_for_a_person: io::stdout().is_terminal(),
            lost: OnceCell::new(),
        }
    }

    /// A console beside the view: messages go to `talk`, and there is no line of progress.
    #[cfg(feature = "view")]
    pub(crate) fn beside_view(
        program: &'static str,
        options: ReportOptions,
        talk: Box<dyn Write>,
    ) -> Self {
        let progress = Progress::hidden();
        let console = Console::new(program, options, None);
        Console { progress, talk: RefCell::new(talk), ..console }
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

    /// Prints a line, unless quiet.
    fn say(&mut self, text: &str) {
        if !self.options.quiet {
            self.print(text);
        }
    }

    /// Prints a line with styles, unless quiet.
    fn say_styled(&mut self, line: &Styled) {
        if !self.options.quiet {
            self.print_styled(std::slice::from_ref(line));
        }
    }

    /// Prints a line, if verbose.
    fn say_more(&mut self, text: &str) {
        if self.options.verbose {
            self.print(text);
        }
    }

    /// Prints an error, also if quiet.
    fn error(&mut self, text: &str) {
        self.progress.clear();
        let mut lines: Vec<Styled> = text.lines().map(Styled::plain).collect();
        let first = lines.first().map(Styled::text).unwrap_or_default();
        let headed =
            Styled::default().with(FAILURE, "error").with(Style::new(), &format!(": {first}"));
        lines.splice(..lines.len().min(1), [headed]);
        self.print_styled(&lines);
    }

    /// Prints an error that concerns a part of the whole, also if quiet.
    fn problem(&mut self, text: &str) {
        self.print(text);
    }

    /// Writes the result's path to stdout, unless a person reads both streams: the path is on stderr already.
    fn hand_over_path(&self, path: &Path) {
        if self.options.quiet || !self.is_data_for_a_person {
            let mut line = path.as_os_str().as_encoded_bytes().to_vec();
            line.push(b'\n');
            self.hand_over(line);
        }
    }

    /// Writes a line of data to stdout, unless a person reads both streams: the line is on stderr already.
    fn hand_over_text(&self, text: &str) {
        if self.options.quiet || !self.is_data_for_a_person {
            self.hand_over(format!("{text}\n"));
        }
    }

    /// Writes lines that were made for people to stdout, escaped whatever stdout is.
    fn hand_over_lines(&self, lines: &str) {
        self.hand_over(escape_control_chars(lines, &['\n', '\t']).as_bytes());
    }

    /// Writes lines whose control characters are escaped and whose styles fit stdout.
    fn hand_over_styled(&self, lines: &str) {
        self.hand_over_as_it_is(lines.as_bytes());
    }

    /// Writes data to stdout: byte for byte to a program or a file, escaped to a terminal.
    fn hand_over(&self, data: impl AsRef<[u8]>) {
        let data = data.as_ref();
        if self.is_data_for_a_person {
            self.hand_over_as_it_is(for_terminal(&String::from_utf8_lossy(data)).as_bytes());
        } else {
            self.hand_over_as_it_is(data);
        }
    }

    /// Writes to stdout above the progress, and keeps the first error.
    fn hand_over_as_it_is(&self, data: &[u8]) {
        let mut out = self.data.borrow_mut();
        let mut written = Ok(());
        self.progress.suspend(|| written = out.write_all(data).and_then(|()| out.flush()));
        if let Some(error) = stdout_error(written) {
            // The first one says why.
            let _ = self.lost.set(error);
        }
    }

    /// Prints lines without styles under the program's name, whatever was asked for.
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

    /// Writes a text without the program's name to stderr, escaped.
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

/// The error of stdout, if there is one. A reader that has closed it does not want the rest.
pub(crate) fn stdout_error(written: io::Result<()>) -> Option<ReportError> {
    let source = written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)?;
    Some(ReportError { place: None, source })
}
