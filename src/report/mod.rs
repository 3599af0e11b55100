//! Reports what happens to people and programs. Nothing else of the command line prints.
//!
//! [`Reporters`] hands each [`Event`](crate::event::Event) of a run to the console, to JSON Lines, and to what a task
//! adds. Every kind of report is one implementation of [`Reporter`](crate::event::Reporter); `summary` has the words
//! that they share. Files for other tools (`exchange`) are functions from an event's data to text, and the
//! command line writes them. stdout is data (the result's path, or JSON Lines), stderr is messages. A
//! reader that closes stdout is no error.
//!
//! | folder | what it prints |
//! |---|---|
//! | `terminal` | messages and results for people, and the line of progress |
//! | `view` | a search on the whole terminal (feature `view`) |
//! | `json` | a line for each event, for programs |
//! | `page` | HTML pages of minimized inputs, of failures, of a pattern and of a run of repairs |
//! | `exchange` | failures as SARIF, JUnit and Markdown |
//! | `libfuzzer` | the lines of libFuzzer, for programs that parse them |

mod exchange;
mod figures;
mod json;
mod libfuzzer;
mod note;
mod options;
mod page;
mod reporters;
mod show;
mod summary;
mod terminal;
#[cfg(feature = "view")]
mod view;

pub(crate) use exchange::{System, casrep, earlier, junit, markdown, sarif};
pub(crate) use libfuzzer::LibFuzzerLines;
pub(crate) use note::note_in_words;
pub(crate) use options::ReportOptions;
pub(crate) use page::{
    CorpusPage, GroupsPage, Made, MinimizedPage, PatternPage, RepairPageFile, pattern_text,
};
pub(crate) use reporters::Reporters;
pub(crate) use summary::generalized::{claim_in_words, condition_in_words, failure_in_words};
pub(crate) use terminal::Color;
#[cfg(feature = "view")]
pub(crate) use view::{Keys, restore as restore_terminal};
