//! Reports what happens to people and programs. Nothing else of the command line prints.
//!
//! A [`Report`] hears the [`Event`](crate::event::Event)s of a run and is given what came of it: the result, repaired
//! texts, a pattern, a grammar. It makes the pages for browsers too; of files it
//! writes only the page of a run of repairs, which grows with the run.
//! stdout is data (the result's path, or JSON Lines), stderr is talk. Who reads stdout and stops
//! reading is no trouble: a broken pipe is success.

mod exchange;
mod finished;
mod json;
mod libfuzzer;
mod names;
mod options;
mod page;
mod reporters;
mod show;
pub(crate) mod summary;
mod terminal;

pub use crate::session::language::shown::{TreeNames, grammar_shown, parse_shown, parser_shown};
pub use exchange::joined::{EarlierError, Joined, earlier};
pub use exchange::{junit, markdown, sarif};
pub use finished::{Finished, Isolated};
pub use libfuzzer::LibFuzzerLines;
pub use options::{Subject, Tell};
pub use page::pattern_page as page;
pub use page::pattern_text as text;
pub use page::{RepairPage, RepairPageFile};
pub use reporters::Report;
pub use summary::folder::FolderFinished;
pub use summary::folder::corpus::{CorpusFile, CorpusFinished, CorpusSource};
pub use summary::folder::coverage::{CoverageFinished, CoverageFunction};
pub use summary::folder::shrunk::{CorpusShrunk, ShrunkFile};
pub use summary::generalized::{
    Abstracted, EXAMPLES_KEPT, claim_in_words, condition_in_words, failure_in_words,
};
pub use summary::grammar::{
    ErrorShown, GrammarListed, GrammarShown, NodeShown, ParseShown, RuleShown, ShownNodeKind,
    TokenShown,
};
pub use summary::groups::{GroupResult, GroupRow, Groups, Triaged};
pub use summary::judged::JudgedKit;
pub use summary::listed::AppliedSettings;
pub use summary::ran::Ran;
pub use terminal::Color;
