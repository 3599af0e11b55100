//! Repair fault by fault from the left: find where a text stops being right, and mend it there.
//!
//! A prefix is *viable* if some completion of it is valid; it is tried with the closers of what
//! is open ([`structure::outline`](seedsmith_grammar::structure::nesting::open_brackets)). The longest viable prefix is found
//! by bisection. The fault is between it and the next place where the text can be cut, or a
//! little before it. There, edits are tried by how much likelier they make the text
//! ([`likelihood`](super::likelihood)); one that makes a longer prefix viable is kept. Where several do,
//! the one that gets furthest is followed and the others are come back to.
//!
//! 'Debugging Inputs', section 9, names input synthesis, learned structure and the *incomplete or
//! incorrect* signal; this is all three, without a grammar.

mod allowance;
mod balance;
mod clues;
mod dropping;
mod edit;
mod edits;
mod fault;
mod faults;
mod first_fault;
mod guide;
mod partial_repair;
mod stages;
mod together;
pub(super) mod whole_input;

pub(crate) use allowance::Allowance;
pub(super) use faults::LATE_SHARE;
pub(crate) use guide::Guide;
