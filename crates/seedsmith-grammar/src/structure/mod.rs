//! What can be seen in bytes without running anything.
//!
//! A [`Units`] list cuts bytes into pieces that a reducer may drop; a
//! [`Pair`](pairs::Pair) is an opener with its closer. Both are guesses that hold for most
//! formats: they know no grammar, and a wrong guess costs tests, never correctness. A
//! [`Tree`](tree::Tree) is what a grammar's parser makes of the bytes, or a
//! [`Structure`](structured::Structure): a binary format whose lengths and checksums are mended.

pub mod diff;
pub mod field;
pub mod formats;
pub mod items;
pub mod layout;
pub mod lines;
pub mod offsets;
pub mod outline;
pub mod pairs;
pub mod places;
pub mod records;
pub mod spine;
pub mod split;
pub mod structured;
pub mod tags;
pub mod terminals;
pub mod tokens;
pub mod tree;
pub mod tree_builder;
pub mod tree_edit;
pub mod unit;

pub use split::{Format, split};
pub use unit::Units;
