//! The page of `tmin --as-one`: a folder that was one input.
//!
//! A folder of a build may have thousands of files, of which a few are left. So the files that are left come first,
//! each with the forms in which it can be copied, and the deleted ones are only rows of the table. Deleted files are
//! not shown with their contents: they say nothing about the failure.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{Markup, html};
use seedsmith_engine::internal::{Content, FolderFile};

use super::frame::{self, Made, SCRIPT, Text, heading, name};
use super::parts::forms::forms;
use super::section::original as parts_of_original;
use crate::event::MinimizedFolder;
use crate::report::show;
use crate::report::summary::folder::sizes;

/// Files of the result that are shown with their contents. A guess: more than a reader opens; not measured.
const MAX_SHOWN_FILES: usize = 50;
/// Rows of the table of all files. A guess; not measured. Those after them are counted.
const MAX_ROWS: usize = 2000;

/// The page: the failure, each file that is left with its result and its original, and a table of all files.
///
/// The failure has no stack here: the console prints none for a folder either. `target` is the command's name.
pub(super) fn folder(made: &Made, target: &str, finished: &MinimizedFolder) -> Markup {
    let originals: BTreeMap<&Path, &FolderFile> =
        finished.original.files.iter().map(|file| (&*file.path, file)).collect();
    let shown = finished.best.files.iter().take(MAX_SHOWN_FILES);
    let title = format!("{}: {}", show::path(&finished.input), sizes(finished));
    let body = html! {
        (made.header(&[
            ("target", html! { code { (Text(target)) } }),
            ("folder", html! { code { (name(&finished.input)) } }),
            ("time", html! { (show::time(finished.elapsed)) }),
        ]))
        p.headline { (Text(&sizes(finished))) }
        table.facts {
            tr { th scope="row" { "failure" } td { (Text(&finished.signature.to_string())) } }
            tr { th scope="row" { "tests" } td { (show::number(finished.counts.tests)) } }
            tr { th scope="row" { "written to" } td { code { (name(&finished.output)) } } }
        }
        @for file in shown {
            section { (one(file, originals.get(&*file.path).copied())) }
            "\n"
        }
        (heading(2, "All files"))
        (table(finished))
    };
    frame::page(&title, Some(SCRIPT), &body)
}

/// A file that is left: its result, and its original with the deleted parts struck.
///
/// A file that did not change, and one that is no text, has no second part. A link is shown by its target.
fn one(file: &FolderFile, original: Option<&FolderFile>) -> Markup {
    let file_name = file.path.file_name().unwrap_or_default().to_string_lossy();
    html! {
        h2.name { (name(&file.path)) }
        @match (&file.content, original.map(|original| &original.content)) {
            (Content::Link(to), _) => p.meta { "A link to " code { (name(Path::new(to))) } },
            (Content::Bytes(best, _), Some(Content::Bytes(original, _))) => {
                p.meta { (show::number(original.len() as u64)) " → " (show::bytes(best.len())) }
                (forms(best, &file_name))
                @if original != best {
                    (heading(3, "Original"))
                    (parts_of_original(&file.path, original, best))
                }
            }
            (Content::Bytes(best, _), _) => (forms(best, &file_name)),
        }
    }
}

/// A row for each file of the input, with its size before and after. A deleted one has no size after.
///
/// Rows are in the order of the input. The table can be scrolled sideways, so it can have the focus and has a name.
fn table(finished: &MinimizedFolder) -> Markup {
    let left: BTreeMap<&Path, u64> =
        finished.best.files.iter().map(|file| (&*file.path, file.len())).collect();
    let files = &finished.original.files;
    html! {
        section.wide tabindex="0" aria-label="All files" { table.reducers {
            thead { tr {
                th scope="col" { "file" } th scope="col" { "bytes" } th scope="col" { "left" }
            } }
            tbody {
                @for file in files.iter().take(MAX_ROWS) {
                    tr {
                        th scope="row" { (name(&file.path)) }
                        td { (show::number(file.len())) }
                        td {
                            @match left.get(&*file.path) {
                                Some(bytes) => (show::number(*bytes)),
                                None => "deleted",
                            }
                        }
                    }
                }
            }
        } }
        @if files.len() > MAX_ROWS {
            p.meta { "… and " (show::counted((files.len() - MAX_ROWS) as u64, "file", "files")) "." }
        }
    }
}
