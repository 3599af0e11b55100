//! Which alternative a decision takes: adaptive LL(*) prediction, as ANTLR 4 predicts.
//!
//! [`predict`] decides, with SLL first and with full LL ([`full`]) after a conflict ([`conflict`]).
//! Both work on sets of configurations ([`configs`]) with graph-structured stacks ([`stacks`]);
//! [`closure`] and [`cached_closure`] find the configurations that one reaches without a token.

mod cached_closure;
mod closure;
mod closure_cache;
mod configs;
pub(super) mod conflict;
mod full;
pub(super) mod predict;
mod reach;
pub(super) mod stacks;
mod walk;
