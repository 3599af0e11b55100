//! The page of `tmin`: one minimized input, or many with a table of the failures before them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use maud::{Markup, html};

use super::controls::controls;
use super::file::{PageFile, link};
use super::folder::folder;
use super::frame::{self, Made, SCRIPT, Text, name};
use super::groups::{Trouble, passing, table, troubles};
use super::section::{Course, section};
use crate::event::{Event, FailureGroups, MinimizedInput, ReportError, Reporter};
use crate::report::show;
use crate::report::summary::groups::headline;
use crate::session::saved::output::OutputError;

/// Sections after this size of a page have a line each and nothing else: a browser keeps them in memory. A guess; not
/// measured.
const MAX_SECTIONS_BYTES: usize = 24 << 20;

/// The page of a run of `tmin`: a reporter that writes it when the run has its results.
///
/// Many inputs make one page with a section each, and not a page each: one file can be sent and opened.
pub(crate) struct MinimizedPage {
    /// The top of the page.
    made: Made,
    /// Where the page will be.
    file: PageFile,
    /// Whether several inputs were named, so that the groups of failures come last.
    are_many: bool,
    /// When the run began.
    started: Instant,
    /// The target of the input that is searched.
    target: String,
    /// When its search began.
    begun: Instant,
    /// Tests of the reducers that have ended.
    tests: u64,
    /// How its best input shrank until now.
    course: Course,
    /// One for each result, in the order of the run.
    sections: Vec<Markup>,
    /// Their size together.
    sections_bytes: usize,
    /// The place of each result's section.
    places: HashMap<PathBuf, usize>,
    /// Inputs that could not be run.
    troubles: Vec<Trouble>,
    /// Why the page could not be written, until the command line asks.
    error: Option<ReportError>,
}

impl MinimizedPage {
    /// Begins a page at `path`, where nothing or an earlier page is; a file of another kind is replaced only if it
    /// `may_replace` that. Nothing is written there before the result is known.
    ///
    /// # Errors
    ///
    /// The place is refused, or nothing can be written beside it.
    pub(crate) fn begin(
        path: &Path,
        may_replace: bool,
        made: Made,
        are_many: bool,
    ) -> Result<Self, OutputError> {
        Ok(MinimizedPage {
            made,
            file: PageFile::begin(path, may_replace)?,
            are_many,
            started: Instant::now(),
            target: String::new(),
            begun: Instant::now(),
            tests: 0,
            course: Course::default(),
            sections: Vec::new(),
            sections_bytes: 0,
            places: HashMap::new(),
            troubles: Vec::new(),
            error: None,
        })
    }

    /// Writes the page and keeps the error, if there is one.
    fn write(&mut self, page: &Markup) {
        self.error = self.file.write(&page.0);
    }

    /// The page of one input. Its title is what a browser shows in a tab: the file and both sizes.
    fn single(&self, finished: &MinimizedInput) -> Markup {
        let title = format!("{}: {}", file_name(&finished.input), sizes(finished));
        let body = html! {
            (self.made.header(&[
                ("target", html! { code { (Text(&self.target)) } }),
                ("input", html! { code { (name(&finished.input)) } }),
                ("time", html! { (show::time(finished.elapsed)) }),
            ]))
            section { (section(finished, &self.course, 2)) }
        };
        frame::page(&title, Some(SCRIPT), &body)
    }

    /// Adds one of many inputs.
    ///
    /// The section is made at once, so that neither the original nor the result is kept. After
    /// `MAX_SECTIONS_BYTES` a section has the sizes and a link to the result's file.
    fn add(&mut self, finished: &MinimizedInput) {
        let number = self.sections.len() + 1;
        let is_left_out = self.sections_bytes > MAX_SECTIONS_BYTES;
        let removed = finished.original.len() - finished.best.len().min(finished.original.len());
        let link = link(&self.file.path, &finished.output);
        let html = html! {
            section.row.good id={ "input-" (number) } data-bytes=(finished.best.len())
                data-removed=(removed) data-tests=(finished.counts.tests)
            {
                h2.name { (name(&finished.input)) }
                p.meta {
                    "on " (Text(&self.target)) " → " (super::section::linked(&finished.output, link.as_deref()))
                }
                @if is_left_out {
                    p.headline { (sizes(finished)) }
                    p.gap { "… left out: the page is large already …" }
                } @else {
                    (section(finished, &self.course, 3))
                }
            }
            "\n"
        };
        self.sections_bytes += html.0.len();
        self.sections.push(html);
        self.places.insert(finished.output.clone(), number);
    }

    /// The page of many inputs: a row for each failure with a link to the section of its result, then the sections
    /// in the order of the run, then the other inputs.
    fn many(&self, groups: &FailureGroups) -> Markup {
        let place =
            |output: &Path| self.places.get(output).map(|number| format!("#input-{number}"));
        let body = html! {
            (self.made.header(&[("time", html! { (show::time(self.started.elapsed())) })]))
            p.headline { (Text(&headline(groups))) }
            (table(groups, &self.file.path, &place))
            (controls("Part of a name", &[], &[
                ("", "In the order of the run"),
                ("-removed", "Most bytes removed first"),
                ("-bytes", "Largest result first"),
                ("-tests", "Most tests first"),
            ]))
            div #rows { "\n" @for section in &self.sections { (section) } }
            (passing(groups, &self.file.path))
            (troubles(&self.troubles))
        };
        frame::page("Minimized inputs", Some(SCRIPT), &body)
    }
}

/// `275 → 27 bytes`: the size of the original and that of the result.
fn sizes(finished: &MinimizedInput) -> String {
    let (before, after) = (finished.original.len() as u64, show::bytes(finished.best.len()));
    format!("{} → {after}", show::number(before))
}

/// The last part of a path, on one line: the folders are in the page, and a title is short.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    show::plain(name.as_encoded_bytes())
}

impl Reporter for MinimizedPage {
    /// The page of one input is written when its result is known, that of many when all are done. A search that is
    /// ended by a limit or a signal has a result, too.
    fn report(&mut self, event: &Event<'_>) {
        match event {
            Event::Subject(subject) => {
                self.target = subject.target.to_owned();
                self.course = Course::default();
                (self.begun, self.tests) = (Instant::now(), 0);
            }
            Event::Started { bytes, .. } => self.course.add(0, 0.0, *bytes),
            // Not every better input is reported as such: each is written to disk before.
            Event::ReducerEnded(stats) => {
                self.tests += stats.counts.tests;
                let seconds = self.begun.elapsed().as_secs_f64();
                self.course.add(self.tests, seconds, stats.bytes_after);
            }
            Event::Reduced { best, counts, elapsed } => {
                self.course.add(counts.tests, elapsed.as_secs_f64(), best.len());
            }
            Event::Minimized(finished) if self.are_many => self.add(finished),
            Event::Minimized(finished) => {
                let page = self.single(finished);
                self.write(&page);
            }
            Event::FolderMinimized(finished) => {
                let page = folder(&self.made, &self.target, finished);
                self.write(&page);
            }
            Event::PassedOver { input, why, .. } => {
                self.troubles.push(Trouble { input: input.to_path_buf(), why: (*why).to_owned() });
            }
            Event::GroupsMinimized(groups) => {
                let page = self.many(groups);
                self.write(&page);
            }
            _ => {}
        }
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.error.take()
    }
}
