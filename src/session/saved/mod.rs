//! The files that a session keeps on disk: the result, other failures, and those from which an
//! unfinished run is continued.
//!
//! The result is written aside and renamed before it is reported. In a hidden folder beside it are
//! a journal of the run and the observations, from which a later session continues without
//! repeating a test. A result that is there already is compared with the task.

pub(crate) mod identity;
pub(super) mod keeper;
pub(super) mod on_disk;
pub(crate) mod other_failures;
pub(crate) mod output;
pub(crate) mod pattern;
pub(crate) mod record;
mod rescue;
pub(crate) mod task;
pub(crate) mod task_words;
pub(crate) mod test;
