//! seedsmith: shrinks crashing inputs, repairs invalid seeds, generalizes failures.
pub mod grammar;
pub mod structure;
