//! Reports what happens to people and programs. Nothing else of the command line prints.
//!
//! A [`Report`] hears the [`Event`](crate::event::Event)s of a run and is given what came of it: the result, repaired
//! texts, a pattern, a grammar. It makes the pages for browsers too; of files it
//! writes only the page of a run of repairs, which grows with the run.
//! stdout is data (the result's path, or JSON Lines), stderr is talk. Who reads stdout and stops
//! reading is no trouble: a broken pipe is success.

mod abstracted;
mod console;
mod events;
mod exchange;
mod finished;
mod folder;
mod grammar;
mod groups;
mod joined;
mod json;
mod libfuzzer;
mod names;
mod page;
mod repairs;
mod reporters;
mod show;
mod shown;
mod stats;
mod summary;
mod tell;
mod terminal;

pub use abstracted::{
    Abstracted, EXAMPLES_KEPT, claim_in_words, condition_in_words, failure_in_words,
};
pub use exchange::{junit, markdown, sarif};
pub use finished::{Finished, Isolated};
pub use folder::FolderFinished;
pub use folder::corpus::{CorpusFile, CorpusFinished, CorpusSource};
pub use folder::coverage::{CoverageFinished, CoverageFunction};
pub use folder::shrunk::{CorpusShrunk, ShrunkFile};
pub use grammar::{
    ErrorShown, GrammarListed, GrammarShown, NodeKind, NodeShown, ParseShown, RuleShown, TokenShown,
};
pub use groups::{GroupResult, GroupRow, Groups, Triaged};
pub use joined::{EarlierError, Joined, earlier};
pub use libfuzzer::LibFuzzerLines;
pub use page::pattern_page as page;
pub use page::pattern_text as text;
pub use page::{RepairPage, RepairPageFile};
pub use reporters::Report;
pub use shown::{TreeNames, grammar_shown, parse_shown, parser_shown};
pub use summary::judged::JudgedKit;
pub use summary::listed::AppliedSettings;
pub use summary::ran::Ran;
pub use tell::{Subject, Tell};
pub use terminal::Color;
