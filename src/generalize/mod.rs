//! From one failing input to a pattern that says what exactly makes it fail.
//!
//! ```text
//! failing input, reduced -> tree -> abstraction, isolation -> equal parts -> ranges, spelling
//!                                                                   claim <-+
//!                                   inputs of the pattern <- pattern <------+
//! ```
//!
//! Two ways lead to a pattern. The published one is DDSET ('Abstracting Failure-Inducing Inputs',
//! Gopinath et al., ISSTA 2020), step by step: [`abstraction`](slots::abstraction) (algorithm 2, with isolation),
//! [`equal`] (algorithm 3) and the compact form of [`pattern`] (algorithm 4), each
//! node tested `MAX_CHECKS` times. The default finds the same with [`joint`](slots::joint) draws, and states a
//! [`claim`] that rests on draws of the pattern as it produces inputs. Parts that a target rejects
//! draws for are dropped ([`rejected`](slots::rejected)). Where no grammar helps it continues with [`bytes`]. Last it
//! says why a part is required ([`reasons`]), and under which condition inputs fail at all
//! ([`predicate`]).

pub(crate) mod bytes;
pub(crate) mod claim;
mod claiming;
pub(crate) mod domain;
pub(crate) mod draws;
pub(crate) mod equal;
pub(crate) mod export;
pub(crate) mod file;
pub(crate) mod judge;
pub(crate) mod kit;
pub(crate) mod limits;
mod options;
pub(crate) mod pattern;
pub mod predicate;
pub(crate) mod produce;
pub(crate) mod reasons;
pub(crate) mod reduction;
mod result;
mod run;
pub(crate) mod slots;
mod subjects;

pub(crate) use options::Explains;
pub use options::{Method, Options};
pub use result::Generalized;
pub(crate) use run::{Languages, generalize_in};
pub use run::{generalize, generalize_from};
pub(crate) use subjects::subject;
