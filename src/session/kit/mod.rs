//! A kit: a folder with everything that it takes to fix a failure and to judge a fix.
//!
//! [`contents`] says what is in the folder, [`file`](mod@file) is its table of contents, [`read`] loads it again,
//! and [`judge()`] runs its inputs on a patched target. A kit may come from anywhere: its content is
//! data, and no program is started because a kit names it.

pub(crate) mod contents;
pub(crate) mod file;
pub mod judge;
pub(crate) mod read;
mod same;

pub use judge::{JudgeOptions, judge};
pub use read::Kit;
pub(crate) use read::KitError;
