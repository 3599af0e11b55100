//! What a session keeps on disk: the result, other failures, and what continues a run that was ended.
//!
//! The result is written aside and renamed before anybody hears of it. In a hidden folder beside it
//! are a journal of the run and the observations, from which a later session continues without
//! repeating a test. A result that is there already is compared with the task.

pub mod identity;
pub(super) mod keeper;
pub(super) mod on_disk;
pub mod other_failures;
pub mod output;
pub mod pattern;
pub mod record;
mod rescue;
pub mod task;
pub mod task_words;
pub mod test;
