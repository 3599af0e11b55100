//! Corpora on disk: where chosen inputs go, the state of a run that was ended, and the results of shards.

mod code;
mod failures;
mod hexadecimal;
mod part;
mod place;
mod second_run;

pub(crate) use code::{read_code, write_code};
pub(crate) use failures::{ShardFailures, join_failures, keep_shard};
pub(crate) use part::{Change, JoinError, JoinedParts, PART_FILE, Part, ToDo, join_parts};
pub(crate) use place::{CorpusPlace, PlaceError};
pub(crate) use second_run::SecondRun;
