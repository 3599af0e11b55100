//! The page of `triage`: a row for each failure, with its stack and its inputs, which can be searched and filtered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use maud::{Markup, html};

use super::controls::{Choice, controls};
use super::file::{PageFile, link};
use super::frame::{self, Made, SCRIPT, Text, name};
use super::section::{linked, stack, text};
use crate::event::{Event, FailureGroup, FailureGroups, JoinedState, ReportError, Reporter};
use crate::report::show;
use crate::report::summary::failure::in_one_line;
use crate::report::summary::groups::headline;
use crate::session::saved::output::OutputError;

/// Paths of a list that are shown. A guess: no one reads more, and the search of the page stays quick; not measured.
const MAX_PATHS: usize = 2_000;

/// An input that could not be run.
pub(super) struct Trouble {
    /// Its path, as it was found.
    pub input: PathBuf,
    /// Why, in the words of the console.
    pub why: String,
}

/// The page of a run of `triage`: a reporter that writes it when all inputs have run.
///
/// It works with thousands of failures: a browser lays out only the rows that are seen.
pub(crate) struct GroupsPage {
    /// The top of the page.
    made: Made,
    /// Where the page will be.
    file: PageFile,
    /// When the run began.
    started: Instant,
    /// Names of the targets on which inputs were run.
    targets: BTreeSet<String>,
    troubles: Vec<Trouble>,
    /// Why the page could not be written, until the command line asks.
    error: Option<ReportError>,
}

impl GroupsPage {
    /// Begins a page at `path`, where nothing or an earlier page is; any other file is not replaced.
    ///
    /// # Errors
    ///
    /// Another file or no file is there, or nothing can be written beside it.
    pub(crate) fn begin(path: &Path, made: Made) -> Result<Self, OutputError> {
        Ok(GroupsPage {
            made,
            file: PageFile::begin(path, false)?,
            started: Instant::now(),
            targets: BTreeSet::new(),
            troubles: Vec::new(),
            error: None,
        })
    }

