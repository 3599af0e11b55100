//! One search to its end, and how it ended; shared by the tasks that minimize.

use seedsmith_engine::Stopped;
use seedsmith_engine::{Counts, StopReason};

use super::ended::Remark;
use super::error::SessionError;
use super::saved::keeper::{Keeper, Unwritten};
use crate::event::{Minimality, ReducerStats};
use crate::reduce;
use crate::search::Search;
use crate::wishes::Wishes;

/// How a minimization goes.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How to reduce.
    pub reduction: reduce::Options,
    /// Whether to continue an earlier run with the same output.
    pub resumes: bool,
    /// What a person asks of the search while it runs.
    pub(crate) wishes: Wishes,
}

/// How a search ended.
pub(super) struct Searched {
    pub best: Vec<u8>,
    pub minimality: Minimality,
    pub stats: Vec<ReducerStats>,
    pub counts: Counts,
    pub stopped: Option<StopReason>,
    pub remarks: Vec<Remark>,
}

/// Runs a search to its end. An error is one of the target; a budget that is over is not.
pub(super) fn searched(
    mut search: Search<'_, '_>,
    options: &Options,
) -> (Searched, Result<(), Stopped>) {
    search.heed(options.wishes.clone());
    let ended = reduce::minimize(&mut search, &options.reduction);
    let mut searched = Searched {
        best: search.best().to_vec(),
        minimality: search.minimality(),
        stats: search.stats().to_vec(),
        counts: search.counts(),
        stopped: None,
        remarks: Vec::new(),
    };
    match ended {
        Err(Stopped::Early(reason)) => {
            searched.stopped = Some(reason);
            (searched, Ok(()))
        }
        ended => (searched, ended),
    }
}

/// Writes the best with `fsync`.
pub(super) fn keep(keeper: &mut Keeper, best: &[u8]) -> Result<(), SessionError> {
    keeper.finish(best).map_err(|unwritten| unkept(unwritten, best))
}

/// Writes the best once more if its file is gone.
pub(super) fn keep_if_gone(keeper: &mut Keeper, best: &[u8]) -> Result<(), SessionError> {
    keeper.write_if_gone(best).map_err(|unwritten| unkept(unwritten, best))
}

/// The error of a run whose best is not in its place.
fn unkept(unwritten: Unwritten, best: &[u8]) -> SessionError {
    let Unwritten { path, source, rescued } = unwritten;
    SessionError::Write { path, source, rescued, best: best.to_vec() }
}
