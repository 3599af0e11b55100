//! Corpora on disk: where chosen inputs go, the state of a run that was ended, and the failing inputs of shards.

mod failures;
mod place;

pub(crate) use failures::{
    FAILURES_FILE, JoinError, JoinedFailures, ShardFailures, join_failures, keep_shard,
};
pub(crate) use place::{CorpusPlace, PlaceError};
