//! Corpora on disk: where chosen inputs go, the state of a run that was ended, and the results of shards.

mod code;
mod failures;
mod part;
mod place;

pub(crate) use code::{CODE_FILE, read_code, write_code};
pub(crate) use failures::{
    FAILURES_FILE, JoinError, JoinedFailures, ShardFailures, join_failures, keep_shard,
    missing_shards,
};
pub(crate) use part::{PART_FILE, Part, join_parts};
pub(crate) use place::{CorpusPlace, PlaceError};
