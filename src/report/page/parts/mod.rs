//! What several pages show: an input with its changes, a tree, a curve, and a result that can be copied.
//!
//! | file | shows |
//! |---|---|
//! | `excerpt` | a text with its changes, cut at lines |
//! | `hex_rows` | binary data with its changes, in rows |
//! | `kept` | nothing: it finds the bytes of an input that its minimized form has |
//! | `tree` | a derivation tree |
//! | `chart` | the size over tests and over time |
//! | `forms` | a result as text, base64, hexadecimal digits and Rust |
//!
//! Each is a function from data to markup and knows no event.

pub(crate) mod chart;
pub(crate) mod excerpt;
pub(crate) mod forms;
pub(crate) mod hex_rows;
pub(crate) mod kept;
pub(crate) mod tree;
