//! What a corpus reaches: the features of each input, and the smallest set of inputs that has all.
//!
//! [`gather`] runs inputs on an instrumented executable and reports what each reached. [`run`]
//! does that for the files of a corpus ([`survey`]), and [`records`] keeps the answers on disk (in the form of [`record_format`]);
//! [`exact`] lets most inputs run once, in a process with others, and only those that matter alone ([`rerun`]);
//! [`unstable`] is about counters that count by chance. [`cover`] is the
//! weighted set cover over features; it runs nothing and knows no files. [`smallest`] is the cover of
//! a survey. [`shrink`] makes inputs smaller while what they reach stays, through a target that fails
//! exactly when it reaches that ([`keep`]). Where the result goes is known to the command line only.

pub(crate) mod code;
pub(crate) mod cover;
mod exact;
pub(crate) mod gather;
pub(crate) mod keep;
pub(crate) mod record_format;
pub(crate) mod records;
mod rerun;
pub(crate) mod run;
pub(crate) mod shrink;
pub(crate) mod smallest;
pub(crate) mod survey;
pub(crate) mod unstable;
