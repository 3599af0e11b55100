//! What a corpus reaches: the features of each input, and the smallest set of inputs that has all.
//!
//! [`gather`] runs inputs on an instrumented executable and reports what each reached. [`cover`] is
//! the weighted set cover over that; it runs nothing and knows no files. [`smallest`] is both, for the
//! files of a corpus. Where the result goes is known to the command line only.

pub mod cover;
pub mod gather;
pub mod smallest;
