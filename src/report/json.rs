//! JSON Lines on stdout: each event is a line, whose shape is in [`lines`], and is written at once.

mod corpora;
mod failure;
mod generalized;
mod grammar;
pub(crate) mod lines;
mod one;
mod repair;
mod search;
mod triage;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::terminal::console::stdout_error;
use crate::event::{Event, ReportError, Reporter, Subject};
use crate::session::stack::StackNames;
use lines::{JsonEvent, Line, VERSION};
use seedsmith_grammar::internal::is_control;

/// Writes JSON Lines.
pub(super) struct Json {
    /// `None` when the reader has closed its end.
    out: Option<Box<dyn Write>>,
    lost: Option<ReportError>,
    input: String,
    target: String,
    names: StackNames,
}

impl Json {
    /// Writes to stdout.
    pub(super) fn to_stdout() -> Self {
        Json::to(Box::new(io::stdout()))
    }

    /// Writes to `out`, for tests.
    pub(super) fn to(out: Box<dyn Write>) -> Self {
        Json {
            out: Some(out),
            lost: None,
            input: String::new(),
            target: String::new(),
            names: StackNames::default(),
        }
    }

    /// Keeps the input and the target for the next `started`, whose event has neither.
    fn begin(&mut self, subject: Subject<'_>) {
        self.input = subject.input.to_string_lossy().into_owned();
        subject.target.clone_into(&mut self.target);
    }

    /// Writes a line and flushes it: a program that reads it may wait for it. After an error nothing is written.
    fn write(&mut self, event: JsonEvent<'_>) {
        let Some(out) = &mut self.out else { return };
        let mut line = serde_json::to_string(&Line { event, version: VERSION })
            .expect("the shapes hold nothing that JSON can't");
        line = ascii_controls(&line);
        line.push('\n');
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        if written.is_err() {
            self.out = None;
            self.lost = stdout_error(written);
        }
    }
}

impl Reporter for Json {
    fn report(&mut self, event: &Event<'_>) {
        match *event {
            Event::Subject(subject) => self.begin(subject),
            Event::Started { .. }
            | Event::ReducerEnded(_)
            | Event::Reduced { .. }
            | Event::OtherFailure { .. }
            | Event::Note(..) => self.searched(event),
            Event::Settings(applied) => self.settings(applied),
            Event::Listed(listing) => self.listed(listing),
            Event::Minimized(minimized) => self.minimized(minimized),
            Event::FolderMinimized(folder) => self.folder_minimized(folder),
            Event::Isolated(isolated) => self.isolated(isolated),
            Event::Generalized(generalized) => self.generalized(generalized),
            Event::Ran(ran) => self.ran(ran),
            Event::Judged(kit) => self.judged(kit),
            Event::Triaged(triaged) => self.triaged(triaged),
            Event::PassedOver { input, why, exit } => self.passed_over(input, why, exit),
            Event::Grouped(groups) | Event::GroupsMinimized(groups) => self.groups(groups),
            Event::CorpusFile(file) => self.corpus_file(file),
            Event::CorpusSource(source) => self.corpus_source(source),
            Event::CorpusMinimized(corpus) => self.corpus_minimized(corpus),
            Event::CorpusFileShrunk(file) => self.shrunk_file(file),
            Event::CorpusShrunk(corpus) => self.corpus_shrunk(corpus),
            Event::Coverage { functions, totals } => self.coverage(functions, totals),
            Event::Repaired(repaired) => self.repaired(repaired.row),
            Event::RepairsEnded { totals, .. } => self.repairs_ended(totals),
            Event::Reducers(listed) => self.reducers(listed),
            Event::Grammars(listed) => self.grammars(listed),
            Event::Grammar(described) => self.grammar(described),
            Event::Parsed(parsed) => self.parsed(parsed),
            Event::Failed { message, exit } => self.write(JsonEvent::Error { message, exit }),
            _ => {}
        }
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.lost.take()
    }
}

/// JSON with every control character escaped, as JSON writes it: serde_json escapes only those below
/// U+0020. Outside of strings there is none, so the value stays the same.
fn ascii_controls(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_control(c) {
            // Every one of them is one UTF-16 unit.
            out += &format!("\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Paths as JSON has them: bytes that are not UTF-8 are replaced.
fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Whole milliseconds, rounded down.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
