//! The pages of `cmin` and `coverage`: a row for each kept input, or for each function, which can be searched and sorted.

use std::path::{Path, PathBuf};

use maud::{Markup, html};

use super::controls::controls;
use super::file::{PageFile, link};
use super::frame::{self, Made, SCRIPT, Text};
use super::groups::{Trouble, troubles};
use super::section::linked;
use crate::event::{
    CorpusFile, CorpusSource, CoverageFunction, CoverageTotals, Event, MinimizedCorpus,
    ReportError, Reporter,
};
use crate::report::show;
use crate::report::summary::folder::{corpus, coverage};
use crate::session::saved::output::OutputError;

/// The page of a run of `cmin`, or of `coverage`: a reporter that writes it at the end of the run.
pub(crate) struct CorpusPage {
    /// The top of the page.
    made: Made,
    /// Where the page will be.
    file: PageFile,
    /// A row for each input that is kept.
    rows: Vec<Kept>,
    /// A sentence for each source.
    sources: Vec<String>,
    troubles: Vec<Trouble>,
    /// Why the page could not be written, until the command line asks.
    error: Option<ReportError>,
}

/// An input that is kept.
struct Kept {
    /// The file that it was read from.
    input: PathBuf,
    /// Its name in the result.
    name: String,
    bytes: u64,
    features: usize,
    /// Features that no other kept input has.
    unique: usize,
}

impl CorpusPage {
    /// Begins a page at `path`, where nothing or an earlier page is; any other file is not replaced.
    ///
    /// # Errors
    ///
    /// Another file or no file is there, or nothing can be written beside it.
    pub(crate) fn begin(path: &Path, made: Made) -> Result<Self, OutputError> {
        Ok(CorpusPage {
            made,
            file: PageFile::begin(path, false)?,
            rows: Vec::new(),
            sources: Vec::new(),
            troubles: Vec::new(),
            error: None,
        })
    }

    /// The whole document of a chosen corpus.
    fn chosen(&self, of: &MinimizedCorpus<'_>) -> Markup {
        let body = html! {
            (self.made.header(&[("target", html! { code { (Text(of.target)) } })]))
            p.headline { (Text(&corpus::headline(of))) }
            @for source in &self.sources { p { (Text(source)) } }
            (controls("Part of a file's name", &[], &[
                ("", "Smallest input first"),
                ("-bytes", "Largest input first"),
                ("-features", "Most features first"),
                ("-unique", "Most features of its own first"),
            ]))
            div #rows {
                "\n"
                @for one in &self.rows { (kept(one, &of.output.join(&one.name), &self.file.path)) "\n" }
            }
            (troubles(&self.troubles))
        };
        frame::page("Corpus", Some(SCRIPT), &body)
    }

    /// The whole document of the functions that a corpus reaches.
    fn reached(&self, functions: &[CoverageFunction<'_>], totals: &CoverageTotals<'_>) -> Markup {
        let states = [("", "Reached or not"), ("all", "all"), ("some", "some"), ("none", "none")];
        let body = html! {
            (self.made.header(&[("target", html! { code { (Text(totals.target)) } })]))
            p.headline { (Text(&coverage::headline(totals))) }
            (controls("Part of a function's or a file's name", &[("state", "Blocks that are reached", &states)], &[
                ("", "In the order of the source"),
                ("-missing", "Most blocks that are not reached first"),
                ("-blocks", "Most blocks first"),
            ]))
            div #rows {
                "\n"
                @for one in functions { (function(one)) "\n" }
            }
            (troubles(&self.troubles))
        };
        frame::page("Coverage", Some(SCRIPT), &body)
    }
}

impl Reporter for CorpusPage {
    /// Nothing is written before the totals are known. A run that a signal ends before leaves no page.
    fn report(&mut self, event: &Event<'_>) {
        match event {
            Event::CorpusFile(CorpusFile { input, name, bytes, features, unique }) => {
                self.rows.push(Kept {
                    input: input.to_path_buf(),
                    name: (*name).to_owned(),
                    bytes: *bytes,
                    features: *features,
                    unique: *unique,
                });
            }
            Event::CorpusSource(source @ CorpusSource { .. }) => {
                self.sources.push(corpus::source_line(source));
            }
            Event::PassedOver { input, why, .. } => {
                self.troubles.push(Trouble { input: input.to_path_buf(), why: (*why).to_owned() });
            }
            Event::CorpusMinimized(of) => self.error = self.file.write(&self.chosen(of).0),
            Event::Coverage { functions, totals } => {
                self.error = self.file.write(&self.reached(functions, totals).0);
            }
            _ => {}
        }
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.error.take()
    }
}

/// An input that is kept: where it came from, with a link to it in the result, and what it has.
fn kept(one: &Kept, result: &Path, page: &Path) -> Markup {
    let features = show::counted(one.features as u64, "feature", "features");
    html! {
        section.row data-bytes=(one.bytes) data-features=(one.features) data-unique=(one.unique) {
            h2.name { (linked(&one.input, link(page, result).as_deref())) }
            p.meta {
                (show::counted(one.bytes, "byte", "bytes")) "; " (features) ", "
                (show::number(one.unique as u64)) " of them in no other input of the result"
            }
        }
    }
}

/// A function with the number of its blocks that are reached.
fn function(one: &CoverageFunction<'_>) -> Markup {
    let state = match one.reached {
        0 => "none",
        reached if reached == one.blocks => "all",
        _ => "some",
    };
    let place = match (one.file, one.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_owned(),
        _ => String::new(),
    };
    html! {
        section.row.good[state == "all"].bad[state == "none"] data-state=(state)
            data-blocks=(one.blocks) data-missing=(one.blocks - one.reached.min(one.blocks))
        {
            h2.name { code { (Text(one.name)) } }
            p.meta {
                (show::number(one.reached as u64)) " of "
                (show::counted(one.blocks as u64, "block", "blocks"))
                @if let Some(against) = one.against {
                    "; the other corpus reaches " (show::number(against as u64))
                }
            }
            @if !place.is_empty() { p.meta.name { (Text(&place)) } }
        }
    }
}
