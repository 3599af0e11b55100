//! Structure that is found in bytes without running anything.
//!
//! A [`Units`](units::Units) list cuts bytes into pieces that a reducer may drop; a
//! [`Pair`](nesting::pairs::Pair) is an opener with its closer. Both are guesses that hold for most
//! formats: they know no grammar, and a wrong guess costs tests, never correctness. A
//! [`Tree`](trees::tree::Tree) of the bytes is made by a grammar's parser, or by a
//! [`Structure`](binary::structured::Structure): a binary format whose lengths and checksums are
//! corrected.

pub(crate) mod binary;
pub(crate) mod nesting;
pub(crate) mod trees;
pub(crate) mod units;
