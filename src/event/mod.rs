//! Everything that happens during a run, and its results, as data: the one vocabulary of the search, the tasks,
//! the journal and all reports.
//!
//! Searches and tasks make [`Event`]s; a [`Reporter`] takes them. The data of an event is plain: texts,
//! figures, paths and signatures. It knows no session, no target and no grammar, so a reporter can be
//! written against this module alone.

mod corpus;
mod generalized;
mod grammar;
mod isolated;
mod judged;
mod listing;
mod minimized;
mod note;
mod reducers;
mod repair;
mod reporter;
mod stack;
mod triage;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

pub(crate) use corpus::{
    CorpusFile, CorpusSource, CoverageFunction, CoverageTotals, MinimizedCorpus, ShrunkCorpus,
    ShrunkFile,
};
pub use generalized::Claim;
pub(crate) use generalized::{
    ClaimedLimit, GeneralizedInput, MeasuredCondition, PatternPart, Reason, TreeRow,
};
pub(crate) use grammar::{
    BuiltinGrammar, GrammarDescription, GrammarRule, GrammarToken, KeepGoing, NodeKind, ParsedFile,
    ParsedNode, SyntaxError,
};
pub(crate) use isolated::{DifferencePart, IsolatedInput};
pub(crate) use judged::{Became, JudgedInput, JudgedKit};
pub use judged::{FixVerdict, Judged};
pub(crate) use listing::{
    AppliedSettings, Artifact, ArtifactKind, ArtifactResult, ListedTarget, Listing,
};
pub(crate) use minimized::{Caught, MinimizedFolder, MinimizedInput, RanInput, Rate, Sanitized};
pub use note::NoteKind;
pub(crate) use reducers::ReducerDescription;
pub(crate) use repair::{RepairRow, RepairStatus, RepairTotals, RepairedInput};
pub use reporter::{ReportError, Reporter, Silent};
use seedsmith_engine::Signature;
pub(crate) use seedsmith_engine::{Counts, StopReason};
pub(crate) use stack::{SourcePlace, StackLine, without_build_folders};
pub(crate) use triage::{
    Crash, FailureGroup, FailureGroups, GroupResult, Joined, JoinedState, TriagedInput,
};

/// How small a result is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Minimality {
    /// Nothing is claimed.
    #[serde(rename = "none")]
    None,
    /// No single unit (byte, unless said otherwise) can be removed.
    #[serde(rename = "1-minimal")]
    OneMinimal,
    /// No single node of the parse tree can be removed.
    #[serde(rename = "1-tree-minimal")]
    OneTreeMinimal,
    /// Every shorter input was tested: none fails.
    #[serde(rename = "global")]
    Global,
}

/// The figures of one run of a reducer.
#[derive(Clone, Debug, Serialize)]
pub struct ReducerStats {
    /// The reducer's name, such as `ddmin(lines)`.
    pub reducer: String,
    /// Its tests, cache hits and runs.
    #[serde(flatten)]
    pub counts: Counts,
    /// Size of the best before.
    pub bytes_before: usize,
    /// Size of the best after.
    pub bytes_after: usize,
    /// Wall time.
    pub elapsed: Duration,
}

/// The input that the following events are about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// The target's name.
    pub target: &'a str,
}