    /// The whole document. A filter is there only if it has a choice: one kind, one target or no earlier run need
    /// none. Failures that are fixed have a row with nothing but their identifier, because no input shows them.
    fn page(&self, groups: &FailureGroups) -> Markup {
        let page = &self.file.path;
        let targets: Vec<&str> = self.targets.iter().map(String::as_str).collect();
        let kinds = distinct(groups.rows.iter().map(|row| row.signature.kind_name()));
        let states = groups.joined.as_ref().map(|_| {
            let all = ["new", "known", "fixed"].map(str::to_owned);
            [
                vec![("".to_owned(), "New, known and fixed".to_owned())],
                all.iter().map(|one| (one.clone(), one.clone())).collect(),
            ]
            .concat()
        });
        let lists = [
            ("kind", "Kind of failure", choices("All kinds", &kinds)),
            (
                "target",
                "Target",
                choices("All targets", &distinct(groups.rows.iter().map(|row| row.target.clone()))),
            ),
            ("state", "State since the earlier run", states.unwrap_or_default()),
        ];
        // A filter with one choice filters nothing.
        let lists: Vec<(&str, &str, Vec<Choice<'_>>)> = lists
            .iter()
            .filter(|(.., choices)| choices.len() > 2)
            .map(|(id, label, list)| {
                (
                    *id,
                    *label,
                    list.iter().map(|(value, shown)| (value.as_str(), shown.as_str())).collect(),
                )
            })
            .collect();
        let filters: Vec<(&str, &str, &[Choice<'_>])> =
            lists.iter().map(|(id, label, list)| (*id, *label, list.as_slice())).collect();
        let body = html! {
            (self.made.header(&[
                (if targets.len() == 1 { "target" } else { "targets" }, html! { code { (Text(&targets.join(", "))) } }),
                ("time", html! { (show::time(self.started.elapsed())) }),
            ]))
            p.headline { (Text(&headline(groups))) }
            @if let Some(joined) = &groups.joined { p { (Text(&joined.headline())) } }
            (controls("Part of a failure or of a file's name", &filters, &[
                ("", "In the order of the run"),
                ("-files", "Most files first"),
                ("+bytes", "Smallest input first"),
                ("-bytes", "Largest input first"),
            ]))
            div #rows {
                "\n"
                @for row in &groups.rows {
                    (group(row, groups, &kinds, page)) "\n"
                }
                @for identifier in groups.joined.iter().flat_map(|joined| &joined.fixed) {
                    section.row.good data-state="fixed" data-files="0" data-bytes="0" {
                        h2.name { "fixed: " code { (Text(identifier)) } }
                        p.meta { "The earlier run has this failure, and no input shows it in this one." }
                    }
                    "\n"
                }
            }
            (passing(groups, page))
            (troubles(&self.troubles))
        };
        frame::page("Failures", Some(SCRIPT), &body)
    }
}

impl Reporter for GroupsPage {
    /// Nothing is written before the groups are known. A run that a signal ends before leaves no page.
    fn report(&mut self, event: &Event<'_>) {
        match event {
            Event::Triaged(one) => {
                self.targets.insert(one.target.to_owned());
            }
            Event::PassedOver { input, why, .. } => {
                self.troubles.push(Trouble { input: input.to_path_buf(), why: (*why).to_owned() });
            }
            Event::Grouped(groups) => self.error = self.file.write(&self.page(groups).0),
            _ => {}
        }
    }

    fn take_error(&mut self) -> Option<ReportError> {
        self.error.take()
    }
}

/// Each text once, in the order of the alphabet. Their numbers are the values of a filter: a text itself could be
/// anything.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<BTreeSet<String>>().into_iter().collect()
}

/// A choice for each text, whose value is its number; the first one is all of them. With two choices there is
/// nothing to choose, and the filter is left out.
fn choices(all: &str, texts: &[String]) -> Vec<(String, String)> {
    let first = [(String::new(), all.to_owned())];
    let others = texts.iter().enumerate().map(|(at, text)| (at.to_string(), text.clone()));
    first.into_iter().chain(others).collect()
}

/// One failure: who it is, whether it is new, how many files show it, and a link to the smallest of them. Its stack
/// and the list of its files are closed at first.
///
/// The attributes `data-…` are what the script filters and sorts by: numbers of a kind and of a target, a state, and
/// figures. `kinds` has the kinds of all failures in the order of the choices. The search of the page looks into the
/// failure and the names of its files.
fn group(row: &FailureGroup, groups: &FailureGroups, kinds: &[String], page: &Path) -> Markup {
    let number = |texts: &[String], text: &str| texts.iter().position(|one| one == text);
    let targets = distinct(groups.rows.iter().map(|row| row.target.clone()));
    let state = groups.joined.as_ref().map(|joined| joined.state(&row.id));
    let files = show::counted(row.inputs.len() as u64, "file", "files");
    let smallest = show::counted(row.smallest_bytes, "byte", "bytes");
    html! {
        section.row.bad data-kind=[number(kinds, &row.signature.kind_name())]
            data-target=[number(&targets, &row.target)] data-state=[state.map(JoinedState::name)]
            data-files=(row.inputs.len()) data-bytes=(row.smallest_bytes)
        {
            h2.name { (failure(row)) }
            p.meta {
                @if let Some(state) = state { b { (state.name()) } ", " }
                (files) " on " (Text(&row.target)) "; the smallest has " (smallest) ": "
                (linked(&row.smallest, link(page, &row.smallest).as_deref()))
            }
            (details_of_stack(row))
            details {
                summary { (files) ", identifier " code { (Text(&row.id)) } }
                (paths(&row.inputs, page))
            }
        }
    }
}

/// The stack, which is closed at first: a page of many failures would be mostly stacks.
fn details_of_stack(row: &FailureGroup) -> Markup {
    html! {
        @if !row.stack.is_empty() { details { summary { "Stack" } (stack(&row.stack, None)) } }
    }
}

/// The failure on one line, and whether it is unsteady: some input did not fail in each run. It is the text of the
/// console's table, not cut.
fn failure(row: &FailureGroup) -> Markup {
    html! { (text(&in_one_line(&row.signature, &row.stack))) @if !row.is_steady { " (unsteady)" } }
}

/// A row for each failure of a run of `tmin`, in the words of the console's table, with links to the sections of its
/// results. On a narrow screen the table is scrolled and not the page. `place` is the link to the section of a
/// result's file.
pub(super) fn table(
    groups: &FailureGroups,
    page: &Path,
    place: &dyn Fn(&Path) -> Option<String>,
) -> Markup {
    html! {
        @if !groups.rows.is_empty() {
            section.wide tabindex="0" aria-label="Failures" {
                table.groups {
                    thead {
                        tr {
                            th scope="col" { "files" } th scope="col" { "bytes" }
                            th scope="col" { "result" } th scope="col" { "failure" }
                            th scope="col" { "smallest" }
                        }
                    }
                    tbody {
                        @for row in &groups.rows {
                            @let best = row.best();
                            tr {
                                td { (show::number(row.inputs.len() as u64)) }
                                td { (show::number(row.smallest_bytes)) }
                                td {
                                    @match best {
                                        Some(best) => (show::number(best.bytes as u64)),
                                        None => "-",
                                    }
                                }
                                td {
                                    @match best.and_then(|best| place(&best.output)) {
                                        Some(place) => a href=(place) { (failure(row)) },
                                        None => (failure(row)),
                                    }
                                }
                                td {
                                    @let path = best.map_or(&row.smallest, |best| &best.output);
                                    (linked(path, link(page, path).as_deref()))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Inputs that do not fail, closed at first; nothing if there are none. Of a folder of fixed crashes they are
/// most.
pub(super) fn passing(groups: &FailureGroups, page: &Path) -> Markup {
    let count = groups.passing.len();
    html! {
        @if count > 0 {
            details {
                summary {
                    (show::counted(count as u64, "input does", "inputs do")) " not fail"
                }
                (paths(&groups.passing, page))
            }
            "\n"
        }
    }
}

/// Inputs that could not be run, and why; nothing if there are none. The list is open, because each of them needs
/// something done.
pub(super) fn troubles(troubles: &[Trouble]) -> Markup {
    html! {
        @if !troubles.is_empty() {
            details open {
                summary { (show::counted(troubles.len() as u64, "input was", "inputs were")) " passed over" }
                ul.paths {
                    @for one in troubles.iter().take(MAX_PATHS) {
                        li { code { (name(&one.input)) } ": " (Text(&one.why)) }
                    }
                }
            }
            "\n"
        }
    }
}

/// A list of files with links. After `MAX_PATHS` of them the rest is counted.
fn paths(paths: &[PathBuf], page: &Path) -> Markup {
    let more = paths.len().saturating_sub(MAX_PATHS);
    html! {
        ul.paths {
            @for path in &paths[..paths.len() - more] {
                li.name { (linked(path, link(page, path).as_deref())) }
            }
            @if more > 0 { li { "… and " (show::counted(more as u64, "more file", "more files")) } }
        }
    }
}
