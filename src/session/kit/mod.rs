//! A kit: a folder with everything that is needed to fix a failure and to judge a fix.
//!
//! [`contents`] defines the files in the folder, [`file`](mod@file) is its table of contents,
//! [`read`] loads the kit again, and [`judge()`] runs its inputs on a patched target. A kit may
//! come from anywhere: its content is data, and no program is started because a kit names it.

pub(crate) mod contents;
pub(crate) mod file;
pub mod judge;
pub(crate) mod read;
mod same;

pub use judge::{JudgeOptions, judge};
pub use read::Kit;
pub(crate) use read::KitError;