/// Something that happened, or a result.
///
/// Events of a run come in this order: `Subject`, `Started`, then those of the search, then one result.
/// All data is borrowed: a reporter copies the data that it keeps. The variants that are not listed
/// here are made by the command line only.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The following events are about this input.
    #[doc(hidden)]
    Subject(Subject<'a>),
    /// The input was found to fail, and the search begins.
    Started {
        /// Size of the input.
        bytes: usize,
        /// The failure that the search keeps.
        signature: &'a Signature,
    },
    /// A reducer begins.
    ReducerStarted {
        /// Its name.
        reducer: &'a str,
    },
    /// A reducer ended.
    ReducerEnded(&'a ReducerStats),
    /// A better input was found and confirmed. If a result is written, it is on disk before any
    /// reporter gets this event.
    Reduced {
        /// The new best.
        best: &'a [u8],
        /// Counts until now.
        counts: Counts,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// A failure other than the input's was met for the first time.
    OtherFailure {
        /// Which failure it is.
        signature: &'a Arc<Signature>,
        /// The input that shows it.
        input: &'a [u8],
    },
    /// The search is alive; at most ten times a second.
    Progress {
        /// Counts until now.
        counts: Counts,
        /// Size of the best.
        bytes: usize,
        /// Time since the search began.
        elapsed: Duration,
    },
    /// Something that people and programs should know.
    Note(NoteKind, &'a str),
    /// Something that only a user who asks for details wants to know.
    Detail(&'a str),
    /// A line for people. Programs learn the same from other events, or do not need it.
    Message(&'a str),
    /// Settings of a file apply.
    #[doc(hidden)]
    Settings(&'a AppliedSettings),
    /// The targets and artifacts of a fuzz package.
    #[doc(hidden)]
    Listed(&'a Listing),
    /// An input was minimized.
    #[doc(hidden)]
    Minimized(&'a MinimizedInput),
    /// A folder that is one input was minimized.
    #[doc(hidden)]
    FolderMinimized(&'a MinimizedFolder),
    /// The smallest difference to a passing input was found.
    #[doc(hidden)]
    Isolated(&'a IsolatedInput),
    /// The pattern that makes an input fail was found.
    #[doc(hidden)]
    Generalized(&'a GeneralizedInput),
    /// An input was run, without a search.
    #[doc(hidden)]
    Ran(&'a RanInput<'a>),
    /// The inputs of a kit were run on a patched target.
    #[doc(hidden)]
    Judged(&'a JudgedKit<'a>),
    /// One of many inputs was run.
    #[doc(hidden)]
    Triaged(&'a TriagedInput<'a>),
    /// One of many inputs was left out.
    #[doc(hidden)]
    PassedOver {
        /// Its path.
        input: &'a Path,
        /// Why.
        why: &'a str,
        /// The exit code that a run on this input alone would end with.
        exit: u8,
    },
    /// Many inputs were sorted by failure, and nothing else was wanted.
    #[doc(hidden)]
    Grouped(&'a FailureGroups),
    /// Of many inputs some were minimized; each result was reported before.
    #[doc(hidden)]
    GroupsMinimized(&'a FailureGroups),
    /// An input of a corpus is kept.
    #[doc(hidden)]
    CorpusFile(&'a CorpusFile<'a>),
    /// The contribution of one of several folders to a corpus.
    #[doc(hidden)]
    CorpusSource(&'a CorpusSource<'a>),
    /// A corpus was minimized.
    #[doc(hidden)]
    CorpusMinimized(&'a MinimizedCorpus<'a>),
    /// An input of a corpus was shrunk.
    #[doc(hidden)]
    CorpusFileShrunk(&'a ShrunkFile<'a>),
    /// A corpus was shrunk.
    #[doc(hidden)]
    CorpusShrunk(&'a ShrunkCorpus<'a>),
    /// The code that a corpus reaches.
    #[doc(hidden)]
    Coverage {
        /// The functions that are reported.
        functions: &'a [CoverageFunction<'a>],
        /// The figures of the whole corpus.
        totals: &'a CoverageTotals<'a>,
    },
    /// So many of all inputs of a task are done.
    #[doc(hidden)]
    InputsDone {
        /// Inputs that are done.
        done: usize,
        /// All inputs.
        all: usize,
    },
    /// One input was repaired, or not.
    #[doc(hidden)]
    Repaired(&'a RepairedInput<'a>),
    /// The changes of a repair are wanted in context.
    #[doc(hidden)]
    RepairDiagnosed(&'a RepairedInput<'a>),
    /// All inputs of a repair are done.
    #[doc(hidden)]
    RepairsEnded {
        /// The totals.
        totals: &'a RepairTotals,
        /// Whether one file was named, and no folder.
        is_single: bool,
    },
    /// Bytes that were asked for on stdout.
    #[doc(hidden)]
    Data(&'a [u8]),
    /// The reducers that can be switched on and off.
    #[doc(hidden)]
    Reducers(&'a [ReducerDescription<'a>]),
    /// The grammars that come with the program.
    #[doc(hidden)]
    Grammars(&'a [BuiltinGrammar<'a>]),
    /// The description of a grammar.
    #[doc(hidden)]
    Grammar(&'a GrammarDescription),
    /// How a file was parsed.
    #[doc(hidden)]
    Parsed(&'a ParsedFile<'a>),
    /// The program ends without a result.
    #[doc(hidden)]
    Failed {
        /// The reason, and advice.
        message: &'a str,
        /// The code that the program ends with.
        exit: u8,
    },
}
