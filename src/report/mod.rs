//! Reports what happens to people and programs. Nothing else of the command line prints.
//!
//! A [`Reporters`] hears the [`Event`](crate::event::Event)s of a run and is given what came of it: the result, repaired
//! texts, a pattern, a grammar. It makes the pages for browsers too; of files it
//! writes only the page of a run of repairs, which grows with the run.
//! stdout is data (the result's path, or JSON Lines), stderr is talk. Who reads stdout and stops
//! reading is no trouble: a broken pipe is success.

mod exchange;
mod json;
mod libfuzzer;
mod options;
mod page;
mod reporters;
mod show;
mod summary;
mod terminal;

pub use exchange::{EarlierError, earlier, junit, markdown, sarif};
pub use libfuzzer::LibFuzzerLines;
pub use options::ReportOptions;
pub use page::{PatternPage, RepairPage, RepairPageFile, pattern_text};
pub use reporters::Reporters;
pub use summary::generalized::{claim_in_words, condition_in_words, failure_in_words};
pub use terminal::Color;
