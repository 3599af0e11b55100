//! seedsmith: shrinks crashing inputs, repairs invalid seeds, generalizes failures.

#[cfg(feature = "cli")]
pub mod cli;
pub mod digest;
pub mod event;
pub mod observation;
pub mod oracle;
pub mod order;
pub mod outcome;
pub mod reduce;
#[cfg(feature = "cli")]
pub mod report;
pub mod sameness;
pub mod search;
pub mod shim;
pub mod signature;
pub mod structure;
pub mod target;

#[cfg(feature = "arbitrary")]
pub use arbitrary;
pub use shim::Corpus;
